import { after } from '../../../../core/backoff.ts'
import type { Offer } from '../../channels/public.ts'
import type { PaymentCard, RailAuthorize, RailObject } from '../../rails/public.ts'
import {
  type CartState,
  changeCart,
  effectOf,
  handedOverUntil,
  isRunning,
  withHold,
  withWrite,
} from '../cart-state.ts'
import { isFunded } from '../funding/funding.ts'
import { type EffectRequest, type EffectRow, type HoldRow, standingOf } from '../journal.ts'
import type { Card } from '../messages.ts'
import { isAtStranger } from '../place/note-refunds.ts'
import { assertHasSomewhereToGo, referenceOf } from '../requests.ts'
import { settle } from './effect.ts'

/** The id of what pays: that of the first sending, otherwise the purchase's own. */
export function payingId(state: CartState): string | null {
  const attempt = state.cart.attempt_number
  const pay = effectOf(state, 'issue_credential', attempt) ?? effectOf(state, 'authorize', attempt)
  return pay?.request.payment_method_id ?? state.intent.payment_method_id
}

/** Money is held for the offer of this look, so many seconds unless the merchant can use it for a shorter time. */
export function holdRequest(state: CartState, seconds: number): EffectRequest {
  const { accepted, cart, known, now } = state
  assertHasSomewhereToGo(state.intent)
  if (!accepted || !known.payer) throw new Error('money is only held for an offer that was accepted')
  return {
    amount: accepted.total,
    currency: accepted.currency,
    merchant: cart.merchant_domain,
    payment_method_id: known.payer.id,
    expires_at: (handedOverUntil(state) ?? after(now, seconds)).toISOString(),
    offer: accepted,
  }
}

/** What every call that holds money says, with its amount and its end. */
export function holdTerms(
  { intent, cart }: CartState,
  { key, request, rail }: EffectRow,
  card: Card | null,
): { terms: Omit<RailAuthorize, 'amount'>; amount: bigint; expiresAt: Date; offer: Offer | null } {
  const { amount, currency, merchant, expires_at, offer } = request
  if (amount === null || currency === null || merchant === null || expires_at === null || !card)
    throw new Error('a hold without its terms')
  return {
    terms: {
      key,
      card: cardAt(rail, card),
      currency,
      merchant,
      reference: referenceOf(intent, cart),
      ...(offer?.payTo === undefined ? {} : { payTo: offer.payTo }),
    },
    amount,
    expiresAt: new Date(expires_at),
    offer,
  }
}

/** A card that a rail keeps is known there by its customer, and at no other rail. */
function cardAt(rail: string | null, card: Card): PaymentCard {
  const { test_card: testCard, vault_token: vaultToken, kept_by, kept_customer, kept_method } = card
  const isHere = kept_by !== null && kept_by === rail && kept_customer !== null && kept_method !== null
  return {
    testCard,
    vaultToken,
    ...(isHere ? { saved: { customer: kept_customer, method: kept_method } } : {}),
  }
}

/** The rail holds the money. */
export function held(
  before: CartState,
  effect: EffectRow,
  { kind, object }: { kind: HoldRow['kind']; object: RailObject },
): CartState {
  const { now, cart, intent } = before
  const { reference } = object
  const settled = settle(before, effect, 'done', { kind: 'held', reference })
  const state = withHold(settled, {
    cart_id: cart.id,
    attempt: effect.attempt,
    intent_id: intent.id,
    kind,
    rail: effect.rail,
    reference,
    amount: object.amount,
    captured_amount: object.status === 'claimed' ? 0n : object.capturedAmount,
    refunded_amount: 0n,
    capture_reference: object.captureReference,
    currency: object.currency,
    ...standingOf(object, now),
    beyond_limit: 0n,
    vault_record: object.record ?? null,
    expires_at: endOf(before, effect, object),
    created_at: now,
    updated_at: now,
  })
  const isFollowed = kind === 'credential' && isAtStranger(cart)
  const followed = isFollowed
    ? withWrite(state, { kind: 'follow_credential', reference, attempt: effect.attempt })
    : state
  // Of a card with money behind it, that money is the buyer's.
  return isFunded(followed, effect.attempt) ? followed : announceHeld(followed, effect)
}

/** When a hold ends: as its rail says, or else as it was assumed when it was asked for. */
export function endOf(
  { now }: CartState,
  { request }: EffectRow,
  { heldUntil }: Pick<RailObject, 'heldUntil'>,
): Date {
  return heldUntil ?? new Date(request.expires_at ?? now)
}

export function announceHeld(state: CartState, effect: EffectRow): CartState {
  return isRunning(state, effect) ? changeCart(state, {}, 'cart.payment_authorized') : state
}
