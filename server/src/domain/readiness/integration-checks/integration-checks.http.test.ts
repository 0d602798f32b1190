import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { answerSigned, settlePayment } from '../../../../test/harness/answers.ts'
import type { TestApp } from '../../../../test/harness/app.ts'
import {
  type Deliverer,
  type Delivering,
  type Receiver,
  startDelivering,
} from '../../../../test/harness/deliveries.ts'
import { openShop, placeOrder } from '../../../../test/harness/orders.ts'
import { confirmation, newOrderChecks, type OrderChecks, path } from './order-checks.testing.ts'
import { checkWork } from './work.ts'

let delivering: Delivering
let app: TestApp
let deliverer: Deliverer
let receiver: Receiver
let checks: OrderChecks
let key: string
beforeAll(async () => {
  delivering = await startDelivering({}, [checkWork])
  ;({ app, deliverer, receiver } = delivering)
})
beforeEach(async () => {
  checks = await newOrderChecks(delivering)
  key = checks.key
})
afterAll(() => delivering.stop())

type Step = { name: string; status: string }

const stepsOf = ({ steps }: { steps: Step[] }) => steps.map(({ name, status }) => `${name} ${status}`)

test('an order that the destination confirmed with its signature and whose payment was captured passes', async () => {
  const destination = await checks.connect()
  const order = await checks.provenOrder(destination)
  const queued = await checks.start(destination, order)
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
  const check = await checks.read(queued.id)
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
  const events = await app.sql<{ type: string }>(
    'select type from events where aggregate_id = $1 order by sequence',
    [queued.id],
  )
  expect(events.map(({ type }) => type)).toEqual(['integration_check.queued', 'integration_check.passed'])
})

test('a check creates no order and moves no money', async () => {
  const destination = await checks.connect()
  const order = await checks.provenOrder(destination)
  const world = () =>
    app.sql(`select (select count(*) from orders) as orders, (select count(*) from effects) as effects,
      (select count(*) from purchase_intents) as purchases, (select max(seq) from orders) as changes`)
  const before = await world()
  expect((await checks.finished(destination, order)).status).toBe('passed')
  expect(await world()).toEqual(before)
})

test('an order that an API key answered proves nothing', async () => {
  const destination = await checks.connect()
  const order = await checks.deliveredOrder()
  await app.post(`/v1/merchant/orders/${order.id}/responses`, confirmation(), { key })
  await settlePayment(app, order, 'captured')
  const check = await checks.finished(destination, order)
  expect(check).toMatchObject({ status: 'failed', failure: { code: 'answered_with_api_key' } })
  expect(stepsOf(check)).toContain('response failed')
})

test('an order that another destination answered proves nothing about this one', async () => {
  const [destination, other] = [await checks.connect(), await checks.connect()]
  const order = await checks.provenOrder(other)
  expect(await checks.finished(destination, order)).toMatchObject({
    status: 'failed',
    failure: { code: 'answered_by_other_destination' },
  })
  expect((await checks.finished(other, order)).status).toBe('passed')
})

test('a check waits for the answer and the capture, and passes when both have come', async () => {
  const destination = await checks.connect()
  const order = await checks.deliveredOrder()
  const told = checks.toldOf(order, destination)
  const { id } = await checks.start(destination, order)
  await deliverer.worker.runOnce('integration_checks')
  const waiting = await checks.read(id)
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
  await app.sql('update integration_checks set due_at = prokura_now() where id = $1', [id])
  await deliverer.worker.runOnce('integration_checks')
  expect(await checks.read(id)).toMatchObject({ status: 'passed' })
})

