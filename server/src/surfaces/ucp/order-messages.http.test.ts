import { createHash, randomUUID, sign } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness/app.ts'
import { startUcpPlatform, type UcpPlatform } from '../../../test/harness/ucp-platform.ts'
import type { Id } from '../../core/id.ts'
import { followOrder } from '../../domain/buying/stranger-orders/public.ts'
import { sweepMessages } from '../../domain/buying/stranger-orders/stranger-orders.sql.ts'
import { addEntry, registryAccount } from '../../domain/discovery/registry/public.ts'
import { placeStrangerOrder } from '../../domain/trade/orders/public.ts'
import { runAs } from '../../platform/calls/run-as.ts'
import { advanceTestClock, installTestClock } from '../../platform/clock/test-clock.ts'
import { silentLog } from '../../platform/logs/logs.ts'
import { defaultRetention } from '../../platform/retention/retention.ts'
import { runSweep } from '../../platform/retention/run-sweep.ts'
import { signMessage } from '../../protocols/ucp/sign-message.ts'
import { writeUcpAgent } from '../../protocols/ucp/ucp-agent.ts'

const path = '/ucp/webhooks/orders'

let app: TestApp
let shop: UcpPlatform
let other: UcpPlatform
beforeAll(async () => {
  app = await startTestApp({ testClock: true })
  await installTestClock(app.databaseUrl)
  shop = await startUcpPlatform()
  other = await startUcpPlatform()
  await know(shop)
  await know(other)
})
afterAll(async () => {
  await shop?.stop()
  await other?.stop()
  await app?.stop()
})

async function know({ profileUrl }: UcpPlatform): Promise<void> {
  const tenant = { accountId: registryAccount, mode: 'test' } as const
  const actor = { type: 'system', id: 'operator:test' } as const
  const { origin } = new URL(profileUrl)
  await runAs(app.parts, { tenant, actor }, (ctx) =>
    addEntry(ctx, { origin, channel: 'browser', name: null }),
  )
}

/** Places an order of two lines at the shop, as the checkout that its messages name. */
function place(checkout: string): Promise<Id<'ord'>> {
  const tenant = { accountId: app.account.accountId, mode: 'test' } as const
  const actor = { type: 'system', id: 'test' } as const
  return runAs(app.parts, { tenant, actor }, async (ctx) => {
    const id = ctx.newId('ord')
    const line = { catalog_item_id: null, catalog_variant_id: null, sku: null, url: null }
    placeStrangerOrder(ctx, {
      id,
      channel: 'ucp',
      merchant: { name: 'Shop', domain: 'shop.test' },
      purchase: { intentId: ctx.newId('pi'), cartId: ctx.newId('cart'), attempt: 1 },
      reference: null,
      url: null,
      isCaptured: false,
      currency: 'USD',
      lineItems: [
        { ...line, title: 'Kettle', quantity: 1, unit_amount: 2500, amount: 2500 },
        { ...line, title: 'Cup', quantity: 3, unit_amount: 500, amount: 1500 },
      ],
      amounts: { subtotal: 4000n, fulfillment: 0n, tax: 0n, discount: 0n },
      customer: { name: 'Ada Lovelace', email: 'ada@example.com', phone: null },
      shippingAddress: null,
    })
    await followOrder(ctx, { orderId: id, toldAs: { sender: shop.profileUrl, checkout } })
    return id
  })
}

const read = async (id: string) => (await app.get(`/v1/orders/${id}`)).body

function orderOf(checkout: string, more: object = {}) {
  return {
    ucp: { version: '2026-08-25' },
    id: `order of ${checkout}`,
    checkout_id: checkout,
    permalink_url: 'https://shop.test/order/1',
    currency: 'USD',
    line_items: [
      { id: 'a', quantity: { original: 1, total: 1, fulfilled: 0 }, status: 'processing' },
      { id: 'b', quantity: { original: 3, total: 3, fulfilled: 0 }, status: 'processing' },
    ],
    totals: [],
    fulfillment: { events: [] },
    adjustments: [],
    ...more,
  }
}

const parcel = (type: string, more: object = {}) => ({
  id: 'e1',
  type,
  line_items: [{ id: 'b', quantity: 2 }],
  tracking_number: 'PP1',
  tracking_url: 'https://carrier.test/PP1',
  carrier: 'Post',
  ...more,
})
const told = (checkout: string, ...events: object[]) => orderOf(checkout, { fulfillment: { events } })

