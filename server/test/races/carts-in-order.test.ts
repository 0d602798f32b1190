import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ActingContext } from '../../src/contract/context.ts'
import { followDecisions } from '../../src/domain/buying/execution/work.ts'
import { lockPurchase } from '../../src/domain/buying/intents/lock-purchase.ts'
import { wakeCarts } from '../../src/domain/buying/intents/writes.sql.ts'
import { runAs } from '../../src/platform/calls/run-as.ts'
import { createRelay, type Relay } from '../../src/platform/events/relay.ts'
import { createFaults } from '../../src/platform/faults/faults.ts'
import { silentLog } from '../../src/platform/logs/logs.ts'
import { createMetrics } from '../../src/platform/metrics/metrics.ts'
import { type AnyDraft, draftOf } from '../harness/any-draft.ts'
import { startTestApp, type TestApp } from '../harness/app.ts'
import { newBuyer } from '../harness/buyers.ts'
import { cups, runningPurchase, tea } from '../harness/hand-worker.ts'
import { waitsOrAnswers } from './behind-a-lock.ts'

let app: TestApp
let relay: Relay
beforeAll(async () => {
  app = await startTestApp()
  const faults = createFaults({ enabled: true, crashAt: null, pauseAt: null, pauseFile: null })
  const log = silentLog()
  const deps = { ...app.parts, log, metrics: createMetrics(), faults }
  relay = createRelay({ ...deps, followers: [followDecisions] })
})
afterAll(async () => {
  await relay.stop()
  await app.stop()
})

function as<T>(work: (ctx: ActingContext) => Promise<T>): Promise<T> {
  const tenant = { accountId: app.account.accountId, mode: 'test' } as const
  return runAs(app.parts, { tenant, actor: { type: 'system', id: 'test' } }, work)
}

/** A running purchase of two carts, in the order of their positions, which is the opposite of that of their ids. */
async function newPurchase(): Promise<{ id: string; first: string; last: string }> {
  const { id, carts } = await runningPurchase(app, await newBuyer(app), { items: [tea, cups] })
  const [last, first] = carts.sort()
  if (!first || !last) throw new Error('a purchase of two merchants has no two carts')
  await app.sql('update carts set position = position + 2 where intent_id = $1', [id])
  await app.sql('update carts set position = case when id = $2 then 0 else 1 end where intent_id = $1', [
    id,
    first,
  ])
  return { id, first, last }
}

type Purchase = Awaited<ReturnType<typeof newPurchase>>

let made = 0

async function relayed(events: readonly Partial<AnyDraft>[]): Promise<void> {
  await as(async (ctx) => {
    for (const event of events)
      ctx.tx.emit(
        draftOf({ type: '', aggregateId: `thing_${++made}`, sequence: 1, object: { id: made }, ...event }),
      )
  })
  await relay.runOnce()
}

/** Everybody who locks more than one cart of a purchase. */
const lockers = {
  'a worker': ({ id }) => as((ctx) => lockPurchase(ctx, id)),
  'a relay that heard of its orders': ({ first, last }) =>
    relayed([last, first].map((cartId) => ({ type: 'order.confirmed', cartId }))),
  'a relay that heard of the end of a freeze': () => relayed([{ type: 'control.unfrozen' }]),
  'a batch of its own': ({ first, last }) => {
    const account_ids = [last, first].map(() => app.account.accountId)
    const names = { account_ids, modes: ['test', 'test'], ids: [last, first] }
    return app.parts.pools.single(wakeCarts(names))
  },
} satisfies Record<string, (purchase: Purchase) => Promise<unknown>>

type Locker = keyof typeof lockers

/** Holds the first cart, runs `meanwhile`, and lets the cart go. */
function behindTheFirst(
  { first }: Purchase,
  meanwhile: (ctx: ActingContext) => Promise<void>,
): Promise<void> {
  return as(async (ctx) => {
    await lock(ctx, first)
    await meanwhile(ctx)
  })
}

function lock({ tx }: ActingContext, id: string, how = ''): Promise<unknown> {
  return tx.rows({ name: '', text: `select 1 from carts where id = '${id}' for update ${how}`, values: [] })
}

test.each(Object.keys(lockers) as Locker[])(
  '%s that waits for the first cart of a purchase holds no later one',
  async (name) => {
    const purchase = await newPurchase()
    let ended: Promise<unknown> = Promise.resolve()
    let hasEnded = false
    await behindTheFirst(purchase, async (ctx) => {
      ended = lockers[name](purchase).then(() => {
        hasEnded = true
      })
      await waitsOrAnswers(app, ended)
      expect(hasEnded).toBe(false)
      // It fails where somebody else has it.
      await lock(ctx, purchase.last, 'nowait')
    })
    await ended
  },
)

test.each<[Locker, Locker]>([
  ['a worker', 'a relay that heard of its orders'],
  ['a worker', 'a relay that heard of the end of a freeze'],
  ['a relay that heard of its orders', 'a worker'],
  ['a relay that heard of its orders', 'a batch of its own'],
  ['a batch of its own', 'a relay that heard of the end of a freeze'],
])('%s and then %s that wait for the carts of one purchase never deadlock', async (one, other) => {
  const purchase = await newPurchase()
  let ended: Promise<unknown> = Promise.resolve()
  await behindTheFirst(purchase, async () => {
    const earlier = lockers[one](purchase)
    await waitsOrAnswers(app, earlier)
    ended = Promise.all([earlier, lockers[other](purchase)])
    await waitsOrAnswers(app, ended, 2)
  })
  await ended
  expect(await deadlocks()).toBe(0)
})

/** One that a retry resolved counts, too. */
async function deadlocks(): Promise<number | undefined> {
  const [row] = await app.parts.pools.read<{ deadlocks: number }>({
    name: '',
    text: 'select deadlocks::int from pg_stat_database where datname = current_database()',
    values: [],
  })
  return row?.deadlocks
}
