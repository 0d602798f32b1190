import Type from 'typebox'
import { defineOperation, type Operation, reply } from '../../src/contract/operation.ts'
import { Closed } from '../../src/contract/schemas.ts'
import { statement } from '../../src/contract/statement.ts'
import type { TestApp } from './app.ts'

const sleep = statement<{ slept: boolean }, { account_id: string; mode: string; seconds: number }>(
  'sleep_for_tests',
  `select pg_sleep($seconds) is not null as slept, $account_id::text, $mode::text`,
)

/** Longer than any test: a call is answered when the statement's time is over, or when a test ends it. */
const longSeconds = 120

const slow = (kind: Operation['reads'] | 'write') =>
  defineOperation({
    id: `v1_calculate_${kind}_thing`,
    method: 'POST',
    path: `/v1/things/${kind}`,
    auth: 'secret',
    scope: 'profiles:read',
    tag: 'Profiles',
    summary: 'Take long',
    readOnly: true,
    reads: kind === 'write' ? 'short' : kind,
    query: Closed({ offset: Type.Optional(Type.Integer({ minimum: 0 })) }),
    body: Closed({}),
    bodyOptional: true,
    responses: { 200: Closed({ slept: Type.Boolean() }) },
    async handle(ctx) {
      const { accountId: account_id, mode } = ctx.tenant
      const from = kind === 'write' ? ctx.tx : ctx.reads
      const row = await from.maybe(sleep({ account_id, mode, seconds: longSeconds }))
      return reply(200, { slept: row?.slept ?? false })
    },
  })

/** One operation for each kind of reads, and one that reads in its transaction. Each takes far longer than any call waits. */
export const slowOperations = {
  short: slow('short'),
  long: slow('long'),
  bulk: slow('bulk'),
  write: slow('write'),
}

/** The number of these statements that the database runs, read without the application's limits. */
export async function countSlow(app: Pick<TestApp, 'parts'>): Promise<number> {
  const rows = await app.parts.pools.survey<{ pid: number }>({
    name: '',
    text: `select pid from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
    values: [],
  })
  return rows.length
}

/** Ends the running statements, as a time-out of the database does. */
export async function endSlow(app: Pick<TestApp, 'parts'>): Promise<void> {
  await app.parts.pools.survey({
    name: '',
    text: `select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
    values: [],
  })
}
