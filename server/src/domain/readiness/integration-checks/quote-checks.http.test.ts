import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { TestApp } from '../../../../test/harness/app.ts'
import {
  type Deliverer,
  type Delivering,
  type Receiver,
  startDelivering,
} from '../../../../test/harness/deliveries.ts'
import {
  accepted,
  answering,
  declined,
  openQuotingShop,
  type QuotingShop,
  readAsked,
} from '../../../../test/harness/quotes.ts'
import { path } from './order-checks.testing.ts'
import { checkWork } from './work.ts'

let app: TestApp
let deliverer: Deliverer
let receiver: Receiver
let delivering: Delivering
let shop: QuotingShop
beforeAll(async () => {
  delivering = await startDelivering({}, [checkWork])
  ;({ app, deliverer, receiver } = delivering)
})
beforeEach(async () => {
  shop = await openQuotingShop(app, receiver)
  receiver.received.splice(0)
})
afterAll(() => delivering.stop())

function start(request: Record<string, unknown> = { catalog_item_id: shop.itemId }) {
  const body = { kind: 'quote', destination_id: shop.destination.id, quote_request: request }
  return app.post(path, body, { key: shop.key })
}

async function read(id: string) {
  return (await app.get(`${path}/${id}`, { key: shop.key })).body
}

/** Works on until the check has ended, as if each wait were over at once. */
async function ended(id: string) {
  await expect
    .poll(
      async () => {
        await app.sql(
          'update integration_checks set due_at = prokura_now() where id = $1 and due_at is not null',
          [id],
        )
        await deliverer.worker.runOnce()
        return (await read(id)).status
      },
      { interval: 20 },
    )
    .toMatch(/passed|failed/)
  return read(id)
}

test('a price that the responder signed in time passes, and neither order nor payment comes of it', async () => {
  const how = answering(app, () => shop)
  receiver.answer(how)
  const things = () =>
    app.sql(
      'select (select count(*) from orders) as orders, (select count(*) from purchase_intents) as purchases, (select count(*) from effects) as effects',
    )
  const before = await things()
  const { status, body } = await start()
  expect([status, body.status, body.quote_id]).toEqual([201, 'queued', null])
  const check = await ended(body.id)
  expect(check).toMatchObject({ status: 'passed', stale: false, failure: null, order_id: null })
  expect(check.steps.map(({ name, status }: { name: string; status: string }) => [name, status])).toEqual(
    ['destination', 'quote', 'delivery', 'response', 'offer', 'settings'].map((name) => [name, 'passed']),
  )
  expect(check.evidence).toMatchObject({
    quote_id: check.quote_id,
    delivery_attempts: 1,
    http_status: 200,
    responded_by: shop.destination.id,
    amount: 1234,
    currency: 'EUR',
    destination: { responds_to_quotes: true, endpoint_url: receiver.url },
  })
  expect(await things()).toEqual(before)
  const quote = await app.get(`/v1/quotes/${check.quote_id}`, { key: shop.key })
  expect(quote.body).toMatchObject({ status: 'quoted', offers: [{ id: check.evidence.offer_id }] })
})

test('every check sends its own request, and sends it once', async () => {
  receiver.answer(answering(app, () => shop))
  const first = await ended((await start()).body.id)
  const second = await ended((await start()).body.id)
  expect(second.quote_id).not.toBe(first.quote_id)
  expect(receiver.received.map((one) => readAsked(one).quoteId)).toEqual([first.quote_id, second.quote_id])
})

test('a check that was cut short after it had asked is finished by another worker, and the merchant is asked once', async () => {
  receiver.answer(answering(app, () => shop))
  const paused = deliverer.faults.pause('step.commit.after')
  const { body } = await start()
  const first = deliverer.worker.runOnce('integration_checks')
  await paused.reached
  // The lease ended with the step's write; the process could die here and nobody would miss it.
  const other = deliverer.secondWorker()
  await expect
    .poll(
      async () => {
        await app.sql(
          'update integration_checks set due_at = prokura_now() where id = $1 and due_at is not null',
          [body.id],
        )
        await other.runOnce()
        return (await read(body.id)).status
      },
      { interval: 20 },
    )
    .toBe('passed')
  paused.resume()
  await first
  expect(receiver.received).toHaveLength(1)
})

