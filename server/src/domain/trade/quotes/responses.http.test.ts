import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import {
  type Deliverer,
  newDestination,
  type Receiver,
  startDeliverer,
  startReceiver,
} from '../../../../test/harness/deliveries.ts'
import {
  type Asked,
  accepted,
  answerSigned,
  askQuote,
  declined,
  inAnHour,
  openQuotingShop,
  type QuotingShop,
  readAsked,
} from '../../../../test/harness/quotes.ts'

let app: TestApp
let deliverer: Deliverer
let receiver: Receiver
let shop: QuotingShop
let booking: QuotingShop
const requests: Asked[] = []
beforeAll(async () => {
  app = await startTestApp()
  deliverer = startDeliverer(app)
  deliverer.worker.start()
  receiver = await startReceiver()
  receiver.answer((response, received) => {
    response.end('ok')
    requests.push(readAsked(received))
  })
  shop = await openQuotingShop(app, receiver)
  booking = await openQuotingShop(app, receiver, { item: { item_type: 'booking' } })
})
afterAll(async () => {
  // Nobody answered some of the requests.
  await Promise.all(waiting)
  await deliverer.stop()
  await receiver.stop()
  await app.stop()
})

const waiting: Promise<unknown>[] = []

/** A request that waits for its answer. */
async function pending(of = shop): Promise<Asked> {
  const before = requests.length
  const asking = askQuote(app, { catalog_item_id: of.itemId })
  waiting.push(asking)
  while (requests.length === before) await new Promise((resolve) => setImmediate(resolve))
  const asked = requests.at(-1)
  if (!asked) throw new Error('nobody was asked')
  return asked
}

/** So that nobody waits for the rest of ten seconds. */
const giveUp = (asked: Asked) => app.post(`/v1/quotes/${asked.quoteId}/cancel`)
const read = async (asked: Asked) => (await app.get(`/v1/quotes/${asked.quoteId}`)).body

test('an answer is acknowledged, and its exact bytes again are a duplicate, signed afresh', async () => {
  const asked = await pending()
  const body = JSON.stringify(accepted(asked))
  const first = await answerSigned(app, shop.destination, asked, body, { ageSeconds: 30 })
  expect([first.status, first.body]).toEqual([
    200,
    { event_id: asked.eventId, event_type: 'quote.requested', target_id: asked.quoteId, duplicate: false },
  ])
  const again = await answerSigned(app, shop.destination, asked, body)
  expect([again.status, again.body]).toEqual([200, { ...first.body, duplicate: true }])
  const other = await answerSigned(app, shop.destination, asked, declined(asked))
  expect([other.status, other.body.detail.code]).toEqual([409, 'response_conflict'])
  expect((await read(asked)).status).toBe('quoted')
})

test('the quote and the delivery remember who answered', async () => {
  const asked = await pending()
  await answerSigned(app, shop.destination, asked, accepted(asked))
  const [row] = await app.parts.pools.read({
    name: '',
    text: `select q.responded_by_type, q.responded_by_id, q.destination_id, v.response_accepted, e.actor_type, e.actor_id
           from quotes q
           join deliveries v on v.event_id = q.requested_event_id
           join events e on e.aggregate_id = q.id and e.type = 'quote.quoted' where q.id = $1`,
    values: [asked.quoteId],
  })
  const { id } = shop.destination
  expect(row).toEqual({
    responded_by_type: 'destination',
    responded_by_id: id,
    destination_id: id,
    response_accepted: true,
    actor_type: 'destination',
    actor_id: id,
  })
})

test('a retry of an answer that has ended, or of a round before, is still a duplicate', async () => {
  const asked = await pending()
  const body = JSON.stringify(accepted(asked))
  await answerSigned(app, shop.destination, asked, body)
  const refreshing = app.post(`/v1/quotes/${asked.quoteId}/refresh`)
  const count = requests.length
  while (requests.length === count) await new Promise((resolve) => setImmediate(resolve))
  const again = requests.at(-1)
  if (!again) throw new Error('nobody was asked again')
  const late = await answerSigned(app, shop.destination, asked, body)
  expect([late.status, late.body.duplicate]).toEqual([200, true])
  const changed = await answerSigned(app, shop.destination, asked, declined(asked))
  expect([changed.status, changed.body.detail.code]).toEqual([409, 'response_conflict'])
  expect((await read(asked)).status).toBe('pending')
  await answerSigned(app, shop.destination, again, declined(again))
  expect((await refreshing).body.status).toBe('declined')
})

