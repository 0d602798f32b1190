import { noSuch } from '../stripe-error.ts'
import { type Asked, type Operations, page } from '../work.ts'
import { renderAuthorization } from './authorizations.ts'
import type { CardTransaction } from './memory.ts'
import { renderTransaction } from './transaction-object.ts'

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
      return { body: page(asked, all, (one) => renderListed(one, asked)) }
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

function renderListed(one: CardTransaction, asked: Asked) {
  const { memory, expands } = asked
  const whole = memory.issuing.authorizations.get(one.authorization ?? '')
  const transaction = renderTransaction(one, asked)
  if (whole === undefined || !expands.has('data.authorization')) return transaction
  return { ...transaction, authorization: renderAuthorization(whole, asked) }
}
