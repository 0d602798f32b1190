import { createHmac } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { sweepEvents } from '../../src/domain/buying/disputes/feed.sql.ts'
import { advanceTestClock, installTestClock } from '../../src/platform/clock/test-clock.ts'
import { type Buying, startBuying } from '../harness/buying.ts'
import { newLiveBuyer } from '../harness/live-buyers.ts'
import { answerOrder, type NativeShop, openNativeShop, payTo } from '../harness/native-shops.ts'
import { stripeAccount, stripeLiveKey, stripeSimulator } from '../harness/stripe.ts'

/** What the holder of a card disputes at their bank: what the simulator of Stripe remembers is the witness. */
let buying: Buying
let stripe: ReturnType<typeof stripeSimulator>
let opened = 0

beforeAll(async () => {
  buying = await startBuying({ live: true, testClock: true })
  await installTestClock(buying.app.databaseUrl)
  stripe = stripeSimulator(buying.sandbox)
  await stripe.webhooks({ retry_ms: 10 })
})
afterEach(async () => {
  await stripe.webhooks({ deliver: 'once' })
  await buying.endpoint?.turn('on')
  await buying.audit()
})
afterAll(() => buying?.stop())

type Bought = {
  order: string
  /** The intent at Stripe. */
  hold: string
  /** The merchant's account there. */
  payout: string
  shop: NativeShop
  buyer: Awaited<ReturnType<typeof newLiveBuyer>>
  purchase: string
}

/** A purchase at ten dollars that was captured, for a merchant of ours who is paid by it. */
async function bought({ isPaid = true } = {}): Promise<Bought> {
  const payout = `acct_Shop${++opened}`
  const shop = await openNativeShop(buying, 'live')
  if (isPaid) await payTo(buying, shop.seller, payout)
  const buyer = await newLiveBuyer(buying)
  const { id } = await buying.buy(buyer, [{ url: shop.url }])
  const intent = await buying.until(buyer, id, ({ carts }) => typeof carts[0]?.order === 'string')
  const order = String(intent.carts[0]?.order)
  await answerOrder(buying, shop, order, 'confirmed')
  await buying.ended(buyer, id)
  const [charge] = await stripe.intentsOf(id)
  return { order, hold: String(charge?.id), payout, shop, buyer, purchase: id }
}

/** The dispute of an order, as its buyer and its merchant see it. */
async function disputeOf({ order, shop, buyer }: Bought): Promise<unknown> {
  const { app } = buying
  const seen = await Promise.all([
    app.get(`/v1/orders/${order}`, { key: buyer.key }),
    app.get(`/v1/merchant/orders/${order}`, { key: shop.key }),
  ])
  const [ofBuyer, ofMerchant] = seen.map(({ status, body }) => {
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body.payment_status).toBe('captured')
    return body.dispute
  })
  expect(ofBuyer).toEqual(ofMerchant)
  return ofBuyer
}

const shows = (one: Bought, dispute: unknown) =>
  expect.poll(() => disputeOf(one), { interval: 20 }).toEqual(dispute)

const openDispute = (amount = 1000) => ({
  status: 'needs_response',
  amount,
  due_by: expect.stringMatching(/^20/),
  outcome: null,
})
const closed = (outcome: string, amount = 1000) => ({ status: 'closed', amount, due_by: null, outcome })

/** The shares that have moved since a number of them had. */
const sharesSince = async (before: number) => (await stripe.shares()).slice(before)
const moves = (before: number, shares: readonly string[]) =>
  expect.poll(() => sharesSince(before), { interval: 20 }).toEqual(shares)

/** Nothing is left to be done about disputes. */
const quiet = () =>
  expect
    .poll(
      () =>
        buying.sql(
          `select id from disputes where move is not null or due_at <= prokura_now() or lease_until > prokura_now()`,
        ),
      { interval: 20 },
    )
    .toEqual([])

