import type { Benchmark, Contestant, Prepared } from '../benchmark.ts'
import { jsonRequest, startLoad } from '../load/load.ts'
import { startShoppers } from '../load/shoppers.ts'
import { purchaseBody } from '../world/buyer.ts'
import { countRows, growBy } from '../world/grown.ts'
import { emptyQueue, fillBackOff, openClaims, queuePurchases } from '../world/queues.ts'
import { settled } from '../world/settled.ts'
import { openShoppers, openShops } from '../world/shops.ts'
import { startWorld } from '../world/world.ts'

const few = 10_000
const many = 1_000_000
const queued = 100_000
const backingOff = 50_000
const atOnce = 16
const claimsEach = 200

/** What does not get slower with what a database holds, with what a neighbor has waiting, and with what waits for later. */
export const growthBench: Benchmark = {
  name: 'growth',
  about:
    'makes the same purchases and creates in databases of ten thousand and of a million purchases; a purchase behind a hundred thousand of a neighbor; claims beside what waits',
  unit: 'operation',
  seconds: 6,
  async prepare() {
    const small = await openGrown(few)
    const large = await openGrown(many)
    const beside = await openBeside(small)
    return {
      postgres: small.world.postgres,
      contestants: [
        small.purchases('purchase, 10,000'),
        large.purchases('purchase, 1,000,000'),
        small.creates('create, 10,000'),
        large.creates('create, 1,000,000'),
        ...beside,
      ],
      comparisons: (['purchase', 'create'] as const).map((what) => ({
        about: `CPU of a ${what}: at a million purchases beside ten thousand`,
        of: `${what}, 1,000,000`,
        against: `${what}, 10,000`,
        measure: 'cpu_us',
        bound: { at: 'most', floor: 1.15, aim: 1.05 },
      })),
      budgets: [
        {
          about: `a purchase behind ${queued.toLocaleString('en')} of a neighbor: ms more than alone`,
          of: added,
          measure: 'p50_ms',
          most: 1_000,
          aim: 300,
        },
        {
          about: `a claim of deliveries beside ${backingOff.toLocaleString('en')} endpoints in back-off, ms`,
          of: inBackOff,
          measure: 'p50_ms',
          most: 2,
          aim: 0.5,
        },
      ],
      facts: { 'filled tables': small.tables.join(' '), 'under way at once': atOnce },
      async stop() {
        await Promise.all([small.stop(), large.stop()])
      },
    } satisfies Prepared
  },
}

const added = 'added by a queue of a neighbor'
const inBackOff = 'claim of deliveries, endpoints in back-off'

type Grown = Awaited<ReturnType<typeof openGrown>>

/** A service in whose database so many purchases were made. */
async function openGrown(purchases: number) {
  const world = await startWorld({ workers: 1 })
  const shoppers = await openShoppers(world, 4)
  const offered = await openShops(world, 4)
  const buying = await startShoppers(world)
  const load = await startLoad()
  const before = await countRows(world)
  // Everything that takes part has bought or sold once.
  await buying.run({ shoppers, offered, atOnce, seconds: 60, purchases: 16 })
  await settled(world)
  const tables = await growBy(world, before, purchases)
  const [shopper] = shoppers
  if (!shopper) throw new Error('there is nobody who buys')
  const create = jsonRequest(
    shopper.key,
    'POST',
    '/v1/purchase_intents',
    201,
    purchaseBody(world, shopper.profileId),
  )
  const contestant = (
    name: string,
    work: (seconds: number) => ReturnType<Contestant['run']>,
  ): Contestant => ({
    name,
    processes: world.processes,
    async before() {
      await world.database.query('vacuum analyze')
      await work(2)
    },
    run: work,
  })
  const buy = async (seconds: number) => {
    const done = await buying.run({ shoppers, offered, atOnce, seconds })
    await settled(world)
    return done
  }
  const createOnly = async (seconds: number) => {
    const order = { url: world.ready.base_url, requests: [create], concurrency: atOnce, seconds }
    const done = await load.run(order)
    await settled(world)
    return done
  }
  return {
    world,
    shoppers,
    offered,
    buying,
    tables,
    purchases: (name: string) => contestant(name, buy),
    creates: (name: string) => contestant(name, createOnly),
    async stop() {
      await buying.stop()
      await load.stop()
      await world.stop()
    },
  }
}

/** Beside what others have waiting, and beside an old snapshot. */
async function openBeside({ world, shoppers, offered, buying }: Grown): Promise<Contestant[]> {
  const [shopper, neighbor] = shoppers
  const [item] = offered
  if (!shopper || !neighbor || !item) throw new Error('there is nobody who buys, or nothing to buy')
  const claims = openClaims(world)
  const kinds = ['intents', 'carts', 'deliveries']
  const alone = (seconds: number) => buying.run({ shoppers: [shopper], offered, atOnce: 1, seconds })
  let aloneMs = 0
  return [
    {
      name: 'purchase, alone',
      processes: world.processes,
      async run(seconds) {
        const work = await alone(seconds)
        aloneMs = work.latencyMs.p50
        return work
      },
    },
    {
      name: added,
      processes: world.processes,
      before: () => queuePurchases(world, { shopper: neighbor, item, count: queued }),
      async run(seconds) {
        const { latencyMs, ...work } = await alone(seconds)
        await emptyQueue(world, neighbor)
        await settled(world)
        return { ...work, latencyMs: { p50: latencyMs.p50 - aloneMs, p99: latencyMs.p99 - aloneMs } }
      },
    },
    { name: 'claims', processes: world.processes, run: () => claims(kinds, claimsEach) },
    {
      name: 'claims, after purchases that an old snapshot sees',
      processes: world.processes,
      async run() {
        const { database } = world
        await database.query('begin isolation level repeatable read')
        await database.query('select 1')
        await buying.run({ shoppers, offered, atOnce, seconds: 60, purchases: 200 })
        const work = await claims(kinds, claimsEach)
        await database.query('commit')
        await settled(world)
        return work
      },
    },
    {
      name: inBackOff,
      processes: world.processes,
      async before() {
        const { rows } = await world.database.query(
          `select from deliveries where destination_id = 'dest_off1' limit 1`,
        )
        if (rows.length === 0) await fillBackOff(world, neighbor.accountId, backingOff)
        await world.database.query('vacuum analyze')
      },
      run: () => claims(['deliveries'], claimsEach),
    },
  ]
}
