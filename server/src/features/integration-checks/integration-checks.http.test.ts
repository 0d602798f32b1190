import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { answerSigned, settlePayment } from '../../../test/harness/answers.ts'
import { startTestApp, type TestAccount, type TestApp } from '../../../test/harness/app.ts'
import {
  type Deliverer,
  newDestination,
  type Receiver,
  startDeliverer,
  startReceiver,
} from '../../../test/harness/deliveries.ts'
import { openShop, placeOrder, type TestShop } from '../../../test/harness/orders.ts'
import { runInvariants } from '../../platform/audit/invariants.ts'
import { merchantInvariants } from '../merchant/invariants.ts'
import type { OrderRow } from '../orders/public.ts'
import { integrationCheckInvariants } from './invariants.ts'
import { checkWork } from './work.ts'

let app: TestApp
let deliverer: Deliverer
let receiver: Receiver
let seller: TestAccount
let shop: TestShop
let key: string
let orders = 0
beforeAll(async () => {
  app = await startTestApp()
  deliverer = startDeliverer(app, undefined, [checkWork])
  receiver = await startReceiver()
})
beforeEach(async () => {
  seller = await app.newAccount('Seller')
  shop = await openShop(app, seller)
  key = shop.key
  receiver.answer((response) => void response.end('ok'))
})
afterAll(async () => {
  await receiver.stop()
  await deliverer.stop()
  await app.stop()
})

const path = '/v1/merchant/integration_checks'
type Destination = { id: string; secret: { secret: string } }
type Step = { name: string; status: string }

const connect = (more: Record<string, unknown> = {}): Promise<Destination> =>
  newDestination(app, receiver.url, more, key)

/** An order that has been delivered to whoever is subscribed. */
async function deliveredOrder(): Promise<OrderRow> {
  const order = await placeOrder(app, app.account, shop)
  await deliverer.drain()
  return order
}

function confirmation() {
  return { outcome: 'confirmed', confirmation_reference: `C-${++orders}` }
}

/** An order that this destination confirmed, with its payment captured. */
async function provenOrder(by: Destination): Promise<OrderRow> {
  const order = await deliveredOrder()
  expect((await answerSigned(app, toldOf(order, by), by.secret.secret, confirmation())).status).toBe(200)
  return settlePayment(app, order, 'captured')
}

function toldOf(order: OrderRow, { id }: Destination) {
  return receiver.received.findLast(
    ({ headers, body }) =>
      headers['service-destination-id'] === id &&
      headers['service-webhook-event'] === 'order.requested' &&
      body.includes(order.id),
  )
}

async function start(destination: Destination, order: OrderRow) {
  const body = { kind: 'order', destination_id: destination.id, order_id: order.id }
  const { status, body: check } = await app.post(path, body, { key })
  expect(status, JSON.stringify(check)).toBe(201)
  return check
}

async function finished(destination: Destination, order: OrderRow) {
  const { id } = await start(destination, order)
  await deliverer.worker.runOnce('integration_checks')
  return read(id)
}

async function read(id: string) {
  return (await app.get(`${path}/${id}`, { key })).body
}

async function sql<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
  return (await app.parts.pools.single<Row>({ name: '', text, values })).rows
}

const stepsOf = ({ steps }: { steps: Step[] }) => steps.map(({ name, status }) => `${name} ${status}`)

test('an order that the destination confirmed with its signature and whose payment was captured passes', async () => {
  const destination = await connect()
  const order = await provenOrder(destination)
  const queued = await start(destination, order)
  expect(queued).toMatchObject({
    object: 'integration_check',
    mode: 'test',
    kind: 'order',
    destination_id: destination.id,
    order_id: order.id,
    status: 'queued',
    stale: false,
    steps: [],
    evidence: null,
  })
  await deliverer.worker.runOnce('integration_checks')
  const check = await read(queued.id)
  expect(check).toMatchObject({ status: 'passed', stale: false, stale_reasons: [], failure: null })
  expect(stepsOf(check)).toEqual([
    'destination passed',
    'delivery passed',
    'response passed',
    'payment passed',
    'settings passed',
  ])
  expect(check.evidence).toMatchObject({
    order_id: order.id,
    http_status: 200,
    delivery_attempts: 1,
    responded_by: destination.id,
    payment_status: 'captured',
    amount: 2680,
    currency: 'EUR',
    destination: { endpoint_url: receiver.url, responds_to_quotes: false },
  })
  const events = await sql<{ type: string }>(
    'select type from events where aggregate_id = $1 order by sequence',
    [queued.id],
  )
  expect(events.map(({ type }) => type)).toEqual(['integration_check.queued', 'integration_check.passed'])
})

