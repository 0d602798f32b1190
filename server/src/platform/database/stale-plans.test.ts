import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { isRetryable } from './errors.ts'
import { openPools, type Pools } from './pool.ts'
import { openTransaction } from './transaction.ts'

let database: TestDatabase
let pools: Pools
beforeAll(async () => {
  database = await createTestDatabase()
})
beforeEach(async () => {
  const url = database.url
  pools = openPools({ url, writers: 4, readers: 2, applicationName: 'test', onError: () => undefined })
  await pools.single({ name: '', text: `drop table if exists things`, values: [] })
  await pools.single({ name: '', text: `create table things as select 'large' as size`, values: [] })
})
afterEach(() => pools.close())
afterAll(() => database.drop())

const sizes = { name: 'sizes', text: 'select * from things', values: [] }
const other = { name: 'other', text: 'select 1 as one', values: [] }

/** Every connection has planned the statement, then a migration overtakes all of them. */
async function overtake(change: string): Promise<void> {
  const held = await Promise.all(Array.from({ length: 4 }, () => pools.connect()))
  for (const connection of held) await connection.query(sizes)
  for (const connection of held) connection.release()
  for (let turn = 0; turn < 8; turn++) await Promise.all([pools.read(sizes), pools.read(other)])
  await pools.single({ name: '', text: `alter table things ${change}`, values: [] })
}

test('a read whose plan a migration has overtaken is read again, and so are all others, and neighbours are answered', async () => {
  await overtake('add column colour text')
  const answers = await Promise.all([
    pools.read(other),
    pools.read(sizes),
    pools.read(other),
    pools.read(sizes),
  ])
  expect(answers).toEqual([
    [{ one: 1 }],
    [{ size: 'large', colour: null }],
    [{ one: 1 }],
    [{ size: 'large', colour: null }],
  ])
  for (let turn = 0; turn < 8; turn++) expect(await pools.read(sizes)).toHaveLength(1)
})

test('a transaction whose plan a migration has overtaken says why, may be tried again, and succeeds the second time', async () => {
  await overtake('add column weight text')
  const first = openTransaction(pools)
  await first.rows(other)
  const failures = await Promise.allSettled([first.rows(sizes), first.rows(other)])
  expect(failures.map((one) => one.status === 'rejected' && isRetryable(one.reason))).toEqual([true, true])
  await first.rollback()
  for (let turn = 0; turn < 4; turn++) {
    const again = openTransaction(pools)
    expect(await again.rows(sizes)).toEqual([{ size: 'large', weight: null }])
    await again.rollback()
  }
})

test('a statement that is refused for another reason keeps its connection and its reason', async () => {
  const transaction = openTransaction(pools)
  const [{ pid } = { pid: 0 }] = await transaction.rows<{ pid: number }>({
    name: '',
    text: 'select pg_backend_pid() as pid',
    values: [],
  })
  await expect(transaction.rows({ name: '', text: 'select 1 / 0', values: [] })).rejects.toMatchObject({
    code: '22012',
  })
  await transaction.rollback()
  const present = await pools.read<{ pid: number }>({
    name: '',
    text: 'select pid from pg_stat_activity',
    values: [],
  })
  expect(present.map((one) => one.pid)).toContain(pid)
})