test('an answer that has not come after two minutes is a failure, which says what to do', async () => {
  const destination = await checks.connect()
  const order = await checks.deliveredOrder()
  const { id, created_at, deadline_at } = await checks.start(destination, order)
  expect(Date.parse(deadline_at) - Date.parse(created_at)).toBe(120_000)
  await app.sql('update integration_checks set deadline_at = prokura_now() where id = $1', [id])
  await deliverer.worker.runOnce('integration_checks')
  const check = await checks.read(id)
  expect(check).toMatchObject({ status: 'failed', failure: { code: 'order_unanswered' } })
  expect(check.failure.fix).toContain('Service-Response-Url')
  expect(stepsOf(check).slice(2, 4)).toEqual(['response failed', 'payment failed'])
})

test('an order that was rejected or whose payment was voided fails', async () => {
  const destination = await checks.connect()
  const order = await checks.deliveredOrder()
  await answerSigned(app, checks.toldOf(order, destination), destination.secret.secret, {
    outcome: 'rejected',
  })
  await settlePayment(app, order, 'voided')
  const check = await checks.finished(destination, order)
  expect(check).toMatchObject({ status: 'failed', failure: { code: 'order_rejected' } })
  expect(stepsOf(check)).toContain('payment failed')
})

test('refuses live keys, unknown objects, those of others, and destinations that can never be checked', async () => {
  const destination = await checks.connect()
  const order = await checks.deliveredOrder()
  const body = { kind: 'order', destination_id: destination.id, order_id: order.id }
  const live = await app.post(path, body, { key: checks.seller.keys.secret_live })
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
  const destination = await checks.connect()
  const order = await checks.deliveredOrder()
  const body = { kind: 'order', destination_id: destination.id, order_id: order.id }
  const answers = await Promise.all(Array.from({ length: 8 }, () => app.post(path, body, { key })))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
  expect(new Set(answers.map(({ body }) => body.detail?.code))).toEqual(
    new Set([undefined, 'check_already_running']),
  )
})

test('an idempotency key starts one check, over REST and MCP', async () => {
  const destination = await checks.connect()
  const order = await checks.deliveredOrder()
  const body = { kind: 'order', destination_id: destination.id, order_id: order.id }
  const given = { key, headers: { 'idempotency-key': 'check-1' } }
  const first = await app.post(path, body, given)
  const again = await app.post(path, body, given)
  expect(again.body).toEqual(first.body)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  const tool = await app.mcp('v1_create_integration_check', { ...body, idempotency_key: 'check-1' }, { key })
  expect(tool.body).toEqual(first.body)
  const shown = await app.mcp('v1_get_integration_check', { check_id: first.body.id }, { key })
  expect(shown.body).toEqual(await checks.read(first.body.id))
})

test('a list is filtered by kind, state and destination, newest first', async () => {
  const [one, two] = [await checks.connect(), await checks.connect()]
  const order = await checks.provenOrder(one)
  const passed = await checks.finished(one, order)
  const failed = await checks.finished(two, order)
  const list = async (query: string) => (await app.get(`${path}?${query}`, { key })).body
  const ids = async (query: string) => (await list(query)).data.map(({ id }: { id: string }) => id)
  expect(await ids('')).toEqual([failed.id, passed.id])
  expect(await ids('status=passed')).toEqual([passed.id])
  expect(await ids(`destination_id=${two.id}`)).toEqual([failed.id])
  expect(await ids('kind=quote')).toEqual([])
  expect(await list('limit=1')).toMatchObject({ total: 2, has_more: true, data: [{ id: failed.id }] })
  expect(await list(`destination_id=${one.id}`)).toMatchObject({ data: [await checks.read(passed.id)] })
})

test('only the account of a check can read it', async () => {
  const destination = await checks.connect()
  const { id } = await checks.start(destination, await checks.deliveredOrder())
  for (const other of [app.account.keys.secret_test, checks.seller.keys.secret_live]) {
    const { status, body } = await app.get(`${path}/${id}`, { key: other })
    expect([status, body.detail.code, body.detail.param]).toEqual([404, 'not_found', 'check_id'])
    expect((await app.get(path, { key: other })).body.data).toEqual([])
  }
})
