import { failureOf } from '../intents/public.ts'
import { outlastsLease, type RailStep, timing } from '../rails/public.ts'
import {
  type CartState,
  changeCart,
  changeEffect,
  effectOf,
  journaled,
  railOf,
  read,
  type Turn,
  wayOf,
  withEffect,
} from './cart-state.ts'
import { amountOf } from './effects/effect.ts'
import { callOf, isHold, railEffects } from './effects/effects.ts'
import { handOut, orderRequest } from './effects/place.ts'
import { failCart } from './end-cart.ts'
import { beforeCard } from './funding/chargeable-card.ts'
import { blankEffect, type EffectRequest, type EffectRow, type EffectStep } from './journal.ts'
import type { Outbound } from './messages.ts'
import { orderTerms } from './requests.ts'

type Named = { readonly step: EffectStep; readonly attempt: number }

/** Journals a call that moves money or places an order, and makes it. */
export function sendEffect(state: CartState, { step, attempt }: Named): Turn {
  return step === 'place' ? sendOrder(state) : sendRail(state, { step, attempt })
}

function sendRail(before: CartState, { step, attempt }: { step: RailStep; attempt: number }): Turn {
  const { request, money, begin } = railEffects[step]
  const { longestCallMs } = timing
  const { payer, sellerRefusal } = before.known
  if (isLeaseShort(before, longestCallMs)) return yields(before)
  if (money === 'holds') {
    if (payer === undefined) return read(before, 'payer')
    if (sellerRefusal === undefined && isSellerOld(before)) return read(before, 'sellerRefusal')
    if (sellerRefusal) return { state: failCart(before, failureOf(sellerRefusal)) }
    if (payer === null) return { state: failCart(before, failureOf('payment_method_required')) }
  }
  const isFirst = effectOf(before, step, attempt) === null
  // Where we take the money, capture is the point of no return.
  // guard no-return-from-capture: from its capture on a cart cannot be cancelled
  const past = money === 'takes' && isFirst ? changeCart(before, { past_no_return: true }) : before
  const begun = begin?.(past, attempt) ?? past
  const rail = railOf(before, attempt)
  const state = journal(begun, {
    step,
    attempt,
    longestCallMs,
    rail,
    request: () => request(before, attempt),
  })
  const effect = journaled(state, step, attempt)
  // guard cap-before-every-charge: no call that holds or takes money leaves without a look at the cap
  if (money !== 'returns') assertWithinCap(state, amountOf(effect))
  const sent = callOf(step, { state, effect, card: payer ?? null })
  return leaves(state, { kind: 'rail', step, attempt, rail, sent, longestCallMs })
}

/** The last check before money moves. The decisions, the database and the rail each refuse it by themselves as well. */
export function assertWithinCap({ cart }: { cart: { max_allowed_amount: bigint } }, amount: bigint): void {
  // guard cap-before-a-charge: no charge above the cap of its cart leaves the process
  if (amount > cart.max_allowed_amount) throw new Error('a charge above the cap was about to be made')
}

/** An offer of this very look was compared with its merchant already; a hold that was journaled before and never left was not. */
function isSellerOld({ accepted, cart }: CartState): boolean {
  return accepted === null && cart.merchant_account_id !== null
}

function sendOrder(before: CartState): Turn {
  const { kind, form, longestCallMs } = wayOf(before)
  const { moreHosts } = before.known
  if (kind === 'native') return { state: before, next: { kind: 'command', command: { kind: 'place' } } }
  if (kind === 'handed_over') return { state: handOut(before) }
  if (isLeaseShort(before, longestCallMs)) return yields(before)
  if (form === 'card' && !moreHosts) return read(before, 'moreHosts')
  const first = beforeCard(before)
  if (first !== null) return first
  const attempt = before.cart.attempt_number
  const order = orderTerms(before, attempt)
  // guard no-return-from-the-submit: from the submit of a checkout on a cart cannot be cancelled
  const past = changeCart(before, { past_no_return: true })
  const request = () => orderRequest(before)
  const state = journal(past, { step: 'place', attempt, longestCallMs, rail: null, request })
  return leaves(state, { kind: 'place', attempt, order, longestCallMs })
}

/** The same request under the same key, and so the same call, or one that is sent for the first time. */
function journal(
  state: CartState,
  sending: Named & {
    readonly longestCallMs: number
    readonly rail: string | null
    readonly request: () => EffectRequest
  },
): CartState {
  const { step, attempt, longestCallMs, rail, request } = sending
  const known = effectOf(state, step, attempt)
  // A worker that dies between journal and call may still be about to call, until its lease ends.
  const waitMs = Math.max(0, state.means.leaseMs) + longestCallMs + timing.marginMs
  const not_before = new Date(state.now.getTime() + waitMs)
  if (known === null)
    return withEffect(state, {
      ...blankEffect(state, { step, attempt, rail, request: request() }),
      not_before,
    })
  const tries = known.tries + 1
  return changeEffect(state, known, { state: 'sent', tries, heard: null, sent_at: state.now, not_before })
}

/** Asks what became of a call, or makes its callee refuse it from now on. */
export function askAbout(
  state: CartState,
  { kind: how, step, attempt }: Named & { readonly kind: 'ask' | 'close' },
): Turn {
  const effect = journaled(state, step, attempt)
  if (step === 'place') return askMerchant(state, effect, how)
  const { form, offer, payment_method_id: cardId } = effect.request
  const rail = railOf(state, attempt)
  const isForgetful = rail !== null && state.means.asksByCall.includes(rail)
  // guard forgetful-rails-are-asked-by-the-call: a rail that remembers no keys finds what was made by what it was asked for
  const isNeeded = how === 'close' || form === 'card' || offer?.seller !== undefined || isForgetful
  if (isNeeded && isHold(step) && cardId !== null && state.known.sentCard === undefined)
    return read(state, 'sentCard', { cardId })
  const sent = isNeeded ? callOf(step, { state, effect, card: state.known.sentCard ?? null }) : null
  return leaves(state, {
    kind: 'rail_memory',
    how,
    step,
    attempt,
    rail,
    key: effect.key,
    sent,
    longestCallMs: timing.longestCallMs,
  })
}

function askMerchant(state: CartState, { attempt, answer }: EffectRow, how: 'ask' | 'close'): Turn {
  const { kind, longestCallMs } = wayOf(state)
  if (kind === 'native') {
    const orderRow = answer?.kind === 'placed' ? answer.orderRow : null
    return { state, next: { kind: 'command', command: { kind: 'read_order', attempt, orderRow } } }
  }
  if (kind === 'handed_over') throw new Error('nobody is asked about a credential but the rail')
  const order = orderTerms(state, attempt)
  return leaves(state, {
    kind: 'place_memory',
    how,
    attempt,
    order,
    longestCallMs,
  })
}

/** Commits what was decided so far and makes the call, unless too little of the lease is left for a whole call. */
export function leaves(state: CartState, call: Outbound): Turn {
  return isLeaseShort(state, call.longestCallMs) ? yields(state) : { state, next: { kind: 'call', call } }
}

function yields(state: CartState): Turn {
  return { state, next: { kind: 'yield' } }
}

function isLeaseShort({ means }: CartState, longestCallMs: number): boolean {
  const neededMs = outlastsLease(longestCallMs) ? 2 * timing.renewMs : longestCallMs
  return means.leaseMs < neededMs + 2 * timing.marginMs
}
