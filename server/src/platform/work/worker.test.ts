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
import { type Spine, startSpine } from '../../../test/harness/spine.ts'
import { leaseStatements } from './lease.sql.ts'
import { type Claimed, LeaseLost } from './lease.ts'
import { turnOf } from './turns.testing.ts'
import type { WorkKind } from './work.ts'

let spine: Spine

beforeAll(async () => {
  spine = await startSpine()
  await createChores(spine)
})

afterAll(() => spine.close())

beforeEach(() => spine.sql('truncate chores'))

const endLeases = () =>
  spine.sql(`update chores set lease_until = now() - interval '1 second' where lease_until is not null`)

test('two workers never run one row, and every due row is run', async () => {
  await addChores(spine, 200)
  const seen: string[] = []
  const kind = chores(async (ctx, row) => {
    seen.push(row.id)
    await finish(ctx, row)
  })
  const workers = [workerOf(spine, kind), workerOf(spine, kind)]
  for (const worker of workers) worker.start()
  await expect.poll(async () => (await doneCounts(spine)).every((done) => done === 1)).toBe(true)
  await Promise.all(workers.map((worker) => worker.stop()))
  expect(seen.length).toBe(200)
  expect(new Set(seen).size).toBe(200)
})

test('a step that was held up past its lease writes nothing once another worker has the row', async () => {
  await addChores(spine, 1)
  const pause = spine.faults.pause('claim.after')
  const late = workerOf(spine, chores(finish))
  const lateRun = late.runOnce()
  await pause.reached
  await endLeases()
  expect(await workerOf(spine, chores(finish)).runOnce()).toBe(1)
  pause.resume()
  await lateRun
  expect(await doneCounts(spine)).toEqual([1])
  const events = await spine.sql(
    'select 1 from events where type = $1 and aggregate_id = $2 and account_id = (select account_id from chores)',
    ['chore.done', 'chore_1'],
  )
  expect(events.length).toBe(1)
})

test('a row whose worker died is taken over when its lease ends, and not before', async () => {
  await addChores(spine, 1)
  await spine.pools.single(claimChores(turnOf(1))) // and never heard of again
  const heir = workerOf(spine, chores(finish))
  expect(await heir.runOnce()).toBe(0)
  await endLeases()
  expect(await heir.runOnce()).toBe(1)
  expect(await doneCounts(spine)).toEqual([1])
})

test('the lease says that it has ended before the database gives the row to another worker', async () => {
  await addChores(spine, 1)
  let remaining = Number.NaN
  const kind = chores(
    async ({ lease }) => {
      remaining = lease.remainingMs()
      expect(() => lease.assertHeld(2_000)).toThrow('lease')
      lease.assertHeld()
    },
    { leaseSeconds: 1 },
  )
  const claimedAt = await spine.sql<{ at: Date }>('select clock_timestamp() as at')
  await workerOf(spine, kind).runOnce()
  expect(remaining).toBeLessThanOrEqual(1_000)
  expect(remaining).toBeGreaterThan(0)
  const [row] = await spine.sql<{ ends: Date }>('select lease_until as ends from chores')
  expect((row?.ends.getTime() ?? 0) - (claimedAt[0]?.at.getTime() ?? 0)).toBeGreaterThanOrEqual(1_000)
})

test('a row that always throws waits longer each time and keeps the others running', async () => {
  await addChores(spine, 3)
  const kind = chores(async (ctx, row) => {
    if (row.id === 'chore_2') throw new Error('cannot')
    await finish(ctx, row)
  })
  const worker = workerOf(spine, kind)
  await worker.runOnce()
  const waits: number[] = []
  for (let round = 0; round < 3; round++) {
    const [row] = await spine.sql<{ seconds: number }>(
      `select extract(epoch from due_at - now())::float8 as seconds from chores where id = 'chore_2'`,
    )
    waits.push(row?.seconds ?? 0)
    await spine.sql(`update chores set due_at = now(), lease_until = null where id = 'chore_2'`)
    expect(await worker.runOnce()).toBe(1)
  }
  expect(await doneCounts(spine)).toEqual([1, 0, 1])
  expect(waits[0]).toBeGreaterThan(0.5)
  expect(waits[2]).toBeGreaterThan((waits[0] ?? 0) * 2)
})

