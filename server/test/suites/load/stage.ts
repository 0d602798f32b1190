import { join } from 'node:path'
import type { Child } from '../../../src/cli/up/child.ts'
import type { ReadyLine } from '../../../src/cli/up/start-up.ts'
import { newProfile, type Service, startService, unattendedPolicy } from '../whole-product.ts'
import { evidenceFolder } from './keep-evidence.ts'
import { openTrade, type Trade } from './open-trade.ts'
import { askForMissed, moveMerchants, type OutsideWorld, startOutsideWorld } from './outside-world.ts'
import { untilLookedAt } from './read-strangers.ts'
import type { LoadOrder } from './wish.ts'

/** The addresses at which each process finds the others. Any of them may lead over a proxy. */
export type Ways = {
  database: string
  processor: string
  shops: string
  /** From the worker to the merchants' backend. */
  merchant: string
  /** From the merchants' backend to the API. */
  api: string
  /** From clients to the APIs. */
  bases: string[]
}

/** The whole product in processes that can all be killed: two APIs, two workers, PostgreSQL, and the outside world in three. */
type Stage = {
  service: Service
  world: OutsideWorld
  seed: number
  /** Where the run leaves its journal and its evidence. */
  folder: string
  order: LoadOrder
  trade: Trade
  pids(): Record<string, number>
  /** Stops the workers as a deployment does, does this, and starts them again. */
  withoutWorkers(meanwhile: () => Promise<void>): Promise<void>
  /** Has the merchants and the buyers ask for every webhook that they missed, as after an outage. */
  askForMissed(): Promise<void>
  stop(): Promise<void>
}

/** The parts of a run that its judges read: its testimonies, and who continues open work. */
export type Trial = {
  seed: number
  folder: string
  order: Pick<LoadOrder, 'journal'>
  /** Null: the driver made purchases only. */
  trade: Trade | null
  service: Pick<Service, 'read' | 'invariants'> & { ready: Pick<ReadyLine, 'database_url'> }
  world: Pick<OutsideWorld, 'logs'>
  withoutWorkers: Stage['withoutWorkers']
}

type StageOptions = {
  /** The suite, which its folder of evidence is named after. */
  name: string
  seed: number
  perSecond: number
  testClock: boolean
  /** How often a promotion may be used: less often than there are wishes for it. */
  promotedUses: number
  /** Whether some purchases are made at the pages of a shop, through a browser that can be killed, too. */
  pages?: boolean
  /** Puts something between the processes. */
  over?: (direct: Ways) => Promise<Ways>
  /** Further settings of the second API and the workers. */
  env?: Record<string, string>
}

const workerNames = ['worker', 'worker_2'] as const

export async function startStage(options: StageOptions): Promise<Stage> {
  const { name, seed } = options
  const folder = evidenceFolder(name, seed)
  const startedAt = new Date()
  const pages = options.pages ?? false
  const opening = startOutsideWorld()
  const elsewhere = opening.then(({ sandbox }) => sandbox)
  const [service, world] = await Promise.all([
    startService({ workers: 0, testClock: options.testClock, databaseUrl: null, pages, elsewhere }),
    opening,
  ])
  try {
    const { ready } = service
    const direct = {
      database: ready.database_url,
      processor: world.urls.processor,
      shops: world.urls.shops,
      merchant: world.urls.merchant,
      api: ready.base_url,
      bases: [ready.base_url],
    }
    const ways = (await options.over?.(direct)) ?? direct
    const env = {
      ...options.env,
      DATABASE_URL: ways.database,
      PROKURA_RAIL_URL: ways.processor,
      PROKURA_SANDBOX_URL: ways.shops,
      PROKURA_PUBLIC_URL: ways.api,
    }
    const startWorkers = () => Promise.all(workerNames.map(() => service.startRole('worker', env)))
    // First the workers: an endpoint is tested by one, and whoever asks for the test waits for it.
    let [second, workers]: [Child, Child[]] = await Promise.all([
      service.startRole('api', env),
      startWorkers(),
    ])
    const moved = { merchantUrl: ways.merchant, apiOrigin: ways.api }
    await moveMerchants(service, world, moved)
    const trade = await openTrade(service, world, { ...moved, cap: options.promotedUses, pages })
    await untilLookedAt(ready.database_url)
    return {
      service,
      world,
      seed,
      folder,
      trade,
      order: {
        seed,
        perSecond: options.perSecond,
        bases: [...ways.bases, String(second.ready.base_url)],
        origins: [...ways.bases.map(() => ready.base_url), ways.api],
        keys: { agent: service.agent, person: service.person },
        profiles: { attended: await newProfile(service), unattended: await unattendedProfile(service) },
        items: ready.sandbox.items,
        hasShops: true,
        price: { amount: ready.sandbox.item_price, currency: ready.sandbox.item_currency },
        trade: trade.order,
        journal: join(folder, 'journal.jsonl'),
        requestMs: 8_000,
        // No client goes away while processes are being killed: the suite looks for lost writes, not for clients that left.
        patienceMs: 180_000,
      },
      pids: () => ({
        ...service.pids(),
        ...world.pids(),
        // The sandbox that `up` started has nothing to do here.
        sandbox: 0,
        api_2: second.pid,
        ...Object.fromEntries(workerNames.map((worker, index) => [worker, workers[index]?.pid ?? 0])),
      }),
      async withoutWorkers(meanwhile) {
        await Promise.all(workers.map((worker) => worker.stop(8000)))
        await meanwhile()
        workers = await startWorkers()
      },
      askForMissed: () => askForMissed(service, startedAt, trade),
      async stop() {
        await trade.platform.stop()
        await service.stop()
        await world.stop()
      },
    }
  } catch (error) {
    await service.stop()
    await world.stop()
    throw error
  }
}

/** A profile whose purchases a policy allows without a person. */
async function unattendedProfile(service: Service): Promise<string> {
  const profileId = await newProfile(service)
  await unattendedPolicy(service, profileId)
  return profileId
}
