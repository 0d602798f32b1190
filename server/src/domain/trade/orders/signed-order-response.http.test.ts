import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { openShop, placeOrder, type TestShop } from '../../../../test/harness/orders.ts'
import type { Id } from '../../../core/id.ts'
import { runAs } from '../../../platform/calls/run-as.ts'
import { Secret } from '../../../platform/secrets/secret.ts'
import { signWebhook } from '../../../platform/signatures/webhook-signature.ts'
import { issueSecret } from '../../webhooks/destinations/secrets.ts'
import type { OrderRow } from './order.ts'

let app: TestApp
let shop: TestShop
let destination: TestDestination
beforeAll(async () => {
  app = await startTestApp()
  shop = await openShop(app, await app.newAccount('Seller'))
  destination = await connect(answering)
})
afterAll(() => app.stop())

type TestDestination = { id: Id<'dest'>; secret: string }
const answering = ['order.requested', 'order.confirmed', 'order.rejected']

async function connect(types: string[]): Promise<TestDestination> {
  const tenant = { accountId: shop.seller.accountId, mode: 'test' } as const
  const id = app.parts.newId('dest', Date.now())
  await app.sql(
    `insert into destinations (account_id, mode, id, name, responds_to_quotes, event_types, endpoint_url, status, seq,
       created_at, updated_at)
     values ($1, 'test', $2, 'Backend', false, $3, 'https://backend.example/hooks', 'enabled', 1, now(), now())`,
    [tenant.accountId, id, types],
  )
  return runAs(app.parts, { tenant, actor: { type: 'system', id: 'test' } }, async (ctx) => ({
    id,
    secret: issueSecret(ctx, id, 1).secret,
  }))
}

/** An order that was delivered to these destinations; answers the id of the event that asked. */
async function delivered(to: TestDestination[]): Promise<{ order: OrderRow; eventId: string }> {
  const order = await placeOrder(app, app.account, shop)
  const [event] = await app.sql<{ id: string }>(
    'select id from events where aggregate_id = $1 and sequence = 1',
    [order.id],
  )
  const eventId = event?.id ?? ''
  for (const { id } of to) {
    await app.sql(
      `insert into deliveries (account_id, mode, id, destination_id, event_id, event_account_id, event_type, aggregate_id,
         sequence, status, attempt_count, created_at, updated_at)
       values ($1, 'test', $2, $3, $4, $5, 'order.requested', $6, 1, 'succeeded', 1, now(), now())`,
      [shop.seller.accountId, app.parts.newId('dlv', Date.now()), id, eventId, order.account_id, order.id],
    )
  }
  return { order, eventId }
}

type Signing = {
  by?: TestDestination
  secret?: string
  ageSeconds?: number
  signed?: string
  eventId?: string
  type?: string
}

function answer(orderId: string, eventId: string, raw: string, signing: Signing = {}) {
  const by = signing.by ?? destination
  return app.request('POST', `/v1/merchant/orders/${orderId}/responses`, {
    key: null,
    raw,
    headers: {
      'service-destination-id': by.id,
      'service-webhook-id': signing.eventId ?? eventId,
      'service-webhook-event': signing.type ?? 'order.requested',
      'service-response-signature': signWebhook({
        secrets: [new Secret(signing.secret ?? by.secret)],
        timestampSeconds: Math.floor(Date.now() / 1000) - (signing.ageSeconds ?? 0),
        body: signing.signed ?? raw,
      }),
    },
  })
}

const confirmed = (reference: string) =>
  JSON.stringify({ outcome: 'confirmed', confirmation_reference: reference })

test('the destination that was asked confirms with its signature alone, and its delivery says so', async () => {
  const { order, eventId } = await delivered([destination])
  const { status, body } = await answer(order.id, eventId, confirmed('SIG-1'))
  expect([status, body.status]).toEqual([200, 'confirmed'])
  const [event] = await app.sql<{ actor_type: string; actor_id: string; account_id: string }>(
    `select actor_type, actor_id, account_id from events where aggregate_id = $1 and type = 'order.confirmed'`,
    [order.id],
  )
  expect(event).toEqual({
    actor_type: 'destination',
    actor_id: destination.id,
    account_id: app.account.accountId,
  })
  const [delivery] = await app.sql<{ response_accepted: boolean }>(
    'select response_accepted from deliveries where event_id = $1',
    [eventId],
  )
  expect(delivery?.response_accepted).toBe(true)
})

test('an exact retry, signed afresh, answers with the order; another body is a conflict', async () => {
  const { order, eventId } = await delivered([destination])
  const first = await answer(order.id, eventId, confirmed('SIG-2'), { ageSeconds: 30 })
  const again = await answer(order.id, eventId, confirmed('SIG-2'))
  expect([again.status, again.body]).toEqual([200, first.body])
  const other = await answer(order.id, eventId, confirmed('SIG-3'))
  expect([other.status, other.body.detail.code]).toEqual([409, 'response_conflict'])
})

test('of two destinations that were asked, one decides', async () => {
  const second = await connect(answering)
  const { order, eventId } = await delivered([destination, second])
  const answers = await Promise.all([
    answer(order.id, eventId, confirmed('SIG-4')),
    answer(order.id, eventId, confirmed('SIG-5'), { by: second }),
  ])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
})

test('every fault in the signature or its headers is a 401 and changes nothing', async () => {
  const { order, eventId } = await delivered([destination])
  const elsewhere = await delivered([destination])
  const raw = confirmed('SIG-6')
  const wrong: [string, Signing][] = [
    [raw, { secret: 'whsec_not_this_one_at_all_00000000000' }],
    [raw, { signed: `${raw} ` }],
    [raw, { ageSeconds: 61 }],
    [raw, { ageSeconds: -62 }],
    [raw, { eventId: elsewhere.eventId }],
    [raw, { eventId: 'evt_unknown' }],
    [raw, { type: 'order.confirmed' }],
    [raw, { by: { ...destination, id: 'dest_unknown' } }],
    ['{"outcome":', { secret: 'whsec_not_this_one_at_all_00000000000' }],
  ]
  for (const [body, signing] of wrong) {
    const refused = await answer(order.id, eventId, body, signing)
    expect([refused.status, refused.body.detail.code]).toEqual([401, 'signature_invalid'])
  }
  const misplaced = await answer(elsewhere.order.id, eventId, raw)
  expect(misplaced.status).toBe(401)
  expect((await app.get(`/v1/orders/${order.id}`)).body.status).toBe('awaiting_confirmation')
})

test('a right signature without the authority to decide is a 403', async () => {
  const listening = await connect(['order.requested'])
  const { order, eventId } = await delivered([listening])
  const refused = await answer(order.id, eventId, confirmed('SIG-7'), { by: listening })
  expect([refused.status, refused.body.detail.code]).toEqual([403, 'response_not_authorized'])
})

test('a right signature over a wrong body is a 422', async () => {
  const { order, eventId } = await delivered([destination])
  for (const raw of [
    '{"outcome":"confirmed"}',
    '{"outcome":',
    JSON.stringify({ outcome: 'rejected', event_id: 'evt_x' }),
  ]) {
    expect((await answer(order.id, eventId, raw)).status).toBe(422)
  }
})
