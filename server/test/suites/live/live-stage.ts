import { join } from 'node:path'
import type { Child } from '../../../src/cli/up/child.ts'
import { evidenceFolder } from '../load/keep-evidence.ts'
import type { Trial } from '../load/stage.ts'
import type { LoadOrder } from '../load/wish.ts'
import { type Service, startService, unattendedPolicy } from '../whole-product.ts'
import { openLiveBuyers } from './live-buyers.ts'
import { type LiveSellers, openLiveSellers } from './live-sellers.ts'
import { liveSettings, type StripeProcess, startStripeProcess } from './stripe-process.ts'

/** Live mode in processes that can all be killed, with Stripe's simulator as its rail: two APIs, two workers, PostgreSQL and Stripe. */
export type LiveStage = Omit<Trial, 'service' | 'world'> & {
  service: Service
  order: LoadOrder
  stripe: StripeProcess
  sellers: LiveSellers
  pids(): Record<string, number>
  stop(): Promise<void>
}

type StageOptions = { name: string; seed: number; perSecond: number; testClock: boolean }

const workerNames = ['worker', 'worker_2'] as const
const price = 2_500

export async function startLiveStage({ name, seed, perSecond, testClock }: StageOptions): Promise<LiveStage> {
  const folder = evidenceFolder(name, seed)
  const stripe = await startStripeProcess()
  const settings = liveSettings(stripe)
  const service = await startService({
    workers: 0,
    testClock,
    databaseUrl: null,
    mode: 'live',
    settings,
  }).catch(async (error: unknown) => {
    await stripe.stop()
    throw error
  })
  const stop = async () => {
    await service.stop()
    await stripe.stop()
  }
  try {
    const startWorkers = () => Promise.all(workerNames.map(() => service.startRole('worker')))
    let [second, workers]: [Child, Child[]] = await Promise.all([service.startRole('api'), startWorkers()])
    const bases = [service.ready.base_url, String(second.ready.base_url)]
    const sellers = await openLiveSellers(service, price)
    const profiles = await openLiveBuyers(service, stripe)
    await unattendedPolicy(service, profiles.unattended)
    sellers.answer(bases)
    return {
      service,
      stripe,
      sellers,
      seed,
      folder,
      trade: null,
      order: {
        seed,
        perSecond,
        bases,
        origins: [...bases],
        keys: { agent: service.agent, person: service.person },
        profiles,
        items: sellers.items,
        hasShops: false,
        price: { amount: price, currency: 'USD' },
        trade: null,
        journal: join(folder, 'journal.jsonl'),
        requestMs: 8_000,
        patienceMs: 180_000,
      },
      pids: () => ({
        ...service.pids(),
        // The sandbox that `up` started has nothing to do here.
        sandbox: 0,
        stripe: stripe.pid(),
        api_2: second.pid,
        ...Object.fromEntries(workerNames.map((worker, index) => [worker, workers[index]?.pid ?? 0])),
      }),
      async withoutWorkers(meanwhile) {
        await Promise.all(workers.map((worker) => worker.stop(8000)))
        await meanwhile()
        workers = await startWorkers()
      },
      async stop() {
        await sellers.stop()
        await stop()
      },
    }
  } catch (error) {
    await stop()
    throw error
  }
}
