import type { Mode } from '../../contract/context.ts'
import { statement } from '../../contract/statement.ts'
import type { Id } from '../../core/id.ts'
import { aggregate, type Tenanted } from '../../platform/aggregate/aggregate.ts'
import type { RunRow } from './run.ts'

type OfChat = Tenanted & { chat_id: string }

const runs = aggregate<RunRow>()({
  table: 'chat_runs',
  columns: `id, chat_id, message_id, key_id, follows, status, queued_at, stop_asked_at, step, tokens, calls, answer_id,
    ended_because, created_at, updated_at, ended_at`,
  key: ['id'],
  json: ['calls'],
  fixed: ['chat_id', 'message_id', 'key_id', 'follows'],
})
const { columns } = runs

export const insertRun = runs.insert('insert_chat_run')
export const selectRun = runs.select('select_chat_run')
export const updateRun = runs.update('update_chat_run')

/** The runs of a chat that have not ended: the one that runs, then those that wait for their turn, in order, and those that wait for purchases. */
export const selectOpenRuns = statement<RunRow, OfChat>(
  'select_open_chat_runs',
  `select ${columns} from chat_runs
   where account_id = $account_id and mode = $mode and chat_id = $chat_id and status in ('queued', 'running', 'waiting')
   order by status = 'waiting', status <> 'running', queued_at, id`,
)

/** Purchases have changed: the runs that wait for them have a turn again. Returns their chats. */
export const wakeRuns = statement<
  { chat_id: Id<'chat'> },
  { account_ids: string[]; modes: Mode[]; intent_ids: string[]; now: Date }
>(
  'wake_chat_runs',
  `with woken as (
     update chat_runs r set status = 'queued', queued_at = $now, updated_at = $now
     from unnest($account_ids::text[], $modes::mode[], $intent_ids::text[]) as changed (account_id, mode, intent_id)
     join chat_purchases p on p.account_id = changed.account_id and p.mode = changed.mode and p.purchase_intent_id = changed.intent_id
     where r.account_id = p.account_id and r.mode = p.mode and r.id = p.run_id and r.status = 'waiting'
     returning r.account_id, r.mode, r.chat_id
   )
   update chats c set due_at = $now from woken w
   where c.account_id = w.account_id and c.mode = w.mode and c.id = w.chat_id
   returning c.id as chat_id`,
)

type Purchase = {
  purchase_intent_id: string
  run_id: string
  chat_id: string
  told: string
  is_over: boolean
}

/** What was said about a purchase, for a run. */
export const tellPurchase = statement<never, Tenanted & Purchase>(
  'tell_chat_purchase',
  `insert into chat_purchases (account_id, mode, purchase_intent_id, run_id, chat_id, told, is_over)
   values ($account_id, $mode, $purchase_intent_id, $run_id, $chat_id, $told, $is_over)
   on conflict (account_id, mode, purchase_intent_id, run_id) do update set told = excluded.told, is_over = excluded.is_over`,
)

export const selectPurchases = statement<
  Pick<Purchase, 'purchase_intent_id' | 'told' | 'is_over'>,
  Tenanted & { run_id: string }
>(
  'select_chat_purchases',
  `select purchase_intent_id, told, is_over from chat_purchases
   where account_id = $account_id and mode = $mode and run_id = $run_id order by purchase_intent_id`,
)

type Day = { tokens: bigint; cost: bigint }

/** What models have used of an account today, by UTC. */
export const selectDay = statement<Day, Tenanted & { now: Date }>(
  'select_chat_day',
  `select tokens, cost from chat_days
   where account_id = $account_id and mode = $mode and day = ($now::timestamptz at time zone 'UTC')::date`,
)

export const addToDay = statement<never, Tenanted & { now: Date; tokens: number; cost: number }>(
  'add_to_chat_day',
  `insert into chat_days as d (account_id, mode, day, tokens, cost)
   values ($account_id, $mode, ($now::timestamptz at time zone 'UTC')::date, $tokens, $cost)
   on conflict (account_id, mode, day) do update set tokens = d.tokens + excluded.tokens, cost = d.cost + excluded.cost`,
)
