import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { byAge, type Sweep, type Swept } from '../../../platform/retention/sweep.ts'
import { claimStatement } from '../../../platform/work/lease.sql.ts'
import type { Claimed } from '../../../platform/work/lease.ts'
import type { LookAnswer, LookRequest } from './port.ts'

type Tenanted = { account_id: Id<'acct'>; mode: Mode }

/** A look as callers wait for it; `answer` null: nobody has looked yet. */
export type LookRow = {
  key: Buffer
  answer: LookAnswer | null
  answered_at: Date | null
  fresh_until: Date | null
}

export const selectLooks = statement<LookRow, Tenanted & { keys: readonly Buffer[] }>(
  'select_looks',
  `select key, answer, answered_at, fresh_until from looks
   where account_id = $account_id and mode = $mode and key = any($keys::bytea[])`,
)

/**
 * Asks, unless the same was asked and is not answered yet, or was answered a short while ago. A row whose answer has grown old is asked
 * again under its id.
 */
export const askLook = statement<
  never,
  Tenanted & { id: string; key: Buffer; host: string; request: string; now: Date }
>(
  'ask_look',
  `insert into looks (account_id, mode, id, key, host, request, created_at, due_at)
   values ($account_id, $mode, $id, $key, $host, $request::jsonb, $now, prokura_now())
   on conflict (account_id, mode, key) do update
   set answer = null, answered_at = null, fresh_until = null, created_at = excluded.created_at, due_at = excluded.due_at, step_failures = 0,
     step_failing_since = null, step_error = null
   where looks.fresh_until <= prokura_now()`,
)

export type ClaimedLook = Claimed & { host: string; request: LookRequest; created_at: Date }

export const claimLooks = claimStatement<ClaimedLook>('looks', ['host', 'request', 'created_at'])

type Held = Tenanted & { id: string; lease_token: bigint }

/** Only by the worker that holds it. */
export const settleLook = statement<never, Held & { answer: string; fresh_seconds: number }>(
  'settle_look',
  `update looks
   set answer = $answer::jsonb, answered_at = prokura_now(), fresh_until = prokura_now() + make_interval(secs => $fresh_seconds),
     due_at = null, lease_until = null
   where account_id = $account_id and mode = $mode and id = $id and lease_token = $lease_token`,
)

const deleteOldLooks = statement<Swept, { before: Date; limit: number }>(
  'sweep_looks',
  `/* tenantless: a sweep is of every account */
   with old as (
     select account_id, mode, id from looks where answered_at < $before
     order by answered_at limit $limit for update skip locked
   ), gone as (
     delete from looks l using old o where l.account_id = o.account_id and l.mode = o.mode and l.id = o.id
     returning l.answered_at
   )
   select count(*)::int as rows, min(answered_at) as oldest from gone`,
)

/** What shops have shown to those who only looked. */
export const sweepLooks: Sweep = {
  name: 'looks',
  removes: 'looks at shops',
  keeps: 'finishedWorkDays',
  batches: (pools, before) => byAge(pools, (limit) => deleteOldLooks({ before, limit })),
}
