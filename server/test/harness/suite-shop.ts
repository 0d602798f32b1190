import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { type Buying, startBuying } from './buying.ts'

const program = fileURLToPath(new URL('../../../sandbox/bin/prokura-sandbox.js', import.meta.url))
const suiteFolder = join(dirname(fileURLToPath(import.meta.url)), '../fixtures/ucp/flower-shop')
const simulationSecret = 'of the suite'

// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
type Body = any
type SuiteAnswer = { status: number; text: string; body: Body }
type Sent = { headers?: Record<string, string>; key?: string; agent?: string; at?: string }

/** The running product, what the official suite talks to in front of it, with the suite's data, and the suite's own servers. */
export async function startSuiteShop() {
  // Its address is that of its documents, as for a platform elsewhere.
  const buying: Buying = await startBuying({ strangers: true })
  const platform = await startSuitePlatform()
  const account = await buying.app.newAccount('Suite')
  const front = await openFront(buying.app.url, account.keys.secret_test)
  let calls = 0

  async function send(method: string, path: string, body?: object, sent: Sent = {}): Promise<SuiteAnswer> {
    calls += 1
    const answer = await fetch(`${sent.at ?? front.url}${path}`, {
      method,
      headers: {
        'ucp-agent': sent.agent ?? `profile="${platform.profileUrl}"`,
        'request-signature': 'test',
        'idempotency-key': sent.key ?? `suite-${calls}`,
        'content-type': 'application/json',
        ...sent.headers,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    const text = await answer.text()
    return { status: answer.status, text, body: text.startsWith('{') ? JSON.parse(text) : null }
  }

  const handlers = [{ id: 'google_pay', name: 'google.pay', version: '2026-01-11', config: {} }]
  /** A checkout as the suite sends it. */
  const roses = (more: object = {}, quantity = 1, id = 'bouquet_roses') => ({
    id: 'chosen by the client',
    currency: 'USD',
    line_items: [{ item: { id, title: 'Red Rose' }, quantity }],
    payment: { instruments: [], selected_instrument_id: 'instr_1', handlers },
    ...more,
  })
  const shipping = (more: object = {}) => ({ fulfillment: { methods: [{ type: 'shipping', ...more }] } })
  const placed = shipping({
    destinations: [{ id: 'dest_1', address_country: 'US' }],
    selected_destination_id: 'dest_1',
    groups: [{ selected_option_id: 'std-ship' }],
  })

  async function create(more: object = placed, quantity = 1, id?: string): Promise<Body> {
    const { status, body, text } = await send('POST', '/checkout-sessions', roses(more, quantity, id))
    expect(status, text).toBe(201)
    return body
  }

  async function update(id: string, more: object, quantity = 1): Promise<Body> {
    const { status, body, text } = await send('PUT', `/checkout-sessions/${id}`, roses(more, quantity))
    expect(status, text).toBe(200)
    return body
  }

  const complete = (id: string, token = 'success_token', sent: Sent = {}) =>
    send('POST', `/checkout-sessions/${id}/complete`, paymentOf({ type: 'token', token }), sent)

  async function buy(more: object = placed): Promise<{ checkout: string; order: string }> {
    const { id } = await create(more)
    const { body, text } = await complete(id)
    expect(body?.status, text).toBe('completed')
    return { checkout: id, order: body.order.id }
  }

  return {
    ...{ buying, platform, account, front, simulationSecret, placed },
    ...{ send, roses, shipping, create, update, complete, buy },
    async stop() {
      await front.stop()
      await Promise.all([buying.stop(), platform.stop()])
    },
  }
}

/** What the suite talks to, in a process of its own. It makes the shop at its start. */
export async function openFront(url: string, key: string, port = '0') {
  const child = spawn(
    process.execPath,
    [
      ...[program, 'ucp-suite', '--json', '--parent-pipe', '--url', url, '--key', key, '--data', suiteFolder],
      ...['--simulation-secret', simulationSecret, '--port', port],
    ],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  )
  const exited = once(child, 'exit')
  const complaints = child.stderr.toArray()
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), exited])
  if (typeof line !== 'string') throw new Error(Buffer.concat(await complaints).toString())
  const ready: { server_url: string } = JSON.parse(line)
  return {
    url: ready.server_url,
    async stop(): Promise<void> {
      child.stdin.end()
      await exited
      // A fault that the suite only sees as a broken connection.
      expect(Buffer.concat(await complaints).toString()).toBe('')
    },
  }
}

/** What is paid with, as the suite says it. */
export function paymentOf(credential: object) {
  const instrument = {
    id: 'instr_1',
    handler_id: 'mock_payment_handler',
    type: 'card',
    brand: 'Visa',
    last_digits: '1234',
  }
  return { payment_data: { ...instrument, credential }, risk_signals: {} }
}

/** The total of a kind, of a checkout or of a part of it. */
export function amountOf(totals: readonly { type: string; amount: number }[], type = 'total') {
  return totals.find((one) => one.type === type)?.amount
}

/** The profile and the webhooks of the suite. */
async function startSuitePlatform() {
  const told: Body[] = []
  const server = createServer(async (request, response) => {
    response.setHeader('content-type', 'application/json')
    if (request.method === 'POST') told.push(JSON.parse(Buffer.concat(await request.toArray()).toString()))
    const config = { webhook_url: `${origin}/webhooks/partners/test_partner/events/order` }
    const capabilities = [{ name: 'dev.ucp.shopping.order', version: '2026-01-11', config }]
    response.end(JSON.stringify({ ucp: { version: '2026-01-11', capabilities } }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const at = server.address()
  const origin = `http://127.0.0.1:${typeof at === 'object' && at ? at.port : 0}`
  return {
    profileUrl: `${origin}/profiles/shopping-agent.json`,
    told,
    stop: () => new Promise((done) => server.close(done)),
  }
}
