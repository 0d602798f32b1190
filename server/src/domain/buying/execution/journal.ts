import { createHash } from 'node:crypto'
import type { Id } from '../../../core/id.ts'
import type { PutOff } from '../../../core/put-off.ts'
import type {
  EffectFacts,
  EffectRefusal,
  EffectState,
  EffectStep,
  Heard,
  HoldFacts,
  HoldStatus,
} from './cart-facts.ts'
import type { Offer, Placed } from './port.ts'
import type { RailObject } from './rail/port.ts'

/** The result of an effect: a refusal, or what it made. */
type EffectAnswer =
  | { kind: 'refused'; code: string; declineCode: string | null; message: string | null; orderRow?: string }
  | { kind: 'held'; reference: string }
  | { kind: 'captured'; amount: number; captureReference: string | null }
  | {
      kind: 'placed'
      orderRow: string | null
      orderId: string | null
      transactionId: string | null
      /** Less than the hold where the merchant has lowered its price since; then this amount is captured. */
      owed?: number
    }
  | { kind: 'let_go' }
  | { kind: 'refunded'; reference: string; amount: number }

/** The request of an effect. The effect that holds the money keeps the offer that it is for. */
export type EffectRequest = {
  amount: number | null
  currency: string | null
  merchant: string | null
  payment_method_id: string | null
  expires_at: string | null
  offer: StoredOffer | null
  /** Of a credential that is typed into a page; absent for others. */
  form?: 'card'
}

type StoredOffer = {
  reference: string | null
  lines: {
    itemId: string
    quantity: number
    unitAmount: number
    title: string | null
    listing: { itemId: string; variantId: string; sku: string | null } | null
  }[]
  subtotal: number
  fulfillment: number
  tax: number
  discount: number
  total: number
  currency: string
  taxBasisPoints?: number
  toldAs?: { sender: string; checkout: string }
  seller?: string
}

export type EffectRow = {
  cart_id: Id<'cart'>
  attempt: number
  step: EffectStep
  key: string
  intent_id: Id<'pi'>
  request: EffectRequest
  state: EffectState
  tries: number
  may_have_left: boolean
  asked: number
  asked_at: Date | null
  heard: Heard | null
  answer: EffectAnswer | null
  sent_at: Date
  settled_at: Date | null
  not_before: Date
  /** How long it has been turned away, counted since it was last certain that it had an effect or had none. */
  put_off: PutOff | null
  /** Which sending of a void or revoke has the key: after a refusal the next sending has the next number. */
  number: number
}

export type HoldRow = {
  cart_id: Id<'cart'>
  attempt: number
  intent_id: Id<'pi'>
  kind: 'authorization' | 'credential'
  reference: string
  amount: bigint
  captured_amount: bigint
  /** What of it a merchant elsewhere has given back, as far as its cart was told. */
  refunded_amount: bigint
  /** The rail's id of the capture; null until there is one. */
  capture_reference: string | null
  currency: string
  status: HoldStatus
  /** When it was first seen that the merchant has authorized against the credential; null: it has not. */
  claimed_at: Date | null
  /** What it has authorized; null where it has not, or where the rail does not say. */
  claimed_amount: bigint | null
  /** Of a card: its number in the vault. */
  vault_record: string | null
  expires_at: Date
  created_at: Date
  updated_at: Date
}

/** The key by which the callee knows a call. It is equal in every process, so a worker that takes over makes the same call. */
export function effectKey(cartId: string, attempt: number, step: EffectStep, number = 1): string {
  return number === 1 ? `${cartId}:${attempt}:${step}` : `${cartId}:${attempt}:${step}:${number}`
}

/** Kept beside the request, for whoever compares what was sent. */
export function digestOf(request: EffectRequest): Buffer {
  return createHash('sha256').update(JSON.stringify(request)).digest()
}

export function effectFacts(row: EffectRow): EffectFacts {
  return {
    attempt: row.attempt,
    step: row.step,
    state: row.state,
    tries: row.tries,
    sentAt: row.sent_at,
    asked: row.asked,
    askedAt: row.asked_at,
    heard: row.heard,
    notBefore: row.not_before,
    refusal: refusalOf(row.answer),
    putOff: row.put_off && {
      since: new Date(row.put_off.since),
      until: new Date(row.put_off.until),
      reason: row.put_off.reason,
    },
  }
}

export function holdFacts(row: HoldRow): HoldFacts {
  return {
    attempt: row.attempt,
    kind: row.kind,
    status: row.status,
    claimedAt: row.claimed_at,
    isCard: row.vault_record !== null,
    expiresAt: row.expires_at,
  }
}

export function storedOffer(offer: Offer): StoredOffer {
  return {
    reference: offer.reference,
    lines: offer.lines.map((line) => ({ ...line, unitAmount: Number(line.unitAmount) })),
    subtotal: Number(offer.subtotal),
    fulfillment: Number(offer.fulfillment),
    tax: Number(offer.tax),
    discount: Number(offer.discount),
    total: Number(offer.total),
    currency: offer.currency,
    ...(offer.taxBasisPoints === undefined ? {} : { taxBasisPoints: offer.taxBasisPoints }),
    ...(offer.toldAs ? { toldAs: offer.toldAs } : {}),
    ...(offer.seller === undefined ? {} : { seller: offer.seller }),
  }
}

export function offerOf(stored: StoredOffer): Offer {
  return {
    reference: stored.reference,
    lines: stored.lines.map((line) => ({ ...line, unitAmount: BigInt(line.unitAmount) })),
    subtotal: BigInt(stored.subtotal),
    fulfillment: BigInt(stored.fulfillment),
    tax: BigInt(stored.tax),
    discount: BigInt(stored.discount),
    total: BigInt(stored.total),
    currency: stored.currency,
    taxBasisPoints: stored.taxBasisPoints,
    toldAs: stored.toldAs,
    seller: stored.seller,
  }
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
  const lower = owed === undefined ? {} : { owed: Number(owed) }
  return { kind: 'placed', orderRow, orderId, transactionId, ...lower }
}

function refusalOf(answer: EffectAnswer | null): EffectRefusal | null {
  if (answer?.kind !== 'refused') return null
  return { code: answer.code, declineCode: answer.declineCode, message: answer.message }
}
