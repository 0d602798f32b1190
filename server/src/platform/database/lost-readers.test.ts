import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import type { Statement } from '../../contract/statement.ts'
import { openPools, type Pools } from './pool.ts'

let database: TestDatabase
let observer: Pools
beforeAll(async () => {
  database = await createTestDatabase()
  observer = openPools({
    url: database.url,
    writers: 1,
    readers: 1,
    applicationName: 'observer',
    onError: () => undefined,
  })
})
afterAll(async () => {
  await observer?.close()
  await database?.drop()
})

const mine: Statement<object> = { name: '', text: 'select pg_backend_pid() as pid', values: [] }

async function observed(text: string): Promise<object[]> {
  const statement: Statement<object> = { name: '', text, values: [] }
  return (await observer.single(statement)).rows
}

test('a connection that takes the place of a lost one is closed with the others', async () => {
  let asked: Promise<object[]> | null = null
  const pools = openPools({
    url: database.url,
    writers: 1,
    readers: 1,
    applicationName: 'reader',
    // The lost connection has said so, and has not ended yet.
    onError: () => {
      asked ??= pools.read(mine)
    },
  })
  const [before] = await pools.read(mine)
  await observed(`select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'reader'`)
  await expect.poll(() => asked).not.toBeNull()
  const [after] = (await asked) ?? []
  expect(after).not.toEqual(before)
  expect(await pools.read(mine)).toEqual([after])
  await pools.close()
  await expect
    .poll(() => observed(`select pid from pg_stat_activity where application_name = 'reader'`))
    .toEqual([])
})
