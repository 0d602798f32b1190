import { sign } from 'node:crypto'
import Type from 'typebox'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness/app.ts'
import { askBusiness, startUcpPlatform, type UcpPlatform } from '../../../test/harness/ucp-platform.ts'
import { everyOperation } from '../../composition.ts'
import { defineOperation, reply } from '../../contract/operation.ts'
import { Closed } from '../../contract/schemas.ts'
import { contentDigestOf } from '../../protocols/ucp/content-digest.ts'
import { writeUcpAgent } from '../../protocols/ucp/ucp-agent.ts'
import { UcpHeaders } from '../../protocols/ucp/ucp-call.ts'

/** Stand-ins for operations that change something: what the surface does for each of them. */
const Cart = Type.Object({}, { additionalProperties: true })
const shared = {
  auth: 'platform',
  scope: null,
  surfaces: ['ucp'],
  tag: 'UCP catalog',
  forBound: 'refused',
} as const
let made = 0

const createCart = defineOperation({
  ...shared,
  id: 'ucp_create_cart',
  method: 'POST',
  path: '/carts',
  summary: 'Create a cart',
  headers: UcpHeaders,
  body: Cart,
  responses: { 201: Cart },
  async handle({ actor, tenant }, { headers, body }) {
    made += 1
    return reply(201, { id: `cart_${made}`, actor, tenant, call: headers.ucp_call, body })
  },
})

const updateCart = defineOperation({
  ...shared,
  id: 'ucp_update_cart',
  method: 'PUT',
  path: '/carts/{id}',
  summary: 'Update a cart',
  params: Closed({ id: Type.String() }),
  body: Cart,
  responses: { 200: Cart },
  async handle(_ctx, { path, body }) {
    return reply(200, { id: path.id, body })
  },
})

const getOrder = defineOperation({
  ...shared,
  id: 'ucp_get_order',
  method: 'GET',
  path: '/orders/{id}',
  summary: 'Read an order',
  params: Closed({ id: Type.String() }),
  responses: { 200: Cart },
  async handle({ actor }, { path }) {
    return reply(200, { id: path.id, for: actor.id })
  },
})

const standIns = [createCart, updateCart, getOrder]

let app: TestApp
let platform: UcpPlatform
let other: UcpPlatform
beforeAll(async () => {
  app = await startTestApp({
    operations: [
      ...everyOperation.filter(({ id }) => !standIns.some((standIn) => standIn.id === id)),
      ...standIns,
    ],
    checkReplies: false,
  })
  platform = await startUcpPlatform()
  other = await startUcpPlatform()
  await app.post('/v1/merchant', { slug: 'rose', domain: 'rose.example', name: 'Rose', currency: 'EUR' })
})
afterAll(() => Promise.all([app.stop(), platform.stop(), other.stop()]))

const rose = '/ucp/test/m/rose'
const create = (from: UcpPlatform, body: object, key?: string) =>
  askBusiness(app, from, `${rose}/carts`, {
    body,
    headers: key === undefined ? {} : { 'idempotency-key': key },
  })

test('a handler knows the platform, the merchant, and what was negotiated', async () => {
  const { status, body } = await create(platform, { a: 1 })
  expect(status).toBe(201)
  expect(body.ucp).toEqual({
    version: '2026-08-25',
    status: 'success',
    capabilities: {
      'dev.ucp.shopping.cart': [{ version: '2026-08-25' }],
      'dev.ucp.shopping.discount': [{ version: '2026-08-25' }],
    },
  })
  expect(body.actor).toEqual({ type: 'platform', id: platform.profileUrl })
  expect(body.tenant).toEqual({ accountId: app.account.accountId, mode: 'test' })
  expect(body.call).toMatchObject({ release: '2026-08-25', profile: platform.profileUrl, is_signed: false })
  expect(body.call.capabilities).toContain('dev.ucp.shopping.order')
  expect(body.body).toEqual({ a: 1 })
})