async function eventsOf({ order, buyer }: Bought): Promise<string[]> {
  const rows = await buying.sql<{ type: string }>(
    `select type from events where aggregate_id = $1 and type like 'order.dispute%' order by sequence`,
    [order],
  )
  expect(buyer.key).toBeTypeOf('string')
  return rows.map(({ type }) => type.replace('order.dispute_', ''))
}

async function refund({ order, shop }: Bought, amount = 100) {
  return await buying.app.post(`/v1/merchant/orders/${order}/refunds`, { amount }, { key: shop.key })
}

const eventsAbout = (dispute: string) =>
  buying.sql<{ type: string; account_id: string | null }>(
    `select type, account_id from rail_events where object_id = $1 order by type`,
    [dispute],
  )

/** The row of the hold is not written yet. */
const hide = ({ hold }: Bought) =>
  buying.sql(`update authorizations set reference = 'hidden ' || reference where reference = $1`, [hold])
const unhide = ({ hold }: Bought) =>
  buying.sql(`update authorizations set reference = $1 where reference = 'hidden ' || $1`, [hold])

describe('a dispute', () => {
  test('shows at the order, takes back what the merchant was paid, and nothing is refunded until it is won', async () => {
    const one = await bought()
    const before = (await stripe.shares()).length
    const id = await stripe.dispute(one.hold)
    await shows(one, openDispute())
    await moves(before, ['reverse_transfer 1000'])
    expect(await refund(one)).toMatchObject({ status: 409, body: { detail: { code: 'disputed' } } })
    await stripe.goOnWith(id, 'under_review')
    await shows(one, { status: 'under_review', amount: 1000, due_by: null, outcome: null })
    await stripe.goOnWith(id, 'won')
    await shows(one, closed('won'))
    await moves(before, ['reverse_transfer 1000', 'transfer 1000'])
    expect(await eventsOf(one)).toEqual(['opened', 'updated', 'closed'])
    await quiet()
    expect((await refund(one)).status).toBe(201)
    await expect.poll(() => stripe.refundsOf(one.hold), { interval: 20 }).toHaveLength(1)
  })

  test('that is lost leaves the money with its holder, and the policy counts what was spent', async () => {
    const one = await bought()
    const spent = (await buying.read(one.buyer, one.purchase)).actual_amount
    const before = (await stripe.shares()).length
    const id = await stripe.dispute(one.hold, { amount: 600 })
    await shows(one, openDispute(600))
    await stripe.goOnWith(id, 'lost')
    await shows(one, closed('lost', 600))
    await quiet()
    expect(await sharesSince(before)).toEqual(['reverse_transfer 600'])
    expect((await buying.read(one.buyer, one.purchase)).actual_amount).toBe(spent)
  })

  test('that is a question of the bank at first moves nothing, and closes without an outcome for anybody', async () => {
    const one = await bought()
    const before = (await stripe.shares()).length
    const id = await stripe.dispute(one.hold, { status: 'warning_needs_response' })
    await shows(one, openDispute())
    await stripe.goOnWith(id, 'warning_closed')
    await shows(one, closed('dropped'))
    await quiet()
    expect(await sharesSince(before)).toEqual([])
  })

  test('of a merchant whose account has too little is owed, and forgiven when it is won', async () => {
    const one = await bought()
    await stripe.leave(one.payout, 10)
    const id = await stripe.dispute(one.hold)
    const owed = () =>
      buying.sql('select owed_amount::int, merchant_account_id from disputes where id = $1', [id])
    await expect
      .poll(owed, { interval: 20 })
      .toEqual([{ owed_amount: 1000, merchant_account_id: one.shop.seller.accountId }])
    await stripe.goOnWith(id, 'won')
    await shows(one, closed('won'))
    await expect.poll(owed, { interval: 20 }).toMatchObject([{ owed_amount: 0 }])
  })

  test('where the operator was paid moves nothing and is owed by nobody', async () => {
    const one = await bought({ isPaid: false })
    const before = (await stripe.shares()).length
    const id = await stripe.dispute(one.hold)
    await shows(one, openDispute())
    await quiet()
    expect(await sharesSince(before)).toEqual([])
    expect(await buying.sql('select owed_amount::int from disputes where id = $1', [id])).toEqual([
      { owed_amount: 0 },
    ])
  })

  test('of the money behind an issued card shows at the order that the card has paid', async () => {
    const one = await bought()
    await buying.sql(
      `insert into fundings (account_id, mode, cart_id, attempt, intent_id, rail, reference, amount, currency, status, captured_amount,
         expires_at, created_at, updated_at)
       select account_id, mode, cart_id, attempt, intent_id, rail, reference, amount, currency, 'captured', amount, now(), now(), now()
       from authorizations where reference = $1`,
      [one.hold],
    )
    await hide(one)
    await stripe.dispute(one.hold)
    await shows(one, openDispute())
    await quiet()
    await buying.sql('delete from fundings where reference = $1', [one.hold])
    await unhide(one)
  })

  test.each(['reverse_transfer', 'create_transfer'])(
    'moves its share once where the answer is lost and the worker ends: %s',
    async (operation) => {
      const one = await bought()
      const before = (await stripe.shares()).length
      await stripe.fault(operation, 'lose_answer')
      const id = await stripe.dispute(one.hold)
      if (operation === 'create_transfer') {
        await moves(before, ['reverse_transfer 1000'])
        await stripe.goOnWith(id, 'won')
      }
      const pending = () =>
        buying.sql(
          `select move from disputes where id = $1 and due_at > prokura_now() and move is not null`,
          [id],
        )
      await expect.poll(async () => (await pending()).length, { interval: 20 }).toBe(1)
      await stripe.forgetKeys()
      await advanceTestClock(buying.app.databaseUrl, 60)
      await quiet()
      expect(await sharesSince(before)).toEqual(
        operation === 'create_transfer'
          ? ['reverse_transfer 1000', 'transfer 1000']
          : ['reverse_transfer 1000'],
      )
    },
  )
})

