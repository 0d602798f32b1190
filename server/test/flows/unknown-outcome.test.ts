import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Buyer, type Buying, type CartBody, startBuying } from '../harness/buying.ts'

/** Money that a shop took without an order that anybody knows of, until a person says what it was. */
let buying: Buying
let buyer: Buyer

beforeAll(async () => {
  buying = await startBuying()
  buyer = await buying.newBuyer()
})
afterEach(() => buying.audit())
afterAll(() => buying?.stop())

const url = 'https://shop.example/thing'

/** Somebody with the shop's name charges the credential before the shop itself does, which then has no order to show for it. */
async function chargedWithoutOrder(amount: number, of = buyer): Promise<{ id: string; cart: string }> {
  const paused = buying.faults.pause('place.before')
  const { id } = await buying.buy(of, [{ url }])
  await paused.reached
  const [hold] = await buying.sql<{ reference: string }>(
    'select reference from authorizations where intent_id = $1',
    [id],
  )
  const charge = { amount, currency: 'USD', merchant: 'shop.example', reference: id }
  expect(await atProcessor(`/v1/credentials/${hold?.reference}/charges`, charge)).toBe(201)
  paused.resume()
  const failed = await buying.ended(of, id)
  expect(failed).toMatchObject({
    status: 'failed',
    actual_amount: 0,
    failure_reason: { code: 'outcome_unknown', retry_policy: 'reconcile_first' },
    next_action: { type: 'resolve_unknown_outcome' },
    carts: [{ can_retry: false }],
  })
  return { id, cart: String(failed.carts[0]?.id) }
}

async function atProcessor(path: string, body: object): Promise<number> {
  const { status } = await fetch(buying.sandbox.processorUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify(body),
  })
  return status
}

async function say(outcome: 'placed' | 'not_placed', { id, cart }: { id: string; cart: string }, of = buyer) {
  const body =
    outcome === 'placed' ? { cart_id: cart, outcome, order_id: 'SO-7' } : { cart_id: cart, outcome }
  const answer = await buying.app.post(`/v1/purchase_intents/${id}/reconcile`, body, { key: of.key })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}

async function retry(id: string) {
  const { status, body } = await buying.app.post(`/v1/purchase_intents/${id}/retry`, {}, { key: buyer.key })
  return [status, body.detail?.code ?? body.status]
}

async function cartOf(id: string): Promise<CartBody> {
  const [cart] = (await buying.read(buyer, id)).carts
  if (!cart) throw new Error('a purchase without carts')
  return cart
}

/** What the processor remembers having done. */
async function doneFor(id: string): Promise<string[]> {
  const log = await buying.sandbox.processorLog()
  return log
    .filter(({ reference, result }) => reference?.includes(id) && result === 'approved')
    .map(({ operation, amount }) => `${operation} ${amount}`)
}

async function settledFor(id: string): Promise<void> {
  await expect
    .poll(() => buying.sql('select 1 from carts where intent_id = $1 and due_at is not null', [id]), {
      interval: 20,
    })
    .toEqual([])
}