const countsOf = () =>
  spine.sql<{ id: string; failures: number; is_since: boolean; error: string | null }>(
    `select id, step_failures as failures, step_failing_since is not null as is_since, step_error as error from chores order by id`,
  )
const makeDue = () => spine.sql('update chores set due_at = now(), lease_until = null')

test('failures by any worker are counted on the row, and the first success resets them', async () => {
  await addChores(spine, 1)
  let isBroken = true
  const step: WorkKind<Chore>['step'] = async (ctx, row) => {
    if (isBroken)
      throw Object.assign(new Error('duplicate key'), { code: '23505', constraint: 'chores_once' })
    await finish(ctx, row)
  }
  for (const worker of [
    workerOf(spine, chores(step)),
    workerOf(spine, chores(step)),
    workerOf(spine, chores(step)),
  ]) {
    await worker.runOnce()
    await makeDue()
  }
  const failing = { id: 'chore_1', failures: 3, is_since: true, error: 'database 23505 chores_once' }
  expect(await countsOf()).toEqual([failing])
  isBroken = false
  await workerOf(spine, chores(step)).runOnce()
  expect(await countsOf()).toEqual([{ id: 'chore_1', failures: 0, is_since: false, error: null }])
})

test('a success costs no statement more than its own, unless a failure came before', async () => {
  await addChores(spine, 1)
  const sent: string[] = []
  const recover = (row: Claimed) => {
    sent.push(row.id)
    return leaseStatements('chores').recover(row)
  }
  await workerOf(spine, chores(finish, { recover })).runOnce()
  expect(sent).toEqual([])
})

test('a row is tried again within a quarter of an hour, however often it has failed', async () => {
  await addChores(spine, 1)
  await spine.sql(`update chores set step_failures = 40, step_failing_since = now() - interval '2 hours'`)
  const broken = chores(async () => {
    throw new Error('cannot')
  })
  await workerOf(spine, broken).runOnce()
  const [row] = await spine.sql<{ seconds: number; hours: number }>(
    `select extract(epoch from due_at - now())::float8 as seconds,
       extract(epoch from now() - step_failing_since)::float8 / 3600 as hours from chores`,
  )
  expect(row?.seconds).toBeGreaterThan(600)
  expect(row?.seconds).toBeLessThanOrEqual(1080)
  // Since the first failure, not since the last.
  expect(row?.hours).toBeCloseTo(2, 1)
})

test('a step that always comes too late counts as failed, too, and a worker that lost the row counts nothing', async () => {
  await addChores(spine, 2)
  const late = chores(async ({ lease }, row) => {
    if (row.id === 'chore_2') {
      await spine.sql(`update chores set lease_token = lease_token + 1 where id = 'chore_2'`)
      throw new LeaseLost()
    }
    lease.assertHeld(60_000)
  })
  await workerOf(spine, late).runOnce()
  expect(await countsOf()).toMatchObject([{ failures: 1 }, { failures: 0 }])
})

test('a worker lists what it serves as long as it runs, and claims nothing that it has no means for', async () => {
  await addChores(spine, 1)
  const serving = workerOf(spine, chores(finish, { serves: [{}, { mode: 'test', channel: 'native' }] }))
  const idle = workerOf(spine, chores(finish, { kind: 'unserved_chores', serves: [] }))
  expect(await idle.runOnce()).toBe(0)
  const told = () => spine.sql<{ serves: string[] }>('select serves from workers where id = $1', [serving.id])
  expect(await told()).toEqual([])
  serving.start()
  await expect.poll(told).toEqual([{ serves: ['chores', 'chores test native'] }])
  await serving.stop()
  expect(await told()).toEqual([])
})