describe('an event', () => {
  test('that comes twice, or three times at once, is one', async () => {
    const one = await bought()
    await stripe.webhooks({ deliver: 'held' })
    const id = await stripe.dispute(one.hold)
    const [created] = await listed(id)
    const answers = await Promise.all([1, 2, 3].map(() => send(created)))
    expect(answers).toEqual([200, 200, 200])
    expect(await send(created)).toBe(200)
    expect(await eventsAbout(id)).toHaveLength(1)
    expect(await buying.sql('select told from disputes where id = $1', [id])).toEqual([{ told: 1 }])
    await stripe.webhooks({ deliver: 'twice' })
    await stripe.releaseWebhooks()
    await shows(one, openDispute())
    expect(await eventsAbout(id)).toHaveLength(2)
    expect(await eventsOf(one)).toEqual(['opened'])
  })

  test('that comes in the wrong order, and months late, says only where to look', async () => {
    const one = await bought()
    const before = (await stripe.shares()).length
    await stripe.webhooks({ deliver: 'held' })
    const id = await stripe.dispute(one.hold)
    await stripe.goOnWith(id, 'won')
    await stripe.releaseWebhooks({ reversed: true })
    await shows(one, closed('won'))
    const [created] = await listed(id)
    const months = 100 * 86_400
    expect(await send({ ...created, id: 'evt_lost', created: Number(created?.created) - months })).toBe(200)
    await quiet()
    // The money was back before anybody here knew that it was gone.
    expect(await sharesSince(before)).toEqual([])
    expect(await eventsOf(one)).toEqual(['opened', 'closed'])
  })

  test('of a hold whose row is not written yet comes again', async () => {
    const one = await bought()
    await hide(one)
    await stripe.webhooks({ deliver: 'held' })
    const id = await stripe.dispute(one.hold)
    const [created] = await listed(id)
    expect(await send(created)).toBe(503)
    expect(await eventsAbout(id)).toEqual([])
    await unhide(one)
    await stripe.releaseWebhooks()
    await shows(one, openDispute())
    await quiet()
  })

  test('of somebody else’s payment at the same account is written down and followed by nothing', async () => {
    const taken = await stripe.take(700, { key: stripeLiveKey })
    await stripe.webhooks({ deliver: 'held' })
    const id = await stripe.dispute(taken)
    const [created] = await listed(id)
    const later = { ...created, created: Number(created?.created) - 3_600 }
    expect(await send(later)).toBe(200)
    expect(await eventsAbout(id)).toEqual([{ type: 'charge.dispute.created', account_id: null }])
    expect(await buying.sql('select 1 from disputes where id = $1', [id])).toEqual([])
  })

  test('of another account, or without its signature, or of another mode, is not taken', async () => {
    const one = await bought()
    await stripe.webhooks({ deliver: 'held' })
    const id = await stripe.dispute(one.hold)
    const [created] = await listed(id)
    expect(await send(created, { account: 'acct_somebody' })).toBe(404)
    expect(await send(created, { secret: 'whsec_of_nobody' })).toBe(400)
    expect(await send(created, { at: Date.now() / 1000 - 301 })).toBe(400)
    expect(await send({ ...created, livemode: false })).toBe(200)
    expect(await send({ ...created, type: 'payment_intent.succeeded' })).toBe(200)
    expect(await eventsAbout(id)).toEqual([])
    await stripe.releaseWebhooks()
    await shows(one, openDispute())
    await quiet()
  })

  test('that nobody was told of is found by asking, also where the row of its hold comes later', async () => {
    const one = await bought()
    await buying.endpoint?.turn('off')
    await hide(one)
    const id = await stripe.dispute(one.hold)
    await advanceTestClock(buying.app.databaseUrl, 301)
    const looked = `select 1 from rail_event_feeds where due_at > prokura_now() and lease_until is null`
    await expect.poll(async () => (await buying.sql(looked)).length, { interval: 20 }).toBe(1)
    await unhide(one)
    // What is young and nobody's holds up what is behind it for a quarter of an hour.
    await advanceTestClock(buying.app.databaseUrl, 1_200)
    await shows(one, openDispute())
    await quiet()
    expect(await eventsAbout(id)).toHaveLength(2)
  })
})

