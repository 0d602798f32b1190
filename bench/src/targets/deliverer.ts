import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { openRole } from '../../../server/src/cli/role.ts'
import { roleConfig } from '../../../server/src/cli/role-config.ts'
import { createRelay } from '../../../server/src/platform/events/relay.ts'
import { createWorker } from '../../../server/src/platform/work/worker.ts'
import { openWork } from '../../../server/src/work.ts'
import { type Merchant, orderOf, tellOfOrders } from '../world/merchants.ts'
import { deliverBarely } from './bare-deliveries.ts'

/** The orders for the process, one line of JSON each. It answers how many rows there were and how many seconds they took. */
export type DelivererOrder =
  /** Commits the first event of this many orders. */
  | { do: 'append'; merchants: Merchant[]; orders: number }
  /** Waits until nothing of earlier orders is under way. */
  | { do: 'quiet' }
  /** Relays what is pending. */
  | { do: 'relay' }
  /** Delivers what is due, until every delivery to an endpoint that answers was attempted. */
  | { do: 'deliver'; merchants: Merchant[] }
  /** The same number of requests, without any record. */
  | { do: 'bare'; merchants: Merchant[]; deliveries: number; concurrency: number }
  /** Relays and delivers while orders come in, this many a second, each with three events that must arrive in order. */
  | { do: 'pace'; merchants: Merchant[]; ordersPerSecond: number; seconds: number }

export type DelivererAnswer = { operations: number; seconds: number }

// A worker process whose relay and deliveries are started and stopped on demand.

const [state] = process.argv.slice(2)
const config = roleConfig(state)
const { parts, log, metrics, faults } = await openRole(
  'worker',
  { ...config, metricsPort: null },
  'http://127.0.0.1',
)
const work = openWork({
  log,
  metrics,
  railUrl: null,
  sandboxUrl: null,
  allowLoopback: true,
  ownPorts: [],
  sandboxMerchantUrl: null,
})
const deps = { ...parts, log, metrics, faults }
const newRelay = () => createRelay({ ...deps, followers: work.followers })
const newWorker = () =>
  createWorker({ ...deps, kinds: work.kinds.filter(({ kind }) => kind === 'deliveries') })

/** A worker whose last attempts hang. It ends when they end. */
let stopping: Promise<void> = Promise.resolve()

async function carryOut(order: DelivererOrder): Promise<DelivererAnswer> {
  switch (order.do) {
    case 'append':
      await append(order.merchants, order.orders)
      return { operations: order.orders, seconds: 0 }
    case 'quiet':
      await stopping
      return { operations: 0, seconds: 0 }
    case 'relay': {
      const relay = newRelay()
      const answer = await timed(() => relay.runOnce())
      await relay.stop()
      return answer
    }
    case 'deliver': {
      const worker = newWorker()
      const open = await unsent(order.merchants)
      const answer = await timed(async () => {
        worker.start()
        while (await isAnyUnsent(order.merchants)) await delay(20)
        return open
      })
      stopping = worker.stop()
      return answer
    }
    case 'bare': {
      const bare = Array.from({ length: order.deliveries }, (_, number) => {
        const merchant = order.merchants[number % order.merchants.length]
        if (!merchant) throw new Error('there are no merchants')
        const data = { order: orderOf(parts.newId('ord', Date.now())) }
        const eventId = parts.newId('evt', Date.now())
        const envelope = {
          id: eventId,
          object: 'event',
          type: 'order.requested',
          api_version: 'v1',
          mode: 'test',
        }
        return { ...merchant, eventId, body: JSON.stringify({ ...envelope, created_at: new Date(), data }) }
      })
      const seconds = await deliverBarely(bare, order.concurrency)
      return { operations: bare.length, seconds }
    }
    case 'pace':
      return pace(order)
    default:
      return order satisfies never
  }
}

/** The orders of all merchants come interleaved, a few in one transaction. */
async function append(merchants: readonly Merchant[], orders: number): Promise<void> {
  const atOnce = 5
  for (let told = 0, turn = 0; told < orders; turn++) {
    const merchant = merchants[turn % merchants.length]
    if (!merchant) throw new Error('there are no merchants')
    const count = Math.min(atOnce, orders - told)
    await tellOfOrders(parts, merchant, { orders: count, eventsEach: 1 })
    told += count
  }
}

async function pace({ merchants, ordersPerSecond, seconds }: DelivererOrder & { do: 'pace' }) {
  const relay = newRelay()
  const worker = newWorker()
  relay.start()
  worker.start()
  const answer = await timed(async () => {
    const startedAt = performance.now()
    const orders = ordersPerSecond * seconds
    const told: Promise<void>[] = []
    for (let order = 0; order < orders; order++) {
      const merchant = merchants[order % merchants.length]
      if (merchant) told.push(tellOfOrders(parts, merchant, { orders: 1, eventsEach: 3 }))
      await delay(Math.max(0, startedAt + ((order + 1) * 1000) / ordersPerSecond - performance.now()))
    }
    await Promise.all(told)
    for (let left = 1; left > 0; ) {
      await delay(20)
      const [pending] = await parts.pools.read<{ events: bigint }>({
        name: '',
        text: 'select count(*) as events from outbox',
        values: [],
      })
      left = Number(pending?.events) + (await unsent(merchants))
    }
    return orders * 3
  })
  await relay.stop()
  stopping = worker.stop()
  return answer
}

/** Deliveries of endpoints that answer which have not been attempted. */
async function unsent(merchants: readonly Merchant[]): Promise<number> {
  const [row] = await parts.pools.read<{ open: bigint }>({
    name: 'bench_unsent',
    text: `select count(*) as open from ${unsentOnes}`,
    values: valuesOf(merchants),
  })
  return Number(row?.open ?? 0)
}

/** It is read again and again beside the measured work, so it stops at the first row. */
async function isAnyUnsent(merchants: readonly Merchant[]): Promise<boolean> {
  const [row] = await parts.pools.read<{ open: boolean }>({
    name: 'bench_any_unsent',
    text: `select exists (select from ${unsentOnes}) as open`,
    values: valuesOf(merchants),
  })
  return row?.open ?? false
}

const unsentOnes = `unnest($1::text[], $2::text[]) as m (account_id, destination_id)
  join due_deliveries v on v.account_id = m.account_id and v.mode = 'test' and v.destination_id = m.destination_id
    and not v.is_tried`

function valuesOf(merchants: readonly Merchant[]): string[][] {
  const answering = merchants.filter(({ health }) => health !== 'hang')
  return [answering.map(({ accountId }) => accountId), answering.map(({ destinationId }) => destinationId)]
}

async function timed(run: () => Promise<number>): Promise<DelivererAnswer> {
  const startedAt = performance.now()
  const operations = await run()
  return { operations, seconds: (performance.now() - startedAt) / 1000 }
}

process.on('SIGINT', () => undefined)
process.stdout.write('{"ready":true}\n')
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await carryOut(JSON.parse(line)))}\n`)
}
await work.close()
await parts.close()
process.exit()
