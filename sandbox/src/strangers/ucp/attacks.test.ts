import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStrangers, type Strangers } from '../../../test/open-strangers.ts'
import { openUcpBuyer, type UcpBuyer } from '../../../test/ucp-buyer.ts'

let strangers: Strangers
let buyer: UcpBuyer
let other: UcpBuyer
beforeAll(async () => {
  strangers = await openStrangers()
  buyer = await openUcpBuyer(strangers)
  other = await openUcpBuyer(strangers, ['checkout'])
})
afterAll(async () => {
  await buyer.close()
  await other.close()
  await strangers.close()
})

test('a request that is signed by another key is turned away, one that is not signed is taken, and the log tells them apart', async () => {
  expect(await buyer.create('kettle', { signs: 'wrongly' })).toMatchObject({
    status: 401,
    body: { code: 'signature_invalid' },
  })
  expect((await buyer.create('kettle', { signs: false })).status).toBe(201)
  expect((await buyer.create('kettle')).status).toBe(201)
  expect((await buyer.calls()).slice(-3)).toEqual([
    'create_checkout signature_invalid invalid',
    'create_checkout incomplete false',
    'create_checkout incomplete true',
  ])
})

test.each([
  ['', 400, 'invalid_profile_url'],
  ['profile="ftp://127.0.0.1/"', 400, 'invalid_profile_url'],
  ['profile="http://platform.example/ucp"', 400, 'invalid_profile_url'],
  ['profile="http://127.0.0.1:1/ucp"', 424, 'profile_unreachable'],
])('UCP-Agent: %s is answered %i %s', async (agent, status, code) => {
  const headers = { 'ucp-agent': agent }
  expect(await buyer.create('kettle', { headers, signs: false })).toMatchObject({ status, body: { code } })
})

test('a profile of another release is turned away, and one that lacks a capability is told which', async () => {
  const profile = `profile="${buyer.profileUrl('2026-04-08')}"`
  const asked = { headers: { 'ucp-agent': profile } }
  expect(await buyer.create('kettle', asked)).toMatchObject({
    status: 422,
    body: { code: 'version_unsupported' },
  })
  const lookup = await other.ask('POST', '/catalog/lookup', { ids: ['kettle'] })
  expect(lookup).toMatchObject({
    status: 200,
    body: { ucp: { status: 'error' }, messages: [{ code: 'capabilities_incompatible' }] },
  })
})

test('who can not say where things go is sent to a page, and digital goods go nowhere', async () => {
  const made = await other.create('kettle')
  expect(made.body).toMatchObject({ status: 'requires_escalation', continue_url: expect.any(String) })
  expect(made.body.fulfillment).toBeUndefined()
  const digital = await other.create('gift-card')
  expect(digital.body).toMatchObject({ status: 'ready_for_complete' })
  const token = await other.issueToken(2500)
  expect((await other.complete(digital, token)).body).toMatchObject({ status: 'completed' })
})

test('a checkout and its order are there for the platform that made them alone', async () => {
  const made = await buyer.choose(await buyer.create('kettle'))
  const done = await buyer.complete(made, await buyer.issueToken(3240))
  const { id } = done.body.order as { id: string }
  for (const answer of [
    await other.read(made),
    await other.cancel(made),
    await other.complete(made, 'cred_1'),
    await buyer.read(made, { host: 'elsewhere.ucp.shop.test' }),
  ])
    expect(answer.body).toMatchObject({ ucp: { status: 'error' }, messages: [{ code: 'not_found' }] })
  expect((await buyer.ask('GET', `/orders/${id}`)).body).toMatchObject({ id })
  for (const name of ['__proto__', 'toString', id.replace('order', 'x')])
    expect((await buyer.ask('GET', `/orders/${name}`)).body.messages).toMatchObject([{ code: 'not_found' }])
})

test.each([
  [{}],
  [{ line_items: [] }],
  [{ line_items: [{ item: { id: 'kettle' }, quantity: 0 }] }],
  [{ line_items: [{ item: { id: 'kettle' }, quantity: 1.5 }] }],
  [{ line_items: [{ item: { id: 7 }, quantity: 1 }] }],
  [
    {
      line_items: [
        { item: { id: 'kettle' }, quantity: 1 },
        { item: { id: 'kettle' }, quantity: 1 },
      ],
    },
  ],
])('the body %j is refused in words', async (body) => {
  expect(await buyer.ask('POST', '/checkout-sessions', body)).toMatchObject({
    status: 400,
    body: { code: 'invalid_request' },
  })
})