test('the id of an event is forgotten five days after no rail lists it any more', async () => {
  const { parts } = buying.app
  const before = new Date(Date.UTC(2020, 0, 31))
  const at = (id: string, day: number) =>
    buying.sql(`insert into rail_events values ('live', $1, 't', 'o', null, $2, $2)`, [
      id,
      new Date(Date.UTC(2020, 0, day)),
    ])
  await at('evt_old', 25)
  await at('evt_younger', 27)
  let rows = 0
  for await (const swept of sweepEvents.batches(parts.pools, before)) rows += swept.rows
  expect(rows).toBe(1)
  expect(
    await buying.sql(`select id from rail_events where id like 'evt_old' or id like 'evt_younger'`),
  ).toEqual([{ id: 'evt_younger' }])
})

type Told = Record<string, unknown>

/** The events about a dispute, as Stripe lists them, oldest first. */
async function listed(dispute: string): Promise<Told[]> {
  const answer = await fetch(`${stripe.url}/v1/events?limit=20`, {
    headers: { authorization: `Bearer ${stripeLiveKey}` },
  })
  const { data } = (await answer.json()) as { data: (Told & { data: { object: { id: string } } })[] }
  return data.filter((one) => one.data.object.id === dispute).reverse()
}

type How = { account?: string; secret?: string; at?: number }

/** The status of the answer to a message that is signed as Stripe signs. */
async function send(
  event: Told | undefined,
  { account = stripeAccount, secret = buying.endpoint?.secret ?? '', at = Date.now() / 1000 }: How = {},
): Promise<number> {
  const body = JSON.stringify(event)
  const time = Math.floor(at)
  const v1 = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
  const answer = await fetch(`${buying.app.url}/inbound/stripe/${account}`, {
    method: 'POST',
    headers: { 'stripe-signature': `t=${time},v1=${v1}` },
    body,
  })
  return answer.status
}