test('the same key and body of one platform get the same answer, another body is refused, and another platform is another', async () => {
  const key = 'b1946ac9-4929-4a3b-9d3c-6f0b5a1c7e11'
  const first = await create(platform, { a: 1 }, key)
  const again = await create(platform, { a: 1 }, key)
  expect([again.status, again.body]).toEqual([first.status, first.body])
  const changed = await create(platform, { a: 2 }, key)
  expect([changed.status, changed.body.code]).toEqual([409, 'idempotency_key_conflict'])
  const foreign = await create(other, { a: 1 }, key)
  expect(foreign.body.id).not.toBe(first.body.id)
  const tool = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: 'create_cart',
      arguments: {
        meta: { 'ucp-agent': { profile: platform.profileUrl }, 'idempotency-key': key },
        cart: { a: 1 },
      },
    },
  }
  const overTools = await askBusiness(app, platform, `${rose}/mcp`, { body: tool })
  expect(overTools.body.result.structuredContent).toEqual(first.body)
})

test('an id of the path is an argument, over tools too', async () => {
  const { status, body } = await askBusiness(app, platform, `${rose}/carts/c%201`, {
    method: 'PUT',
    body: { a: 1 },
  })
  expect([status, body.id, body.body]).toEqual([200, 'c 1', { a: 1 }])
  const meta = { 'ucp-agent': { profile: platform.profileUrl } }
  const call = { name: 'update_cart', arguments: { meta, id: 'c 1', cart: { a: 1 } } }
  const sent = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }
  const tool = await askBusiness(app, platform, `${rose}/mcp`, { body: sent })
  expect(tool.body.result.structuredContent).toMatchObject({ id: 'c 1', body: { a: 1 } })
})

test('where a signature is required, a request without one is refused, and one of another platform too', async () => {
  const plain = await askBusiness(app, platform, `${rose}/orders/o1`, { method: 'GET' })
  expect([plain.status, plain.body.code]).toEqual([401, 'signature_missing'])
  const signed = await askBusiness(app, platform, `${rose}/orders/o1`, { method: 'GET', signed: true })
  expect([signed.status, signed.body.for]).toEqual([200, platform.profileUrl])
  const posing = { ...other, profileUrl: platform.profileUrl }
  const forged = await askBusiness(app, posing, `${rose}/orders/o1`, { method: 'GET', signed: true })
  expect([forged.status, forged.body.code]).toEqual([401, 'signature_invalid'])
})

test('a signature of an hour ago, or of the hour to come, counts as none', async () => {
  const at = (ms: number) => {
    const signedAt = new Date(Date.now() + ms)
    return askBusiness(app, platform, `${rose}/orders/o1`, { method: 'GET', signed: true, signedAt })
  }
  for (const ms of [-3_600_000, 3_600_000]) {
    const { status, body } = await at(ms)
    expect([status, body.code]).toEqual([401, 'signature_missing'])
  }
  expect((await at(-240_000)).status).toBe(200)
})

test('a change whose signature has no time counts once by its key, and without a key not at all', async () => {
  const send = async (body: string, key?: string) => {
    const headers = {
      'ucp-agent': writeUcpAgent(platform.profileUrl),
      'content-type': 'application/json',
      'content-digest': contentDigestOf(Buffer.from(body)),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    }
    const values = Object.entries({
      '@method': 'POST',
      '@authority': new URL(app.parts.settings.publicUrl).host,
      '@path': `${rose}/carts`,
      ...headers,
    })
    const params = `(${values.map(([name]) => `"${name}"`).join(' ')});keyid="${platform.kid}"`
    const lines = [...values, ['@signature-params', params]].map(([name, value]) => `"${name}": ${value}`)
    const signature = sign('sha256', Buffer.from(lines.join('\n')), {
      key: platform.key,
      dsaEncoding: 'ieee-p1363',
    })
    const answer = await fetch(`${app.url}${rose}/carts`, {
      method: 'POST',
      headers: {
        ...headers,
        'signature-input': `a=${params}`,
        signature: `a=:${signature.toString('base64')}:`,
      },
      body,
    })
    const said = (await answer.json()) as { code?: string } // only asserted on
    return { status: answer.status, body: said }
  }
  const first = await send('{"a":7}', 'once')
  expect(first.status).toBe(201)
  expect(await send('{"a":7}', 'once')).toEqual(first)
  expect((await send('{"a":8}', 'once')).status).toBe(409)
  const bare = await send('{"a":9}')
  expect([bare.status, bare.body.code]).toEqual([401, 'signature_missing'])
})

test('many requests of a stranger take no place of the merchant', async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => create(platform, {})))
  expect(all.every(({ status }) => status === 201)).toBe(true)
  expect((await app.get('/v1/merchant')).status).toBe(200)
})
