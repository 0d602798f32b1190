import type { Stripe } from 'stripe'
import { entryIdOf } from '../balance-entries.ts'
import { type Asked, seconds } from '../work.ts'
import type { CardTransaction } from './memory.ts'
import { renderMerchant } from './merchants.ts'

/** As the balance sees it: what is captured goes out of it. */
export function renderTransaction(
  { id, type, card, authorization, amount, currency, merchant, created_ms }: CardTransaction,
  { memory, account }: Pick<Asked, 'memory' | 'account'>,
): Stripe.Issuing.Transaction {
  const signed = type === 'capture' ? -amount : amount
  return {
    id,
    object: 'issuing.transaction',
    amount: signed,
    amount_details: null,
    authorization,
    balance_transaction: entryIdOf({ id }),
    card,
    cardholder: memory.issuing.cards.get(card)?.cardholder ?? null,
    created: seconds(created_ms),
    currency,
    dispute: null,
    livemode: account.isLive,
    merchant_amount: signed,
    merchant_currency: currency,
    merchant_data: renderMerchant(merchant),
    metadata: {},
    network_data: null,
    type,
    wallet: null,
  }
}
