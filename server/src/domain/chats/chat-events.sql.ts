import { statement } from '../../contract/statement.ts'
import { aggregate, type Tenanted } from '../../platform/aggregate/aggregate.ts'
import { byAge, type Sweep, type Swept } from '../../platform/retention/sweep.ts'

type OfChat = Tenanted & { chat_id: string }

export type ChatEventRow = {
  chat_id: string
  position: bigint
  run_id: string
  type: string
  data: string
  created_at: Date
}

const events = aggregate<ChatEventRow>()({
  table: 'chat_events',
  columns: 'chat_id, position, run_id, type, data, created_at',
  key: ['chat_id', 'position'],
})

export const insertChatEvent = events.insert('insert_chat_event')

export const selectChatEvents = statement<ChatEventRow, OfChat & { after: bigint; limit: number }>(
  'select_chat_events',
  `select ${events.columns} from chat_events
   where account_id = $account_id and mode = $mode and chat_id = $chat_id and position > $after order by position limit $limit`,
)

type Progress = {
  position: bigint
  is_busy: boolean
  is_waiting: boolean
  /** The position before the first event of what is under way. */
  follows: bigint | null
  is_run_done: boolean
}

/** How far a chat is: its newest event, whether something is under way, and where the events of that begin. */
export const selectChatProgress = statement<Progress, OfChat & { run_id: string | null }>(
  'select_chat_progress',
  `select c.position, coalesce(open.is_busy, false) as is_busy, coalesce(open.is_waiting, false) as is_waiting, open.follows,
     not coalesce(open.has_run, false) as is_run_done
   from chats c cross join lateral (
     select bool_or(r.status <> 'waiting') as is_busy, bool_or(r.status = 'waiting') as is_waiting,
       bool_or(r.status <> 'waiting' and r.id = $run_id::text) as has_run,
       min(r.follows) filter (where r.status <> 'waiting') as follows
     from chat_runs r
     where r.account_id = c.account_id and r.mode = c.mode and r.chat_id = c.id and r.status in ('queued', 'running', 'waiting')
   ) open
   where c.account_id = $account_id and c.mode = $mode and c.id = $chat_id`,
)

const deleteOldEvents = statement<Swept, { before: Date; limit: number }>(
  'sweep_chat_events',
  `/* tenantless: a sweep is of every account */
   with old as (
     select account_id, mode, chat_id, position from chat_events where created_at < $before order by created_at limit $limit
     for update skip locked
   ), gone as (
     delete from chat_events e using old o
     where e.account_id = o.account_id and e.mode = o.mode and e.chat_id = o.chat_id and e.position = o.position
     returning e.created_at as ended_at
   )
   select count(*)::int as rows, min(ended_at) as oldest from gone`,
)

export const sweepChatEvents: Sweep = {
  name: 'chat_events',
  removes: 'the pieces in which messages of chats were streamed',
  keeps: 'finishedWorkDays',
  batches: (pools, before) => byAge(pools, (limit) => deleteOldEvents({ before, limit })),
}

const deleteOldChats = statement<Swept, { before: Date; limit: number }>(
  'sweep_chats',
  `/* tenantless: a sweep is of every account */
   with old as (
     select account_id, mode, id from chats where coalesce(last_message_at, created_at) < $before and due_at is null
     order by coalesce(last_message_at, created_at) limit $limit for update skip locked
   ), gone as (
     delete from chats c using old o where c.account_id = o.account_id and c.mode = o.mode and c.id = o.id
     returning coalesce(c.last_message_at, c.created_at) as ended_at
   )
   select count(*)::int as rows, min(ended_at) as oldest from gone`,
)

export const sweepChats: Sweep = {
  name: 'chats',
  removes: 'chats in which nothing was said',
  keeps: 'chatDays',
  batches: (pools, before) => byAge(pools, (limit) => deleteOldChats({ before, limit })),
}
