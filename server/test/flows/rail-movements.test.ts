import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Id } from '../../src/core/id.ts'
import {
  deleteOldMovements,
  storeMovements,
  writeFollowed,
} from '../../src/domain/buying/rail-movements/movements.sql.ts'
import { advanceTestClock, installTestClock } from '../../src/platform/clock/test-clock.ts'
import { verdictAfter, verdictOf } from '../harness/broken-invariants.ts'
import { hasChromium } from '../harness/browser.ts'
import { type Buyer, type Buying, type Purchase, startBuying } from '../harness/buying.ts'
import { person } from '../harness/person.ts'
import { openStrangers } from '../harness/strangers.ts'

let buying: Buying
let strangers: ReturnType<typeof openStrangers>
let people = 0

type Bought = {
  buyer: Buyer
  policyId: string
  intent: Purchase
  cartId: string
  orderId: string
  card: string
}
type Order = { id: string; [field: string]: unknown }

/** A purchase on the pages of the shop that authorizes with the order, unattended under a policy. */
async function bought(handle: string): Promise<Bought> {
  const email = `mover${++people}@example.com`
  const buyer = await buying.newBuyer('visa_auto_approved', undefined, { ...person, email })
  const policy = await buying.app.post(
    '/v1/policies',
    {
      name: handle,
      currency: 'USD',
      scope: { profile_ids: [buyer.profileId] },
      limits: { intervals: [{ interval: 'month', max_amount: 60_000 }] },
      approval: { mode: 'never' },
    },
    { key: buyer.key },
  )
  expect(policy.status, JSON.stringify(policy.body)).toBe(201)
  const url = `https://authorizes.shop.test/product/${handle}`
  const asked = await buying.buy(buyer, [{ url, amount: 20_000 }], {
    preferences: { fulfillment: { max_fee_amount: 900 } },
    max_amount: 30_000,
  })
  const intent = await buying.until(
    buyer,
    asked.id,
    ({ status, carts }) => ['succeeded', 'failed', 'cancelled'].includes(status) && carts.length > 0,
  )
  expect(intent, JSON.stringify(intent.carts)).toMatchObject({ status: 'succeeded', actual_amount: 22_140 })
  const [cart] = intent.carts
  const [hold] = await buying.sql<{ reference: string }>(
    'select reference from authorizations where intent_id = $1',
    [intent.id],
  )
  const ids = { cartId: String(cart?.id), orderId: String(cart?.order) }
  return { buyer, policyId: policy.body.id, intent, card: hold?.reference ?? '', ...ids }
}

/** As the bank of the shop. */
async function atBank(path: string, key: string, body: object): Promise<{ status: number; id: string }> {
  const response = await fetch(buying.sandbox.processorUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
  })
  const { id = '' }: { id?: string } = JSON.parse(await response.text())
  return { status: response.status, id }
}

async function authorizationOf(card: string): Promise<string> {
  const response = await fetch(`${buying.sandbox.processorUrl}/v1/card_movements?after=0`)
  type Movement = { virtual_card: string | null; kind: string; authorization: string }
  const { data }: { data: Movement[] } = JSON.parse(await response.text())
  const found = data.find(({ virtual_card, kind }) => virtual_card === card && kind === 'authorize_card')
  return String(found?.authorization)
}

/** The order once it looks like this. The rail is asked at most a minute later, which passes at once. */
async function becomes({ buyer, orderId }: Bought, like: object): Promise<Order> {
  const read = async () => (await buying.app.get(`/v1/orders/${orderId}`, { key: buyer.key })).body
  await advanceTestClock(buying.app.databaseUrl, 61)
  await expect.poll(read, { interval: 50 }).toMatchObject(like)
  return await read()
}

async function figures({ buyer, policyId, intent }: Bought): Promise<object> {
  const { body } = await buying.app.get(`/v1/policies/${policyId}`, { key: buyer.key })
  const { spent, reserved } = body.usage[0]
  const { actual_amount, carts } = await buying.read(buyer, intent.id)
  return { spent, reserved, charged: actual_amount, refunded: carts[0]?.refunded_amount }
}

async function eventsOf(id: string, type: string): Promise<number> {
  const rows = await buying.sql('select 1 from events where aggregate_id = $1 and type = $2', [id, type])
  return rows.length
}

/** The rail tells everything once more, from its first movement on. */
async function tellAgain(): Promise<void> {
  await buying.sql(`update rail_feeds set position = null, due_at = prokura_now()`)
  await expect
    .poll(async () => (await buying.sql('select 1 from rail_feeds where position is not null')).length, {
      interval: 20,
    })
    .toBe(1)
  await buying.settled()
}

