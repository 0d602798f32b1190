import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Benchmark, Contestant } from '../benchmark.ts'
import { startBenchChild } from '../child.ts'
import type { DelivererAnswer, DelivererOrder } from '../targets/deliverer.ts'
import type { ReceiverReport } from '../targets/webhook-receiver.ts'
import { type Merchant, openMerchants } from '../world/merchants.ts'
import { startWorld } from '../world/world.ts'

/** Requests that the loop keeps under way: as many as our worker may. */
const concurrency = 256
const merchantsEach = 100
const deliveriesPerSecond = 1500
const ordersPerSecond = 60

/**
 * In two stages, so that each has figures of its own: events → deliveries (the relay, with the audit chain), then deliveries → sent,
 * signed and recorded. The second one stands beside a loop that records nothing.
 */
export const webhooksBench: Benchmark = {
  name: 'webhooks',
  about:
    'sends signed, recorded deliveries to a hundred merchants, compared with a loop of the same client that records nothing',
  unit: 'delivery',
  seconds: 4,
  async prepare() {
    const world = await startWorld({ workers: 0 })
    const logFile = join(world.state, 'logs/bench.log')
    const script = (name: string) => fileURLToPath(new URL(`../targets/${name}`, import.meta.url))
    const receiver = await startBenchChild<{ port: number }>(script('webhook-receiver.ts'), [], { logFile })
    const merchants = await openMerchants(world, receiver.ready.port, { ok: 100, fail: 10, hang: 1 })
    const deliverer = await startBenchChild<{ ready: true }>(script('deliverer.ts'), [world.state], {
      logFile,
    })

    const ask = async (order: DelivererOrder): Promise<DelivererAnswer> => {
      deliverer.send(order)
      return (await deliverer.nextLine()) as DelivererAnswer // the script's only kind of line
    }
    const askReceiver = async (): Promise<ReceiverReport> => {
      receiver.send({})
      return (await receiver.nextLine()) as ReceiverReport // the script's only kind of line
    }
    const some = (health: Merchant['health'], count: number) =>
      merchants.filter((merchant) => merchant.health === health).slice(0, count)
    const healthy = some('ok', merchantsEach)
    const failing = [...some('ok', 90), ...some('fail', 10)]
    const hanging = [...some('ok', 89), ...some('fail', 10), ...some('hang', 1)]
    const deliveriesOf = (seconds: number) => Math.round(deliveriesPerSecond * seconds)

    /** Removes the open deliveries of earlier rounds, and marks no destination as failing. */
    async function tidyUp(): Promise<void> {
      await askReceiver()
      await ask({ do: 'quiet' })
      await world.database.query('truncate outbox')
      await world.database.query(
        'delete from delivery_attempts a using deliveries v where v.id = a.delivery_id and v.due_at is not null',
      )
      await world.database.query('delete from deliveries where due_at is not null')
      await world.database.query('delete from due_deliveries')
      await world.database.query(
        'update destinations set failing_since = null where failing_since is not null',
      )
      await world.database.query('vacuum analyze')
    }
    const processes: Contestant['processes'] = () => ({
      node: [deliverer.pid],
      postgres: [world.ready.pids.postgres ?? 0],
      outside: [receiver.pid],
    })
    const loop = (name: string, to: Merchant[]): Contestant => ({
      name,
      processes,
      before: tidyUp,
      run: (seconds) => ask({ do: 'bare', merchants: to, deliveries: deliveriesOf(seconds), concurrency }),
    })
    const durable = (name: string, to: Merchant[]): Contestant => {
      const prepare = async (seconds: number) => {
        await tidyUp()
        await ask({ do: 'append', merchants: to, orders: deliveriesOf(seconds) })
        await ask({ do: 'relay' })
        await world.database.query('vacuum analyze')
      }
      return { name, processes, before: prepare, run: () => ask({ do: 'deliver', merchants: to }) }
    }
    const steady = (name: string, to: Merchant[]): Contestant => ({
      name,
      processes,
      before: tidyUp,
      async run(seconds) {
        const work = await ask({ do: 'pace', merchants: to, ordersPerSecond, seconds })
        const { latencyMs } = await askReceiver()
        return { ...work, latencyMs }
      },
    })
    return {
      postgres: world.postgres,
      contestants: [
        loop('loop, all healthy', healthy),
        {
          name: 'relay: events → deliveries',
          processes,
          async before(seconds) {
            await tidyUp()
            await ask({ do: 'append', merchants: healthy, orders: deliveriesOf(seconds) })
            await world.database.query('vacuum analyze')
          },
          run: () => ask({ do: 'relay' }),
        },
        durable('Prokura, all healthy', healthy),
        loop('loop, 10 % failing', failing),
        durable('Prokura, 10 % failing', failing),
        durable('Prokura, 10 % failing, 1 % hanging', hanging),
        steady('steady, all healthy', healthy),
        steady('steady, 10 % failing, 1 % hanging', hanging),
      ],
      comparisons: [
        {
          about: 'deliveries a second, claimed, sent and recorded after the relay has made them, of the loop',
          of: 'Prokura, all healthy',
          against: 'loop, all healthy',
          measure: 'rate',
          bound: { at: 'least', floor: 0.7, aim: 0.8 },
        },
        {
          about: 'the same with 10 % failing',
          of: 'Prokura, 10 % failing',
          against: 'loop, 10 % failing',
          measure: 'rate',
          bound: { at: 'least', floor: 0.6, aim: 0.7 },
        },
        {
          about: 'deliveries per second of Node CPU, of the loop',
          of: 'Prokura, all healthy',
          against: 'loop, all healthy',
          measure: 'per_node_cpu',
        },
        {
          about: 'from event to healthy endpoint, p99, while others fail and hang',
          of: 'steady, 10 % failing, 1 % hanging',
          against: 'steady, all healthy',
          measure: 'p99_ms',
          bound: { at: 'most', floor: 2 },
        },
      ],
      facts: {
        merchants: merchantsEach,
        'under way at once': concurrency,
        'steady, events a second': ordersPerSecond * 3,
      },
      async stop() {
        await deliverer.stop()
        await receiver.stop()
        await world.stop()
      },
    }
  },
}
