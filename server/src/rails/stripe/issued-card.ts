import type { AllowedCharge, Call, NotNow, RailObject } from '../../domain/buying/rails/port.ts'
import { isRecord } from '../../platform/egress/peer-json.ts'
import { fromStripe } from './currencies.ts'
import { keyField, notNowOf } from './payment-intent.ts'
import type { StripeAnswer, StripeApi } from './stripe-api.ts'

/** A card that was issued, without what it was used for. `limit`: what all its authorizations may come to. */
export type IssuedCard = {
  readonly id: string
  readonly isCanceled: boolean
  readonly limit: bigint
  readonly currency: string
  readonly key: string | null
}

/** Null: this is no card, one in a state that nobody has documented, or one without a limit, which we have not issued. */
export function issuedCardOf(body: unknown): IssuedCard | null {
  if (!isRecord(body) || body.object !== 'issuing.card') return null
  const { id, status, currency, metadata, spending_controls: controls } = body
  if (typeof id !== 'string' || typeof currency !== 'string') return null
  if (status !== 'active' && status !== 'inactive' && status !== 'canceled') return null
  const limits: unknown = isRecord(controls) ? controls.spending_limits : null
  const told: unknown = Array.isArray(limits) ? limits.find(isOfAllTime) : null
  const own = currency.toUpperCase()
  const limit = isRecord(told) ? fromStripe(told.amount, own) : null
  if (limit === null) return null
  const key = isRecord(metadata) ? metadata[keyField] : null
  return {
    id,
    isCanceled: status === 'canceled',
    limit,
    currency: own,
    key: typeof key === 'string' ? key : null,
  }
}

function isOfAllTime(one: unknown): boolean {
  return isRecord(one) && one.interval === 'all_time'
}

type Unread = NotNow | { readonly kind: 'unknown' }

/**
 * A card as it stands. Its authorizations are read before its transactions: what is captured in between is known by its transaction, and
 * counted once. What was revoked before takes no new one, so that its sums are final.
 */
export async function readCard(
  api: StripeApi,
  reference: string,
  next: () => Call,
): Promise<{ readonly kind: 'card'; readonly card: IssuedCard; readonly object: RailObject } | Unread> {
  const card = cardIn(
    await api.send((stripe, options) => stripe.issuing.cards.retrieve(reference, {}, options), next()),
  )
  if (!('id' in card)) return card
  const query = { card: card.id, limit: 100 }
  const held = listIn(
    await api.send(
      (stripe, options) => stripe.issuing.authorizations.list({ ...query, status: 'pending' }, options),
      next(),
    ),
  )
  if (held.kind !== 'list') return held
  const moved = listIn(
    await api.send(
      (stripe, options) =>
        stripe.issuing.transactions.list({ ...query, expand: ['data.authorization'] }, options),
      next(),
    ),
  )
  if (moved.kind !== 'list') return moved
  const transactions = moved.items.map((one) => transactionOf(one, card.currency))
  const known = transactions.filter((one) => one !== null)
  const pending = pendingOf(held.items, card, known)
  // If only a part were read, money would be forgotten.
  if (pending === null || known.length < transactions.length) return { kind: 'unknown' }
  const charges = chargesOf(held.items, known)
  const object = objectOf(card, { pending, transactions: known })
  return { kind: 'card', card, object: charges.length === 0 ? object : { ...object, charges } }
}

/** The card that Stripe has answered with; else what prevented that. */
export function cardIn(said: StripeAnswer): IssuedCard | Unread {
  if (said.kind !== 'answer') return { kind: 'unknown' }
  const card = said.status === 200 ? issuedCardOf(said.body) : null
  return card ?? notNowOf(said) ?? { kind: 'unknown' }
}

/** A list that is there as a whole. */
function listIn(said: StripeAnswer): { readonly kind: 'list'; readonly items: readonly unknown[] } | Unread {
  if (said.kind !== 'answer') return { kind: 'unknown' }
  const { data, has_more: more } = said.body
  if (said.status !== 200 || !Array.isArray(data)) return notNowOf(said) ?? { kind: 'unknown' }
  return more === true ? { kind: 'unknown' } : { kind: 'list', items: data }
}

