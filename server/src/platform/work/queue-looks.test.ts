import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  addChores,
  type Chore,
  chores,
  claimChores,
  createChores,
  doneCounts,
  finish,
  workerOf,
} from '../../../test/harness/chores.ts'
import { recordPools } from '../../../test/harness/recorded-pools.ts'
import { type Spine, startSpine } from '../../../test/harness/spine.ts'
import type { Pools } from '../database/pool.ts'
import { claimStatement } from './lease.sql.ts'
import { turnOf } from './turns.testing.ts'

let spine: Spine

beforeAll(async () => {
  spine = await startSpine()
  await createChores(spine)
})

afterAll(() => spine.close())

beforeEach(() => spine.sql('truncate chores'))

const claimNone = claimStatement<Chore>('chores', ['done'], 'q.done < 0')
/** A kind of work whose queue is always empty, beside that of the chores. */
const idle = chores(finish, {
  kind: 'idle',
  claim: (turn) => ({ ...claimNone(turn), name: 'claim_none' }),
  pollMs: 5,
})
const eager = chores(finish, { pollMs: 5 })

const lookOf = (name: string) => name.startsWith('look_')

test('queues without due rows are looked at by one statement and not claimed, until a row is due without a hint', async () => {
  const { pools, record } = recordPools(spine.pools)
  let looks = 0
  const watched: Pools = {
    ...pools,
    read: (statement) => {
      if (lookOf(statement.name)) looks += 1
      return pools.read(statement)
    },
  }
  const worker = workerOf({ ...spine, pools: watched }, eager, idle)
  const sent = await record(async () => {
    worker.start()
    await expect.poll(() => looks).toBeGreaterThan(5)
  })
  const claims = sent.filter(({ statement }) => statement.name.startsWith('claim_'))
  expect(claims).toEqual([])
  await addChores(spine, 1)
  await expect.poll(() => doneCounts(spine)).toEqual([1])
  await worker.stop()
})

test('where the look gets no answer, every queue is claimed as if its rows were due', async () => {
  const broken: Pools = {
    ...spine.pools,
    read: (statement) =>
      lookOf(statement.name) ? Promise.reject(new Error('no answer')) : spine.pools.read(statement),
  }
  const worker = workerOf({ ...spine, pools: broken }, eager, idle)
  worker.start()
  await addChores(spine, 3)
  await expect.poll(() => doneCounts(spine)).toEqual([1, 1, 1])
  await worker.stop()
})

test('a queue whose claim brings no look is claimed at every poll', async () => {
  const blind = chores(finish, {
    pollMs: 5,
    claim: (turn) => {
      const { look: _, ...claim } = claimChores(turn)
      return claim
    },
  })
  const worker = workerOf(spine, blind, idle)
  worker.start()
  await addChores(spine, 2)
  await expect.poll(() => doneCounts(spine)).toEqual([1, 1])
  await worker.stop()
})

const past = `now() - interval '1 minute'`
const future = `now() + interval '1 minute'`

test.each([
  ['is due', { due_at: past, is_due: true, lease_until: 'null' }, true],
  ['has come due by time alone', { due_at: past, is_due: false, lease_until: 'null' }, true],
  ['was held by a worker that is gone', { due_at: past, is_due: true, lease_until: past }, true],
  ['came due, and its lease has ended', { due_at: past, is_due: false, lease_until: past }, true],
  ['is held by a worker', { due_at: past, is_due: true, lease_until: future }, false],
  ['came due while a worker holds it', { due_at: past, is_due: false, lease_until: future }, false],
  ['waits for its time', { due_at: future, is_due: false, lease_until: 'null' }, false],
  ['is done', { due_at: 'null', is_due: null, lease_until: 'null' }, false],
] as const)('a look finds what a claim would find: a row that %s', async (_how, row, isFound) => {
  await spine.sql(
    `insert into chores (account_id, mode, id, due_at, is_due, lease_until)
     values ('acct_a', 'live', 'chore_1', ${row.due_at}, ${row.is_due}, ${row.lease_until})`,
  )
  const claim = claimChores(turnOf(5))
  if (!claim.look) throw new Error('the claim brings no look')
  expect(await spine.pools.read(claim.look)).toEqual([{ is_due: isFound }])
  expect((await spine.pools.single(claim)).rows.length).toBe(isFound ? 1 : 0)
})
