import { expect } from 'vitest'
import { installTestClock } from '../../src/platform/clock/test-clock.ts'
import { type Buying, startBuying } from './buying.ts'
import { askBusiness, startUcpPlatform, type UcpPlatform } from './ucp-platform.ts'

const home = {
  street_address: '5 Oak Rd',
  address_locality: 'Bend',
  address_region: 'OR',
  postal_code: '97701',
  address_country: 'US',
}
const buyer = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' }
const base = '/ucp/test/m/rose'

const catalog = [
  { title: 'Mug', url: 'https://rose.example/mug', variants: [{ sku: 'MUG', price: 2000, quantity: 500 }] },
  {
    title: 'Font',
    url: 'https://rose.example/font',
    item_type: 'digital',
    variants: [{ sku: 'FONT', price: 900 }],
  },
]
const rateCards = [
  { name: 'Standard', rate: { kind: 'flat', amount: 500 } },
  {
    name: 'Express',
    rate: { kind: 'flat', amount: 1500 },
    timing: { transit: { min: 1, max: 1, unit: 'day' } },
  },
]

type Sent = NonNullable<Parameters<typeof askBusiness>[3]>
// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
type Body = any

/** The running product with a merchant that ships mugs, a platform that buys from it, and another platform. */
export async function startUcpShop() {
  const buying: Buying = await startBuying({ testClock: true })
  await installTestClock(buying.app.databaseUrl)
  const platform = await startUcpPlatform()
  const stranger = await startUcpPlatform()
  const key = (await buying.app.newAccount('Rose')).keys.secret_test
  const variants: Record<string, string> = {}
  let calls = 0

  async function post(path: string, body?: object) {
    const answer = await buying.app.post(path, body, { key })
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
    return answer
  }

  async function ask(path: string, sent: Sent & { by?: UcpPlatform } = {}) {
    const { by = platform, ...request } = sent
    calls += 1
    return await askBusiness(buying.app, by, base + path, {
      signed: true,
      ...request,
      headers: { 'idempotency-key': `key-${calls}`, ...request.headers },
    })
  }

  const mugs = (quantity = 1) => [{ item: { id: variants.MUG }, quantity }]
  const shipping = (more: object = {}) => ({ methods: [{ type: 'shipping', destinations: [home], ...more }] })

  async function create(body: object = {}, sent: Sent = {}): Promise<Body> {
    const answer = await ask('/checkout-sessions', {
      body: { line_items: mugs(), buyer, fulfillment: shipping(), ...body },
      ...sent,
    })
    expect(answer.status, JSON.stringify(answer.body)).toBe(201)
    return answer.body
  }

  async function becomes(id: string, status: string, sent: Sent = {}): Promise<Body> {
    const read = () => ask(`/checkout-sessions/${id}`, { method: 'GET', ...sent })
    const look = async () => {
      await buying.relayed()
      return (await read()).body.status
    }
    await expect.poll(look, { interval: 20 }).toBe(status)
    return (await read()).body
  }

  async function orderOf(id: string): Promise<string> {
    const [row] = await buying.sql<{ order_id: string }>('select order_id from checkouts where id = $1', [id])
    return row?.order_id ?? ''
  }

  function answerOrder(order: string, outcome: 'confirmed' | 'rejected') {
    const body =
      outcome === 'confirmed' ? { outcome, confirmation_reference: order } : { outcome, note: 'No.' }
    return post(`/v1/merchant/orders/${order}/responses`, body)
  }

  await post('/v1/merchant', {
    slug: 'rose',
    name: 'Rose',
    domain: 'rose.example',
    currency: 'USD',
    tax_basis_points: 1000,
  })
  for (const item of catalog) {
    const made = await post('/v1/merchant/catalog_items', item)
    variants[made.body.variants[0].sku] = made.body.variants[0].id
    await post(`/v1/merchant/catalog_items/${made.body.id}/publish`)
  }
  for (const card of rateCards) {
    const terms = { fulfillment_type: 'shipping', currency: 'USD', timing: {}, zones: [{ country: 'US' }] }
    const made = await post('/v1/rate_cards', { ...terms, ...card })
    await post(`/v1/rate_cards/${made.body.id}`, { status: 'active' })
  }

  return {
    buying,
    platform,
    stranger,
    key,
    variants,
    base,
    home,
    buyer,
    post,
    ask,
    mugs,
    shipping,
    create,
    becomes,
    orderOf,
    answerOrder,
    stop: () => Promise.all([buying.stop(), platform.stop(), stranger.stop()]),
  }
}

/** The body of a completion with a test card. */
export function paid(token = 'visa_auto_approved') {
  const credential = { type: 'test_card', token }
  return { payment: { instruments: [{ id: 'pi_1', handler_id: 'test_card', type: 'card', credential }] } }
}

/** The body of a completion with a token that another payment network has issued. */
export function paidByShared(token: string, type = 'shared_payment_token') {
  const credential = { type, token }
  return {
    payment: { instruments: [{ id: 'pi_1', handler_id: 'stripe_payments', type: 'card', credential }] },
  }
}

/** One of the totals of a checkout or an order. */
export function total(body: { totals: { type: string; amount: number }[] }, type = 'total') {
  return body.totals.find((one) => one.type === type)?.amount
}