test('a step that is slow leaves its place to another one, as long as there are places for slow ones', async () => {
  await addChores(spine, 5)
  let running = 0
  let polls = 0
  const release = Promise.withResolvers<void>()
  const kind = chores(
    async (ctx, row) => {
      running++
      await release.promise
      await finish(ctx, row)
    },
    { concurrency: 3, slow: { afterMs: 5, places: 1 } },
  )
  const worker = workerOf(spine, {
    ...kind,
    get pollMs() {
      polls++
      return 5
    },
  })
  worker.start()
  await expect.poll(() => running).toBe(3)
  // By now all three are slow, and the loop looked again and again.
  const seen = polls
  await expect.poll(() => polls - seen).toBeGreaterThan(20)
  expect(running).toBe(3)
  release.resolve()
  await expect.poll(async () => (await doneCounts(spine)).every((done) => done === 1)).toBe(true)
  await worker.stop()
})

test('however long the steps of one tenant take, those of another find a place at once, and the first goes on', async () => {
  await addChores(spine, 60)
  let running = 0
  const release = Promise.withResolvers<void>()
  const slowTenant = await spine.sql<{ account_id: string }>('select account_id from chores limit 1')
  const worker = workerOf(
    spine,
    chores(
      async (ctx, row) => {
        running++
        if (row.account_id === slowTenant[0]?.account_id) await release.promise
        await finish(ctx, row)
      },
      { concurrency: 48, pollMs: 60_000 },
    ),
  )
  worker.start()
  await expect.poll(() => running).toBe(32)
  const { accountId } = spine.newTenant()
  const insert = `insert into chores (account_id, mode, id, due_at) select $1, 'test', 'other_' || n, now() from generate_series(1, 30) as n`
  await spine.sql(insert, [accountId])
  spine.hints.publish('work:chores')
  const open = `select count(*)::int as open from chores where done = 0 and account_id = $1`
  await expect.poll(() => spine.sql(open, [accountId])).toEqual([{ open: 0 }])
  expect(running).toBe(62)
  release.resolve()
  await expect.poll(async () => (await doneCounts(spine)).every((done) => done === 1)).toBe(true)
  await worker.stop()
})

test('a stopping worker signals its steps, lets them finish, and leaves no row leased', async () => {
  await addChores(spine, 5)
  const entered = Promise.withResolvers<void>()
  let toldToStop = 0
  const kind = chores(
    async (ctx, row) => {
      entered.resolve()
      await new Promise<void>((resolve) =>
        ctx.signal.addEventListener('abort', () => resolve(), { once: true }),
      )
      toldToStop++
      await finish(ctx, row)
    },
    { concurrency: 2 },
  )
  const worker = workerOf(spine, kind)
  worker.start()
  await entered.promise
  await worker.stop()
  const leased = await spine.sql('select 1 from chores where lease_until is not null')
  expect(leased).toEqual([])
  expect(toldToStop).toBeLessThanOrEqual(2)
  expect((await doneCounts(spine)).reduce((sum, done) => sum + done, 0)).toBe(toldToStop)
})

test('rows of a claim that returns after the stop are released untouched', async () => {
  await addChores(spine, 1)
  let ran = 0
  const worker = workerOf(
    spine,
    chores(async () => void ran++),
  )
  const blocker = await spine.openWork(spine.newTenant())
  await blocker.tx.rows({ name: '', text: 'lock table chores in exclusive mode', values: [] })
  worker.start()
  await expect
    .poll(() =>
      spine.sql(`select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%chores%'`),
    )
    .toHaveLength(1)
  const stopped = worker.stop()
  await blocker.rollback()
  await stopped
  expect(ran).toBe(0)
  const [row] = await spine.sql<{ lease_until: Date | null; lease_token: bigint }>(
    'select lease_until, lease_token from chores',
  )
  expect(row).toEqual({ lease_until: null, lease_token: 1n })
})

