import { afterAll, beforeAll, expect, test } from 'vitest'
import { advanceTestClock, installTestClock } from '../../src/platform/clock/test-clock.ts'
import type { TestAccount } from '../harness/app.ts'
import { type Buyer, type Buying, type Purchase, startBuying } from '../harness/buying.ts'
import { answerOrder, type NativeShop, openNativeShop } from '../harness/native-shops.ts'

/** What a merchant must know before it sells: asked for, given, and told to it with the order. */
let buying: Buying
let buyer: Buyer
let shop: NativeShop
let agentKey: string
let booking: string

beforeAll(async () => {
  buying = await startBuying({ testClock: true })
  await installTestClock(buying.app.databaseUrl)
  buyer = await buying.newBuyer()
  shop = await openNativeShop(buying)
  agentKey = (await buying.app.newKey(buyer.account, 'test', 'buyer_agent')).token
  booking = await sell('booking', [{ name: 'start_date', type: 'date' }])
})
afterAll(async () => {
  await buying?.audit()
  await buying?.stop()
})

async function sell(path: string, required_inputs: object[], item_type = 'booking'): Promise<string> {
  const key = shop.seller.keys.secret_test
  const url = `https://${shop.domain}/${path}`
  const item = {
    title: 'Kayak tour',
    url,
    item_type,
    required_inputs,
    variants: [{ sku: path, price: 1000 }],
  }
  const made = await buying.app.post('/v1/merchant/catalog_items', item, { key })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  await buying.app.post(`/v1/merchant/catalog_items/${made.body.id}/publish`, undefined, { key })
  return url
}

const digital = { preferences: { fulfillment: { method: 'digital' } } }
const isAsked = ({ next_action }: Purchase) => next_action !== null
type Action = { cart_id: string; fields: { name: string; kind: string }[]; expires_at: string }

async function asked(
  url: string,
  more: object = {},
): Promise<{ id: string; action: Action; intent: Purchase }> {
  const { id } = await buying.buy(buyer, [{ url, ...more }], digital)
  const intent = await buying.until(buyer, id, isAsked)
  return { id, intent, action: intent.next_action as Action }
}

function tell(id: string, body: object, key = buyer.key, headers: Record<string, string> = {}) {
  return buying.app.post(`/v1/purchase_intents/${id}/input`, body, { key, headers })
}

const told = ({ status, body }: { status: number; body: { detail?: { code?: string } } }) =>
  status < 300 ? String(status) : `${status} ${body.detail?.code ?? JSON.stringify(body.detail)}`

async function orderOf(id: string) {
  const { carts } = await buying.until(buyer, id, (intent) => typeof intent.carts[0]?.order === 'string')
  const order = String(carts[0]?.order)
  return { order, body: (await buying.app.get(`/v1/orders/${order}`, { key: buyer.key })).body }
}

test('a purchase asks for what its merchant must know before anything is held, and tells it with the order', async () => {
  const { id, intent, action } = await asked(booking)
  expect(intent).toMatchObject({ status: 'approved', carts: [{ status: 'in_progress', offer: null }] })
  expect(intent.summary).toBe(
    `Nothing of at most $14.70 is bought yet. ${shop.domain} must know more before it sells: somebody must answer what it asks.`,
  )
  expect(action).toMatchObject({
    type: 'provide_input',
    cart_id: intent.carts[0]?.id,
    fields: [{ name: 'start_date', label: 'Start date', kind: 'date', host: shop.domain }],
  })
  expect(await buying.moneyOf(id)).toEqual([])
  const answered = await tell(id, { cart_id: action.cart_id, values: { start_date: '2027-03-01' } }, agentKey)
  expect(answered.body).toMatchObject({
    next_action: null,
    items: [{ inputs: { start_date: '2027-03-01' } }],
  })
  const { order, body } = await orderOf(id)
  expect(body.line_items).toMatchObject([{ title: 'Kayak tour', inputs: { start_date: '2027-03-01' } }])
  const [requested] = await buying.sql<{ envelope: string }>(
    `select envelope from events where aggregate_id = $1 and type = 'order.requested'`,
    [order],
  )
  expect(JSON.parse(requested?.envelope ?? '{}').data.order.line_items[0].inputs).toEqual({
    start_date: '2027-03-01',
  })
  await answerOrder(buying, shop, order, 'confirmed')
  expect(await buying.ended(buyer, id)).toMatchObject({ status: 'succeeded', actual_amount: 1000 })
  const types = await buying.eventTypes(buyer, id)
  expect(types.slice(3, 9)).toEqual([
    'purchase_intent.started',
    'cart.created',
    'cart.started',
    'cart.input_required',
    'cart.input_given',
    'cart.offer_updated',
  ])
})

