import { next } from '../../../core/state-table.ts'
import type { CartRow } from './cart.ts'
import type { NextAction } from './decide/next-action.ts'
import { type FailureReason, failureOf } from './failure.ts'
import { type IntentStatus, intentMachine, isTerminalCart } from './machine.ts'

type CartFacts = Pick<CartRow, 'id' | 'status' | 'actual_amount' | 'failure' | 'outcome_known'>

/** How the reservation ends: `keep` while it is not known whether a cart was charged. */
export type ReservationEnd = 'settle' | 'release' | 'keep'

type Finish = {
  readonly status: 'succeeded' | 'failed' | 'cancelled'
  readonly partial: boolean
  readonly failure: FailureReason | null
  readonly nextAction: NextAction | null
  readonly reservation: ReservationEnd
}

/** How an intent ends when all of its carts have ended; null while one has not, or where the state table has no such way. */
export function decideFinish(status: IntentStatus, carts: readonly CartFacts[]): Finish | null {
  if (carts.length === 0 || carts.some((cart) => !isTerminalCart(cart.status))) return null
  const end = endOf(carts)
  const to = next(intentMachine, status, `carts_${end}`)
  if (to === null) return null
  return { status: end, ...termsOfEnd(end, carts) }
}

/** The end of a failed intent after a person has reported the outcome of a cart. */
export function decideReconciled(carts: readonly CartFacts[]): Finish {
  const end = endOf(carts) === 'succeeded' ? 'succeeded' : 'failed'
  return { status: end, ...termsOfEnd(end, carts) }
}

function termsOfEnd(end: Finish['status'], carts: readonly CartFacts[]): Omit<Finish, 'status'> {
  const charged = carts.some((cart) => cart.status === 'succeeded')
  const unknown = carts.find(isUnknown)
  const failed = unknown ?? carts.find((cart) => cart.status === 'failed')
  return {
    partial: charged && carts.some((cart) => cart.status !== 'succeeded'),
    failure: end === 'failed' ? (failed?.failure ?? failureOf('internal_error')) : null,
    nextAction: unknown ? resolveOutcomeOf(unknown) : null,
    reservation: unknown ? 'keep' : charged ? 'settle' : 'release',
  }
}

/** What there is to do about a cart whose outcome is unknown. */
export function resolveOutcomeOf({ id }: Pick<CartRow, 'id'>): NextAction {
  return { type: 'resolve_unknown_outcome', cart_id: id, element: null, expires_at: null }
}

/** Whether a cart failed and it is not known if it was charged. */
export function isUnknown(cart: Pick<CartRow, 'status' | 'outcome_known'>): boolean {
  return cart.status === 'failed' && !cart.outcome_known
}

function endOf(carts: readonly CartFacts[]): Finish['status'] {
  if (carts.some((cart) => cart.status === 'failed')) return 'failed'
  return carts.some((cart) => cart.status === 'succeeded') ? 'succeeded' : 'cancelled'
}
