import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { advanceTestClock, installTestClock } from '../../src/platform/clock/test-clock.ts'
import { testKeys } from '../harness/app.ts'
import { verdictAfter } from '../harness/broken-invariants.ts'
import { hasChromium } from '../harness/browser.ts'
import { type Buying, type Purchase, startBuying } from '../harness/buying.ts'
import { commandRunner } from '../harness/command-runner.ts'
import { newLiveBuyer } from '../harness/live-buyers.ts'
import { openStrangers } from '../harness/strangers.ts'
import { liveSettingsOf, stripeSimulator } from '../harness/stripe.ts'
import { serviceEnvironment } from '../harness/up.ts'

type LiveBuyer = Awaited<ReturnType<typeof newLiveBuyer>>

/**
 * Live mode buys at shops that have nothing but pages, by cards that Stripe issues: the buyer's own card is held first, and pays what the
 * shop has taken. The simulator of Stripe is the witness of both.
 */
describe.runIf(hasChromium)('a purchase of live mode at pages', () => {
  let buying: Buying
  let stripe: ReturnType<typeof stripeSimulator>
  let strangers: ReturnType<typeof openStrangers>

  beforeAll(async () => {
    buying = await startBuying({ live: true, testClock: true, strangers: true, pages: true })
    await installTestClock(buying.app.databaseUrl)
    stripe = stripeSimulator(buying.sandbox)
    strangers = openStrangers(buying)
    for (const shop of ['classic', 'app', 'drift', 'hosted', 'authorizes'])
      await strangers.know(`${shop}.shop.test`, 'browser', [], 'live')
  })
  afterEach(() => buying.audit())
  afterAll(() => buying?.stop())

  async function buy(buyer: LiveBuyer, path: string, amount: number): Promise<Purchase> {
    const [shop = '', ...rest] = path.split('/')
    const url = `https://${shop}.shop.test/${rest.join('/')}`
    return await buying.buy(buyer, [{ url, amount, quantity: 1 }], {
      preferences: { fulfillment: { max_fee_amount: 900 } },
      max_amount: 60_000,
    })
  }

  async function pass(days: number, ofShop = days): Promise<void> {
    if (ofShop > 0) await strangers.days('authorizes', ofShop)
    await stripe.forward(days * 86_400)
    await advanceTestClock(buying.app.databaseUrl, days * 86_400)
  }

  /** What the simulator holds and has taken at the buyer's own card, in one line. */
  async function paidBy(id: string): Promise<string> {
    const [intent] = await stripe.intentsOf(id)
    if (!intent) return 'nothing'
    const refunds = (await stripe.refundsOf(String(intent.id))) as { amount: number }[]
    const back = refunds.reduce((sum, { amount }) => sum + amount, 0)
    return intent.status === 'succeeded' ? `${Number(intent.amount_received) - back}` : `${intent.status}`
  }

  test('holds the buyer’s card, has the shop charge an issued one, and charges the buyer what it took', async () => {
    const buyer = await newLiveBuyer(buying)
    const { id } = await buy(buyer, 'classic/product/kettle', 4_900)
    const ended = await buying.ended(buyer, id)
    expect(ended, JSON.stringify(ended)).toMatchObject({ status: 'succeeded', actual_amount: 5_832 })
    await buying.settled()
    expect(await stripe.moneyOf(id)).toEqual(['confirm 5832 requires_capture', 'capture 5832 succeeded'])
    const [cart] = ended.carts
    const [issued] = await stripe.issuedUnder(`${cart?.id}:1:issue_credential`)
    expect(issued).toMatchObject({
      status: 'canceled',
      spending_controls: { spending_limits: [{ amount: 5_832 }] },
    })
    const bundle = await buying.app.get(`/v1/purchase_intents/${id}/evidence_bundle`, { key: buyer.key })
    const { money } = JSON.parse(Buffer.from(bundle.body.payload, 'base64url').toString())
    // What the bank of the buyer has charged stands beside what the shop has taken.
    expect(money.holds).toMatchObject([
      { kind: 'credential', status: 'captured', captured_amount: 5_832 },
      {
        kind: 'funding',
        status: 'captured',
        captured_amount: 5_832,
        reference: expect.stringMatching(/^pi_/),
      },
    ])
    const [card] = await buying.sql(
      'select is_open, allowed_amount, network_name from chargeable_cards where cart_id = $1',
      [cart?.id],
    )
    expect(card).toEqual({ is_open: false, allowed_amount: 5_832n, network_name: expect.any(String) })
  })

  test('lets go of the buyer’s card where the shop asks for another price, or its bank for its customer', async () => {
    const buyer = await newLiveBuyer(buying)
    const bought = [
      await buy(buyer, 'drift/product/price-while-typing', 2_000),
      await buy(buyer, 'hosted/product/challenge', 14_900),
    ]
    for (const { id } of bought)
      expect(await buying.ended(buyer, id)).toMatchObject({ status: 'failed', actual_amount: 0 })
    await buying.settled()
    for (const { id } of bought) expect(['canceled', 'nothing']).toContain(await paidBy(id))
  })

  test('follows parcels, late captures and refunds of a shop for weeks, and the buyer pays what it keeps', async () => {
    const handles = ['two-shipments', 'part-shipped', 'never-shipped', 'late', 'refunded', 'partly-refunded']
    const buyers = await Promise.all(handles.map(() => newLiveBuyer(buying)))
    const buyOne = async (buyer: LiveBuyer, index: number) => {
      const { id } = await buy(buyer, `authorizes/product/${handles[index]}`, 20_000)
      expect(await buying.ended(buyer, id)).toMatchObject({ status: 'succeeded', actual_amount: 22_140 })
      return id
    }
    const bought = await Promise.all(buyers.map(buyOne))
    const paid = async () =>
      Object.fromEntries(
        await Promise.all(handles.map(async (handle, index) => [handle, await paidBy(bought[index] ?? '')])),
      )
    const stands = (each: readonly string[]) =>
      expect.poll(paid).toEqual(Object.fromEntries(handles.map((handle, index) => [handle, each[index]])))
    const held = 'requires_capture'
    await stands([held, held, held, held, held, held])
    // Some is captured on the third day, and the rest is still held by the shop.
    await pass(3)
    await stands([held, held, held, held, '22140', '22140'])
    // Before the bank of the buyer lets go, all that the shop holds is captured.
    await pass(1.72, 1)
    await stands(['22140', '22140', '22140', '22140', '22140', '22140'])
    const said = await Promise.all(
      bought.map(async (id, index) => (await buying.read(buyers[index] as LiveBuyer, id)).carts[0]?.hold),
    )
    const early = expect.objectContaining({ status: 'captured_early' })
    expect(said).toEqual([early, early, early, early, undefined, undefined])
    await pass(3.28, 4)
    await stands(['22140', '13284', '0', '22140', '22140', '22140'])
    await pass(17)
    await stands(['22140', '13284', '0', '22140', '0', '16605'])
    const costs = await Promise.all(
      bought.map(async (id, index) => (await buying.read(buyers[index] as LiveBuyer, id)).actual_amount),
    )
    expect(costs).toEqual([22_140, 13_284, 0, 22_140, 22_140, 22_140])
  })

  test('leaves a shop the time that the bank of its buyer gives: seven days, and thirty', async () => {
    const buyers = [await newLiveBuyer(buying, 'pm_card_mastercard'), await newLiveBuyer(buying)] as const
    const bought: string[] = []
    for (const [index, days] of [0, 30].entries()) {
      await stripe.holdFor(days)
      const buyer = buyers[index] as LiveBuyer
      const { id } = await buy(buyer, 'authorizes/product/never-shipped', 20_000)
      expect(await buying.ended(buyer, id)).toMatchObject({ status: 'succeeded' })
      bought.push(id)
    }
    await stripe.holdFor(0)
    const stands = (each: readonly string[]) =>
      expect.poll(() => Promise.all(bought.map((id) => paidBy(id)))).toEqual(each)
    await pass(5, 3)
    await stands(['requires_capture', 'requires_capture'])
    await pass(1.97, 1)
    await stands(['22140', 'requires_capture'])
    await pass(4)
    await stands(['0', 'canceled'])
    await buying.settled()
  })

  test('waits for money of the operator’s that a card would spend, and never shows a shop a card that is not covered', async () => {
    const [{ used } = { used: 0 }] = await buying.sql<{ used: number }>(
      `select sum(a.captured_amount - a.refunded_amount)::int as used from authorizations a where a.status = 'captured'`,
    )
    // What shops hold by now and have not taken is none: enough for one kettle, and not for two.
    await stripe.payIn('USD', used + 6_000)
    const buyers = [await newLiveBuyer(buying), await newLiveBuyer(buying)]
    const bought = await Promise.all(buyers.map((buyer) => buy(buyer, 'classic/product/kettle', 4_900)))
    const statuses = async () =>
      (await Promise.all(bought.map(({ id }, index) => buying.read(buyers[index] as LiveBuyer, id))))
        .map(({ status }) => status)
        .sort()
    await expect.poll(statuses).toEqual(['approved', 'succeeded'])
    await expect
      .poll(
        async () =>
          (
            await buying.sql(`select 1 from carts where stage = 'rail' and intent_id = any($1)`, [
              bought.map(({ id }) => id),
            ])
          ).length,
      )
      .toBe(1)
    expect((await stripe.log()).filter(({ result }) => result === 'insufficient_funds')).toEqual([])
    await stripe.payIn('USD', used + 20_000)
    await advanceTestClock(buying.app.databaseUrl, 31)
    await expect.poll(statuses).toEqual(['succeeded', 'succeeded'])
    expect(buying.complaints()).toEqual([
      expect.objectContaining({ msg: expect.stringContaining('does not cover') }),
    ])
    await buying.settled()
  })

  test('ends a purchase that no balance covers for half an hour, and lets go of the money of its buyer', async () => {
    await stripe.payIn('USD', 1)
    const buyer = await newLiveBuyer(buying)
    const { id } = await buy(buyer, 'classic/product/kettle', 4_900)
    const waits = async () =>
      (await buying.sql(`select 1 from carts where stage = 'rail' and intent_id = $1`, [id])).length
    await expect.poll(waits).toBe(1)
    expect(await paidBy(id)).toBe('requires_capture')
    await advanceTestClock(buying.app.databaseUrl, 1_801)
    expect(await buying.ended(buyer, id)).toMatchObject({
      status: 'failed',
      failure_reason: { code: 'internal_error', retry_policy: 'later' },
    })
    await buying.settled()
    expect(await paidBy(id)).toBe('canceled')
    expect(buying.complaints()).not.toEqual([])
    await stripe.payIn('USD', 100_000_000)
  })

  test('that a shop takes more of than its card allowed is not its buyer’s, and is listed for the operator', async () => {
    const buyer = await newLiveBuyer(buying)
    const { id } = await buy(buyer, 'classic/product/kettle', 4_900)
    const { carts } = await buying.ended(buyer, id)
    await buying.settled()
    const [cart] = carts
    const [card] = await stripe.issuedUnder(`${cart?.id}:1:issue_credential`)
    await stripe.forceCapture(String(card?.id), { key: `forced ${id}`, amount: 700 })
    const beyond = async () =>
      (
        await buying.sql<{ beyond_limit: bigint }>(
          'select beyond_limit from authorizations where intent_id = $1',
          [id],
        )
      )[0]?.beyond_limit
    await expect
      .poll(async () => {
        await advanceTestClock(buying.app.databaseUrl, 60)
        return await beyond()
      })
      .toBe(700n)
    await buying.settled()
    expect(await paidBy(id)).toBe('5832')
    expect(await buying.read(buyer, id)).toMatchObject({ actual_amount: 5_832 })
    const commands = commandRunner()
    const asked = ['rail', 'losses', '--json']
    const { out, code } = await commands.run(asked, {
      ...serviceEnvironment(),
      DATABASE_URL: buying.app.databaseUrl,
    })
    commands.end()
    expect(code).toBe(0)
    expect(JSON.parse(out).data).toEqual([
      expect.objectContaining({
        purchase_intent_id: id,
        taken_amount: 6_532,
        paid_amount: 5_832,
        lost_amount: 700,
      }),
    ])
  })

  test('shows no shop a card any more once one was charged that nobody here has allowed, until its operator has looked', async () => {
    const buyers = [await newLiveBuyer(buying), await newLiveBuyer(buying)] as const
    await stripe.leaveUnanswered('approve', 1)
    const first = await buy(buyers[0], 'classic/product/kettle', 4_900)
    expect(await buying.ended(buyers[0], first.id)).toMatchObject({ status: 'succeeded' })
    const stopped = () => buying.sql('select 1 from card_programs where stopped_at is not null')
    await expect.poll(async () => (await stopped()).length).toBe(1)
    await stripe.leaveUnanswered('decline', 2_000)
    const { id } = await buy(buyers[1], 'classic/product/kettle', 4_900)
    const waits = async () =>
      (await buying.sql(`select 1 from carts where stage = 'rail' and intent_id = $1`, [id])).length
    await expect.poll(waits).toBe(1)
    expect(buying.complaints()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ msg: expect.stringContaining('nobody here has allowed') }),
        expect.objectContaining({ msg: expect.stringContaining('no card is shown to a shop') }),
      ]),
    )
    const commands = commandRunner()
    const check = async (...more: string[]) => {
      const { out } = await commands.run(['rail', 'check', '--json', ...more], {
        ...serviceEnvironment(),
        ...liveSettingsOf(buying.sandbox),
        PROKURA_STRIPE_CARDHOLDER: 'ich_sandbox',
        DATABASE_URL: buying.app.databaseUrl,
        PROKURA_KEYS: testKeys,
      })
      const { findings } = JSON.parse(out) as { findings: { what: string; state: string }[] }
      return findings.find(({ what }) => what === 'fallback')?.state
    }
    expect(await check()).toBe('lacks')
    expect(await check('--confirm-fallback', 'decline')).toBe('ok')
    commands.end()
    await advanceTestClock(buying.app.databaseUrl, 31)
    expect(await buying.ended(buyers[1], id)).toMatchObject({ status: 'succeeded' })
    await buying.settled()
  })

  test('is shown to notice a buyer who pays too much or too little, and money that nobody watches', async () => {
    const database = new Client({ connectionString: buying.app.databaseUrl })
    await database.connect()
    const kept = `(select cart_id from fundings where status = 'captured' and returned_amount = 0 limit 1)`
    const damages = [
      ['M2-behind', `update fundings set returned_amount = 1 where cart_id = ${kept}`],
      [
        'M2-behind',
        `update authorizations set refunded_amount = refunded_amount + 1 where cart_id = ${kept}`,
      ],
      ['M2-behind', `update fundings set currency = 'EUR' where cart_id = ${kept}`],
      ['M6-behind', `update fundings set status = 'authorized', captured_amount = 0 where cart_id = ${kept}`],
    ] as const
    for (const [id, damage] of damages)
      expect((await verdictAfter(database, damage, { id })).violations, damage).not.toEqual([])
    await database.end()
  })
})