async function databaseNow(): Promise<Date> {
  const [row] = await buying.sql<{ now: Date }>('select prokura_now() as now')
  if (!row) throw new Error('the database has no time')
  return row.now
}

const refunded = (...amounts: number[]) => amounts.map((amount) => ({ amount, status: 'succeeded' }))

describe.runIf(hasChromium)('what a shop does with the money after the purchase', () => {
  let paid: Bought
  beforeAll(async () => {
    buying = await startBuying({ testClock: true, strangers: true, pages: true })
    await installTestClock(buying.app.databaseUrl)
    strangers = openStrangers(buying)
    await strangers.know('authorizes.shop.test', 'browser')
    paid = await bought('late')
  })
  afterAll(() => buying?.stop())

  test('is followed through part captures, refunds between them, a reversal and refunds of the rest', async () => {
    const hold = `/v1/card_authorizations/${await authorizationOf(paid.card)}`
    const first = await atBank(`${hold}/captures`, 'mv-c1', { amount: 13_284, final: false })
    expect(first.status).toBe(201)
    const giveBack = (key: string, amount: number) =>
      atBank(`/v1/captures/${first.id}/refunds`, key, { amount })
    await giveBack('mv-r1', 1_000)
    await becomes(paid, { payment_status: 'authorized', refunds: refunded(1_000) })
    expect(await figures(paid)).toEqual({ spent: 22_140, reserved: 0, charged: 22_140, refunded: 1_000 })

    await atBank(`${hold}/reversals`, 'mv-v1', {})
    await becomes(paid, { payment_status: 'partially_refunded', refunds: refunded(1_000) })
    expect(await figures(paid)).toEqual({ spent: 13_284, reserved: 0, charged: 13_284, refunded: 1_000 })

    await giveBack('mv-r2', 2_000)
    await giveBack('mv-r3', 284)
    await becomes(paid, { payment_status: 'partially_refunded', refunds: refunded(1_000, 2_000, 284) })
    await giveBack('mv-r4', 10_000)
    // The rail itself gives back no more than it has taken.
    expect((await giveBack('mv-r5', 1)).status).toBe(409)
    await becomes(paid, { payment_status: 'refunded', refunds: refunded(1_000, 2_000, 284, 10_000) })
    // A window counts what was spent in it, as with merchants of ours.
    expect(await figures(paid)).toEqual({ spent: 13_284, reserved: 0, charged: 13_284, refunded: 13_284 })
    expect(await eventsOf(paid.orderId, 'order.refunded')).toBeGreaterThanOrEqual(3)
    expect(await eventsOf(paid.intent.id, 'cart.payment_refunded')).toBeGreaterThanOrEqual(3)
  })

  test('changes nothing when it is told again, remembered or not', async () => {
    const shown = async () => [await becomes(paid, { payment_status: 'refunded' }), await figures(paid)]
    const before = await shown()
    await tellAgain()
    expect(await shown()).toEqual(before)
    await buying.sql('delete from rail_movements')
    await tellAgain()
    expect(await shown()).toEqual(before)
    const states = await buying.sql<{ state: string }>('select distinct state from rail_movements')
    expect(states).toEqual([{ state: 'applied' }])
  })

  test('is refused where it is more than was taken, and is nobody else’s', async () => {
    const before = await figures(paid)
    const tell = async (mode: 'test' | 'live', id: string, reference: string) => {
      const { text, values } = storeMovements({
        mode,
        now: new Date(),
        ids: [id],
        references: [reference],
        are_refunds: [true],
        refunded: [13_285n],
      })
      return await buying.sql(text, [...values])
    }
    expect(await tell('live', 'of-live', paid.card)).toMatchObject([{ cart_id: null }])
    expect(await tell('test', 'of-nobody', 'vcard_of_nobody')).toMatchObject([{ cart_id: null }])
    expect(await tell('test', 'too-much', paid.card)).toMatchObject([{ cart_id: paid.cartId }])
    await buying.sql('update carts set due_at = prokura_now() where id = $1', [paid.cartId])
    const state = async () =>
      await buying.sql<{ id: string; state: string }>(
        `select id, state from rail_movements where id ~ '[a-z]' order by id`,
      )
    await expect.poll(state, { interval: 20 }).toEqual([
      { id: 'of-live', state: 'kept' },
      { id: 'of-nobody', state: 'kept' },
      { id: 'too-much', state: 'refused' },
    ])
    await buying.settled()
    expect(await figures(paid)).toEqual(before)
    const told = buying.complaints()
    expect(told).toMatchObject([{ refused: 1 }])
    expect(JSON.stringify(told)).not.toContain(paid.card)
    expect(await buying.metrics.registry.metrics()).toContain(
      'prokura_rail_movements_total{outcome="refused"} 1',
    )
  })

  test('is kept for a day where nobody knows the credential, and found once somebody does', async () => {
    const run = ({ text, values }: { text: string; values: readonly unknown[] }) =>
      buying.sql(text, [...values])
    // The clock of the database has been brought forward.
    const tell = async (id: string, reference: string) =>
      run(
        storeMovements({
          mode: 'test',
          now: await databaseNow(),
          ids: [id],
          references: [reference],
          are_refunds: [true],
          refunded: [13_284n],
        }),
      )
    const [cart] = await buying.sql<{ account_id: Id<'acct'> }>(
      'select account_id from carts where id = $1',
      [paid.cartId],
    )
    if (!cart) throw new Error('there is no cart')
    const owner = {
      account_id: cart.account_id,
      mode: 'test' as const,
      cart_id: paid.cartId,
      attempt: 1,
    }
    const stateOf = async (id: string) => {
      const [row] = await buying.sql<{ state: string }>('select state from rail_movements where id = $1', [
        id,
      ])
      return row?.state
    }
    await buying.settled()
    for (const name of ['early', 'beside', 'late']) await tell(name, `vcard_${name}`)
    // The credential comes after it was stored.
    await run(writeFollowed({ ...owner, reference: 'vcard_early' }))
    // Neither has seen the other.
    const follow = (reference: string) =>
      buying.sql(
        `insert into followed_credentials (account_id, mode, reference, cart_id, attempt) values ($1, 'test', $2, $3, 1)`,
        [owner.account_id, reference, owner.cart_id],
      )
    await follow('vcard_beside')
    await advanceTestClock(buying.app.databaseUrl, 61)
    await expect.poll(() => stateOf('beside'), { interval: 20 }).toBe('applied')
    expect(await stateOf('early')).toBe('applied')
    await advanceTestClock(buying.app.databaseUrl, 600)
    await follow('vcard_late')
    await advanceTestClock(buying.app.databaseUrl, 61)
    await tell('fresh', 'vcard_beside')
    await buying.sql('update carts set due_at = prokura_now() where id = $1', [paid.cartId])
    await expect.poll(() => stateOf('fresh'), { interval: 20 }).toBe('applied')
    expect(await stateOf('late')).toBe('kept')
    const sweep = () => run(deleteOldMovements({ before: new Date(0), limit: 100 }))
    await advanceTestClock(buying.app.databaseUrl, 86_400 - 900)
    await sweep()
    expect(await stateOf('late')).toBe('kept')
    await advanceTestClock(buying.app.databaseUrl, 900)
    await sweep()
    expect(await stateOf('late')).toBeUndefined()
    expect(await stateOf('early')).toBe('applied')
  })

  test('is what the shop itself testifies, and everything adds up', async () => {
    const part = await bought('partly-refunded')
    await strangers.days('authorizes', 11)
    await becomes(part, { payment_status: 'partially_refunded', refunds: refunded(5_535) })
    expect(await figures(part)).toEqual({ spent: 22_140, reserved: 0, charged: 22_140, refunded: 5_535 })
    const log = await strangers.log('authorizes')
    expect(log.filter(({ kind }) => kind === 'charge').map(({ result }) => result)).toContain('refunded:5535')
    await buying.settled()
    await buying.relayed()
    await buying.audit()
  })

  test.each([
    ['M2-strangers', 'update carts set refunded_amount = refunded_amount - 1 where refunded_amount > 0'],
    [
      'M2-strangers',
      'update authorizations set refunded_amount = refunded_amount - 1 where refunded_amount > 0',
    ],
    ['M2-strangers', `update orders set refunds = '[]' where refunds_amount > 0`],
    ['M2-strangers', `update orders set payment_status = 'captured' where refunds_amount > 0`],
    ['W2-movements', `update rail_movements set state = 'due' where state = 'applied'`],
  ])('%s sees it: %s', async (id, damage) => {
    const database = new Client({ connectionString: buying.app.databaseUrl })
    await database.connect()
    try {
      expect((await verdictOf(database, id)).checked).toBeGreaterThan(0)
      const { violations } = await verdictAfter(database, damage, { id })
      expect(violations).not.toEqual([])
    } finally {
      await database.end()
    }
  })
})
