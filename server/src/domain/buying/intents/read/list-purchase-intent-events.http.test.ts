import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { brokenInvariants } from '../../../../../test/harness/broken-invariants.ts'
import { type Buyer, createPurchase, newBuyer } from '../../../../../test/harness/buyers.ts'
import { runningPurchase, tea } from '../../../../../test/harness/hand-worker.ts'
import { runAs } from '../../../../platform/calls/run-as.ts'
import { topics } from '../../../../platform/hints/hints.ts'
import { revokeKey } from '../../../accounts/api-keys/public.ts'

import { policyInvariants } from '../../../policies/invariants.sql.ts'
import { purchaseIntentInvariants } from '../invariants.ts'
import { selectIntentEvents } from './intent-events.sql.ts'

let app: TestApp
let buyer: Buyer
beforeAll(async () => {
  app = await startTestApp()
  buyer = await newBuyer(app)
})
afterAll(async () => {
  const broken = await brokenInvariants(app, [...purchaseIntentInvariants, ...policyInvariants])
  await app.stop()
  expect(broken).toEqual([])
})

test('a stream sends past and new events, resumes where it was left, and ends with the purchase', async () => {
  const { body } = await createPurchase(app, buyer)
  const reading = stream(body.id, {})
  await app.post(`/v1/purchase_intents/${body.id}/approve`, { approve: true })
  await app.post(`/v1/purchase_intents/${body.id}/cancel`)
  expect((await reading).map(({ id, event }) => `${id} ${event}`)).toEqual([
    '1 purchase_intent.created',
    '2 purchase_intent.awaiting_approval',
    '3 purchase_intent.approved',
    '4 purchase_intent.cancelled',
  ])
  const resumed = await stream(body.id, { 'last-event-id': '3' })
  expect(resumed.map(({ event }) => event)).toEqual(['purchase_intent.cancelled'])
  expect(resumed[0]?.data).toMatchObject({
    object: 'event',
    sequence: 4,
    data: { purchase_intent: { id: body.id, status: 'cancelled' } },
  })
  expect(await stream(body.id, { 'last-event-id': '4' })).toEqual([])
})

test("the events of a very large purchase stay small, since a cart's event keeps that cart alone", async () => {
  const url = (at: number) => `https://shop-${at}.example/${'a'.repeat(2000)}`
  const items = Array.from({ length: 60 }, (_, at) => ({ ...tea, url: url(at) }))
  const { id } = await runningPurchase(app, buyer, { items })
  const { body } = await app.get(`/v1/purchase_intents/${id}/events?limit=200`)
  expect(body.data.map(({ sequence }: { sequence: number }) => sequence)).toEqual(
    body.data.map((_: unknown, index: number) => index + 1),
  )
  const [started] = body.data.filter(({ type }: { type: string }) => type === 'purchase_intent.started')
  expect(started.data.purchase_intent.carts).toHaveLength(60)
  for (const { type, cart_id, data } of body.data) {
    if (!type.startsWith('cart.')) continue
    expect(Object.keys(data)).toEqual(['cart'])
    expect(data.cart.id).toBe(cart_id)
    expect(JSON.stringify(data).length).toBeLessThan(4096)
  }
})

test('a page ends where its bytes do, but never before its first event, and says that more follows', async () => {
  const { body } = await createPurchase(app, buyer)
  const of = { account_id: app.account.accountId, mode: 'test', intent_id: body.id } as const
  const page = (after: number) =>
    app.parts.pools.read(selectIntentEvents({ ...of, after, limit: 200, bytes: 1 }))
  expect((await page(0)).map(({ sequence }) => sequence)).toEqual([1])
  expect((await page(1)).map(({ sequence }) => sequence)).toEqual([2])
  const cut = await app.get(`/v1/purchase_intents/${body.id}/events?limit=1`)
  expect([cut.body.data.length, cut.body.has_more]).toEqual([1, true])
})

test('a stream ends with the key that opened it', async () => {
  const { body } = await createPurchase(app, buyer)
  const key = await app.newKey(app.account, 'test', 'read_only')
  const opened = await open(body.id, { authorization: `Bearer ${key.token}` })
  const tenant = { accountId: app.account.accountId, mode: 'test' } as const
  await runAs(app.parts, { tenant, actor: { type: 'system', id: 'test' } }, (ctx) => revokeKey(ctx, key.id))
  app.parts.hints.publish(topics.keys)
  await app.post(`/v1/purchase_intents/${body.id}/approve`, { approve: true })
  await app.post(`/v1/purchase_intents/${body.id}/cancel`)
  const sent = await read(opened)
  expect(sent.map(({ event }) => event)).not.toContain('purchase_intent.cancelled')
})

type Sent = { id: string | undefined; event: string | undefined; data: unknown }

async function stream(id: string, headers: Record<string, string>): Promise<Sent[]> {
  return await read(await open(id, headers))
}

async function open(id: string, headers: Record<string, string>): Promise<Response> {
  const response = await fetch(`${app.url}/v1/purchase_intents/${id}/events`, {
    headers: {
      authorization: `Bearer ${app.account.keys.secret_test}`,
      accept: 'text/event-stream',
      ...headers,
    },
    signal: AbortSignal.timeout(10_000),
  })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  return response
}

/** Reads a stream until it ends by itself. */
async function read(response: Response): Promise<Sent[]> {
  const blocks = (await response.text()).split('\n\n').filter((block) => block.includes('data: '))
  return blocks.map((block) => {
    const field = (name: string) =>
      block
        .split('\n')
        .find((line) => line.startsWith(`${name}: `))
        ?.slice(name.length + 2)
    return { id: field('id'), event: field('event'), data: JSON.parse(field('data') ?? 'null') }
  })
}
