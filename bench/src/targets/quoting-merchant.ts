import { Agent, createServer, request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { Secret } from '../../../server/src/platform/secrets/secret.ts'
import { signWebhook } from '../../../server/src/platform/signatures/webhook-signature.ts'
import { quantile } from '../statistics.ts'

// A buyer and its merchant in one process, so that one clock measures the time between them. Each line on standard input is a round: the
// buyer asks the merchant itself, or the service that asks it. Latencies are without the merchant's own time.

export type QuotingOrder = {
  through: 'the service' | 'nobody'
  baseUrl: string
  key: string
  variantId: string
  destination: { id: string; secret: string }
  concurrency: number
  seconds: number
}

export type QuotingReport = { operations: number; seconds: number; latencyMs: { p50: number; p99: number } }

/** How long the merchant thinks. */
const thinkMs = 50

const agent = new Agent({ keepAlive: true })
/** The merchant's own time, by quote. */
const thought = new Map<string, number>()
let order: QuotingOrder | null = null
let number = 0

const server = createServer(async (request, response) => {
  const arrivedMs = performance.now()
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks).toString('utf8')
  if (request.url === '/direct') {
    await thinking()
    const tookMs = performance.now() - arrivedMs
    response.end(JSON.stringify({ took_ms: tookMs }))
    return
  }
  response.end('ok')
  const envelope = JSON.parse(body)
  await thinking()
  thought.set(envelope.data.quote.id, performance.now() - arrivedMs)
  await answer(envelope.id, envelope.data.quote.id, String(request.headers['service-response-url']))
})
server.keepAliveTimeout = 600_000
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo // of a TCP server that listens
process.stdout.write(`${JSON.stringify({ port })}\n`)

process.on('SIGINT', () => undefined)
for await (const line of createInterface({ input: process.stdin })) {
  order = JSON.parse(line) as QuotingOrder // what the bench sends
  process.stdout.write(`${JSON.stringify(await round(order))}\n`)
}
process.exit()

async function round(given: QuotingOrder): Promise<QuotingReport> {
  const startedMs = performance.now()
  const added: number[] = []
  async function lane(): Promise<void> {
    while (performance.now() - startedMs < given.seconds * 1000) {
      added.push(given.through === 'nobody' ? await askMerchant() : await askService(given))
    }
  }
  await Promise.all(Array.from({ length: given.concurrency }, lane))
  added.sort((a, b) => a - b)
  return {
    operations: added.length,
    seconds: (performance.now() - startedMs) / 1000,
    latencyMs: { p50: quantile(added, 0.5), p99: quantile(added, 0.99) },
  }
}

async function askMerchant(): Promise<number> {
  const askedMs = performance.now()
  const { body } = await post(`http://127.0.0.1:${port}/direct`, '{}', {})
  return performance.now() - askedMs - JSON.parse(body).took_ms
}

async function askService({ baseUrl, key, variantId }: QuotingOrder): Promise<number> {
  const headers = { authorization: `Bearer ${key}`, 'idempotency-key': `bench-${process.pid}-${number++}` }
  const askedMs = performance.now()
  const { status, body } = await post(
    `${baseUrl}/v1/quotes`,
    JSON.stringify({ catalog_variant_id: variantId }),
    headers,
  )
  const tookMs = performance.now() - askedMs
  const quote = JSON.parse(body)
  if (status !== 201 || quote.status !== 'quoted') throw new Error(`a quote answered ${status} ${body}`)
  const ownMs = thought.get(quote.id) ?? Number.NaN
  thought.delete(quote.id)
  return tookMs - ownMs
}

async function answer(eventId: string, quoteId: string, url: string): Promise<void> {
  if (!order) return
  const { destination } = order
  const body = JSON.stringify({
    event_id: eventId,
    event_type: 'quote.requested',
    quote_id: quoteId,
    decision: 'accepted',
    quoted_amount_cents: 2500,
    currency: 'USD',
    expires_at: new Date(Date.now() + 900_000).toISOString(),
    available_quantity: 100,
  })
  const secrets = [new Secret(destination.secret)]
  const { status, body: said } = await post(url, body, {
    'service-destination-id': destination.id,
    'service-webhook-id': eventId,
    'service-webhook-event': 'quote.requested',
    'service-response-signature': signWebhook({
      secrets,
      timestampSeconds: Math.floor(Date.now() / 1000),
      body,
    }),
  })
  if (status !== 200) throw new Error(`an answer was refused: ${status} ${said}`)
}

function thinking(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, thinkMs))
}

function post(
  url: string,
  body: string,
  headers: Record<string, string>,
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sending = httpRequest(
      url,
      { method: 'POST', agent, headers: { 'content-type': 'application/json', ...headers } },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          text += chunk
        })
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }))
        response.on('error', reject)
      },
    )
    sending.on('error', reject)
    sending.end(body)
  })
}