test('a check creates no order and moves no money', async () => {
  const destination = await connect()
  const order = await provenOrder(destination)
  const world = () =>
    sql(`select (select count(*) from orders) as orders, (select count(*) from effects) as effects,
      (select count(*) from purchase_intents) as purchases, (select max(seq) from orders) as changes`)
  const before = await world()
  expect((await finished(destination, order)).status).toBe('passed')
  expect(await world()).toEqual(before)
})

test('an order that an API key answered proves nothing', async () => {
  const destination = await connect()
  const order = await deliveredOrder()
  await app.post(`/v1/merchant/orders/${order.id}/responses`, confirmation(), { key })
  await settlePayment(app, order, 'captured')
  const check = await finished(destination, order)
  expect(check).toMatchObject({ status: 'failed', failure: { code: 'answered_with_api_key' } })
  expect(stepsOf(check)).toContain('response failed')
})

test('an order that another destination answered proves nothing about this one', async () => {
  const [destination, other] = [await connect(), await connect()]
  const order = await provenOrder(other)
  expect(await finished(destination, order)).toMatchObject({
    status: 'failed',
    failure: { code: 'answered_by_other_destination' },
  })
  expect((await finished(other, order)).status).toBe('passed')
})

test('a check waits for the answer and the capture, and passes when both have come', async () => {
  const destination = await connect()
  const order = await deliveredOrder()
  const told = toldOf(order, destination)
  const { id } = await start(destination, order)
  await deliverer.worker.runOnce('integration_checks')
  const waiting = await read(id)
  expect(waiting.status).toBe('running')
  expect(stepsOf(waiting)).toEqual([
    'destination passed',
    'delivery passed',
    'response running',
    'payment running',
    'settings passed',
  ])
  await answerSigned(app, told, destination.secret.secret, confirmation())
  await settlePayment(app, order, 'captured')
  await sql('update integration_checks set due_at = prokura_now() where id = $1', [id])
  await deliverer.worker.runOnce('integration_checks')
  expect(await read(id)).toMatchObject({ status: 'passed' })
})

test('what has not come after two minutes is a failure, with what to do', async () => {
  const destination = await connect()
  const order = await deliveredOrder()
  const { id, created_at, deadline_at } = await start(destination, order)
  expect(Date.parse(deadline_at) - Date.parse(created_at)).toBe(120_000)
  await sql('update integration_checks set deadline_at = prokura_now() where id = $1', [id])
  await deliverer.worker.runOnce('integration_checks')
  const check = await read(id)
  expect(check).toMatchObject({ status: 'failed', failure: { code: 'order_unanswered' } })
  expect(check.failure.fix).toContain('Service-Response-Url')
  expect(stepsOf(check).slice(2, 4)).toEqual(['response failed', 'payment failed'])
})

test('an order that was rejected or whose payment was voided fails', async () => {
  const destination = await connect()
  const order = await deliveredOrder()
  await answerSigned(app, toldOf(order, destination), destination.secret.secret, { outcome: 'rejected' })
  await settlePayment(app, order, 'voided')
  const check = await finished(destination, order)
  expect(check).toMatchObject({ status: 'failed', failure: { code: 'order_rejected' } })
  expect(stepsOf(check)).toContain('payment failed')
})

const changes: [string, (destination: Destination) => Promise<{ status: number }>][] = [
  [
    'endpoint_changed',
    ({ id }) =>
      app.post(
        `/v1/merchant/destinations/${id}`,
        { webhook: { endpoint_url: `${receiver.url}/v2` } },
        { key },
      ),
  ],
  [
    'secret_changed',
    ({ id }) => app.post(`/v1/merchant/destinations/${id}/rotate_secret`, undefined, { key }),
  ],
  [
    'event_types_changed',
    ({ id }) =>
      app.post(
        `/v1/merchant/destinations/${id}`,
        { event_types: ['order.requested', 'order.confirmed', 'order.rejected'] },
        { key },
      ),
  ],
  [
    'responder_changed',
    ({ id }) => app.post(`/v1/merchant/destinations/${id}`, { responds_to_quotes: true }, { key }),
  ],
  [
    'destination_archived',
    ({ id }) => app.post(`/v1/merchant/destinations/${id}/archive`, undefined, { key }),
  ],
]

