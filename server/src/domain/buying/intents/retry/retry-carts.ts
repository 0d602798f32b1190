import type { ActingContext } from '../../../../contract/context.ts'
import { min } from '../../../../core/money.ts'
import type { HoldRequest, PolicyVerdict } from '../../../policies/public.ts'
import { type CartRow, canRetryCart, type PastAttempt } from '../cart.ts'
import { atStage } from '../cart-stage.ts'
import { type CartChanges, chargedOf, type IntentChange } from '../change-intent.ts'
import { lowerCaps, toleranceOf } from '../create/cap.ts'
import { basisPoints } from '../create/decide-create.ts'
import { untriedPromo } from '../create/promo-code.ts'
import { holdRequestOf } from '../decide/release-money.ts'
import { isUnknown } from '../decide-finish.ts'
import type { LoadedIntent } from '../intent.ts'

/** The carts of a purchase that are tried again. */
export type Retried = { readonly loaded: LoadedIntent; readonly carts: readonly CartRow[] }

/** The carts of a retry that waits for an approval; null where the approval is about something else. */
export function retriedBy(loaded: LoadedIntent): Retried | null {
  const asked = loaded.intent.retry?.cart_ids
  if (!asked) return null
  // guard carts-that-were-asked-for: an approval tries again only the carts that were asked for
  const carts = loaded.carts.filter(({ id }) => asked.includes(id))
  if (carts.length !== asked.length || !carts.every(canRetryCart))
    throw new Error(`carts of ${loaded.intent.id} that wait to be tried again cannot be`)
  return { loaded, carts }
}

/**
 * The part of the reservation that belongs to other carts: where the outcome of another cart is unknown, the reservation is still held,
 * and is exchanged for one that covers both.
 */
function heldForOthers({ loaded }: Retried): bigint {
  const unknown = loaded.carts.filter(isUnknown)
  return (
    sumOf(unknown, (cart) => cart.max_allowed_amount) + chargedOf(loaded.carts) - loaded.intent.settled_amount
  )
}

/**
 * The request to the policies about carts that are tried again: about those alone, with the amount that the purchase was charged before.
 */
export function retryRequestOf(
  retried: Retried,
  { actingAgentId, paidBy }: { actingAgentId: string | null; paidBy: string },
): HoldRequest {
  const { loaded, carts } = retried
  const others = heldForOthers(retried)
  const inCarts = new Set<string>(carts.flatMap(({ items }) => items.map(({ id }) => id)))
  const items = loaded.intent.items.filter(({ id }) => inCarts.has(id))
  const request = holdRequestOf(
    { ...loaded.intent, items },
    {
      expected: sumOf(carts, (cart) => cart.expected_amount) + others,
      cap: sumOf(carts, (cart) => cart.max_allowed_amount) + others,
      paidBy,
    },
  )
  return { ...request, actingAgentId }
}

/**
 * The carts as before their first attempt, within what today's policies leave them: caps and fees are lowered and never raised. With
 * `isAnew` the tolerance is today's as well, as for a new purchase.
 */
export function retryCarts(
  ctx: ActingContext,
  retried: Retried,
  verdict: PolicyVerdict,
  { isAnew }: { isAnew: boolean },
): Required<Pick<IntentChange, 'carts'>> & { intent: NonNullable<IntentChange['intent']> } {
  const { loaded, carts } = retried
  const { intent } = loaded
  const caps = lowerCaps(
    carts.map((cart) => cart.max_allowed_amount),
    verdict.cap - heldForOthers(retried),
  )
  const fees = lowerCaps(
    carts.map((cart) => cart.fee_allowance),
    // guard fees-of-today: a retry pays no more for shipping than policies allow today
    feeRoom(retried, verdict.feeAllowance),
  )
  // guard tolerance-of-today: a retry pays no new price that policies do not allow today
  const tolerance = isAnew
    ? Math.min(intent.tolerance_basis_points, basisPoints(verdict.tolerancePercent))
    : intent.tolerance_basis_points
  const changes = carts.map((cart, index) => {
    const terms = {
      fee_allowance: fees[index] ?? 0n,
      tolerance_basis_points: Math.min(cart.tolerance_basis_points, tolerance),
    }
    return {
      ...freshAttempt(ctx, cart, intent),
      ...terms,
      max_allowed_amount: capOf(cart, terms, caps[index] ?? 0n),
    }
  })
  const others = loaded.carts.filter((cart) => !carts.includes(cart))
  const all = [...others, ...changes]
  return {
    intent: {
      max_allowed_amount: min(
        intent.max_allowed_amount,
        sumOf(all, (cart) => cart.max_allowed_amount),
      ),
      fee_allowance: min(intent.fee_allowance, verdict.feeAllowance),
      tolerance_basis_points: tolerance,
      on_price_exceed: isAnew && verdict.onExceed === 'fail' ? 'fail' : intent.on_price_exceed,
      retry: null,
      failure: null,
      partial: false,
      next_action: null,
      completed_at: null,
      due_at: null,
    },
    carts: carts.map((cart, index) => ({ id: cart.id, changes: changes[index] ?? {} })),
  }
}

/** The most that the fees of all carts may be together, without those that were paid or may have been. */
function feeRoom({ loaded }: Retried, allowance: bigint): bigint {
  const paid = loaded.carts.filter((cart) => cart.status === 'succeeded')
  const used =
    sumOf(paid, (cart) => BigInt(cart.offer?.fulfillment ?? 0)) +
    sumOf(loaded.carts.filter(isUnknown), (cart) => cart.fee_allowance)
  return allowance > used ? allowance - used : 0n
}

/** A smaller allowance does not make room for something else. */
function capOf(
  cart: CartRow,
  terms: Pick<CartRow, 'fee_allowance' | 'tolerance_basis_points'>,
  lowered: bigint,
): bigint {
  const isNarrower =
    terms.fee_allowance < cart.fee_allowance || terms.tolerance_basis_points < cart.tolerance_basis_points
  if (!isNarrower) return lowered
  const { expected_amount: expected, tax_allowance: tax } = cart
  return min(
    lowered,
    expected + tax + terms.fee_allowance + toleranceOf(expected, terms.tolerance_basis_points),
  )
}

/** The cart as before its first attempt, with a record of the last one. */
function freshAttempt(ctx: ActingContext, cart: CartRow, { promo_code }: LoadedIntent['intent']) {
  const past: PastAttempt = {
    attempt_number: cart.attempt_number,
    attempt_id: cart.attempt_id,
    order_row_id: cart.order_row_id,
    order_id: cart.order_id,
    transaction_id: cart.transaction_id,
    failure: cart.failure,
  }
  return {
    status: 'created',
    ...atStage({ kind: 'none' }),
    attempt_number: cart.attempt_number + 1,
    attempt_id: ctx.newId('att'),
    attempts_data: [...cart.attempts_data, past],
    offer: null,
    // What a shop did not take is asked for again. Its page is gone.
    answers:
      cart.failure?.code === 'merchant_unsupported'
        ? null
        : cart.answers && { ...cart.answers, session: null },
    promo: untriedPromo(promo_code),
    order_row_id: null,
    order_url: null,
    hold: null,
    order_id: null,
    transaction_id: null,
    failure: null,
    past_no_return: false,
    due_at: ctx.now,
    lease_until: null,
    started_at: null,
    completed_at: null,
  } satisfies CartChanges
}

function sumOf<Row>(rows: readonly Row[], amountOf: (row: Row) => bigint): bigint {
  return rows.reduce((sum, row) => sum + amountOf(row), 0n)
}
