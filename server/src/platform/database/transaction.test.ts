import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { statement } from '../../contract/statement.ts'
import { openPools, type Pools } from './pool.ts'
import { openTransaction } from './transaction.ts'

let database: TestDatabase
let pools: Pools
beforeAll(async () => {
  database = await createTestDatabase()
  pools = openPools({
    url: database.url,
    writers: 2,
    readers: 1,
    applicationName: 'test',
    onError: () => undefined,
  })
})
afterAll(async () => {
  await pools.close()
  await database.drop()
})

const insertAccount = statement<never, { id: string }>(
  '',
  `insert into accounts (id, name, created_at) values ($id, 'Test', now()) /* tenantless: a test's own */`,
)
const divideByZero = statement<never, Record<never, never>>(
  '',
  'select 1 / 0 from accounts /* tenantless: a test */',
)

async function accountsNamed(id: string): Promise<number> {
  return (await pools.read({ name: '', text: 'select 1 from accounts where id = $1', values: [id] })).length
}

test('a transaction whose failure was swallowed does not commit as if nothing had happened', async () => {
  await pools.single(insertAccount({ id: 'acct_there' }))
  const transaction = openTransaction(pools)
  transaction.write(insertAccount({ id: 'acct_swallowed' }))
  await expect(transaction.rows(divideByZero({}))).rejects.toThrow('division by zero')
  await expect(transaction.commit([])).rejects.toThrow()
  expect(await accountsNamed('acct_swallowed')).toBe(0)
})

test('a statement that fails in the pipeline of the commit is the failure of the transaction', async () => {
  const transaction = openTransaction(pools)
  await transaction.rows(insertAccount({ id: 'acct_first' }))
  transaction.write(insertAccount({ id: 'acct_second' }))
  transaction.write(insertAccount({ id: 'acct_first' }))
  await expect(transaction.commit([])).rejects.toMatchObject({ code: '23505' })
  expect(await accountsNamed('acct_second')).toBe(0)
})

test('a failed attempt is undone with all that it queued, and writes before and after it are not', async () => {
  const transaction = openTransaction(pools)
  // One that is left open would keep the connections from closing, and the failure from being told.
  onTestFinished(() => transaction.rollback())
  transaction.write(insertAccount({ id: 'acct_before' }))
  const failed = await transaction.attempt(async () => {
    await transaction.rows(insertAccount({ id: 'acct_undone' }))
    transaction.write(insertAccount({ id: 'acct_before' }))
    transaction.write(insertAccount({ id: 'acct_never_sent' }))
  })
  expect(failed?.error).toMatchObject({ code: '23505' })
  const second = await transaction.attempt(async () => {
    await transaction.rows(divideByZero({}))
  })
  expect(second?.error).toMatchObject({ code: '22012' })
  const fine = await transaction.attempt(async () =>
    transaction.write(insertAccount({ id: 'acct_attempted' })),
  )
  expect(fine).toBeNull()
  transaction.write(insertAccount({ id: 'acct_after' }))
  await transaction.commit([])
  const counts = ['before', 'undone', 'never_sent', 'attempted', 'after'].map((name) =>
    accountsNamed(`acct_${name}`),
  )
  expect(await Promise.all(counts)).toEqual([1, 0, 0, 1, 1])
})

test('a read that goes ahead leaves what is queued for the commit, but not what it asks about', async () => {
  const ofTables = (text: string) => ({ name: '', text, values: [] })
  const transaction = openTransaction(pools)
  transaction.write(insertAccount({ id: 'acct_queued' }), 'queued')
  await transaction.rowsAhead(ofTables('select 1 from merchants for no key update'))
  expect(transaction.isQueued('queued')).toBe(true)
  const seen = await transaction.rowsAhead(ofTables(`select id from accounts where id = 'acct_queued'`))
  expect(seen).toEqual([{ id: 'acct_queued' }])
  expect(transaction.isQueued('queued')).toBe(false)
  await transaction.commit([])
  expect(await accountsNamed('acct_queued')).toBe(1)
})