test('what is given with the purchase is not asked for, and a wrong value of it is', async () => {
  const whole = await buying.buy(buyer, [{ url: booking, inputs: { start_date: '2027-03-02' } }], digital)
  expect((await orderOf(whole.id)).body.line_items[0].inputs).toEqual({ start_date: '2027-03-02' })
  const { id, action } = await asked(booking, { inputs: { start_date: 'tomorrow' } })
  expect(action.fields).toMatchObject([{ name: 'start_date' }])
  for (const one of [whole.id, id]) await buying.app.post(`/v1/purchase_intents/${one}/cancel`, {}, buyer)
  const quoted = { url: booking, quantity: 1, quote_id: 'quo_00000000000000000000000000', inputs: {} }
  const refused = await buying.app.post(
    '/v1/purchase_intents',
    { profile_id: buyer.profileId, items: [quoted] },
    buyer,
  )
  expect([refused.status, JSON.stringify(refused.body)]).toEqual([422, expect.stringContaining('inputs')])
})

test('every kind of input has its field, and a value that does not fit is named', async () => {
  const url = await sell('all-kinds', [
    { name: 'note', label: 'A note' },
    { name: 'people', type: 'integer', label: 'How many' },
    { name: 'lunch', type: 'boolean' },
    { name: 'day', type: 'date' },
    { name: 'size', type: 'choice', choices: ['S', 'M'] },
  ])
  const { id, action } = await asked(url)
  expect(action.fields.map(({ name, kind }) => `${name} ${kind}`)).toEqual([
    'note text',
    'people number',
    'lunch choice',
    'day date',
    'size choice',
  ])
  const good = { note: 'Window', people: 2, lunch: 'no', day: '2027-02-28', size: 'M' }
  const wrongOf = async (values: object) => {
    const { status, body } = await tell(id, { cart_id: action.cart_id, values })
    expect(status).toBe(422)
    return body.detail.map(({ type, loc }: { type: string; loc: string[] }) => `${type} ${loc.join('.')}`)
  }
  expect(await wrongOf({ ...good, note: ' ', lunch: true, day: '2027-02-30', size: 'XL' })).toEqual([
    'value_error body.values.note',
    'value_error body.values.lunch',
    'value_error body.values.day',
    'value_error body.values.size',
  ])
  const { note: _, ...rest } = good
  expect(await wrongOf({ ...rest, more: 'x' })).toEqual([
    'missing body.values.note',
    'extra_forbidden body.values.more',
  ])
  expect(await wrongOf({ ...good, note: 'It is 4242 4242 4242 4242' })).toHaveLength(1)
  const kept = await tell(id, { cart_id: action.cart_id, values: good, keep: true })
  expect([kept.status, kept.body.detail[0].loc]).toEqual([422, ['body', 'keep']])
  expect(told(await tell(id, { cart_id: action.cart_id, values: good }))).toBe('200')
  expect((await orderOf(id)).body.line_items[0].inputs).toEqual({ ...good, lunch: false })
  await buying.app.post(`/v1/purchase_intents/${id}/cancel`, {}, buyer)
})

test('an agent answers choices and dates that are about no person or place, by each surface, and nothing else', async () => {
  const cases: [object, unknown, boolean][] = [
    [{ name: 'day', type: 'date' }, '2027-03-01', true],
    [{ name: 'lunch', type: 'boolean' }, 'yes', true],
    [{ name: 'note' }, 'Hello', false],
    [{ name: 'people', type: 'integer' }, 2, false],
    [{ name: 'birth_date', type: 'date' }, '1990-01-01', false],
    [{ name: 'day', type: 'date', label: 'Geburtsdatum' }, '1990-01-01', false],
    [{ name: 'where', type: 'choice', label: 'Pickup location', choices: ['A', 'B'] }, 'A', false],
    [{ name: 'choice_1', type: 'choice', label: 'Gender', choices: ['f', 'm'] }, 'f', false],
  ]
  for (const [index, [input, value, may]] of cases.entries()) {
    const url = await sell(`agent-${index}`, [input])
    const { id, action } = await asked(url)
    const [{ name } = { name: '' }] = action.fields
    const args = { cart_id: action.cart_id, values: { [name]: value } }
    const tool = await buying.app.mcp(
      'v1_answer_purchase_intent_input',
      { purchase_intent_id: id, ...args, keep: true },
      { key: agentKey },
    )
    expect([name, tool.status, tool.body.detail.code]).toEqual([name, 403, 'insufficient_scope'])
    const by = await tell(id, args, agentKey)
    expect([name, told(by)]).toEqual([name, may ? '200' : '403 insufficient_scope'])
    if (!may) expect(by.body.detail.param).toBe(`values.${name}`)
    if (!may) expect(told(await tell(id, args))).toBe('200')
    await buying.app.post(`/v1/purchase_intents/${id}/cancel`, {}, buyer)
  }
})

