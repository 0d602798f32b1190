import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { administer } from '../../../server/src/cli/operator/administer.ts'
import { roleConfig } from '../../../server/src/cli/role-config.ts'
import type { Benchmark, Contestant } from '../benchmark.ts'
import { startBenchChild } from '../child.ts'
import type { QuotingOrder, QuotingReport } from '../targets/quoting-merchant.ts'
import { confirmAll } from '../world/merchants.ts'
import { startWorld, type World } from '../world/world.ts'

const concurrency = 4

/** The latency that the service adds to the merchant's own answer, beside that of a direct call. */
export const quotesBench: Benchmark = {
  name: 'quotes',
  about:
    "requests prices, and measures what Prokura adds to the merchant's own time, compared with a direct call to the merchant",
  unit: 'quote',
  seconds: 4,
  async prepare() {
    const world = await startWorld({ workers: 1 })
    const script = fileURLToPath(new URL('../targets/quoting-merchant.ts', import.meta.url))
    const logFile = join(world.state, 'logs/bench.log')
    const child = await startBenchChild<{ port: number }>(script, [], { logFile })
    const shop = await openQuotingShop(world, child.ready.port)
    await confirmAll(world)
    const order = { ...shop, baseUrl: world.ready.base_url, key: world.ready.keys.secret_test, concurrency }

    const ask = async (round: QuotingOrder): Promise<QuotingReport> => {
      child.send(round)
      return (await child.nextLine()) as QuotingReport // the script's only kind of line
    }
    const contestant = (name: string, through: QuotingOrder['through']): Contestant => ({
      name,
      processes: () => ({ ...world.processes(), outside: [child.pid] }),
      before: async () => void (await world.database.query('vacuum analyze')),
      run: (seconds) => ask({ ...order, through, seconds }),
    })
    const added = 'added by Prokura'
    const direct = 'added by a direct call'
    return {
      postgres: world.postgres,
      contestants: [contestant(direct, 'nobody'), contestant(added, 'the service')],
      comparisons: [
        { about: 'added time, p50, of a direct call', of: added, against: direct, measure: 'p50_ms' },
        { about: 'added time, p99, of a direct call', of: added, against: direct, measure: 'p99_ms' },
      ],
      budgets: [
        { about: "added to the merchant's own answer, p50", of: added, measure: 'p50_ms', most: 10, aim: 8 },
        { about: "added to the merchant's own answer, p99", of: added, measure: 'p99_ms', most: 35, aim: 25 },
      ],
      facts: { 'under way at once': concurrency, 'merchant thinks, ms': 50 },
      async stop() {
        await child.stop()
        await world.stop()
      },
    }
  },
}

type Shop = Pick<QuotingOrder, 'variantId' | 'destination'>

/** A merchant of its own account, which quotes at this port. */
function openQuotingShop(world: World, port: number): Promise<Shop> {
  return administer(roleConfig(world.state), async ({ openAccount }) => {
    const { keys } = await openAccount('Quoting merchant')
    const post = (path: string, body: object = {}) => world.call('POST', path, body, keys.secret_test)
    await post('/v1/merchant', { slug: 'bench-quotes', name: 'Quoting merchant', currency: 'USD' })
    const item = await post('/v1/merchant/catalog_items', { title: 'Thing', variants: [{ price: 2500 }] })
    await post(`/v1/merchant/catalog_items/${item.id}/publish`)
    const { id, secret } = await post('/v1/merchant/destinations', {
      name: 'Backend',
      responds_to_quotes: true,
      webhook: { endpoint_url: `http://127.0.0.1:${port}/hooks` },
    })
    return { variantId: item.variants[0].id, destination: { id, secret: secret.secret } }
  })
}