test('after a refresh, an unanswered earlier request takes no answer any more', async () => {
  const asked = await pending()
  await app.parts.pools.single({
    name: '',
    text: `update quotes set status = 'failed', failure = 'no_answer', due_at = null where id = $1`,
    values: [asked.quoteId],
  })
  const failed = await answerSigned(app, shop.destination, asked, accepted(asked))
  expect([failed.status, failed.body.detail.code]).toEqual([409, 'quote_expired'])
  const refreshing = app.post(`/v1/quotes/${asked.quoteId}/refresh`)
  const count = requests.length
  while (requests.length === count) await new Promise((resolve) => setImmediate(resolve))
  const old = await answerSigned(app, shop.destination, asked, accepted(asked))
  expect([old.status, old.body.detail.code]).toEqual([409, 'quote_expired'])
  await giveUp(asked)
  await refreshing
})

const signed: [string, object | ((asked: Asked) => object), (string | number)[], string][] = [
  ['nothing', {}, ['decision'], 'missing'],
  ['another event', { event_id: 'evt_01jb2w9m4ye6xs3kq8t7v5c0zd' }, ['event_id'], 'value_error'],
  ['another quote', { quote_id: 'quo_01jb2w9m4ye6xs3kq8t7v5c0zd' }, ['quote_id'], 'value_error'],
  ['another type', { event_type: 'order.requested' }, ['event_type'], 'literal_error'],
  ['no event', { event_id: undefined }, ['event_id'], 'missing'],
  ['no quote', { quote_id: undefined }, ['quote_id'], 'missing'],
  ['no price', { quoted_amount_cents: undefined }, ['quoted_amount_cents'], 'missing'],
  ['a price below zero', { quoted_amount_cents: -1 }, ['quoted_amount_cents'], 'greater_than_equal'],
  ['no currency', { currency: undefined }, ['currency'], 'missing'],
  ['another currency', { currency: 'USD' }, ['currency'], 'value_error'],
  ['no expiry', { expires_at: undefined }, ['expires_at'], 'missing'],
  ['no quantity', { available_quantity: undefined }, ['available_quantity'], 'missing'],
  ['a quantity of null', { available_quantity: null }, ['available_quantity'], 'int_type'],
  ['an expiry that has passed', { expires_at: '2020-01-01T00:00:00Z' }, ['expires_at'], 'value_error'],
  ['both forms', { outcome: 'quoted' }, ['outcome'], 'extra_forbidden'],
  ['an unknown field', { discount: 1 }, ['discount'], 'extra_forbidden'],
  [
    'a declined price',
    { decision: 'declined', expires_at: null, currency: null, available_quantity: null },
    ['quoted_amount_cents'],
    'extra_forbidden',
  ],
  [
    'a declined expiry',
    { decision: 'declined', quoted_amount_cents: null, currency: null, available_quantity: null },
    ['expires_at'],
    'extra_forbidden',
  ],
  [
    'a declined quantity',
    { decision: 'declined', quoted_amount_cents: null, currency: null, expires_at: null },
    ['available_quantity'],
    'extra_forbidden',
  ],
  [
    'a declined booking',
    {
      decision: 'declined',
      quoted_amount_cents: null,
      currency: null,
      expires_at: null,
      available_quantity: null,
      booking_snapshot: {},
    },
    ['booking_snapshot'],
    'extra_forbidden',
  ],
]

test('each wrong answer is refused with the place of its fault, and ends no wait', async () => {
  const asked = await pending()
  for (const [name, changes, loc, type] of signed) {
    const body = name === 'nothing' ? {} : { ...accepted(asked), ...changes }
    const answer = await answerSigned(app, shop.destination, asked, body)
    const [issue] = answer.body.detail
    expect([name, answer.status, issue.loc, issue.type]).toEqual([name, 422, ['body', ...loc], type])
  }
  const quote = await read(asked)
  expect([quote.status, quote.responder.responded_at]).toEqual(['pending', null])
  await giveUp(asked)
})