type How = {
  as?: UcpPlatform
  id?: string
  agoSeconds?: number
  headers?: Record<string, string | undefined>
  also?: string[]
  isSigned?: boolean
  /** What arrives, in place of what was signed. */
  arrives?: string
  signer?: Pick<UcpPlatform, 'kid' | 'key'>
}

async function tell(body: unknown, how: How = {}) {
  const { as = shop, id = randomUUID(), agoSeconds = 0, also, isSigned = true, signer = as } = how
  const raw = typeof body === 'string' ? body : JSON.stringify(body)
  const given = {
    'content-type': 'application/json',
    'ucp-agent': writeUcpAgent(as.profileUrl),
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(Date.now() / 1000) - agoSeconds),
    ...how.headers,
  }
  const headers = Object.fromEntries(
    Object.entries(given).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, value]],
    ),
  )
  const url = `${app.parts.settings.publicUrl}${path}`
  const message = { kind: 'request', method: 'POST', url, headers, body: Buffer.from(raw) } as const
  const covers = (also ?? ['webhook-id', 'webhook-timestamp']).filter((name) => headers[name] !== undefined)
  const signature = isSigned ? signMessage(message, signer, { now: new Date(), also: covers }) : {}
  const answer = await fetch(`${app.url}${path}`, {
    method: 'POST',
    headers: { ...headers, ...signature },
    body: how.arrives ?? raw,
  })
  const said = await answer.text()
  return { status: answer.status, headers: answer.headers, body: said === '' ? null : JSON.parse(said) }
}

const rowsOf = (checkout: string) =>
  app.sql<{ state: string }>('select state from order_messages where checkout = $1 order by sent_at', [
    createHash('sha256').update(checkout).digest(),
  ])

describe('a message is turned away', () => {
  const day = 86_400
  test.each<[string, unknown, How, number, string]>([
    ['that is no JSON', '{"id":', {}, 400, 'invalid_request'],
    ['with a number that is none', orderOf('x', { total: 1e300 }), {}, 400, 'invalid_request'],
    ['that is no object', '[]', {}, 400, 'invalid_request'],
    ['without an id', { ...orderOf('x'), id: 7 }, {}, 400, 'invalid_request'],
    ['without its checkout', { ...orderOf('x'), checkout_id: null }, {}, 400, 'invalid_request'],
    ['whose id nobody can store', { ...orderOf('x'), id: 'a\0b' }, {}, 400, 'invalid_request'],
    ['without lines', { ...orderOf('x'), line_items: 'all' }, {}, 400, 'invalid_request'],
    ['of a megabyte', orderOf('x', { note: 'a'.repeat(1_048_576) }), {}, 413, 'payload_too_large'],
    ['that nobody signed', orderOf('x'), { isSigned: false }, 401, 'signature_missing'],
    ['whose signature leaves its id out', orderOf('x'), { also: [] }, 401, 'signature_missing'],
    ['whose signature leaves its time out', orderOf('x'), { also: ['webhook-id'] }, 401, 'signature_missing'],
    ['that was changed on its way', orderOf('x'), { arrives: '{"id":"a"}' }, 400, 'invalid_request'],
    [
      'that is another order than was signed',
      orderOf('x'),
      { arrives: JSON.stringify(orderOf('y')) },
      400,
      'digest_mismatch',
    ],
    ['without a sender', orderOf('x'), { headers: { 'ucp-agent': undefined } }, 400, 'invalid_profile_url'],
    [
      'whose sender has its profile somewhere',
      orderOf('x'),
      { headers: { 'ucp-agent': 'profile="https://shop.test/profile.json"' } },
      400,
      'invalid_profile_url',
    ],
    [
      'without an id of its own',
      orderOf('x'),
      { headers: { 'webhook-id': undefined } },
      400,
      'invalid_request',
    ],
    ['without a time', orderOf('x'), { headers: { 'webhook-timestamp': 'now' } }, 400, 'invalid_request'],
    ['of four days ago', orderOf('x'), { agoSeconds: 4 * day }, 400, 'invalid_request'],
    ['of tomorrow', orderOf('x'), { agoSeconds: -day }, 400, 'invalid_request'],
  ])('%s', async (_name, body, how, status, code) => {
    const answer = await tell(body, how)
    expect([answer.status, answer.body.code]).toEqual([status, code])
    expect(await rowsOf('x')).toEqual([])
  })

  test('that another key signs, under the same name or under one that nobody publishes', async () => {
    expect((await tell(orderOf('x'), { signer: { kid: shop.kid, key: other.key } })).body.code).toBe(
      'signature_invalid',
    )
    expect((await tell(orderOf('x'), { signer: { kid: 'nobody', key: shop.key } })).body.code).toBe(
      'key_not_found',
    )
    expect(await rowsOf('x')).toEqual([])
  })

  test('whose sender does not show its profile, and is taken once it does', async () => {
    const slow = await startUcpPlatform()
    await know(slow)
    slow.answer(() => undefined)
    const waiting = await tell(orderOf('slow'), { as: slow })
    expect([waiting.status, waiting.body.code]).toEqual([424, 'profile_unreachable'])
    await slow.stop()
  })
})