test('a request without a key, or with a body that is no object, changes nothing', async () => {
  const body = { line_items: [{ item: { id: 'kettle' }, quantity: 1 }] }
  const nobody = await buyer.ask('POST', '/checkout-sessions', body, { headers: { 'idempotency-key': '' } })
  expect([nobody.status, nobody.body.code]).toEqual([400, 'idempotency_key_missing'])
  expect((await buyer.ask('POST', '/checkout-sessions', [])).status).toBe(400)
  expect((await buyer.ask('POST', '/checkout-sessions', { line_items: 'x'.repeat(2 << 20) })).status).toBe(
    413,
  )
})

test('strange fields of addresses, codes and attribution harm nothing', async () => {
  const made = await buyer.create(
    'kettle',
    {},
    {
      buyer: { email: 7, first_name: ['x'] },
      fulfillment: { methods: [{ destinations: [{ street_address: {} }, null, 7] }, 'x'] },
      discounts: { codes: [7, 'WELCOME10'] },
      attribution: JSON.parse('{"__proto__": "x", "a": 7, "b": "kept"}'),
    },
  )
  expect(made.body).toMatchObject({ status: 'incomplete', discounts: { codes: ['WELCOME10'] } })
  expect((await buyer.choose(made, 'teleport')).body).toMatchObject({ status: 'incomplete' })
})

test('an address far away can not be delivered to, and one with gaps says what is missing', async () => {
  const to = (address: object) =>
    buyer.create('kettle', {}, { fulfillment: { methods: [{ type: 'shipping', destinations: [address] }] } })
  const far = { street_address: '1 Ice', address_locality: 'Base', postal_code: '1', address_country: 'AQ' }
  expect((await to(far)).body.messages).toMatchObject([{ code: 'address_undeliverable' }])
  expect((await to({ street_address: '1 Ice' })).body.messages).toMatchObject([
    { code: 'missing', path: '$.fulfillment.methods[0].destinations[0].address_locality' },
  ])
})

test.each([
  ['no instrument', {}],
  [
    'a handler that nobody declared',
    { instruments: [{ handler_id: 'cash', credential: { type: 'token', token: 'x' } }] },
  ],
  [
    'another credential',
    { instruments: [{ handler_id: 'processor_token', credential: { type: 'card', number: '4242' } }] },
  ],
  [
    'a token that is a path',
    { instruments: [{ handler_id: 'processor_token', credential: { type: 'token', token: '../holds' } }] },
  ],
])('%s pays nothing', async (_, payment) => {
  const ready = await buyer.choose(await buyer.create('kettle'))
  const answer = await buyer.ask('POST', `/checkout-sessions/${ready.body.id}/complete`, { payment })
  expect(answer.body).toMatchObject({ status: 'incomplete', messages: [{ code: 'payment_failed' }] })
})

test.each([
  ['for another shop', 3240, 'other.example', 'wrong_merchant'],
  ['of less than the total', 3239, 'ucp.shop.test', 'over_limit'],
])(
  'a token %s is refused by the processor, and the checkout can be paid with another',
  async (_, limit, merchant, code) => {
    const ready = await buyer.choose(await buyer.create('kettle'))
    const refused = await buyer.complete(ready, await buyer.issueToken(limit, merchant))
    expect(refused.body).toMatchObject({
      status: 'incomplete',
      messages: [{ code: 'payment_failed', content: expect.stringContaining(code) }],
    })
    const paid = await buyer.complete(ready, await buyer.issueToken(3240))
    expect(paid.body).toMatchObject({ status: 'completed' })
  },
)

test('two that complete at once make one order, and a token is on no disk of the shop', async () => {
  const ready = await buyer.choose(await buyer.create('kettle'))
  const tokens = [await buyer.issueToken(3240), await buyer.issueToken(3240)]
  const answers = await Promise.all(tokens.map((token) => buyer.complete(ready, token)))
  expect(answers.map(({ body }) => body.status)).toContain('completed')
  const states = await Promise.all(tokens.map((token) => buyer.tokenState(token)))
  expect(states.map(({ captured }) => captured).sort()).toEqual([0, 3240])
  const file = readFileSync(join(strangers.folder, 'strangers', 'ucp.jsonl'), 'utf8')
  expect(tokens.filter((token) => file.includes(token))).toEqual([])
})

test('a canceled or completed checkout is not changed', async () => {
  const made = await buyer.create('kettle')
  expect((await buyer.cancel(made)).body).toMatchObject({ status: 'canceled' })
  expect((await buyer.choose(made)).body).toMatchObject({ messages: [{ code: 'checkout_canceled' }] })
  const key = randomUUID()
  const ready = await buyer.choose(await buyer.create('kettle'))
  await buyer.complete(ready, await buyer.issueToken(3240), { key })
  expect((await buyer.choose(ready, 'express')).body).toMatchObject({
    messages: [{ code: 'checkout_completed' }],
  })
  expect((await buyer.cancel(ready)).body).toMatchObject({ messages: [{ code: 'not_cancelable' }] })
})
