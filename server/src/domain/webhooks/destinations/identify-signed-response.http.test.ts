import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '../../../../test/harness/app.ts'
import {
  type Deliverer,
  type Delivering,
  newDestination,
  type Receiver,
  startDelivering,
  tellMerchant,
} from '../../../../test/harness/deliveries.ts'
import { Problem } from '../../../contract/problem.ts'
import { createReads } from '../../../platform/calls/reads.ts'
import { runAs } from '../../../platform/calls/run-as.ts'
import { recordBusinessResponse } from './business-response.ts'
import { identifySignedResponse } from './identify-signed-response.ts'

let app: TestApp
let deliverer: Deliverer
let receiver: Receiver
let delivering: Delivering
beforeAll(async () => {
  delivering = await startDelivering()
  ;({ app, deliverer, receiver } = delivering)
})
afterAll(() => delivering.stop())

const path = '/v1/merchant/destinations'
const body = '{"decision":"confirmed","confirmation_reference":"r-1"}'
const wallNow = new Date('2026-06-01T12:00:00.500Z')
const epoch = Math.floor(wallNow.getTime() / 1000)

/** A delivered order.requested, and how its receiver signs an answer. */
async function delivered(
  more: Record<string, unknown> = {},
  events: { type: string }[] = [{ type: 'order.requested' }],
) {
  const destination = await newDestination(app, receiver.url, more)
  const orderId = await tellMerchant(app, app.account, events)
  await deliverer.drain()
  const { data } = (await app.get(`${path}/${destination.id}/events`)).body
  const [{ event_id: eventId }] = data
  const signed = (secret: string, at = epoch, bytes = body) =>
    `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${bytes}`).digest('hex')}`
  const headers: Record<string, string> = {
    'service-response-signature': signed(destination.secret.secret),
    'service-destination-id': destination.id,
    'service-webhook-id': eventId,
    'service-webhook-event': events[0]?.type ?? '',
  }
  const identify = (
    changed: {
      headers?: Record<string, string | undefined>
      order_id?: string
      path?: Record<string, string>
      body?: string
    } = {},
  ) =>
    identifySignedResponse({
      path: changed.path ?? { order_id: changed.order_id ?? orderId },
      headers: { ...headers, ...changed.headers },
      rawBody: Buffer.from(changed.body ?? body),
      wallNow,
      reads: createReads(app.parts.pools),
      sealerOf: app.parts.sealer,
    })
  return { destination, orderId, eventId, signed, identify }
}

async function refusalOf(call: Promise<unknown>): Promise<{ code: string; message: string }> {
  const error: unknown = await call.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof Problem)) throw new Error(`not refused: ${error}`)
  return { code: error.code, message: error.message }
}

test("a rightly signed answer is the destination's, in its own account and mode", async () => {
  const { destination, identify } = await delivered()
  expect(await identify()).toEqual({
    tenant: { accountId: app.account.accountId, mode: 'test' },
    actor: { type: 'destination', id: destination.id },
  })
})

test('during a rotation either secret identifies, any other does not', async () => {
  const { destination, identify, signed } = await delivered()
  const rotated = (await app.post(`${path}/${destination.id}/rotate_secret`)).body.secret.secret
  const by = (secret: string) => identify({ headers: { 'service-response-signature': signed(secret) } })
  await by(destination.secret.secret)
  await by(rotated)
  expect((await refusalOf(by('whsec_000000000000000000000000000000000'))).code).toBe('signature_invalid')
})

test("an order's delivery answers no quote, also under the order's own id", async () => {
  const { identify, orderId } = await delivered()
  for (const quoteId of [orderId, 'quo_01jb2w9m4ye6xs3kq8t7v5c0zd']) {
    const { code } = await refusalOf(identify({ path: { quote_id: quoteId } }))
    expect(code).toBe('signature_invalid')
  }
})

test('a missing header, an unknown destination and another destination are refused', async () => {
  const { identify } = await delivered()
  const other = await delivered()
  for (const header of [
    'service-response-signature',
    'service-destination-id',
    'service-webhook-id',
    'service-webhook-event',
  ]) {
    const { code } = await refusalOf(identify({ headers: { [header]: undefined } }))
    expect([header, code]).toEqual([header, 'signature_invalid'])
  }
  for (const id of ['dest_01jb2w9m4ye6xs3kq8t7v5c0zd', other.destination.id]) {
    expect((await refusalOf(identify({ headers: { 'service-destination-id': id } }))).code).toBe(
      'signature_invalid',
    )
  }
})

test('sixty seconds of clock difference pass, sixty-one do not, and the refusal says the time of the server', async () => {
  const { destination, identify, signed } = await delivered()
  const at = (offset: number) =>
    identify({ headers: { 'service-response-signature': signed(destination.secret.secret, epoch + offset) } })
  for (const offset of [-60, 0, 60]) await at(offset)
  for (const offset of [-61, 61]) {
    const { code, message } = await refusalOf(at(offset))
    expect(code).toBe('signature_invalid')
    expect(message).toContain('2026-06-01T12:00:00.500Z')
  }
})

test('the signature is over the raw bytes', async () => {
  const { identify } = await delivered()
  expect((await refusalOf(identify({ body: `${body} ` }))).code).toBe('signature_invalid')
  expect((await refusalOf(identify({ headers: { 'service-response-signature': 'nonsense' } }))).code).toBe(
    'signature_invalid',
  )
})

test('the echoed headers must be those of a delivery to this destination, and the path that of its order', async () => {
  const { identify } = await delivered()
  const other = await delivered({ event_types: ['payment.captured'] }, [{ type: 'payment.captured' }])
  for (const changed of [
    { headers: { 'service-webhook-id': other.eventId } },
    { headers: { 'service-webhook-id': 'evt_01jb2w9m4ye6xs3kq8t7v5c0zd' } },
    { headers: { 'service-webhook-event': 'order.confirmed' } },
    { order_id: other.orderId },
  ]) {
    expect((await refusalOf(identify(changed))).code).toBe('signature_invalid')
  }
})

test('a valid signature without authority is 403', async () => {
  const narrow = await delivered({ event_types: ['order.requested'] })
  expect((await refusalOf(narrow.identify())).code).toBe('response_not_authorized')
  const informational = await delivered({}, [{ type: 'order.confirmed' }])
  expect((await refusalOf(informational.identify())).code).toBe('response_not_authorized')
  const disabled = await delivered()
  await app.post(`${path}/${disabled.destination.id}/disable`)
  expect((await refusalOf(disabled.identify())).code).toBe('response_not_authorized')
})

test('one answer per event is noted as accepted, whichever destination gave it', async () => {
  const first = await newDestination(app, receiver.url)
  const { destination, eventId } = await delivered()
  const record = (destinationId: string, accepted: boolean) =>
    runAs(
      app.parts,
      {
        tenant: { accountId: app.account.accountId, mode: 'test' },
        actor: { type: 'destination', id: destination.id },
      },
      async (ctx) => recordBusinessResponse(ctx, { destinationId, eventId, accepted }),
    )
  const noted = async (id: string) =>
    (await app.get(`${path}/${id}/events/${eventId}`)).body.business_response
  await record(destination.id, false)
  expect((await noted(destination.id)).accepted).toBe(false)
  await record(destination.id, true)
  const accepted = await noted(destination.id)
  expect(accepted.accepted).toBe(true)
  await record(first.id, true)
  expect(await noted(first.id)).toBeNull()
  await record(destination.id, false)
  expect(await noted(destination.id)).toEqual(accepted)
})
