import type { Stripe } from 'stripe'
import type { Booking, BookPage, RailBooks } from '../../domain/buying/rails/books/port.ts'
import type { Call } from '../../domain/buying/rails/port.ts'
import { isRecord } from '../../platform/egress/peer-json.ts'
import { fromStripe } from './currencies.ts'
import { errorOf, keyField } from './payment-intent.ts'
import type { StripeAnswer, StripeApi } from './stripe-api.ts'

/**
 * Stripe's words for what we compare, which are its reporting categories: the types of entries count a capture in part as a charge and a refund.
 * https://docs.stripe.com/reports/reporting-categories
 */
const categories: Readonly<Record<string, { kind: Booking['kind']; isTakenBack: boolean }>> = {
  charge: { kind: 'capture', isTakenBack: false },
  partial_capture_reversal: { kind: 'capture', isTakenBack: true },
  refund: { kind: 'refund', isTakenBack: true },
  refund_failure: { kind: 'failed_refund', isTakenBack: false },
}

/** The balance of the operator's account, which Stripe keeps whatever it has answered to us. */
export function stripeBooks(api: StripeApi): RailBooks {
  return {
    list: ({ from, until, page }, call) => listEntries(api, { from, until, page }, call),
    find: ({ kind, reference }, call) =>
      kind === 'capture' ? findCapture(api, reference, call) : findRefund(api, reference, call),
  }
}

type Query = Parameters<RailBooks['list']>[0]

async function listEntries(
  api: StripeApi,
  { from, until, page }: Query,
  call: Call,
): Promise<BookPage | null> {
  const query: Stripe.BalanceTransactionListParams = {
    limit: 100,
    created: { gte: secondsOf(from), lt: secondsOf(until) },
    // What moved it has our key.
    expand: ['data.source'],
    ...(page === null ? {} : { starting_after: page }),
  }
  const said = await api.send((stripe, options) => stripe.balanceTransactions.list(query, options), call)
  if (said.kind !== 'answer' || said.status !== 200 || !Array.isArray(said.body.data)) return null
  const bookings: Booking[] = []
  const others: string[] = []
  const unread: string[] = []
  const all: readonly unknown[] = said.body.data
  for (const entry of all) {
    if (!isRecord(entry)) return null
    const word = String(entry.reporting_category)
    if (!Object.hasOwn(categories, word)) others.push(word)
    else {
      const booking = bookingOf(entry)
      if (booking === null) unread.push(String(entry.id))
      else bookings.push(booking)
    }
  }
  const last = all.at(-1)
  const next = said.body.has_more === true && isRecord(last) ? last.id : null
  return { bookings, others, unread, next: typeof next === 'string' ? next : null }
}

type Fields = Readonly<Record<string, unknown>>

/** Null: it makes no sense. */
function bookingOf(entry: Fields): Booking | null {
  const { source, created } = entry
  const { kind, isTakenBack } = categories[String(entry.reporting_category)] ?? {}
  if (kind === undefined || !isRecord(source) || typeof created !== 'number') return null
  const hold = textOf(source.payment_intent)
  const money = movedBy(entry, source)
  // What was not charged by an intent is known by its charge.
  const reference =
    kind === 'capture' ? (hold ?? textOf(source.charge) ?? textOf(source.id)) : textOf(source.id)
  if (money === null || reference === null) return null
  // The rest of a capture in part is a refund there, which is nobody's.
  const isRest = kind === 'capture' && isTakenBack
  return {
    kind,
    key: isRest ? null : keyOf(source),
    reference,
    hold,
    amount: isRest ? -money.amount : money.amount,
    currency: money.currency,
    bookedAt: new Date(created * 1000),
  }
}

/** What moved, in the currency that the buyer paid: where the account is paid in another one, the entry itself says what came of it. */
function movedBy(entry: Fields, source: Fields): { amount: bigint; currency: string } | null {
  const isConverted = typeof entry.exchange_rate === 'number'
  const of = isConverted ? source : entry
  const { currency, amount } = of
  if (typeof currency !== 'string' || typeof amount !== 'number') return null
  const own = currency.toUpperCase()
  const magnitude = fromStripe(Math.abs(amount), own)
  return magnitude === null ? null : { amount: magnitude, currency: own }
}

async function findCapture(api: StripeApi, id: string, call: Call): Promise<Booking | 'nothing' | null> {
  const params = { expand: ['latest_charge.balance_transaction'] }
  const said = await api.send((stripe, options) => stripe.paymentIntents.retrieve(id, params, options), call)
  const intent = foundIn(said)
  if (intent === null || intent === 'nothing') return intent
  const { latest_charge: charge } = intent
  if (!isRecord(charge) || !isRecord(charge.balance_transaction)) return 'nothing'
  const { created } = charge.balance_transaction
  const currency = String(charge.currency).toUpperCase()
  const amount = fromStripe(charge.amount_captured, currency)
  if (amount === null || typeof created !== 'number') return null
  return {
    kind: 'capture',
    key: keyOf(charge),
    reference: id,
    hold: id,
    amount,
    currency,
    bookedAt: new Date(created * 1000),
  }
}

async function findRefund(api: StripeApi, id: string, call: Call): Promise<Booking | 'nothing' | null> {
  const params = { expand: ['balance_transaction'] }
  const said = await api.send((stripe, options) => stripe.refunds.retrieve(id, params, options), call)
  const refund = foundIn(said)
  if (refund === null || refund === 'nothing') return refund
  const { balance_transaction: entry } = refund
  // A refund that is on its way to the bank of the buyer has moved nothing yet.
  if (!isRecord(entry)) return 'nothing'
  return bookingOf({ ...entry, source: refund })
}

/** Null: it cannot be read at the moment. */
function foundIn(said: StripeAnswer): Fields | 'nothing' | null {
  if (said.kind !== 'answer') return null
  if (said.status === 200) return said.body
  return said.status === 404 && errorOf(said).code === 'resource_missing' ? 'nothing' : null
}

function keyOf({ metadata }: Fields): string | null {
  return isRecord(metadata) ? textOf(metadata[keyField]) : null
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

function secondsOf(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}
