import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { recordPools } from '../../../test/harness/recorded-pools.ts'
import type { Mode } from '../../contract/context.ts'
import type { Statement } from '../../contract/statement.ts'
import type { Id } from '../../core/id.ts'
import { aggregate } from '../aggregate/aggregate.ts'
import { violatedConstraint } from './errors.ts'
import { InsertGroups } from './insert-groups.ts'
import { openPools, type Pools } from './pool.ts'
import { openTransaction } from './transaction.ts'

let database: TestDatabase
let pools: Pools
let recorder: ReturnType<typeof recordPools>

beforeAll(async () => {
  database = await createTestDatabase()
  pools = openPools({
    url: database.url,
    writers: 6,
    readers: 1,
    applicationName: 'test',
    onError: () => undefined,
  })
  for (const table of ['cups', 'lids'])
    await send(`create table ${table} (account_id text, mode mode, id text, notes jsonb, names text[], mark bytea, made_at timestamptz,
      primary key (account_id, mode, id))`)
  recorder = recordPools(pools)
})
afterEach(() => send('truncate cups, lids'))
afterAll(async () => {
  await pools.close()
  await database.drop()
})

type Cup = { id: string; notes: object | null; names: string[]; mark: Buffer | null; made_at: Date }
const declared = { columns: 'id, notes, names, mark, made_at', key: ['id'], json: ['notes'] } as const
const insertCup = aggregate<Cup>()({ table: 'cups', ...declared }).insert('insert_cup')
const insertLid = aggregate<Cup>()({ table: 'lids', ...declared }).insert('insert_lid')

const tenant = 'acct_1/test'
const cup = (id: string): Cup => ({
  id,
  notes: id === 'plain' ? null : { text: `"${id}" says \\ and {it}` },
  names: [id, 'a "quoted", one', 'ünïcode'],
  mark: id === 'plain' ? null : Buffer.from([0, 255]),
  made_at: new Date('2026-03-01T10:00:00.123Z'),
})
const writesOf = (id: string, account = 'acct_1') => {
  const row = { ...cup(id), account_id: account as Id<'acct'>, mode: 'test' as Mode }
  return [insertCup(row), insertLid(row)]
}

async function send(text: string): Promise<unknown[]> {
  return (await pools.single({ name: '', text, values: [] })).rows
}

/** Each in a transaction of its own, all at once; answers what each failed with. */
function commitEach(ids: readonly string[]): Promise<unknown[]> {
  return Promise.all(
    ids.map((id) =>
      openTransaction(recorder.pools, tenant)
        .commit(writesOf(id))
        .then(
          () => null,
          (error: unknown) => error,
        ),
    ),
  )
}

const stored = (table: string) => send(`select id, notes, names, mark, made_at from ${table} order by id`)

test('inserts that come while others are under way go as one statement, and each row is as it was given', async () => {
  const ids = ['a', 'b', 'c', 'd', 'plain']
  const sent = await recorder.record(async () => expect(await commitEach(ids)).toEqual(ids.map(() => null)))
  expect(sent.map(({ statement: { text } }) => text.includes('json_populate_recordset'))).toEqual([
    false,
    false,
    true,
  ])
  for (const table of ['cups', 'lids']) expect(await stored(table)).toEqual(ids.map(cup))
})

test('a transaction whose row is refused fails alone, and writes nothing', async () => {
  await commitEach(['d'])
  await send('delete from lids')
  const failures = await commitEach(['a', 'b', 'c', 'd', 'e'])
  expect(failures.map(violatedConstraint)).toEqual([null, null, null, 'cups_pkey', null])
  expect(await stored('lids')).toEqual(['a', 'b', 'c', 'e'].map(cup))
})

/** Its statements end when they are told to. */
function heldPools() {
  const sent: {
    statement: Statement<unknown>
    tenant: string | undefined
    end: PromiseWithResolvers<never>
  }[] = []
  const single = (statement: Statement<unknown>, of?: string) => {
    const end = Promise.withResolvers<never>()
    sent.push({ statement, tenant: of, end })
    return end.promise
  }
  return { sent, groups: new InsertGroups({ single } as unknown as Pools) }
}

const done = { rows: [], rowCount: 0 } as never

test('what may have been committed is not written again: all are told that the connection was lost', async () => {
  const { sent, groups } = heldPools()
  const asked = ['a', 'b', 'c', 'd'].map((id) => groups.send(writesOf(id), tenant))
  for (const one of sent.slice(0, 2)) one.end.resolve(done)
  await expect.poll(() => sent.length).toBe(3)
  sent[2]?.end.reject(new Error('Connection terminated unexpectedly'))
  const soon = delay(2_000)
  const outcomes = await Promise.allSettled(asked.map((one) => Promise.race([one, soon])))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected'])
  expect(sent.length).toBe(3)
})

test('tenants share no statement, and none waits for another one', () => {
  const { sent, groups } = heldPools()
  for (const id of ['a', 'b', 'c']) void groups.send(writesOf(id), tenant)
  void groups.send(writesOf('a', 'acct_2'), 'acct_2/test')
  expect(sent.map((one) => one.tenant)).toEqual([tenant, tenant, 'acct_2/test'])
})

test('what waits goes together after a moment, however long those before it wait for a lock', async () => {
  const { sent, groups } = heldPools()
  for (const id of ['a', 'b', 'c', 'd']) void groups.send(writesOf(id), tenant)
  await delay(100)
  expect(sent.map(({ statement }) => statement.values.length === 2)).toEqual([false, false, true])
})

test('inserts that cannot be one statement with others go alone', () => {
  const { sent, groups } = heldPools()
  const alone = { name: 'alone', text: 'insert into cups (id) values ($1)', values: ['a'] }
  for (let count = 0; count < 4; count++) void groups.send([alone], tenant)
  expect(sent.length).toBe(4)
})
