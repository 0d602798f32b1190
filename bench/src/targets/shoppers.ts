import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import type { Work } from '../benchmark.ts'
import { HttpConnection } from '../load/http-connection.ts'
import { quantile } from '../statistics.ts'
import type { Offered, Shopper } from '../world/shops.ts'

/**
 * Purchases in a closed loop: each place creates one, approves it and waits until it has succeeded, for so many seconds or until so many
 * are made.
 */
export type ShoppersOrder = {
  url: string
  shoppers: readonly Shopper[]
  offered: readonly Offered[]
  atOnce: number
  seconds: number
  purchases?: number
}

export type ShoppersReport = Required<Pick<Work, 'operations' | 'seconds' | 'latencyMs'>> & {
  failure: string | null
}

/**
 * How often it looks which purchases have succeeded. It asks the database about all of them at once, since a hundred buyers who ask the
 * API would cost as much as a purchase.
 */
const lookMs = 20

const [databaseUrl] = process.argv.slice(2)
const database = new Client({ connectionString: databaseUrl, application_name: 'bench' })
await database.connect()
const run = Date.now().toString(36)
let made = 0

/** The purchases that somebody waits for, with their accounts. */
const awaited = new Map<
  string,
  { accountId: string; succeeded: () => void; failed: (error: Error) => void }
>()

async function watch(signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await delay(lookMs)
    if (awaited.size === 0) continue
    const { rows } = await database.query<{ id: string; status: string }>({
      name: 'bench_ended',
      text: `select i.id, i.status::text from unnest($1::text[], $2::text[]) as a (account_id, id)
             join purchase_intents i on i.account_id = a.account_id and i.mode = 'test' and i.id = a.id and i.completed_at is not null`,
      values: [[...awaited.values()].map(({ accountId }) => accountId), [...awaited.keys()]],
    })
    for (const { id, status } of rows) {
      if (status === 'succeeded') awaited.get(id)?.succeeded()
      else awaited.get(id)?.failed(new Error(`a purchase ended as ${status}`))
      awaited.delete(id)
    }
  }
}

async function carryOut(order: ShoppersOrder): Promise<ShoppersReport> {
  const { hostname, port } = new URL(order.url)
  const connections = await Promise.all(
    Array.from({ length: order.atOnce }, () => HttpConnection.open(hostname, Number(port))),
  )
  const watching = new AbortController()
  const watched = watch(watching.signal)
  const latencies: number[] = []
  let failure: string | null = null
  const startedAt = performance.now()
  const endsAt = startedAt + order.seconds * 1000
  let left = order.purchases ?? Number.POSITIVE_INFINITY
  await Promise.all(
    connections.map(async (connection) => {
      while (performance.now() < endsAt && left-- > 0 && failure === null) {
        const sentAt = performance.now()
        await buy(connection, order).catch((error: unknown) => {
          failure ??= error instanceof Error ? error.message : String(error)
        })
        latencies.push(performance.now() - sentAt)
      }
    }),
  )
  const seconds = (performance.now() - startedAt) / 1000
  watching.abort()
  await watched
  for (const connection of connections) connection.close()
  latencies.sort((a, b) => a - b)
  const latencyMs = { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) }
  return { operations: latencies.length, seconds, latencyMs, failure }
}

async function buy(connection: HttpConnection, { url, shoppers, offered }: ShoppersOrder): Promise<void> {
  const number = made++
  const shopper = shoppers[number % shoppers.length]
  // Every buyer buys at every shop.
  const item = offered[Math.floor(number / shoppers.length) % offered.length]
  if (!shopper || !item) throw new Error('there is nobody who buys, or nothing to buy')
  const host = new URL(url).host
  async function post(path: string, key: string, body: object, status: number): Promise<string> {
    const text = JSON.stringify(body)
    const answer = await connection.send(
      `POST ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${shopper?.key}\r\ncontent-type: application/json\r\n` +
        `idempotency-key: ${key}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
    )
    if (answer.status !== status)
      throw new Error(`${path} answered ${answer.status}: ${answer.body.slice(0, 500)}`)
    return /"id":"([^"]+)"/.exec(answer.body)?.[1] ?? ''
  }
  const wanted = { url: item.url, quantity: 1, expected_amount: item.price, expected_currency: item.currency }
  const id = await post(
    '/v1/purchase_intents',
    `shopper-${run}-${number}`,
    {
      profile_id: shopper.profileId,
      items: [wanted],
      preferences: { fulfillment: { method: 'ship', max_fee_amount: 800 } },
      reference_id: `order-${number}`,
      metadata: { order: 'bench' },
    },
    201,
  )
  const ended = new Promise<void>((succeeded, failed) =>
    awaited.set(id, { accountId: shopper.accountId, succeeded, failed }),
  )
  await Promise.all([
    ended,
    post(`/v1/purchase_intents/${id}/approve`, `shopper-approve-${run}-${number}`, { approve: true }, 200),
  ])
}

process.on('SIGINT', () => undefined)
process.stdout.write('{"ready":true}\n')
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await carryOut(JSON.parse(line)))}\n`)
}
await database.end()
process.exit()
