import type { Benchmark, Contestant } from '../benchmark.ts'
import { jsonRequest, startLoad } from '../load/load.ts'
import { makeBuyer, purchaseBody } from '../world/buyer.ts'
import { startWorld } from '../world/world.ts'

const concurrency = 16

/** Reading one object by its id, and a list's first page. */
export const readsBench: Benchmark = {
  name: 'reads',
  about:
    'reads one object by its id (a profile, a purchase intent with its carts), and the first page of a list',
  unit: 'read',
  seconds: 3,
  async prepare() {
    const world = await startWorld({ workers: 0 })
    const profileId = await makeBuyer(world)
    const intents: string[] = []
    for (let made = 0; made < 100; made++) {
      intents.push((await world.call('POST', '/v1/purchase_intents', purchaseBody(world, profileId))).id)
    }
    const load = await startLoad()
    const read = (name: string, path: string): Contestant => ({
      name,
      processes: world.processes,
      run: (seconds) => {
        const requests = [jsonRequest(world.ready.keys.secret_test, 'GET', path, 200)]
        return load.run({ url: world.ready.base_url, requests, values: intents, concurrency, seconds })
      },
    })
    return {
      postgres: world.postgres,
      contestants: [
        read('profile', `/v1/profiles/${profileId}`),
        read('purchase intent', '/v1/purchase_intents/{{value}}'),
        read('list, first 50', '/v1/purchase_intents?limit=50'),
      ],
      budgets: [
        { about: 'Node, µs a profile', of: 'profile', measure: 'node_us', most: 350 },
        { about: 'Node, µs a purchase intent', of: 'purchase intent', measure: 'node_us', most: 350 },
      ],
      facts: { 'under way at once': concurrency, 'purchase intents': intents.length },
      async stop() {
        await load.stop()
        await world.stop()
      },
    }
  },
}