describe('when a person says that no order was placed,', () => {
  test('the charge is refunded, and a retry leaves one charge in the end', async () => {
    const own = await buying.newBuyer()
    const policy = await buying.app.post('/v1/policies', {
      name: 'Ever',
      currency: 'USD',
      scope: { profile_ids: [own.profileId] },
      limits: { intervals: [{ interval: 'all_time', max_amount: 100_000 }] },
      approval: { mode: 'always' },
    })
    const usage = async () => (await buying.app.get(`/v1/policies/${policy.body.id}`)).body.usage[0]
    const charged = await chargedWithoutOrder(900, own)
    expect(await usage()).toMatchObject({ spent: 0 })
    expect((await usage()).reserved).toBeGreaterThan(0)
    expect(await say('not_placed', charged, own)).toMatchObject({
      status: 'failed',
      actual_amount: 0,
      next_action: null,
      carts: [{ can_retry: false }],
    })
    await settledFor(charged.id)
    expect(await doneFor(charged.id)).toEqual(['issue_credential 1380', 'capture 900', 'refund 900'])
    expect(await cartOf(charged.id)).toMatchObject({ status: 'failed', can_retry: true, actual_amount: 0 })
    expect(await usage()).toMatchObject({ spent: 0, reserved: 0 })
    await buying.audit()
    expect(await retry(charged.id)).toEqual([200, 'approved'])
    const bought = await buying.ended(own, charged.id)
    expect(bought).toMatchObject({ status: 'succeeded', actual_amount: 1380, carts: [{ attempt_number: 2 }] })
    expect((await doneFor(charged.id)).slice(3)).toEqual(['issue_credential 1380', 'capture 1380'])
    expect(await usage()).toMatchObject({ spent: 1380, reserved: 0 })
  })

  test('nothing is tried again before the refund is done, and a freeze does not stop it', async () => {
    const charged = await chargedWithoutOrder(1380)
    const target = { target: { type: 'profile', id: buyer.profileId } }
    await buying.app.post('/v1/controls/freeze', target)
    const paused = buying.faults.pause('refund.before')
    await say('not_placed', charged)
    await paused.reached
    const frozen = await buying.app.post('/v1/controls/freeze', target)
    expect(frozen.body.in_flight).toMatchObject([{ cart_id: charged.cart, step: 'refund', state: 'sent' }])
    await buying.app.post('/v1/controls/unfreeze', target)
    expect(await retry(charged.id)).toEqual([409, 'not_retryable'])
    await buying.app.post('/v1/controls/freeze', target)
    paused.resume()
    await settledFor(charged.id)
    await buying.app.post('/v1/controls/unfreeze', target)
    expect(await doneFor(charged.id)).toEqual(['issue_credential 1380', 'capture 1380', 'refund 1380'])
    expect(await cartOf(charged.id)).toMatchObject({ can_retry: true })
  })

  test.each(['lose_answer', 'drop_request', 'error_500_once'])(
    'an answer to the refund that is lost (%s) refunds once',
    async (fault) => {
      const charged = await chargedWithoutOrder(1000)
      await buying.sandbox.fault({ match: { operation: 'refund' }, fault })
      await say('not_placed', charged)
      await settledFor(charged.id)
      expect(await doneFor(charged.id)).toEqual(['issue_credential 1380', 'capture 1000', 'refund 1000'])
      expect(await cartOf(charged.id)).toMatchObject({ can_retry: true })
    },
  )

  test('a worker that dies between the refund and its record is succeeded by one that asks', async () => {
    const charged = await chargedWithoutOrder(1000)
    const paused = buying.faults.pause('refund.after')
    await say('not_placed', charged)
    await paused.reached
    await buying.sql('update carts set lease_until = now(), due_at = now() where id = $1', [charged.cart])
    await settledFor(charged.id)
    expect(await doneFor(charged.id)).toEqual(['issue_credential 1380', 'capture 1000', 'refund 1000'])
    paused.resume()
    expect(await retry(charged.id)).toEqual([200, 'approved'])
    expect(await buying.ended(buyer, charged.id)).toMatchObject({ status: 'succeeded' })
  })

  test('a refund that the rail refuses keeps the cart from being tried again until the money is back', async () => {
    const charged = await chargedWithoutOrder(1000)
    await buying.sandbox.fault({ match: { operation: 'refund' }, fault: 'decline=card_closed' })
    await say('not_placed', charged)
    const refusals = `select 1 from effects where cart_id = $1 and step = 'refund' and state = 'refused' and asked > 0`
    await expect.poll(() => buying.sql(refusals, [charged.cart])).toHaveLength(1)
    expect(await retry(charged.id)).toEqual([409, 'not_retryable'])
    const [hold] = await buying.sql<{ capture_reference: string }>(
      'select capture_reference from authorizations where cart_id = $1',
      [charged.cart],
    )
    expect(await atProcessor(`/v1/captures/${hold?.capture_reference}/refunds`, { amount: 1000 })).toBe(201)
    await settledFor(charged.id)
    expect(await cartOf(charged.id)).toMatchObject({ can_retry: true })
  })
})

describe('when a person says that an order was placed,', () => {
  test('its cost is the charge on the card, not the offer, and nothing is refunded', async () => {
    const charged = await chargedWithoutOrder(900)
    expect(await say('placed', charged)).toMatchObject({
      status: 'succeeded',
      actual_amount: 900,
      carts: [{ status: 'succeeded', actual_amount: 900, order_id: 'SO-7', offer: { total: 1380 } }],
    })
    await settledFor(charged.id)
    expect(await doneFor(charged.id)).toEqual(['issue_credential 1380', 'capture 900'])
  })

  test('an order without an answer is no longer in flight', async () => {
    const charged = await chargedWithoutOrder(1380)
    // As if the shop had refused nothing and had been silent ever since.
    await buying.sql(
      `update effects set state = 'unknown', heard = 'nothing', answer = null, settled_at = null, sent_at = now() - interval '1 hour'
       where cart_id = $1 and step = 'place'`,
      [charged.cart],
    )
    const target = { target: { type: 'profile', id: buyer.profileId } }
    const freeze = async () => (await buying.app.post('/v1/controls/freeze', target)).body.in_flight
    expect(await freeze()).toMatchObject([{ cart_id: charged.cart, step: 'place', state: 'unknown' }])
    await buying.app.post('/v1/controls/unfreeze', target)
    await say('placed', charged)
    await settledFor(charged.id)
    expect(await freeze()).toEqual([])
    await buying.app.post('/v1/controls/unfreeze', target)
    const order = await buying.sql(
      `select state, answer->>'orderId' as order_id from effects where cart_id = $1 and step = 'place'`,
      [charged.cart],
    )
    expect(order).toEqual([{ state: 'done', order_id: 'SO-7' }])
  })
})
