import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hashOf, namedBy } from '../../src/domain/buying/stranger-orders/named.ts'
import { receiveOrderMessage } from '../../src/domain/buying/stranger-orders/public.ts'
import { advanceTestClock, installTestClock } from '../../src/platform/clock/test-clock.ts'
import { verdictAfter, verdictOf } from '../harness/broken-invariants.ts'
import { type Buyer, type Buying, type Purchase, startBuying } from '../harness/buying.ts'
import { openStrangers } from '../harness/strangers.ts'

let buying: Buying
let strangers: ReturnType<typeof openStrangers>
let buyer: Buyer
beforeAll(async () => {
  buying = await startBuying({ testClock: true, strangers: true })
  await installTestClock(buying.app.databaseUrl)
  strangers = openStrangers(buying)
  buyer = await buying.newBuyer()
  for (const host of ['ucp', 'tools.ucp', 'old.ucp']) await strangers.know(`${host}.shop.test`)
})
afterAll(() => buying?.stop())

type Order = { id: string; [field: string]: unknown }
type Bought = { intent: Purchase; order: Order; number: string }

/** A purchase that succeeds, its order here, and the number under which the shop's log has it. */
async function bought(path: string, more: { host?: string; item?: object } = {}): Promise<Bought> {
  const { host = 'ucp', item = {} } = more
  const url = `https://${host}.shop.test/products/${path}`
  const asked = await buying.buy(buyer, [{ url, amount: 2500, ...item }], { max_amount: 12_000 })
  const intent = await buying.until(buyer, asked.id, ({ status, carts }) => {
    if (['succeeded', 'failed', 'cancelled'].includes(status) && carts.length > 0) return true
    void advanceTestClock(buying.app.databaseUrl, 2)
    return false
  })
  expect(intent.status, JSON.stringify(intent.carts)).toBe('succeeded')
  const [cart] = intent.carts
  const number = new URL(String(cart?.order_url)).pathname.replace('/order/', '')
  return { intent, order: await read(String(cart?.order)), number }
}

