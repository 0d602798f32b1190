import type { Stripe } from 'stripe'
import { isShownTo } from './accounts.ts'
import {
  type Entry,
  entryOfCard,
  entryOfCharge,
  entryOfRefund,
  entryOfReversal,
  entryOfTransfer,
  renderEntry,
  restOf,
} from './balance-entries.ts'
import { renderCharge } from './charges.ts'
import { renderTransaction } from './issuing/transaction-object.ts'
import type { Intent, Refund } from './memory.ts'
import { renderRefund } from './refunds.ts'
import { type Asked, type Operations, page } from './work.ts'

export const balanceTransactionOperations: Operations = [
  {
    method: 'GET',
    path: '/v1/balance_transactions',
    operation: 'list_entries',
    work(asked) {
      const { form, expands } = asked
      const [type, source] = [form.text('type'), form.text('source')]
      const all = movedIn(asked)
        .filter(
          ({ entry }) => (type ?? entry.type) === entry.type && (source ?? entry.source) === entry.source,
        )
        .map(({ entry, by }) => ({ ...entry, by }))
        .sort((one, other) => one.created_ms - other.created_ms)
      const isWhole = expands.has('data.source')
      return {
        body: page(asked, all, ({ by, ...entry }) =>
          renderEntry(entry, isWhole ? sourceOf(by, entry.source, asked) : entry.source),
        ),
      }
    },
  },
]

type Source =
  | { readonly kind: 'charge'; readonly intent: Intent }
  | { readonly kind: 'refund'; readonly refund: Refund }
  | { readonly kind: 'card'; readonly id: string }
  /** Nobody here reads more of it than its name. */
  | { readonly kind: 'named' }

type Moved = { readonly entry: Entry; readonly by: Source }

function movedIn({ memory: { intents, refunds, issuing }, account }: Asked): Moved[] {
  const isOwn = (id: string) => isShownTo(account, intents.get(id)?.owner ?? account.profile)
  const moved: { entry: Entry | null; by: Source }[] = []
  for (const intent of intents.values()) {
    if (!isOwn(intent.id)) continue
    const rest = restOf(intent)
    moved.push({ entry: entryOfCharge(intent), by: { kind: 'charge', intent } })
    moved.push({ entry: entryOfTransfer(intent), by: { kind: 'named' } })
    if (rest !== null)
      moved.push({
        entry: entryOfRefund(rest, 'partial_capture_reversal'),
        by: { kind: 'refund', refund: rest },
      })
  }
  for (const refund of refunds.values()) {
    if (!isOwn(refund.payment_intent)) continue
    moved.push({ entry: entryOfRefund(refund), by: { kind: 'refund', refund } })
    moved.push({ entry: entryOfReversal(refund), by: { kind: 'named' } })
  }
  for (const one of issuing.transactions.values())
    moved.push({ entry: entryOfCard(one), by: { kind: 'card', id: one.id } })
  return moved.flatMap(({ entry, by }) => (entry === null ? [] : [{ entry, by }]))
}

function sourceOf(by: Source, id: string, asked: Asked): Stripe.BalanceTransaction['source'] {
  switch (by.kind) {
    case 'charge':
      return renderCharge(by.intent, asked)
    case 'refund':
      return renderRefund(by.refund, asked)
    case 'card': {
      const transaction = asked.memory.issuing.transactions.get(by.id)
      return transaction ? renderTransaction(transaction, asked) : id
    }
    case 'named':
      return id
    default:
      return by satisfies never
  }
}
