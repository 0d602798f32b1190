import { after } from '../../../core/backoff.ts'
import { type CartHold, holdStatuses } from '../intents/public.ts'
import { type CartState, changeCart, effectOf, holdOf, isCurrent } from './cart-state.ts'
import { fundingOf, owedBehind } from './funding/funding.ts'
import type { EffectRow, FundingRow, HoldRow } from './journal.ts'

/** What is said of a hold before it ends, and when; the last one counts. */
const notices = [
  { status: 'ends_in_24_hours', hours: 24 },
  { status: 'ends_in_4_hours', hours: 4 },
] as const

/** Before a hold ends of which money may be lost, its cart says so. What the cart says is kept with it, so that it is said once. */
export function followHold(state: CartState): CartState {
  const open = openHold(state)
  if (open === null) return state
  const { expires_at: endsAt } = open
  const due = notices.findLast(({ hours }) => state.now >= hoursBefore(endsAt, hours))
  // guard said-once: a worker that comes back does not say again that a hold ends
  if (due === undefined || isSaid(state, due.status)) return state
  return changeCart(
    state,
    { hold: { status: due.status, ends_at: endsAt.toISOString() } },
    'cart.hold_ending',
  )
}

/** When a cart that waits has something to say of its hold; null: never. */
export function saysNextAt(state: CartState): Date | null {
  const open = openHold(state)
  const times = open === null ? [] : notices.map(({ hours }) => hoursBefore(open.expires_at, hours))
  return times.find((at) => at > state.now) ?? null
}

/** The hold has come to an end. Most do in time, and their carts say nothing of that. */
export function settleHold(
  state: CartState,
  effect: Pick<EffectRow, 'attempt'>,
  { status, endsAt }: { status: CartHold['status']; endsAt: Date },
): CartState {
  const isUsual = status === 'captured' || status === 'released'
  if (!isCurrent(state, effect) || (isUsual && state.cart.hold === null)) return state
  return changeCart(state, { hold: { status, ends_at: endsAt.toISOString() } }, 'cart.hold_settled')
}

/** What is held at the buyer's own card for this attempt, where the buyer owes it and it is not captured; null: nothing. */
function openHold(state: CartState): FundingRow | HoldRow | null {
  const { attempt_number: attempt } = state.cart
  const funding = fundingOf(state, attempt)
  if (funding !== null)
    return funding.status === 'authorized' && owedBehind(state, attempt) > 0n ? funding : null
  const hold = holdOf(state, attempt)
  const isOpen = hold?.kind === 'authorization' && hold.status === 'authorized'
  return isOpen && effectOf(state, 'place', attempt)?.state === 'done' ? hold : null
}

function isSaid({ cart: { hold } }: CartState, status: CartHold['status']): boolean {
  return hold !== null && holdStatuses.indexOf(hold.status) >= holdStatuses.indexOf(status)
}

function hoursBefore(at: Date, hours: number): Date {
  return after(at, -hours * 3600)
}
