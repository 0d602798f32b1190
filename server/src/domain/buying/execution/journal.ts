import { createHash } from 'node:crypto'
import { amountToJson } from '../../../core/amounts-in-json.ts'
import type { Id } from '../../../core/id.ts'
import type { PutOff } from '../../../core/put-off.ts'
import type { Offer, Placed } from '../channels/public.ts'
import type { RailObject, RailStep } from '../rails/public.ts'

/** The calls that move money or place an order; each is journaled before it leaves, at most once per attempt. */
export type EffectStep = RailStep | 'place'

export type EffectState = 'unsent' | 'sent' | 'unknown' | 'done' | 'refused' | 'closed'

/** What the callee answered when it was last asked about an effect. */
export type Heard = 'nothing' | 'not_found' | 'pending' | 'closed'

/** Why a callee refused, as the journal keeps it. */
export type EffectRefusal = {
  readonly code: string
  readonly declineCode: string | null
  readonly message: string | null
}

type HoldStatus = 'authorized' | 'captured' | 'refunded' | 'voided' | 'expired' | 'failed'

/** The result of an effect: a refusal, or what it made; while it has none, the page on which its person confirms it, and until when. */
export type EffectAnswer =
  | { kind: 'refused'; code: string; declineCode: string | null; message: string | null; orderRow?: string }
  | { kind: 'needs_person'; url: string; until: string }
  | { kind: 'held'; reference: string }
  | { kind: 'captured'; amount: bigint; captureReference: string | null }
  | {
      kind: 'placed'
      orderRow: string | null
      orderId: string | null
      transactionId: string | null
      /** Less than the hold where the merchant has lowered its price since; then this amount is captured. */
      owed?: bigint | undefined
    }
  | { kind: 'let_go' }
  | { kind: 'refunded'; reference: string; amount: bigint }

/** The request of an effect. The effect that holds the money keeps the offer that it is for. */
export type EffectRequest = {
  readonly amount: bigint | null
  readonly currency: string | null
  readonly merchant: string | null
  readonly payment_method_id: string | null
  readonly expires_at: string | null
  readonly offer: Offer | null
  /** Of a credential that is typed into a page; absent for others. */
  readonly form?: 'card'
  /** Of an authorization at the buyer's own card, which stands behind a card that is issued for a shop; absent for others. */
  readonly behind?: 'card'
}

export type EffectRow = {
  readonly cart_id: Id<'cart'>
  readonly attempt: number
  readonly step: EffectStep
  readonly key: string
  /** The rail that it is sent to; null: see `railOf`, or it is sent to a merchant. */
  readonly rail: string | null
  readonly intent_id: Id<'pi'>
  readonly request: EffectRequest
  readonly state: EffectState
  readonly tries: number
  readonly may_have_left: boolean
  readonly asked: number
  readonly asked_at: Date | null
  readonly heard: Heard | null
  readonly answer: EffectAnswer | null
  readonly sent_at: Date
  readonly settled_at: Date | null
  /** The earliest time at which "not found" and "closed" prove that nothing happened. */
  readonly not_before: Date
  /** How long it has been turned away, counted since it was last certain that it had an effect or had none. */
  readonly put_off: PutOff | null
  /** Which sending of a void or revoke has the key: after a refusal the next sending has the next number. */
  readonly number: number
}

/** Money that the rail holds for an attempt: an authorization, or a credential that the merchant charges. */
export type HoldRow = {
  readonly cart_id: Id<'cart'>
  readonly attempt: number
  readonly intent_id: Id<'pi'>
  readonly kind: 'authorization' | 'credential'
  /** The rail that holds it; null: see `railOf`. */
  readonly rail: string | null
  readonly reference: string
  readonly amount: bigint
  readonly captured_amount: bigint
  /** What of it a merchant elsewhere has given back, as far as its cart was told. */
  readonly refunded_amount: bigint
  /** The rail's id of the capture; null until there is one. */
  readonly capture_reference: string | null
  readonly currency: string
  readonly status: HoldStatus
  /** When it was first seen that the merchant has authorized against the credential; null: it has not. */
  readonly claimed_at: Date | null
  /** What it has authorized; null where it has not, or where the rail does not say. */
  readonly claimed_amount: bigint | null
  /** What its merchant took beyond it without asking, as shops can of a card. Neither the cart nor its buyer pays that. */
  readonly beyond_limit: bigint
  /** Of a card: its number in the vault. */
  readonly vault_record: string | null
  readonly expires_at: Date
  readonly created_at: Date
  readonly updated_at: Date
}