test('a hint has due rows claimed at once, long before the poll', async () => {
  const worker = workerOf(spine, chores(finish, { pollMs: 60_000 }))
  worker.start()
  await expect
    .poll(() => spine.sql(`select 1 from pg_prepared_statements where name = 'claim_due_chores'`))
    .toBeDefined()
  await addChores(spine, 1)
  spine.hints.publish('work:chores')
  await expect.poll(() => doneCounts(spine)).toEqual([1])
  await worker.stop()
})

test('of one account only so many slow steps run at once: more of its rows are given back, and others find their places', async () => {
  await addChores(spine, 6)
  let running = 0
  const release = Promise.withResolvers<void>()
  const seen = new Set<string>()
  const kind = chores(
    async (ctx, row) => {
      seen.add(row.id)
      running++
      if (row.id.startsWith('chore')) await release.promise
      await finish(ctx, row)
    },
    { concurrency: 2, slow: { afterMs: 5, places: 10 }, slowPerAccount: 2, pollMs: 5 },
  )
  const worker = workerOf(spine, kind)
  worker.start()
  const dueLater = () => spine.sql(`select 1 from chores where lease_until is null and due_at > now()`)
  await expect.poll(async () => (await dueLater()).length).toBeGreaterThan(0)
  await expect.poll(async () => running + (await dueLater()).length).toBe(6)
  const { accountId } = spine.newTenant()
  await spine.sql(`insert into chores (account_id, mode, id, due_at) values ($1, 'test', 'other', now())`, [
    accountId,
  ])
  await expect.poll(() => seen.has('other')).toBe(true)
  release.resolve()
  await worker.stop()
})

test('a step that never ends loses its place, is tried again, and commits nothing any more', async () => {
  await addChores(spine, 1)
  const hanging = Promise.withResolvers<void>()
  const late: unknown[] = []
  const kind = chores(
    async (ctx, row) => {
      await hanging.promise
      await finish(ctx, row).catch((error: unknown) => late.push(error))
    },
    { leaseSeconds: 0.05 },
  )
  expect(await workerOf(spine, kind).runOnce()).toBe(1)
  expect(await countsOf()).toMatchObject([{ failures: 1, error: expect.stringContaining('StepTookTooLong') }])
  hanging.resolve()
  await expect.poll(() => late).toEqual([expect.any(LeaseLost)])
  expect(await doneCounts(spine)).toEqual([0])
})

test('only claims that may be undone do not wait for the disk', async () => {
  await spine.sql(`create table commits (id text, of text, source text)`)
  await spine.sql(`create function note_commit() returns trigger language plpgsql as $$
    begin
      insert into commits
      select new.id, case when new.lease_token > old.lease_token then 'claim' else 'step' end, source
      from pg_settings where name = 'synchronous_commit';
      return new;
    end $$`)
  await spine.sql(
    `create trigger note_commit after update on chores for each row execute function note_commit()`,
  )
  await addChores(spine, 1)
  expect(await workerOf(spine, chores(finish)).runOnce()).toBe(1)
  await spine.sql('update chores set due_at = now(), lease_until = null')
  await spine.sql('truncate commits')
  expect(await workerOf(spine, { ...chores(finish), claimsProvisionally: true }).runOnce()).toBe(1)
  const settings = await spine.sql<{ of: string; source: string }>('select of, source from commits')
  const serverOwn = (
    await spine.sql<{ source: string }>(`select source from pg_settings where name = 'synchronous_commit'`)
  )[0]
  expect(settings).toEqual([
    { of: 'claim', source: 'client' },
    { of: 'step', source: serverOwn?.source },
  ])
  expect(serverOwn?.source).not.toBe('client')
  await spine.sql('drop trigger note_commit on chores')
})
