import type { Stripe } from 'stripe'
import type { Call, MovementPage, RailMovement } from '../../domain/buying/rails/port.ts'
import { isRecord } from '../../platform/egress/peer-json.ts'
import { type CardTransaction, transactionOf } from './issued-card.ts'
import { type StripeApi, within } from './stripe-api.ts'

/** Before a position that looks for the oldest transaction, as Stripe lists the newest first. */
const backwards = 'back '

/**
 * What merchants did with cards, oldest first. A position is the transaction that was read last. From the beginning, the list is followed
 * back to its end first, a page at a time, because Stripe cannot be asked for the oldest.
 */
export async function listCardMovements(
  api: StripeApi,
  position: string | null,
  call: Call,
): Promise<MovementPage | null> {
  const next = within(call)
  const isLooking = position === null || position.startsWith(backwards)
  const from = isLooking
    ? { starting_after: position === null ? '' : position.slice(backwards.length) }
    : { ending_before: position }
  const page = await pageOf(api, from.starting_after === '' ? {} : from, next())
  if (page === null) return null
  const { items, hasMore } = page
  const [newest, oldest] = [idOf(items.at(0)), idOf(items.at(-1))]
  if (isLooking && hasMore)
    return oldest === null ? null : { movements: [], unread: 0, next: backwards + oldest }
  // There is none yet: a position that names no transaction looks again.
  if (newest === null) return { movements: [], unread: 0, next: position ?? backwards }
  const known = items.map((one) => transactionOf(one)).reverse()
  const movements: RailMovement[] = []
  for (const transaction of known) {
    if (transaction === null) continue
    const refunded = transaction.isRefund ? await refundedBy(api, transaction, next) : 0n
    if (refunded === null) return null
    movements.push({
      id: transaction.id,
      reference: transaction.card,
      isRefund: transaction.isRefund,
      refundedAmount: refunded,
    })
  }
  return { movements, unread: known.length - movements.length, next: newest }
}

type Page = { readonly items: readonly unknown[]; readonly hasMore: boolean }

async function pageOf(
  api: StripeApi,
  query: Stripe.Issuing.TransactionListParams,
  call: Call,
): Promise<Page | null> {
  const said = await api.send(
    (stripe, options) => stripe.issuing.transactions.list({ ...query, limit: 100 }, options),
    call,
  )
  if (said.kind !== 'answer' || said.status !== 200 || !Array.isArray(said.body.data)) return null
  return { items: said.body.data, hasMore: said.body.has_more === true }
}

/** The refunds of a card up to this one; null: they cannot be read. */
async function refundedBy(
  api: StripeApi,
  { id, card }: CardTransaction,
  next: () => Call,
): Promise<bigint | null> {
  const page = await pageOf(api, { card, type: 'refund' }, next())
  if (page === null || page.hasMore) return null
  const refunds = page.items.map((one) => transactionOf(one))
  const at = refunds.findIndex((one) => one?.id === id)
  if (at < 0) return null
  return refunds.slice(at).reduce((sum, one) => sum + (one?.amount ?? 0n), 0n)
}

function idOf(transaction: unknown): string | null {
  return isRecord(transaction) && typeof transaction.id === 'string' ? transaction.id : null
}