test('who may not answer, and what is not asked, is refused; the same key answers once', async () => {
  const { id, action } = await asked(booking)
  const body = { cart_id: action.cart_id, values: { start_date: '2027-03-01' } }
  const live = buyer.account.keys.secret_live
  const stranger = (await buying.app.newAccount()) as TestAccount
  for (const key of [live, stranger.keys.secret_test])
    expect(told(await tell(id, body, key))).toBe('404 not_found')
  const reader = await buying.app.newKey(buyer.account, 'test', 'read_only')
  expect(told(await tell(id, body, reader.token))).toBe('403 insufficient_scope')
  expect(told(await tell(id, { ...body, cart_id: 'cart_00000000000000000000000000' }))).toBe('404 not_found')
  const unnamed = await tell(id, { values: body.values })
  expect([told(unnamed), unnamed.body.detail.message]).toEqual([
    '409 input_not_awaited',
    expect.stringContaining('cart_id'),
  ])
  const target = { target: { type: 'profile', id: buyer.profileId } }
  await buying.app.post('/v1/controls/freeze', target, buyer)
  expect(told(await tell(id, body))).toBe('409 frozen')
  await buying.app.post('/v1/controls/unfreeze', target, buyer)
  const headers = { 'idempotency-key': 'answer-once' }
  const first = await tell(id, body, buyer.key, headers)
  const again = await tell(id, body, buyer.key, headers)
  expect([again.status, again.body, again.headers.get('idempotent-replayed')]).toEqual([
    200,
    first.body,
    'true',
  ])
  expect(told(await tell(id, body))).toBe('409 input_not_awaited')
  await orderOf(id)
  expect((await buying.eventTypes(buyer, id)).filter((type) => type === 'cart.input_given')).toHaveLength(1)
  await buying.app.post(`/v1/purchase_intents/${id}/cancel`, {}, buyer)
})

test('of many answers at once one is taken, and the merchant is told that one', async () => {
  const { id, action } = await asked(booking)
  const days = ['2027-04-01', '2027-04-02', '2027-04-03', '2027-04-04']
  const answers = await Promise.all(
    days.map((start_date) => tell(id, { cart_id: action.cart_id, values: { start_date } })),
  )
  const taken = answers.flatMap(({ status }, index) => (status === 200 ? [days[index]] : []))
  expect([taken.length, new Set(answers.map(told))]).toEqual([1, new Set(['200', '409 input_not_awaited'])])
  expect((await orderOf(id)).body.line_items[0].inputs).toEqual({ start_date: taken[0] })
  await buying.app.post(`/v1/purchase_intents/${id}/cancel`, {}, buyer)
})

test('two items of one cart are asked together, and two carts one after the other while others run on', async () => {
  const other = await openNativeShop(buying)
  const [first, second] = [
    await sell('twice-1', [{ name: 'day', type: 'date' }]),
    await sell('twice-2', [{ name: 'day', type: 'date' }]),
  ]
  const { id } = await buying.buy(buyer, [{ url: first }, { url: second }, { url: other.url }], digital)
  const { next_action, carts } = await buying.until(buyer, id, isAsked)
  const action = next_action as Action
  expect(action.fields.map(({ name }) => name)).toEqual(['day_1', 'day_2'])
  expect(carts.map(({ channel }) => channel)).toEqual(['native', 'native'])
  await buying.until(buyer, id, (intent) => intent.carts.some(({ order }) => order !== null))
  const values = { day_1: '2027-05-01', day_2: '2027-05-02' }
  expect(told(await tell(id, { cart_id: action.cart_id, values }))).toBe('200')
  const ready = await buying.until(buyer, id, (intent) => intent.carts.every(({ order }) => order !== null))
  const order = ready.carts.find((cart) => cart.id === action.cart_id)?.order
  const { body } = await buying.app.get(`/v1/orders/${order}`, { key: buyer.key })
  expect(body.line_items.map(({ inputs }: { inputs: object }) => inputs)).toEqual([
    { day: '2027-05-01' },
    { day: '2027-05-02' },
  ])
  await buying.app.post(`/v1/purchase_intents/${id}/cancel`, {}, buyer)
})

test('what nobody answers for 24 hours ends the purchase unbought, and no second sooner', async () => {
  const { id, action } = await asked(booking)
  const { databaseUrl } = buying.app
  await advanceTestClock(databaseUrl, 24 * 3600 - 20)
  expect(told(await tell(id, { cart_id: action.cart_id, values: { start_date: 'tomorrow' } }))).toMatch(
    /^422/,
  )
  await advanceTestClock(databaseUrl, 21)
  const ended = await buying.ended(buyer, id)
  expect(ended).toMatchObject({
    status: 'failed',
    next_action: null,
    carts: [{ status: 'failed', failure_reason: { code: 'input_not_given' } }],
  })
  expect(await buying.moneyOf(id)).toEqual([])
  const late = { cart_id: action.cart_id, values: { start_date: '2027-03-01' } }
  expect(told(await tell(id, late))).toBe('409 input_not_awaited')
})