test("a signature comes with decision and a key with outcome: neither is taken in the other's form", async () => {
  const asked = await pending()
  const offers = [{ total_amount: 1, expires_at: inAnHour() }]
  const forms = { signed: accepted(asked), keyed: { outcome: 'quoted', offers } }
  const signed = await answerSigned(app, shop.destination, asked, forms.keyed)
  expect([signed.status, signed.body.detail[0]]).toMatchObject([
    422,
    { type: 'missing', loc: ['body', 'decision'] },
  ])
  const keyed = await answerByKey(asked, forms.signed)
  expect(keyed.status).toBe(422)
  expect(keyed.body.detail).toContainEqual({
    type: 'missing',
    loc: ['body', 'outcome'],
    msg: 'Field required',
  })
  expect(keyed.body.detail).toContainEqual(
    expect.objectContaining({ type: 'extra_forbidden', loc: ['body', 'decision'] }),
  )
  expect((await read(asked)).status).toBe('pending')
  await giveUp(asked)
})

test('null in what a signed decline does not have is as good as leaving it out', async () => {
  const asked = await pending()
  const nulls = {
    message: null,
    quoted_amount_cents: null,
    currency: null,
    expires_at: null,
    booking_snapshot: null,
  }
  const answer = await answerSigned(app, shop.destination, asked, { ...declined(asked), ...nulls })
  expect(answer.status).toBe(200)
  expect((await read(asked)).status).toBe('declined')
})

test('a quote of a booking has the booked details', async () => {
  const asked = await pending(booking)
  const bare = await answerSigned(app, booking.destination, asked, accepted(asked))
  expect([bare.status, bare.body.detail[0].loc]).toEqual([422, ['body', 'booking_snapshot']])
  const snapshot = { room: '12', nights: 2, guests: [{ name: 'Ada' }] }
  await answerSigned(app, booking.destination, asked, accepted(asked, { booking_snapshot: snapshot }))
  expect((await read(asked)).offers[0].booking_snapshot).toEqual(snapshot)
})

test('a wrong, late or foreign signature is refused before the body is read', async () => {
  const asked = await pending()
  const stranger = await openQuotingShop(app, receiver)
  const told = await newDestination(app, receiver.url, { name: 'Other' }, shop.key)
  const other = { id: told.id, secret: told.secret.secret }
  const refusals: [string, Promise<{ status: number; body: { detail: { code: string } } }>][] = [
    ['signature', answerSigned(app, { ...shop.destination, secret: other.secret }, asked, '{')],
    ['bytes', answerSigned(app, shop.destination, asked, accepted(asked), { signed: '{}' })],
    ['age', answerSigned(app, shop.destination, asked, '{}', { ageSeconds: 61 })],
    ['future', answerSigned(app, shop.destination, asked, '{}', { ageSeconds: -62 })],
    ['another destination', answerSigned(app, other, asked, '{}')],
    ['another merchant', answerSigned(app, stranger.destination, asked, '{}')],
    [
      'type',
      answerSigned(app, shop.destination, asked, '{}', {
        headers: { 'service-webhook-event': 'order.requested' },
      }),
    ],
    [
      'no signature',
      answerSigned(app, shop.destination, asked, '{}', { headers: { 'service-response-signature': '' } }),
    ],
    [
      'another target',
      answerSigned(app, shop.destination, asked, '{}', {
        path: '/v1/merchant/quotes/quo_01jb2w9m4ye6xs3kq8t7v5c0zd/responses',
      }),
    ],
  ]
  for (const [name, refusal] of refusals) {
    const { status, body } = await refusal
    expect([name, status, body.detail.code]).toEqual([name, 401, 'signature_invalid'])
  }
  await app.post(`/v1/merchant/destinations/${shop.destination.id}`, { responds_to_quotes: false }, shop)
  const demoted = await answerSigned(app, shop.destination, asked, accepted(asked))
  expect([demoted.status, demoted.body.detail.code]).toEqual([403, 'response_not_authorized'])
  await app.post(`/v1/merchant/destinations/${shop.destination.id}`, { responds_to_quotes: true }, shop)
  await giveUp(asked)
})

