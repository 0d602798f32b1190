import { ok, type Result, refused } from '../../../../core/result.ts'
import { type CartRow, canCancelCart } from '../cart.ts'
import { isUnknown } from '../decide-finish.ts'
import type { IntentRow } from '../intent.ts'
import { isTerminalCart, isTerminalIntent } from '../machine.ts'

type CartFacts = Pick<CartRow, 'id' | 'status' | 'past_no_return' | 'outcome_known'>

type CancelRefusal =
  | { readonly code: 'not_cancellable' }
  /** A cart that was named does not belong to the intent. */
  | { readonly code: 'not_found'; readonly index: number }

type Cancel = {
  readonly cartIds: readonly string[]
  /** Whether the whole purchase is cancelled, or only some of its carts. */
  readonly isWhole: boolean
}

/** Which carts a cancel stops. The whole purchase can be cancelled only while it is certain that nothing of it was bought. */
export function decideCancel(
  status: IntentRow['status'],
  carts: readonly CartFacts[],
  named: readonly string[] | null,
): Result<Cancel, CancelRefusal> {
  if (named !== null) {
    const known = new Set<string>(carts.map(({ id }) => id))
    const missing = named.findIndex((id) => !known.has(id))
    if (missing >= 0) return refused({ code: 'not_found', index: missing })
  }
  // guard cancelled-once: a purchase that is over is not cancelled
  if (isTerminalIntent(status)) return refused({ code: 'not_cancellable' })
  if (named !== null) {
    const chosen = carts.filter(({ id }) => named.includes(id))
    if (!chosen.every(canCancelCart)) return refused({ code: 'not_cancellable' })
    const isWhole = carts.every((cart) => named.includes(cart.id) || cart.status === 'cancelled')
    return ok({ cartIds: chosen.map(({ id }) => id), isWhole })
  }
  const mayBeBought = carts.some((cart) => cart.status === 'succeeded' || isUnknown(cart))
  const open = carts.filter((cart) => !isTerminalCart(cart.status))
  // guard bought-is-not-cancelled: a purchase of which something was bought is not cancelled as a whole
  if (mayBeBought || !open.every(canCancelCart)) return refused({ code: 'not_cancellable' })
  return ok({ cartIds: open.map(({ id }) => id), isWhole: true })
}
