import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { byAge, type Sweep, type Swept } from '../../../platform/retention/sweep.ts'
import type { StrangerNews } from '../../trade/orders/public.ts'

/** How a merchant's messages name an order: the profile that signs them, and a hash of its checkout. */
export type OrderName = { sender: string; checkout: Buffer }

export type FollowedRow = { account_id: Id<'acct'>; mode: Mode; order_id: Id<'ord'> }

/**
 * Of a message and the order that it is about, the second to come sees the first. It is held until the transaction ends; rows cannot stand
 * for it, because neither may be there.
 */
export const lockNamed = statement<{ locked: string }, { name: string }>(
  'lock_order_of_messages',
  `/* tenantless: neither the order nor its owner need be known */
   select pg_advisory_xact_lock(hashtextextended($name, 78))::text as locked`,
)

export const insertFollowed = statement<{ order_id: string }, FollowedRow & OrderName & { now: Date }>(
  'insert_stranger_order',
  `insert into stranger_orders (account_id, mode, order_id, sender, checkout, created_at)
   values ($account_id, $mode, $order_id, $sender, $checkout, $now)
   on conflict do nothing returning order_id`,
)

export const selectFollowed = statement<FollowedRow, OrderName>(
  'select_stranger_order',
  `/* tenantless: a merchant elsewhere does not know whose order it is */
   select account_id, mode, order_id from stranger_orders where checkout = $checkout and sender = $sender`,
)

/** Whoever has a checkout of this name. */
export const selectSenders = statement<{ sender: string; mode: Mode }, { checkout: Buffer; limit: number }>(
  'select_senders_of_checkout',
  `/* tenantless: a merchant elsewhere does not know whose order it is */
   select sender, mode from stranger_orders where checkout = $checkout order by sender limit $limit`,
)

export const lockFollowed = statement<{ told_at: Date | null }, FollowedRow>(
  'lock_stranger_order',
  `select told_at from stranger_orders where account_id = $account_id and mode = $mode and order_id = $order_id for update`,
)

export const noteTold = statement<never, FollowedRow & { told_at: Date }>(
  'note_stranger_order_told',
  `update stranger_orders set told_at = $told_at where account_id = $account_id and mode = $mode and order_id = $order_id`,
)

type Message = OrderName & { message: Buffer; said: Buffer; sent_at: Date; now: Date }

/** No row: a message of this id was applied before, was too old to be, or said something else. One that was kept is kept no longer. */
export const takeMessage = statement<{ message: Buffer }, FollowedRow & Message & { state: string }>(
  'take_order_message',
  `insert into order_messages (sender, message, said, checkout, state, sent_at, received_at, account_id, mode, order_id)
   values ($sender, $message, $said, $checkout, $state, $sent_at, $now, $account_id, $mode, $order_id)
   on conflict (sender, message) do update
   set state = excluded.state, account_id = excluded.account_id, mode = excluded.mode, order_id = excluded.order_id, news = null
   where order_messages.state = 'kept' and coalesce(order_messages.said = excluded.said, true) returning message`,
)

/** What a message of this id said before, as a hash. */
export const selectSaid = statement<{ said: Buffer | null }, { sender: string; message: Buffer }>(
  'select_said_of_order_message',
  `/* tenantless: the ids of messages are their sender's */
   select said from order_messages where sender = $sender and message = $message`,
)

/**
 * What became of a message without an order. `was_known`: an earlier one has its id. `is_other`: and said something else. `kept`: how many
 * of its sender were there before.
 */
type KeptMessage = { is_new: boolean; was_known: boolean; is_other: boolean; kept: number }

/** Within the lock of its name. A message whose order is there is not kept: nobody would look for it again. */
export const keepMessage = statement<KeptMessage, Message & { news: string; kept_max: number }>(
  'keep_order_message',
  // guard no-message-is-left-kept: what a merchant says of an order is applied though it comes while the order is placed
  `/* tenantless: there is no order yet, and so no owner */
   with before as materialized (
     select (select count(*)::int from order_messages where sender = $sender and state = 'kept') as kept,
       exists (select from order_messages where sender = $sender and message = $message) as was_known,
       exists (select from order_messages where sender = $sender and message = $message and said <> $said) as is_other
   ), made as (
     insert into order_messages (sender, message, said, checkout, state, sent_at, received_at, news)
     select $sender, $message, $said, $checkout, 'kept', $sent_at, $now, $news::jsonb from before
     where kept < $kept_max and not exists (select from stranger_orders where checkout = $checkout and sender = $sender)
     on conflict do nothing returning message
   )
   select exists (select from made) as is_new, was_known, is_other, kept from before`,
)

type KeptRow = { message: Buffer; sent_at: Date; news: StrangerNews }

/** The newest first. */
export const selectKept = statement<KeptRow, OrderName>(
  'select_kept_order_messages',
  `/* tenantless: what was kept has no owner yet */
   select message, sent_at, news from order_messages where sender = $sender and checkout = $checkout and state = 'kept'
   order by sent_at desc, received_at desc`,
)

/** All that was kept for an order is settled: the newest was applied. */
export const settleKept = statement<never, FollowedRow & OrderName & { newest: Buffer }>(
  'settle_kept_order_messages',
  `update order_messages set state = case when message = $newest then 'applied' else 'older' end, news = null,
     account_id = $account_id, mode = $mode, order_id = $order_id
   where sender = $sender and checkout = $checkout and state = 'kept'`,
)

/** What was kept for a day, and the ids of the others. */
const deleteOldMessages = statement<Swept, { before: Date; limit: number }>(
  'sweep_order_messages',
  `/* tenantless: a sweep is of every account */
   with waited as (
     select sender, message from order_messages where state = 'kept' and received_at < prokura_now() - interval '24 hours'
     order by received_at limit $limit for update skip locked
   ), settled as (
     select sender, message from order_messages where state <> 'kept' and received_at < $before
     order by received_at limit $limit for update skip locked
   ), old as (select * from waited union all select * from settled), gone as (
     delete from order_messages m using old o where m.sender = o.sender and m.message = o.message returning m.received_at
   )
   select count(*)::int as rows, min(received_at) as oldest from gone`,
)

/** Messages whose orders never came, after a day; the ids of all others, once no message can come again. */
export const sweepMessages: Sweep = {
  name: 'order_messages',
  removes: 'messages of merchants elsewhere about orders',
  keeps: 'messageDays',
  batches: (pools, before) => byAge(pools, (limit) => deleteOldMessages({ before, limit })),
}
