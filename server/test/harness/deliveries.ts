import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { events } from '../../src/composition.ts'
import type { Mode } from '../../src/contract/context.ts'
import type { Id } from '../../src/core/id.ts'
import { failUnanswered } from '../../src/domain/trade/quotes/fail-unanswered.ts'
import { followDeliveries } from '../../src/domain/webhooks/destinations/follow-deliveries.ts'
import { createDeliveryWork } from '../../src/domain/webhooks/destinations/work.ts'
import { runAs } from '../../src/platform/calls/run-as.ts'
import { createEgress, type Egress } from '../../src/platform/egress/egress.ts'
import { createRelay, type Relay } from '../../src/platform/events/relay.ts'
import { createFaults, type Faults } from '../../src/platform/faults/faults.ts'
import { silentLog } from '../../src/platform/logs/logs.ts'
import { createMetrics } from '../../src/platform/metrics/metrics.ts'
import type { WorkKind } from '../../src/platform/work/work.ts'
import { createWorker, type Worker } from '../../src/platform/work/worker.ts'
import { type AnyDraft, draftOf } from './any-draft.ts'
import { type Answer, startTestApp, type TestAccount, type TestApp, type TestAppOptions } from './app.ts'

export type Received = { headers: IncomingHttpHeaders; body: string; at: number }

/** A merchant's backend on loopback. It remembers every request and gives the answers that a test sets, 200 at first. */
export type Receiver = {
  url: string
  received: Received[]
  /** The n-th request from now, 0 being the next. */
  answer(how: (response: ServerResponse, request: Received) => void): void
  stop(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const sockets = new Set<Socket>()
  let how: (response: ServerResponse, request: Received) => void = (response) => void response.end('ok')
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const one = {
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
      at: performance.now(),
    }
    received.push(one)
    how(response, one)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    received,
    answer: (answer) => {
      how = answer
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

/** The relay and the worker that deliver, beside an API under test. */
export type Deliverer = {
  relay: Relay
  worker: Worker
  faults: Faults
  /** Relays what is pending and attempts what is due, until nothing is. */
  drain(): Promise<void>
  /** Another worker of the same database, as a second process would be. */
  secondWorker(): Worker
  stop(): Promise<void>
}

/** `egress` is closed with it. `more`: further kinds of work. */
export function startDeliverer(
  app: TestApp,
  egress: Egress = createEgress({ allowLoopback: (mode) => mode === 'test', trustedOrigins: [] }),
  more: readonly WorkKind[] = [],
): Deliverer {
  const faults = createFaults({ enabled: true, crashAt: null, pauseAt: null, pauseFile: null })
  const deps = { ...app.parts, log: silentLog(), faults }
  const newWorker = () =>
    createWorker({
      ...deps,
      metrics: createMetrics(),
      kinds: [
        createDeliveryWork({ events, egress, wallNow: () => new Date(), onFailed: failUnanswered }),
        ...more,
      ],
    })
  const relay = createRelay({ ...deps, metrics: createMetrics(), followers: [followDeliveries(events)] })
  const worker = newWorker()
  return {
    relay,
    worker,
    faults,
    async drain() {
      await relay.runOnce()
      await worker.runOnce()
    },
    secondWorker: newWorker,
    async stop() {
      await relay.stop()
      await worker.stop()
      await egress.close()
    },
  }
}

/** An API, the relay and worker that deliver, and a merchant with a backend. */
export type Delivering = {
  app: TestApp
  deliverer: Deliverer
  receiver: Receiver
  stop(): Promise<void>
}

/** `more`: what else the worker does. */
export async function startDelivering(
  options: TestAppOptions = {},
  more: readonly WorkKind[] = [],
): Promise<Delivering> {
  const app = await startTestApp(options)
  const deliverer = startDeliverer(app, undefined, more)
  const receiver = await startReceiver()
  return {
    app,
    deliverer,
    receiver,
    async stop() {
      await deliverer.stop()
      await receiver.stop()
      await app.stop()
    },
  }
}

/** A confirmed destination, by default for everything that concerns orders and payments. */
export function newDestination(
  app: TestApp,
  endpointUrl: string,
  more: Record<string, unknown> = {},
  key?: string,
): Promise<Answer['body']> {
  return createDestination(app, 'merchant', { endpointUrl, more, key }).then((made) =>
    confirmByHand(app, made),
  )
}

/** A buyer's confirmed destination, by default for everything that happens to its purchases and orders. */
export function newEventDestination(
  app: TestApp,
  endpointUrl: string,
  more: Record<string, unknown> = {},
  key?: string,
): Promise<Answer['body']> {
  return createDestination(app, 'buyer', { endpointUrl, more, key }).then((made) => confirmByHand(app, made))
}

const usual = {
  merchant: {
    path: '/v1/merchant/destinations',
    body: {
      responds_to_quotes: false,
      event_types: ['order.requested', 'order.confirmed', 'order.rejected', 'payment.captured'],
    },
  },
  buyer: {
    path: '/v1/event_destinations',
    body: { event_types: ['purchase_intent.*', 'cart.*', 'order.*'] },
  },
}

/** The destination as it is after the create: its endpoint has not confirmed yet. */
export async function createDestination(
  app: TestApp,
  audience: keyof typeof usual,
  { endpointUrl, more = {}, key }: { endpointUrl: string; more?: object; key?: string | undefined },
): Promise<Answer['body']> {
  const { path, body: fields } = usual[audience]
  const { status, body } = await app.post(
    path,
    { name: 'Backend', webhook: { endpoint_url: endpointUrl }, ...fields, ...more },
    key === undefined ? {} : { key },
  )
  if (status !== 201) throw new Error(`no destination: ${JSON.stringify(body)}`)
  // For the audit a subscription counts a second after it was made. A test does not wait for that.
  await app.sql(
    `update destination_subscriptions set subscribed_from = subscribed_from - interval '1 s' where destination_id = $1`,
    [body.id],
  )
  return body
}

/** As if the endpoint had confirmed by a test that left no trace. */
export async function confirmByHand(app: TestApp, made: Answer['body']): Promise<Answer['body']> {
  await app.sql(`delete from deliveries where destination_id = $1 and event_type = 'destination.test'`, [
    made.id,
  ])
  const [row] = await app.sql<{ confirmed_at: Date }>(
    'update webhook_destinations set confirmed_at = created_at where id = $1 returning confirmed_at',
    [made.id],
  )
  return { ...made, confirmed_at: row?.confirmed_at.toISOString() ?? null }
}

/** Commits events of a buyer that concern a merchant, as those of an order do. Answers the order's id. */
export async function tellMerchant(
  app: TestApp,
  merchant: TestAccount,
  events: readonly Partial<AnyDraft>[],
  mode: Mode = 'test',
): Promise<Id<'ord'>> {
  const tenant = { accountId: app.stranger.accountId, mode }
  return runAs(app.parts, { tenant, actor: { type: 'system', id: 'test' } }, async (ctx) => {
    const orderId = ctx.newId('ord')
    for (const [index, event] of events.entries()) {
      ctx.tx.emit(
        draftOf({
          type: 'order.requested',
          aggregateId: orderId,
          sequence: index + 1,
          object: { id: orderId },
          recipient: { accountId: merchant.accountId, data: { order: { id: orderId, note: 'naïve ☕' } } },
          ...event,
        }),
      )
    }
    return orderId
  })
}