/**
 * Money on the buyer's own card that stands behind the card that was issued for an attempt: the issued card spends money of the operator's,
 * and what its merchant has taken in the end is captured here.
 */
export type FundingRow = {
  readonly cart_id: Id<'cart'>
  readonly attempt: number
  readonly intent_id: Id<'pi'>
  readonly rail: string
  readonly reference: string
  readonly amount: bigint
  readonly currency: string
  /** `expired`: it was let go at the buyer's bank before it was captured. */
  readonly status: 'authorized' | 'captured' | 'voided' | 'expired'
  readonly captured_amount: bigint
  readonly capture_reference: string | null
  /** What of the capture went back to the buyer, and what is going back by the refund that is under way. */
  readonly returned_amount: bigint
  readonly returning_amount: bigint
  readonly expires_at: Date
  readonly created_at: Date
  readonly updated_at: Date
}

/** An effect that is sent now, for the first time. */
export function blankEffect(
  { cart, intent, now }: { cart: { id: Id<'cart'> }; intent: { id: Id<'pi'> }; now: Date },
  { step, attempt, request, rail }: Pick<EffectRow, 'step' | 'attempt' | 'request' | 'rail'>,
): EffectRow {
  return {
    cart_id: cart.id,
    attempt,
    step,
    key: effectKey(cart.id, attempt, step),
    rail,
    intent_id: intent.id,
    request,
    state: 'sent',
    tries: 1,
    may_have_left: false,
    asked: 0,
    asked_at: null,
    heard: null,
    answer: null,
    sent_at: now,
    settled_at: null,
    not_before: now,
    put_off: null,
    number: 1,
  }
}

/** The key by which the callee knows a call. It is equal in every process, so a worker that takes over makes the same call. */
export function effectKey(cartId: string, attempt: number, step: EffectStep, number = 1): string {
  return number === 1 ? `${cartId}:${attempt}:${step}` : `${cartId}:${attempt}:${step}:${number}`
}

/** Kept beside the request, for whoever compares what was sent. */
export function digestOf(request: EffectRequest): Buffer {
  return createHash('sha256').update(JSON.stringify(request, amountToJson)).digest()
}

/** The columns of a hold that was captured, from what the rail says. */
export function captureOf(
  object: RailObject,
): Pick<HoldRow, 'status' | 'captured_amount' | 'capture_reference'> {
  return {
    status: 'captured',
    captured_amount: object.capturedAmount,
    capture_reference: object.captureReference,
  }
}

/** The columns of a hold that has just become known. */
export function standingOf(
  { status, claimedAmount }: Pick<RailObject, 'status' | 'claimedAmount'>,
  now: Date,
): Pick<HoldRow, 'status' | 'claimed_at' | 'claimed_amount'> {
  if (status === 'claimed')
    return { status: 'authorized', claimed_at: now, claimed_amount: claimedAmount ?? null }
  return { status: status === 'declined' ? 'voided' : status, claimed_at: null, claimed_amount: null }
}

/** What a hold has cost: what was captured, otherwise what its merchant has authorized, which may be all of it. */
export function costOf({ status, amount, captured_amount, claimed_at, claimed_amount }: HoldRow): bigint {
  if (status === 'captured') return captured_amount
  return status === 'authorized' && claimed_at !== null ? (claimed_amount ?? amount) : 0n
}

/** A placed order: the id of our row where we hold one, and the amount that is owed where that can be less than the hold. */
export type PlacedOrder = Placed & { readonly orderRow: string | null; readonly owed?: bigint | undefined }

/** A placed order as the journal keeps it. */
export function placedAnswer({ orderRow, orderId, transactionId, owed }: PlacedOrder): EffectAnswer {
  return { kind: 'placed', orderRow, orderId, transactionId, ...(owed === undefined ? {} : { owed }) }
}

/** Where and until when the person of a payment can confirm it, as long as nobody knows that they have; null: it needs nobody. */
export function personOf({ answer }: Pick<EffectRow, 'answer'>): { url: string; until: Date } | null {
  return answer?.kind === 'needs_person' ? { url: answer.url, until: new Date(answer.until) } : null
}

export function refusalOf({ answer }: Pick<EffectRow, 'answer'>): EffectRefusal | null {
  if (answer?.kind !== 'refused') return null
  return { code: answer.code, declineCode: answer.declineCode, message: answer.message }
}

/** The journal keeps the id of our order, however the order ends. */
export function orderRowOf({ answer }: Pick<EffectRow, 'answer'>): string | null {
  return answer !== null && 'orderRow' in answer ? (answer.orderRow ?? null) : null
}