test('a check that was cut short before it had asked leaves no quote behind', async () => {
  const { body } = await start()
  const paused = deliverer.faults.pause('step.commit.before')
  const first = deliverer.worker.runOnce('integration_checks')
  await paused.reached
  expect(await app.sql('select 1 from quotes where account_id = $1', [shop.seller.accountId])).toEqual([])
  paused.resume()
  await first
  expect(await app.sql('select 1 from quotes where account_id = $1', [shop.seller.accountId])).toHaveLength(1)
  expect((await read(body.id)).status).toBe('running')
})

test('a declined quote, a refusal of the endpoint and an answer with a key each fail for their reason', async () => {
  receiver.answer(
    answering(
      app,
      () => shop,
      (asked) => declined(asked),
    ),
  )
  expect(await ended((await start()).body.id)).toMatchObject({ failure: { code: 'quote_declined' } })
  receiver.answer((response) => void response.writeHead(400).end())
  expect(await ended((await start()).body.id)).toMatchObject({ failure: { code: 'not_acknowledged' } })
  receiver.answer((response, received) => {
    response.end('ok')
    const asked = readAsked(received)
    void app.post(
      `/v1/merchant/quotes/${asked.quoteId}/responses`,
      {
        outcome: 'quoted',
        offers: [{ total_amount: 1234, currency: 'EUR', expires_at: accepted(asked).expires_at }],
      },
      { key: shop.key },
    )
  })
  expect(await ended((await start()).body.id)).toMatchObject({ failure: { code: 'answered_with_api_key' } })
})

test('silence fails when ten seconds are over', async () => {
  receiver.answer((response) => void response.end('ok'))
  const { body } = await start()
  await deliverer.worker.runOnce()
  const waiting = await read(body.id)
  expect(waiting.status).toBe('running')
  const [quote] = await app.sql<{ deadline_at: Date; requested_at: Date }>(
    'select requested_at, deadline_at from quotes where id = $1',
    [waiting.quote_id],
  )
  expect(Date.parse(waiting.deadline_at)).toBe(quote?.deadline_at.getTime())
  await app.sql('update integration_checks set deadline_at = prokura_now() where id = $1', [body.id])
  expect(await ended(body.id)).toMatchObject({ status: 'failed', failure: { code: 'no_answer_in_time' } })
})

test('a destination that is not the responder gets no request', async () => {
  await app.post(
    `/v1/merchant/destinations/${shop.destination.id}`,
    { responds_to_quotes: false },
    { key: shop.key },
  )
  const check = await ended((await start()).body.id)
  expect(check).toMatchObject({
    status: 'failed',
    quote_id: null,
    failure: { code: 'destination_cannot_respond' },
  })
  expect(receiver.received).toEqual([])
})

test('a passed check is stale once another destination is the responder', async () => {
  receiver.answer(answering(app, () => shop))
  const { id } = await ended((await start()).body.id)
  await app.post(
    `/v1/merchant/destinations/${shop.destination.id}`,
    { responds_to_quotes: false },
    { key: shop.key },
  )
  expect(await read(id)).toMatchObject({
    status: 'passed',
    stale: true,
    stale_reasons: ['responder_changed'],
  })
})

test('refuses a request that no buyer could send, names another merchant, or belongs to the other kind', async () => {
  const other = await openQuotingShop(app, receiver)
  for (const [request, loc] of [
    [{}, ['body', 'quote_request']],
    [{ catalog_item_id: shop.itemId, merchant_slug: shop.slug }, ['body', 'quote_request']],
    [{ catalog_item_id: other.itemId }, ['body', 'quote_request']],
    [{ merchant_slug: other.slug }, ['body', 'quote_request']],
    [{ merchant_slug: shop.slug, quantity: 0 }, ['body', 'quote_request', 'quantity']],
  ] as const) {
    const { status, body } = await start(request)
    expect([status, body.detail[0].loc]).toEqual([422, loc])
  }
  const unknown = await start({ catalog_item_id: 'cat_01jb2w9m4ye6xs3kq8t7v5c0zd' })
  expect([unknown.status, unknown.body.detail.code, unknown.body.detail.param]).toEqual([
    404,
    'not_found',
    'catalog_item_id',
  ])
  const mixed = await app.post(
    path,
    { kind: 'quote', destination_id: shop.destination.id, order_id: 'ord_01jb2w9m4ye6xs3kq8t7v5c0zd' },
    { key: shop.key },
  )
  expect(mixed.status).toBe(422)
  expect(mixed.body.detail.map(({ loc }: { loc: string[] }) => loc[1]).sort()).toEqual([
    'order_id',
    'quote_request',
  ])
})
