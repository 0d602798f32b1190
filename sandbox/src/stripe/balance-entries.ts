import type { Stripe } from 'stripe'
import type { CardTransaction } from './issuing/memory.ts'
import type { Intent, Refund } from './memory.ts'
import { seconds } from './work.ts'

/** What moved the balance of the account, and by what. */
export type Entry = Pick<Stripe.BalanceTransaction, 'id' | 'amount' | 'currency' | 'type'> & {
  readonly source: string
  readonly reporting_category: string
  readonly fee?: number
  readonly created_ms: number
}

export function entryIdOf(source: { id: string }): string {
  return `txn_${source.id.replace('_', '')}`
}

/** What Stripe keeps of a charge: 2.9 % and 30 minor units. A refund does not give it back. */
const feeOf = (amount: number) => Math.round((amount * 29) / 1000) + 30

/** A charge is written as a whole, also one that is captured in part: its rest is taken back beside it. */
export function entryOfCharge({ id, amount, amount_received, currency, captured_ms }: Intent): Entry | null {
  if (captured_ms === null) return null
  const source = `ch_${id.slice(3)}`
  return {
    id: entryIdOf({ id: source }),
    source,
    amount,
    currency,
    type: 'charge',
    reporting_category: 'charge',
    fee: feeOf(amount_received),
    created_ms: captured_ms,
  }
}

/** What a capture has left of its hold; null: it took all. */
export function restOf({ id, amount, amount_received, currency, captured_ms }: Intent): Refund | null {
  if (captured_ms === null || amount === amount_received) return null
  return {
    id: `re_rest${id.slice(3)}`,
    payment_intent: id,
    amount: amount - amount_received,
    currency,
    metadata: {},
    transfer_reversal: null,
    created_ms: captured_ms,
  }
}

export function entryOfRefund(
  { id, amount, currency, created_ms }: Refund,
  reporting_category = 'refund',
): Entry {
  return {
    id: entryIdOf({ id }),
    source: id,
    amount: -amount,
    currency,
    type: 'refund',
    reporting_category,
    created_ms,
  }
}

/** A merchant is paid out of the charge itself. */
export function entryOfTransfer({
  id,
  destination,
  amount_received,
  currency,
  captured_ms,
}: Intent): Entry | null {
  if (captured_ms === null || destination === null) return null
  const source = `tr_${id.slice(3)}`
  return {
    id: entryIdOf({ id: source }),
    source,
    amount: -amount_received,
    currency,
    type: 'transfer',
    reporting_category: 'transfer',
    created_ms: captured_ms,
  }
}

export function entryOfReversal({
  transfer_reversal: id,
  amount,
  currency,
  created_ms,
}: Refund): Entry | null {
  if (id === null) return null
  return {
    id: entryIdOf({ id }),
    source: id,
    amount,
    currency,
    type: 'transfer_refund',
    reporting_category: 'transfer_reversal',
    created_ms,
  }
}

export function entryOfCard({ id, type, amount, currency, created_ms }: CardTransaction): Entry {
  return {
    id: entryIdOf({ id }),
    source: id,
    amount: type === 'capture' ? -amount : amount,
    currency,
    type: 'issuing_transaction',
    reporting_category: 'issuing_transaction',
    created_ms,
  }
}

export function renderEntry(
  { fee = 0, created_ms, ...entry }: Entry,
  source: Stripe.BalanceTransaction['source'],
): Stripe.BalanceTransaction {
  const { amount, currency, type } = entry
  const created = seconds(created_ms)
  const ofStripe = {
    amount: fee,
    application: null,
    currency,
    description: 'Stripe processing fees',
    type: 'stripe_fee',
  }
  return {
    ...entry,
    object: 'balance_transaction',
    available_on: created,
    balance_type: type === 'issuing_transaction' ? 'issuing' : 'payments',
    created,
    description: null,
    // Here every account is paid in what its buyers pay.
    exchange_rate: null,
    fee,
    fee_details: fee === 0 ? [] : [ofStripe],
    net: amount - fee,
    source,
    status: 'available',
  }
}