describe('a message', () => {
  test('is applied once, and the same id with other words is refused', async () => {
    const id = await place('once')
    const message = randomUUID()
    expect((await tell(told('once', parcel('shipped')), { id: message })).status).toBe(200)
    expect((await tell(told('once', parcel('shipped')), { id: message })).status).toBe(200)
    const changed = await tell(told('once', parcel('delivered')), { id: message })
    expect([changed.status, changed.body.code]).toEqual([409, 'idempotency_key_conflict'])
    expect((await read(id)).fulfillments).toMatchObject([
      { status: 'shipped', line_items: [{ index: 1, quantity: 2 }] },
    ])
    expect((await tell(told('once', parcel('shipped'), parcel('delivered')))).status).toBe(200)
    expect((await read(id)).fulfillments).toMatchObject([{ status: 'delivered' }])
  })

  test('that is older than one that was applied changes nothing', async () => {
    const id = await place('older')
    await tell(told('older', parcel('shipped'), parcel('delivered')))
    await tell(told('older', parcel('shipped')), { agoSeconds: 60 })
    expect((await read(id)).fulfillments).toMatchObject([{ status: 'delivered' }])
    expect((await rowsOf('older')).map(({ state }) => state)).toEqual(['older', 'applied'])
  })

  test('of another business than the order was placed with is refused', async () => {
    const id = await place('theirs')
    const before = await read(id)
    const refused = await tell(told('theirs', parcel('shipped')), { as: other })
    expect([refused.status, refused.body.code]).toEqual([403, 'profile_not_trusted'])
    expect(await read(id)).toEqual(before)
  })

  test('that comes before its order is kept, and of several the newest is applied', async () => {
    const message = randomUUID()
    await tell(told('early', parcel('shipped'), parcel('delivered')), { agoSeconds: 10, id: message })
    expect((await tell(told('early', parcel('shipped')), { agoSeconds: 10, id: message })).status).toBe(409)
    await tell(told('early', parcel('shipped')), { agoSeconds: 20 })
    expect((await rowsOf('early')).map(({ state }) => state)).toEqual(['kept', 'kept'])
    const id = await place('early')
    expect((await read(id)).fulfillments).toMatchObject([{ status: 'delivered' }])
    expect((await rowsOf('early')).map(({ state }) => state)).toEqual(['older', 'applied'])
    const events = await app.sql<{ type: string }>(
      'select type from events where aggregate_id = $1 order by sequence',
      [id],
    )
    expect(events.map(({ type }) => type)).toEqual(['order.placed', 'order.shipped', 'order.delivered'])
  })

  test('that comes at the same moment as its order is never lost', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `at once ${index}`)
    const ids = await Promise.all(
      names.map(async (name) => {
        const [answer, id] = await Promise.all([tell(told(name, parcel('shipped'))), place(name)])
        expect(answer.status, JSON.stringify(answer.body)).toBe(200)
        return id
      }),
    )
    for (const id of ids) expect((await read(id)).fulfillments).toMatchObject([{ status: 'shipped' }])
  })

  test('of the second oldest release says in its body what it is', async () => {
    const id = await place('old')
    const body = JSON.stringify({
      ...told('old', parcel('shipped')),
      event_id: randomUUID(),
      created_time: new Date().toISOString(),
    })
    const head = Buffer.from(
      JSON.stringify({ alg: 'ES256', kid: shop.kid, b64: false, crit: ['b64'] }),
    ).toString('base64url')
    const sealed = sign('sha256', Buffer.from(`${head}.${body}`), {
      key: shop.key,
      dsaEncoding: 'ieee-p1363',
    }).toString('base64url')
    const send = (signature: string, raw = body) =>
      fetch(`${app.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'request-signature': signature },
        body: raw,
      })
    expect((await send(`${head}..${sealed}`, body.replace('shipped', 'delivered'))).status).toBe(401)
    expect((await send(`${head}.${Buffer.from(body).toString('base64url')}.${sealed}`)).status).toBe(401)
    const early = await send(`${head}..${sealed}`, body.replaceAll('"old"', '"unknown"'))
    expect([early.status, early.headers.get('retry-after')]).toEqual([503, '5'])
    expect((await send(`${head}..${sealed}`)).status).toBe(200)
    expect((await read(id)).fulfillments).toMatchObject([{ status: 'shipped' }])
  })
})

test('what a hostile shop writes is shown as plain text, with no more units than were bought, and moves no money', async () => {
  const id = await place('hostile')
  const answer = await tell(
    orderOf('hostile', {
      permalink_url: 'javascript:alert(1)',
      totals: [{ type: 'total', amount: 1 }],
      payment_status: 'refunded',
      __proto__: { status: 'cancelled' },
      fulfillment: {
        events: [
          parcel('shipped', {
            carrier: '<b onclick="x()">Post</b>\u202e',
            tracking_number: 'A<script>alert(1)</script>1',
            tracking_url: 'http://carrier.test/',
            line_items: [
              { id: 'b', quantity: 9_999_999 },
              { id: 'constructor', quantity: 1 },
              { id: 5, quantity: '1' },
            ],
          }),
          parcel('constructor', { tracking_number: 'B' }),
          'shipped',
          null,
          ...Array.from({ length: 300 }, (_, index) => ({ type: 'shipped', tracking_number: `C${index}` })),
        ],
      },
      adjustments: [
        { type: 'refund', status: 'completed', totals: [{ type: 'total', amount: -1e15 }] },
        {
          type: 'refund',
          status: 'completed',
          totals: [{ type: 'total', amount: -40 }],
          description: '[x](http://a)',
        },
        { type: 'refund', status: 'pending', totals: [{ type: 'total', amount: -4000 }] },
      ],
    }),
  )
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  const order = await read(id)
  expect(order).toMatchObject({
    status: 'fulfilling',
    payment_status: 'authorized',
    total_amount: 4000,
    order_url: null,
    refunds: [],
    adjustments: [{ type: 'refund', amount: 40, reason: 'x' }],
  })
  expect(order.fulfillments.length).toBeLessThanOrEqual(100)
  expect(order.fulfillments.slice(0, 2)).toMatchObject([
    {
      carrier: 'Post',
      tracking_number: 'A1',
      tracking_url: null,
      status: 'shipped',
      line_items: [{ index: 1, quantity: 3 }],
    },
    { tracking_number: 'B', status: 'processing', line_items: [] },
  ])
})

test('messages without an order are kept up to a number for each sender, and for a day', async () => {
  const busy = await startUcpPlatform()
  await know(busy)
  const send = (index: number) => tell(orderOf(`busy ${index}`), { as: busy })
  for (let index = 0; index < 200; index++) expect((await send(index)).status).toBe(200)
  const full = await send(200)
  expect([full.status, full.headers.get('retry-after')]).toEqual([503, '600'])
  expect((await tell(orderOf('calm'), { as: other })).status).toBe(200)
  await advanceTestClock(app.databaseUrl, 24 * 3600 + 60)
  await runSweep({ ...app.parts, log: silentLog(), retention: defaultRetention }, sweepMessages)
  expect((await send(200)).status).toBe(200)
  const left = await app.sql(`select state from order_messages where state = 'kept'`)
  expect(left).toHaveLength(1)
  await busy.stop()
})

test('the ids of messages are remembered for longer than a message can come', async () => {
  const id = await place('remembered')
  const message = randomUUID()
  await tell(told('remembered', parcel('shipped')), { id: message })
  await advanceTestClock(app.databaseUrl, 29 * 86_400)
  const sweep = () => runSweep({ ...app.parts, log: silentLog(), retention: defaultRetention }, sweepMessages)
  await sweep()
  expect(await rowsOf('remembered')).toHaveLength(1)
  await advanceTestClock(app.databaseUrl, 2 * 86_400)
  await sweep()
  expect(await rowsOf('remembered')).toEqual([])
  expect((await read(id)).fulfillments).toMatchObject([{ status: 'shipped' }])
})