test.each(changes)('evidence is stale after %s, and a new order proves anew', async (reason, change) => {
  const destination = await connect({
    event_types: [
      'order.requested',
      'order.confirmed',
      'order.rejected',
      'order.cancelled',
      'quote.requested',
    ],
  })
  const order = await provenOrder(destination)
  const { id } = await finished(destination, order)
  const rows = await sql('select xmin from integration_checks where id = $1', [id])
  const changed = await change(destination)
  expect(changed.status).toBe(200)
  expect(await read(id)).toMatchObject({ status: 'passed', stale: true, stale_reasons: [reason] })
  expect((await app.get(path, { key })).body.data[0]).toMatchObject({ id, stale: true })
  expect(await sql('select xmin from integration_checks where id = $1', [id])).toEqual(rows)
  if (reason === 'destination_archived') return
  expect(await finished(destination, order)).toMatchObject({
    status: 'failed',
    stale: false,
    failure: { code: 'settings_changed' },
  })
})

test('other changes of a destination leave evidence as it is', async () => {
  const destination = await connect()
  const { id } = await finished(destination, await provenOrder(destination))
  const at = `/v1/merchant/destinations/${destination.id}`
  await app.post(at, { name: 'Renamed', metadata: { team: 'shop' } }, { key })
  await app.post(`${at}/disable`, undefined, { key })
  await app.post(`${at}/enable`, undefined, { key })
  expect(await read(id)).toMatchObject({ status: 'passed', stale: false, stale_reasons: [] })
})

test('refuses live keys, what is not there, what belongs to others, and what could never be checked', async () => {
  const destination = await connect()
  const order = await deliveredOrder()
  const body = { kind: 'order', destination_id: destination.id, order_id: order.id }
  const live = await app.post(path, body, { key: seller.keys.secret_live })
  expect([live.status, live.body.detail.code]).toEqual([409, 'test_mode_required'])
  for (const [changed, param] of [
    [{ destination_id: 'dest_01jb2w9m4ye6xs3kq8t7v5c0zd' }, 'destination_id'],
    [{ order_id: 'ord_01jb2w9m4ye6xs3kq8t7v5c0zd' }, 'order_id'],
  ] as const) {
    const { status, body: answer } = await app.post(path, { ...body, ...changed }, { key })
    expect([status, answer.detail.code, answer.detail.param]).toEqual([404, 'not_found', param])
  }
  const stranger = await app.post(path, body)
  expect([stranger.status, stranger.body.detail.param]).toEqual([404, 'destination_id'])
  const foreign = await openShop(app, await app.newAccount('Other'))
  const theirs = await placeOrder(app, app.account, foreign)
  const notOurs = await app.post(path, { ...body, order_id: theirs.id }, { key })
  expect([notOurs.status, notOurs.body.detail.param]).toEqual([404, 'order_id'])
  const bare = await app.post(path, { kind: 'order', destination_id: destination.id }, { key })
  expect([bare.status, bare.body.detail[0]]).toMatchObject([
    422,
    { type: 'missing', loc: ['body', 'order_id'] },
  ])
  await app.post(`/v1/merchant/destinations/${destination.id}/disable`, undefined, { key })
  expect((await app.post(path, body, { key })).body.detail.code).toBe('destination_disabled')
  await app.post(`/v1/merchant/destinations/${destination.id}/archive`, undefined, { key })
  expect((await app.post(path, body, { key })).body.detail.code).toBe('destination_archived')
})

test('of a destination one check of a kind runs at a time', async () => {
  const destination = await connect()
  const order = await deliveredOrder()
  const body = { kind: 'order', destination_id: destination.id, order_id: order.id }
  const answers = await Promise.all(Array.from({ length: 8 }, () => app.post(path, body, { key })))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(new Set(answers.map(({ body }) => body.detail?.code))).toEqual(
    new Set([undefined, 'check_already_running']),
  )
})