async function read(id: string, key = buyer.key): Promise<Order> {
  const { status, body } = await buying.app.get(`/v1/orders/${id}`, { key })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

/** The order once it looks like this. */
async function becomes(id: string, like: object): Promise<Order> {
  await expect.poll(() => read(id), { interval: 20 }).toMatchObject(like)
  return await read(id)
}

/** What the shop testifies of its messages about an order: `created 200`. */
const messagesOf = (number: string) => testified('webhook', number)

async function testified(what: string, number: string): Promise<string[]> {
  const log = await strangers.log('ucp')
  return log
    .filter(({ kind, order }) => kind === what && order === number)
    .map(({ result, amount }) => (what === 'webhook' ? result : `${result} ${amount}`))
}

async function connected(): Promise<Client> {
  const client = new Client({ connectionString: buying.app.databaseUrl })
  await client.connect()
  return client
}

/** Settles when a transaction in this database waits for a lock of this type. */
async function someoneWaitsFor(type: 'advisory' | 'transactionid'): Promise<void> {
  const waiting = () =>
    buying.sql(
      `select l.pid from pg_locks l join pg_stat_activity a on a.pid = l.pid
       where a.datname = current_database() and l.locktype = $1 and not l.granted`,
      [type],
    )
  await expect.poll(waiting, { interval: 10 }).not.toEqual([])
}

async function eventsOf(orderId: string): Promise<string[]> {
  const rows = await buying.sql<{ type: string }>(
    'select type from events where aggregate_id = $1 order by sequence',
    [orderId],
  )
  return rows.map(({ type }) => type)
}

describe('an order at a stranger', () => {
  test('is read by its buyer like any other, and by nobody else', async () => {
    const { intent, order } = await bought('kettle')
    const [cart] = intent.carts
    expect(order).toMatchObject({
      object: 'order',
      mode: 'test',
      channel: 'ucp',
      status: 'confirmed',
      payment_status: 'captured',
      merchant: { id: null, slug: null, domain: 'ucp.shop.test' },
      customer: { email: expect.any(String) },
      total_amount: 3240,
      currency: 'USD',
      line_items: [{ quantity: 1, unit_amount: 2500, amount: 2500 }],
      confirmation_reference: cart?.order_id,
      order_url: expect.stringMatching(/^https:\/\/ucp\.shop\.test\//),
      purchase_intent_id: intent.id,
      expires_at: null,
      responded_at: null,
      fulfillments: [],
    })
    expect(cart?.order_url).toBe(order.order_url)
    const list = await buying.app.get('/v1/orders?limit=5', { key: buyer.key })
    expect(list.body.data.map(({ id }: Order) => id)).toContain(order.id)
    const found = await buying.app.get(`/v1/orders?q=${order.confirmation_reference}`, { key: buyer.key })
    expect(found.body.data.map(({ id }: Order) => id)).toEqual([order.id])
    const sold = await buying.app.get('/v1/merchant/orders?limit=50', { key: buyer.key })
    expect(sold.body.data.map(({ id }: Order) => id)).not.toContain(order.id)
    const { stranger } = buying.app
    for (const key of [stranger.keys.secret_test, buyer.account.keys.secret_live])
      expect((await buying.app.get(`/v1/orders/${order.id}`, { key })).status).toBe(404)
    const tool = await buying.app.mcp('v1_get_order', { order_id: order.id })
    expect(tool.body).toEqual(await read(order.id))
  })

  test('is neither cancelled nor returned from here', async () => {
    const { order } = await bought('kettle')
    for (const what of ['cancel', 'returns']) {
      const refused = await buying.app.post(`/v1/orders/${order.id}/${what}`, {}, { key: buyer.key })
      expect([refused.status, refused.body.detail.code]).toEqual([409, 'not_supported_by_merchant'])
      const foreign = await buying.app.post(
        `/v1/orders/${order.id}/${what}`,
        {},
        { key: buying.app.stranger.keys.secret_test },
      )
      expect(foreign.status).toBe(404)
    }
    expect(await read(order.id)).toEqual(order)
  })

  test.each(['ucp', 'tools.ucp'])('is followed until it is delivered, at %s', async (host) => {
    const { intent, order, number } = await bought('kettle', { host })
    await strangers.days('ucp', 1)
    const sent = await becomes(order.id, { status: 'fulfilling' })
    expect(sent.fulfillments).toEqual([
      expect.objectContaining({
        carrier: 'Parcel Post',
        tracking_number: expect.stringMatching(/^PP\d+$/),
        tracking_url: expect.stringMatching(/^https:/),
        status: 'shipped',
        line_items: [{ index: 0, quantity: 1 }],
      }),
    ])
    await strangers.days('ucp', 3)
    const there = await becomes(order.id, { status: 'completed' })
    expect(there.fulfillments).toMatchObject([
      { id: (sent.fulfillments as Order[])[0]?.id, status: 'delivered' },
    ])
    expect(await eventsOf(order.id)).toEqual(['order.placed', 'order.shipped', 'order.delivered'])
    expect(await messagesOf(number)).toEqual(['created 200', 'ship 200', 'deliver 200'])
    expect((await buying.read(buyer, intent.id)).actual_amount).toBe(3240)
  })
})

test('of the first release, its messages say in their body what they are', async () => {
  const { order, number } = await bought('kettle', { host: 'old.ucp', item: { variant: { id: 'kettle' } } })
  await strangers.days('ucp', 4)
  await becomes(order.id, { status: 'completed', fulfillments: [{ status: 'delivered' }] })
  expect(await eventsOf(order.id)).toEqual(['order.placed', 'order.shipped', 'order.delivered'])
  await expect.poll(() => messagesOf(number)).toContain('deliver 200')
})

describe('messages of a stranger', () => {
  test('that come twice are applied once', async () => {
    const { order, number } = await bought('told-twice')
    await strangers.days('ucp', 4)
    await becomes(order.id, { status: 'completed' })
    expect(await eventsOf(order.id)).toEqual(['order.placed', 'order.shipped', 'order.delivered'])
    await expect.poll(() => messagesOf(number)).toHaveLength(6)
    expect(new Set(await messagesOf(number))).toEqual(new Set(['created 200', 'ship 200', 'deliver 200']))
    const rows = await buying.sql('select state from order_messages where order_id = $1', [order.id])
    expect(rows).toHaveLength(3)
  })

  test('that say again what was before a newer one change nothing', async () => {
    const { order, number } = await bought('told-again')
    await strangers.days('ucp', 1)
    await expect.poll(() => messagesOf(number)).toHaveLength(3)
    expect(await messagesOf(number)).toEqual(['created 200', 'ship 200', 'ship 200'])
    expect(await read(order.id)).toMatchObject({
      status: 'fulfilling',
      fulfillments: [{ status: 'shipped' }],
    })
    expect(await eventsOf(order.id)).toEqual(['order.placed', 'order.shipped'])
  })

  test('that come before the order are kept, and applied to it', async () => {
    const { order, number } = await bought('told-first')
    expect(await messagesOf(number)).toEqual(['created 200'])
    const rows = await buying.sql('select state, news from order_messages where order_id = $1', [order.id])
    expect(rows).toEqual([{ state: 'applied', news: null }])
    await strangers.days('ucp', 1)
    await becomes(order.id, { status: 'fulfilling' })
  })

  test('that come while the order is placed are applied, and are never left kept', async () => {
    const { order } = await bought('kettle')
    const [owner] = await buying.sql<{ sender: string }>(
      'select sender from stranger_orders where order_id = $1',
      [order.id],
    )
    const toldAs = { sender: String(owner?.sender), checkout: `placed meanwhile ${order.id}` }
    const { name, checkout } = namedBy(toldAs)
    const [placing, reading] = await Promise.all([connected(), connected()])
    try {
      await placing.query('begin')
      await placing.query('select pg_advisory_xact_lock(hashtextextended($1, 78))', [name])
      // The merchant's name for the order is known once this commits, as if the order were placed here.
      for (const table of ['stranger_orders', 'order_messages'])
        await placing.query(`update ${table} set checkout = $1 where order_id = $2`, [checkout, order.id])
      await reading.query('begin')
      await reading.query('select from orders where id = $1 for update', [order.id])
      const news = { reference: 'A-1', url: null, lineCount: 1, isCancelled: true, isFulfilled: false }
      const received = receiveOrderMessage(buying.app.parts, {
        ...toldAs,
        id: `message of ${order.id}`,
        sentAt: new Date(),
        said: hashOf('said'),
        news: { ...news, shipments: [], refunds: [] },
      })
      await someoneWaitsFor('advisory')
      await placing.query('commit')
      // A process that dies here leaves what is stored now.
      await someoneWaitsFor('transactionid')
      expect((await verdictOf(reading, 'E3-strangers')).violations).toEqual([])
      await reading.query('commit')
      expect(await received).toBe('applied')
      expect(await read(order.id)).toMatchObject({ status: 'cancelled' })
    } finally {
      await Promise.all([placing.end(), reading.end()])
    }
  })

  test.each([
    ['told-by-another', 403],
    ['unsigned', 401],
  ])('of the shop %s change nothing', async (path, status) => {
    const { order, number } = await bought(path)
    await strangers.days('ucp', 4)
    await expect.poll(() => messagesOf(number)).toContain(`deliver ${status}`)
    expect((await messagesOf(number)).filter((told) => /^(ship|deliver) 2/.test(told))).toEqual([])
    expect(await read(order.id)).toEqual(order)
    expect(await eventsOf(order.id)).toEqual(['order.placed'])
  })
})

describe('money follows the rail alone', () => {
  test.each([
    ['refunded', 3240],
    ['partly-refunded', 810],
  ])('where a shop says that it is %s', async (path, refunded) => {
    const { intent, order } = await bought(path)
    const before = await buying.read(buyer, intent.id)
    await strangers.days('ucp', 6)
    const paid = refunded === 3240 ? 'refunded' : 'partially_refunded'
    const told = await becomes(order.id, {
      status: 'completed',
      adjustments: [{ type: 'refund', amount: refunded, reason: 'Recalled' }],
      payment_status: paid,
    })
    // The shop has said so, and the rail has paid it, one or the other first.
    const types = await eventsOf(order.id)
    expect(types.filter((type) => type !== 'order.refunded')).toEqual([
      'order.placed',
      'order.shipped',
      'order.delivered',
    ])
    expect(types.filter((type) => type === 'order.refunded')).toHaveLength(2)
    expect(told).toMatchObject({
      refunds: [{ amount: refunded, status: 'succeeded', reason: null, return_id: null }],
      total_amount: 3240,
    })
    const after = await buying.read(buyer, intent.id)
    expect(after.actual_amount).toBe(before.actual_amount)
    expect(after.carts).toMatchObject([{ actual_amount: 3240, refunded_amount: refunded }])
  })

  test('where it is taken when the goods are sent', async () => {
    const { order, number } = await bought('charged-when-shipped')
    expect(await testified('charge', number)).toEqual(['authorized 3240'])
    expect(order).toMatchObject({ status: 'confirmed', payment_status: 'authorized' })
    await strangers.days('ucp', 1)
    await becomes(order.id, { status: 'fulfilling', payment_status: 'captured' })
    expect(await testified('charge', number)).toEqual(['authorized 3240', 'captured 3240'])
  })

  test('where the shop cancels and gives it back', async () => {
    const { intent, order } = await bought('cancelled')
    await strangers.days('ucp', 1)
    await becomes(order.id, { status: 'cancelled', payment_status: 'voided', adjustments: [] })
    expect(await eventsOf(order.id)).toEqual(['order.placed', 'order.cancelled'])
    expect((await buying.read(buyer, intent.id)).actual_amount).toBe(0)
  })
})

describe('nothing is left open', () => {
  test('and every sum is as it should be', async () => {
    await buying.relayed()
    await buying.audit()
  })

  test.each([
    ['W3-strangers', `update carts set order_row_id = null where order_row_id is not null`],
    ['W3-strangers', `update carts set channel = 'browser' where order_row_id is not null`],
    ['W3-strangers', `update orders set cart_id = cart_id || '_gone'`],
    ['W3-strangers', `update stranger_orders set order_id = order_id || '_gone'`],
    ['E3-strangers', `update order_messages set order_id = 'ord_gone' where state = 'applied'`],
    ['E3-strangers', `update stranger_orders set told_at = null`],
    [
      'E3-strangers',
      `update order_messages set state = 'kept', news = '{}', order_id = null, account_id = null, mode = null where state = 'applied'`,
    ],
  ])('%s sees it: %s', async (id, damage) => {
    const database = new Client({ connectionString: buying.app.databaseUrl })
    await database.connect()
    try {
      expect((await verdictOf(database, id)).checked).toBeGreaterThan(0)
      expect((await verdictAfter(database, damage, { id })).violations).not.toEqual([])
    } finally {
      await database.end()
    }
  })
})
