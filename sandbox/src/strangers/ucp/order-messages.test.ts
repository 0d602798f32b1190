import { createPublicKey, verify } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openStrangers, type Strangers } from '../../../test/open-strangers.ts'
import { openUcpBuyer, type UcpBuyer } from '../../../test/ucp-buyer.ts'

let strangers: Strangers
let buyer: UcpBuyer
beforeAll(async () => {
  strangers = await openStrangers()
  buyer = await openUcpBuyer(strangers)
})
afterAll(async () => {
  await buyer.close()
  await strangers.close()
})
beforeEach(() => {
  buyer.told.length = 0
})

async function buy(sku: string, release?: string) {
  const asked = { sku, ...(release === undefined ? {} : { release }) }
  const ready = await buyer.choose(await buyer.create(sku, asked), 'standard', asked)
  const token = await buyer.issueToken(3240)
  const done = await buyer.complete(ready, token, asked)
  expect(done.body.status).toBe('completed')
  const id = String(ready.body.id)
  await expect.poll(() => messagesOf(id).length).toBeGreaterThan(0)
  return { token, id }
}

const messagesOf = (id: string) => buyer.told.filter(({ body }) => body.checkout_id === id)

/** What the messages so far say of the order of this checkout. */
function toldOf(id: string) {
  return messagesOf(id).map(({ body }) => {
    const { fulfillment, adjustments, line_items } = body as {
      fulfillment: { events: { type: string }[] }
      adjustments: { type: string }[]
      line_items: { status: string }[]
    }
    const words = [...fulfillment.events, ...adjustments].map(({ type }) => type)
    return [line_items[0]?.status, ...words].join(' ')
  })
}

test('an order is told when it is made, when it ships and when it arrives, each message whole and signed', async () => {
  const { id, token } = await buy('kettle')
  await strangers.passDays('ucp', 1)
  await strangers.passDays('ucp', 5)
  expect(toldOf(id)).toEqual(['processing', 'fulfilled shipped', 'fulfilled shipped delivered'])
  expect(buyer.told.map(({ signed }) => signed)).toEqual([true, true, true])
  const [, shipped] = buyer.told
  expect(shipped?.headers).toMatchObject({
    'ucp-agent': 'profile="https://ucp.shop.test/.well-known/ucp"',
    'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
  })
  expect(shipped?.body).toMatchObject({
    ucp: { version: '2026-08-25' },
    line_items: [{ quantity: { original: 1, total: 1, fulfilled: 1 } }],
    fulfillment: { events: [{ carrier: 'Parcel Post', tracking_number: expect.stringMatching(/^PP/) }] },
  })
  expect(new Set(buyer.told.map(({ headers }) => headers['webhook-id'])).size).toBe(3)
  const order = await buyer.ask('GET', `/orders/${shipped?.body.id}`)
  expect(order.body).toEqual(buyer.told.at(-1)?.body)
  expect(await buyer.tokenState(token)).toEqual({ status: 'charged', captured: 3240 })
})

test.each([
  [
    'refunded',
    ['processing', 'fulfilled shipped', 'fulfilled shipped delivered', 'fulfilled shipped delivered refund'],
    3240,
  ],
  [
    'partly-refunded',
    ['processing', 'fulfilled shipped', 'fulfilled shipped delivered', 'fulfilled shipped delivered refund'],
    810,
  ],
  ['cancelled', ['processing', 'removed cancellation'], 0],
  ['charged-when-shipped', ['processing', 'fulfilled shipped', 'fulfilled shipped delivered'], 0],
])('%s tells %j', async (sku, told, refunded) => {
  const { id, token } = await buy(sku)
  await strangers.passDays('ucp', 6)
  expect(toldOf(id)).toEqual(told)
  const [order] = (await strangers.orders('ucp')).filter(({ cartId }) => cartId === id)
  expect(order).toMatchObject({ refunded, state: sku === 'cancelled' ? 'cancelled' : 'paid' })
  const state =
    sku === 'cancelled' ? { status: 'revoked', captured: 0 } : { status: 'charged', captured: 3240 }
  expect(await buyer.tokenState(token)).toEqual(state)
})

test('a message that is turned away is sent again with the same id, and one of the shop `told-twice` comes twice', async () => {
  buyer.refuse(2)
  const { id } = await buy('kettle')
  expect(toldOf(id)).toEqual(['processing'])
  expect(await strangers.results('ucp')).toEqual(
    expect.arrayContaining(['webhook created 503', 'webhook created 200']),
  )
  buyer.told.length = 0
  await buy('told-twice')
  await expect.poll(() => buyer.told.length).toBe(2)
  expect(buyer.told[0]?.headers['webhook-id']).toBe(buyer.told[1]?.headers['webhook-id'])
})

test('messages can come before the answer, again after newer ones, and in the name of another shop', async () => {
  const ready = await buyer.choose(await buyer.create('told-first'), 'standard', { sku: 'told-first' })
  await buyer.complete(ready, await buyer.issueToken(3240))
  expect(toldOf(String(ready.body.id))).toEqual(['processing'])
  const again = await buy('told-again')
  await strangers.passDays('ucp', 1)
  expect(toldOf(again.id)).toEqual(['processing', 'fulfilled shipped', 'processing'])
  const stamps = messagesOf(again.id).map(({ headers }) => Number(headers['webhook-timestamp']))
  expect(stamps[2]).toBeLessThan(stamps[1] ?? 0)
  const other = await buy('told-by-another')
  const [message] = messagesOf(other.id)
  expect([message?.signed, message?.headers['ucp-agent']]).toEqual([
    true,
    'profile="https://elsewhere.ucp.shop.test/.well-known/ucp"',
  ])
})

test('messages of shops that sign badly can be told from the others', async () => {
  await buy('unsigned')
  await buy('wrongly-signed')
  await expect.poll(() => buyer.told.map(({ signed }) => signed)).toEqual([false, 'invalid'])
})

test.each(['2026-01-23', '2026-01-11'])(
  '%s: the event stands in the body, and the body is signed',
  async (release) => {
    const { id } = await buy('kettle', release)
    await strangers.passDays('ucp', 1)
    expect(toldOf(id)).toEqual(['processing', 'fulfilled shipped'])
    for (const { headers, body } of messagesOf(id)) {
      expect(body).toMatchObject({ event_id: expect.any(String), created_time: expect.any(String) })
      const [header = '', , signature = ''] = (headers['request-signature'] ?? '').split('.')
      expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toMatchObject({
        alg: 'ES256',
        b64: false,
      })
      const [jwk] = buyer.profile.keys as [Record<string, string>]
      const isGood = verify(
        'sha256',
        Buffer.from(`${header}.${JSON.stringify(body)}`),
        { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
        Buffer.from(signature, 'base64url'),
      )
      expect(isGood).toBe(true)
    }
  },
)

test('what happened by then is told once, also after the shop was opened again', async () => {
  const { id } = await buy('refunded')
  await strangers.passDays('ucp', 1)
  await strangers.restart()
  await strangers.passDays('ucp', 9)
  expect(toldOf(id)).toHaveLength(4)
  expect(messagesOf(id).every(({ signed }) => signed === true)).toBe(true)
})
