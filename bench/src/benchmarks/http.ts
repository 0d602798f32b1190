import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Benchmark, Contestant } from '../benchmark.ts'
import { type BenchChild, startBenchChild } from '../child.ts'
import { jsonRequest, startLoad } from '../load/load.ts'
import { purchaseBody } from '../world/buyer.ts'
import { startWorld } from '../world/world.ts'

const concurrency = 16

/** The cost of our pipeline without the database: HTTP, the key, validation, rendering, the log line and the metrics. */
export const httpBench: Benchmark = {
  name: 'http',
  about: 'answers a JSON request without the database, compared with bare node:http',
  unit: 'request',
  seconds: 4,
  async prepare() {
    const world = await startWorld({ workers: 0 })
    const start = (script: string, ...args: string[]) =>
      startBenchChild<{ url: string }>(
        fileURLToPath(new URL(`../targets/${script}`, import.meta.url)),
        args,
        {
          logFile: join(world.state, 'logs/bench.log'),
        },
      )
    const bare = await start('bare-http.ts')
    const pipeline = await start('pipeline.ts', world.state, 'silent')
    const observed = await start('pipeline.ts', world.state, 'observed')
    const load = await startLoad()
    const body = purchaseBody(world, 'prof_01jb2w9m4ye6xs3kq8t7v5c0zd')
    const request = jsonRequest(world.ready.keys.secret_test, 'POST', '/v1/echo_purchase', 200, body)

    const contestant = (name: string, target: BenchChild<{ url: string }>): Contestant => ({
      name,
      processes: () => ({ node: [target.pid] }),
      run: (seconds) => load.run({ url: target.ready.url, requests: [request], concurrency, seconds }),
    })
    return {
      postgres: world.postgres,
      contestants: [
        contestant('bare node:http', bare),
        contestant('Prokura', pipeline),
        contestant('Prokura with log and metrics', observed),
      ],
      comparisons: [
        {
          about: 'requests per CPU second, log line and metrics included, of bare node:http',
          of: 'Prokura with log and metrics',
          against: 'bare node:http',
          measure: 'per_node_cpu',
          bound: { at: 'least', floor: 0.5, aim: 0.58 },
        },
        {
          about: 'the same without log and metrics',
          of: 'Prokura',
          against: 'bare node:http',
          measure: 'per_node_cpu',
          bound: { at: 'least', floor: 0.6 },
        },
      ],
      facts: { 'body bytes': request.body?.length ?? 0, 'requests under way': concurrency },
      async stop() {
        await load.stop()
        await Promise.all([bare.stop(), pipeline.stop(), observed.stop()])
        await world.stop()
      },
    }
  },
}
