import { afterAll, beforeAll, expect, test } from 'vitest'
import { chores, claimChores, createChores, workerOf } from '../../../test/harness/chores.ts'
import { type Spine, startSpine } from '../../../test/harness/spine.ts'

let spine: Spine

beforeAll(async () => {
  spine = await startSpine()
  await createChores(spine)
})

afterAll(() => spine.close())

test('while there is a backlog, a claim waits until half a batch of places is free, and no longer', async () => {
  await spine.sql(
    `insert into chores (account_id, mode, id, due_at) select 'acct_' || n, 'test', 'chore_' || n, now() from generate_series(1, 10) as n`,
  )
  const limits: number[] = []
  const running: (() => void)[] = []
  const kind = chores(() => new Promise((end) => running.push(end)), {
    concurrency: 8,
    batch: 4,
    sharesOut: true,
    pollMs: 60_000,
    claim(turn) {
      limits.push(turn.limit)
      return claimChores(turn)
    },
  })
  const worker = workerOf(spine, kind)
  worker.start()
  await expect.poll(() => running.length).toBe(8)
  for (const end of running.splice(0, 2)) end()
  await expect.poll(() => running.length).toBe(8)
  const [asked, ...claimed] = limits
  expect({ asked, claimed }, 'the first one is only asked whether rows are due').toEqual({
    asked: 4,
    claimed: [4, 4, 2],
  })
  for (const end of running) end()
  await worker.stop()
})