const answerByKey = (asked: Asked, body: object, key = shop.key) =>
  app.post(`/v1/merchant/quotes/${asked.quoteId}/responses`, body, { key })

test('a merchant with an API key answers with offers', async () => {
  const asked = await pending()
  const offers = [
    { total_amount: 900, expires_at: inAnHour(), available_quantity: 1, message: 'Slow' },
    { total_amount: 1100, currency: 'eur', expires_at: '2040-01-01T00:00:00+02:00' },
  ]
  const { status, body } = await answerByKey(asked, { outcome: 'quoted', offers })
  expect([status, body.duplicate, body.event_id]).toEqual([200, false, asked.eventId])
  const quote = await read(asked)
  expect(quote.offers).toMatchObject([
    { total_amount: 900, currency: 'EUR', available_quantity: 1, message: 'Slow' },
    { total_amount: 1100, currency: 'EUR', available_quantity: null, message: null },
  ])
  // As long as the last of them.
  expect(quote.expires_at).toBe('2039-12-31T22:00:00.000Z')
  expect((await answerByKey(asked, { outcome: 'quoted', offers })).body.duplicate).toBe(true)
  expect((await answerByKey(asked, { outcome: 'declined' })).body.detail.code).toBe('response_conflict')
})

test('a merchant that needs to know more says what', async () => {
  const asked = await pending()
  const { status } = await answerByKey(asked, {
    event_id: asked.eventId,
    outcome: 'requires_input',
    required_inputs: [{ name: 'size', type: 'choice', choices: ['S', 'L'] }],
  })
  expect(status).toBe(200)
  const answer = (await waiting.at(-1)) as { status: number; body: { required_inputs: unknown } }
  expect([answer.status, answer.body.required_inputs]).toEqual([
    422,
    [{ name: 'size', type: 'choice', label: null, choices: ['S', 'L'] }],
  ])
})

test('members that do not belong to an outcome are refused', async () => {
  const asked = await pending()
  const offer = { total_amount: 1, expires_at: inAnHour() }
  for (const [body, ...loc] of [
    [{}, 'outcome'],
    [{ outcome: 'quoted' }, 'offers'],
    [{ outcome: 'quoted', offers: [] }, 'offers'],
    [
      { outcome: 'quoted', offers: [{ ...offer, expires_at: '2020-01-01T00:00:00Z' }] },
      'offers',
      0,
      'expires_at',
    ],
    [{ outcome: 'quoted', offers: [{ ...offer, currency: 'USD' }] }, 'offers', 0, 'currency'],
    [{ outcome: 'declined', offers: [offer] }, 'offers'],
    [{ outcome: 'declined', expires_at: inAnHour() }, 'expires_at'],
    [{ outcome: 'requires_input' }, 'required_inputs'],
    [
      { outcome: 'requires_input', required_inputs: [{ name: 'a', type: 'choice' }] },
      'required_inputs',
      0,
      'choices',
    ],
    [{ outcome: 'declined', event_id: 'evt_01jb2w9m4ye6xs3kq8t7v5c0zd' }, 'event_id'],
  ] as const) {
    const answer = await answerByKey(asked, body)
    expect([body, answer.status, answer.body.detail[0].loc]).toEqual([body, 422, ['body', ...loc]])
  }
  const buyer = await answerByKey(asked, { outcome: 'declined' }, app.account.keys.secret_test)
  expect([buyer.status, buyer.body.detail.code]).toEqual([404, 'not_found'])
  await giveUp(asked)
})

test('of many different answers at once one is taken', async () => {
  const asked = await pending()
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      index % 2 === 0
        ? answerSigned(app, shop.destination, asked, accepted(asked, { quoted_amount_cents: index }))
        : answerByKey(asked, {
            outcome: 'quoted',
            offers: [{ total_amount: index, expires_at: inAnHour() }],
          }),
    ),
  )
  const taken = answers
    .map(({ status }, index) => (status === 200 ? index : -1))
    .filter((index) => index >= 0)
  expect(taken).toHaveLength(1)
  expect(new Set(answers.filter(({ status }) => status !== 200).map(({ body }) => body.detail.code))).toEqual(
    new Set(['response_conflict']),
  )
  expect((await read(asked)).offers).toMatchObject([{ total_amount: taken[0] }])
})