export type CardTransaction = {
  readonly id: string
  readonly card: string
  readonly isRefund: boolean
  readonly amount: bigint
  /** Null: its merchant has asked for no authorization. */
  readonly authorization: string | null
  /** Stripe has allowed it by itself, as far as its authorization was read with it. */
  readonly isUnasked: boolean
}

/** Null: this makes no sense. Stripe says what goes out of the balance as a negative amount. */
export function transactionOf(body: unknown, currency?: string): CardTransaction | null {
  if (!isRecord(body) || body.object !== 'issuing.transaction') return null
  const { id, type, amount, currency: said, card, authorization } = body
  if (typeof id !== 'string' || typeof said !== 'string' || typeof card !== 'string') return null
  if (type !== 'capture' && type !== 'refund') return null
  const own = said.toUpperCase()
  if (currency !== undefined && own !== currency) return null
  const isRefund = type === 'refund'
  const moved = typeof amount === 'number' ? fromStripe(isRefund ? amount : 0 - amount, own) : null
  if (moved === null) return null
  const told: unknown = isRecord(authorization) ? authorization.id : authorization
  return {
    id,
    card,
    isRefund,
    amount: moved,
    authorization: typeof told === 'string' ? told : null,
    isUnasked: isRecord(authorization) && isUnasked(authorization.request_history),
  }
}

/** What merchants hold on it and have not captured; null: it makes no sense. */
function pendingOf(
  authorizations: readonly unknown[],
  { currency }: IssuedCard,
  transactions: readonly CardTransaction[],
): bigint | null {
  let sum = 0n
  for (const one of authorizations) {
    if (!isRecord(one) || one.object !== 'issuing.authorization' || typeof one.id !== 'string') return null
    const amount = one.approved === true ? fromStripe(one.amount, currency) : 0n
    if (amount === null) return null
    const captured = sumOf(transactions.filter((two) => !two.isRefund && two.authorization === one.id))
    // guard captures-are-counted-once: what was captured of an authorization is not also held by it
    if (captured < amount) sum += amount - captured
  }
  return sum
}

/** What was allowed on it: what is still held, and what was captured. */
function chargesOf(
  authorizations: readonly unknown[],
  transactions: readonly CardTransaction[],
): readonly AllowedCharge[] {
  const held = authorizations.flatMap((one) =>
    isRecord(one) && one.approved === true && typeof one.id === 'string'
      ? [{ id: one.id, isUnasked: isUnasked(one.request_history) }]
      : [],
  )
  const captured = transactions.flatMap(({ authorization: id, isUnasked: unasked }) =>
    id === null || held.some((one) => one.id === id) ? [] : [{ id, isUnasked: unasked }],
  )
  return [...held, ...captured]
}

/** Nobody has answered, and what the account has set for that was to allow it. */
function isUnasked(history: unknown): boolean {
  if (!Array.isArray(history)) return false
  return history.some(
    (one) =>
      isRecord(one) &&
      one.approved === true &&
      (one.reason === 'webhook_timeout' || one.reason === 'webhook_error'),
  )
}

/**
 * The card as the credential that it is. It is charged in parts: as long as something is held, more may be captured or given back. What was
 * given back whole can be authorized again, until the card is canceled.
 */
function objectOf(
  { id, isCanceled, limit, currency }: IssuedCard,
  { pending, transactions }: { pending: bigint; transactions: readonly CardTransaction[] },
): RailObject {
  const captured = sumOf(transactions.filter(({ isRefund }) => !isRefund))
  const refunded = sumOf(transactions.filter(({ isRefund }) => isRefund))
  const known = {
    reference: id,
    amount: limit,
    claimedAmount: null,
    capturedAmount: captured,
    refundedAmount: refunded,
    currency,
    captureReference: captured > 0n ? id : null,
  }
  if (pending > 0n) return { ...known, status: 'claimed', claimedAmount: pending + captured }
  if (captured === 0n) return { ...known, status: isCanceled ? 'voided' : 'authorized' }
  return { ...known, status: refunded >= captured ? 'refunded' : 'captured' }
}

function sumOf(transactions: readonly CardTransaction[]): bigint {
  return transactions.reduce((sum, { amount }) => sum + amount, 0n)
}
