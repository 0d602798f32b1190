import type { Stripe } from 'stripe'
import { entryIdOf } from '../balance-entries.ts'
import { noSuch } from '../stripe-error.ts'
import { type Asked, type Operations, page, seconds } from '../work.ts'
import type { CardTransaction } from './memory.ts'
import { renderMerchant } from './merchants.ts'

const transactions = '/v1/issuing/transactions'

export const transactionOperations: Operations = [
  {
    method: 'GET',
    path: transactions,
    operation: 'list_transactions',
    work(asked) {
      const { form, memory } = asked
      const [card, type] = [form.text('card'), form.oneOf('type', ['capture', 'refund'])]
      const all = [...memory.issuing.transactions.values()].filter(
        (one) => (card === null || one.card === card) && (type === null || one.type === type),
      )
      return { body: page(asked, all, (one) => renderTransaction(one, asked)) }
    },
  },
  {
    method: 'GET',
    path: `${transactions}/:id`,
    operation: 'read_transaction',
    work(asked) {
      const found = asked.memory.issuing.transactions.get(asked.call.params.id ?? '')
      if (found === undefined) throw noSuch('issuing transaction', 'id', 404)
      return { body: renderTransaction(found, asked) }
    },
  },
]

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