test('an idempotency key starts one check, over both doors', async () => {
  const destination = await connect()
  const order = await deliveredOrder()
  const body = { kind: 'order', destination_id: destination.id, order_id: order.id }
  const given = { key, headers: { 'idempotency-key': 'check-1' } }
  const first = await app.post(path, body, given)
  const again = await app.post(path, body, given)
  expect(again.body).toEqual(first.body)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  const tool = await app.mcp('v1_create_integration_check', { ...body, idempotency_key: 'check-1' }, { key })
  expect(tool.body).toEqual(first.body)
  const shown = await app.mcp('v1_get_integration_check', { check_id: first.body.id }, { key })
  expect(shown.body).toEqual(await read(first.body.id))
})

test('a list is filtered by kind, state and destination, newest first', async () => {
  const [one, two] = [await connect(), await connect()]
  const order = await provenOrder(one)
  const passed = await finished(one, order)
  const failed = await finished(two, order)
  const list = async (query: string) => (await app.get(`${path}?${query}`, { key })).body
  const ids = async (query: string) => (await list(query)).data.map(({ id }: { id: string }) => id)
  expect(await ids('')).toEqual([failed.id, passed.id])
  expect(await ids('status=passed')).toEqual([passed.id])
  expect(await ids(`destination_id=${two.id}`)).toEqual([failed.id])
  expect(await ids('kind=quote')).toEqual([])
  expect(await list('limit=1')).toMatchObject({ total: 2, has_more: true, data: [{ id: failed.id }] })
  expect(await list(`destination_id=${one.id}`)).toMatchObject({ data: [await read(passed.id)] })
})

test('nobody else reads a check', async () => {
  const destination = await connect()
  const { id } = await start(destination, await deliveredOrder())
  for (const other of [app.account.keys.secret_test, seller.keys.secret_live]) {
    const { status, body } = await app.get(`${path}/${id}`, { key: other })
    expect([status, body.detail.code, body.detail.param]).toEqual([404, 'not_found', 'check_id'])
    expect((await app.get(path, { key: other })).body.data).toEqual([])
  }
})

describe('the invariants', () => {
  const broken = async () => {
    const all = [...integrationCheckInvariants, ...merchantInvariants]
    const { invariants } = await runInvariants(app.parts.pools, all)
    for (const { id, checked } of invariants)
      expect(Number(checked), `${id} looks at something`).toBeGreaterThan(0)
    return invariants.filter(({ violations }) => violations.length > 0).map(({ id }) => id)
  }
  let database: Client
  beforeAll(async () => {
    database = new Client({ connectionString: app.databaseUrl })
    await database.connect()
  })
  afterAll(() => database.end())

  test.each([
    [
      'S2-checks',
      'update integration_checks set seq = seq + 1',
      'update integration_checks set seq = seq - 1',
    ],
    [
      'E2-checks',
      "update orders set responded_by_type = 'api_key' where responded_by_type = 'destination'",
      "update orders set responded_by_type = 'destination' where responded_by_id like 'dest_%'",
    ],
    [
      'W2-checks',
      "update integration_checks set deadline_at = now() - interval '61 seconds' where due_at is not null",
      "update integration_checks set deadline_at = now() + interval '1 hour' where due_at is not null",
    ],
    [
      'W2-domains',
      "update domain_verifications set due_at = now() - interval '61 seconds'",
      'update domain_verifications set due_at = now()',
    ],
  ])('%s notices when it is broken', async (id, damage, repair) => {
    const proving = await connect()
    await finished(proving, await provenOrder(proving))
    await start(proving, await placeOrder(app, app.account, shop))
    await database.query(
      `insert into domain_verifications (account_id, mode, id, domain, token, status, asked, due_at, created_at, updated_at)
       values ($1, 'test', $2, 'shop.example', 'token', 'pending', 1, now(), now(), now())`,
      [seller.accountId, app.parts.newId('chk', Date.now())],
    )
    expect(await broken()).toEqual([])
    await database.query(damage)
    expect(await broken()).toEqual([id])
    await database.query(repair)
  })
})
