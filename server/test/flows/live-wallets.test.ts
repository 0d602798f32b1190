import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { advanceTestClock, installTestClock } from '../../src/platform/clock/test-clock.ts'
import { hasChromium } from '../harness/browser.ts'
import { type Buying, type Purchase, startBuying } from '../harness/buying.ts'
import { linkAt } from '../harness/link.ts'
import { newLiveBuyer, newWalletBuyer } from '../harness/live-buyers.ts'
import { type NativeShop, openNativeShop } from '../harness/native-shops.ts'
import { openStrangers } from '../harness/strangers.ts'

/**
 * Live mode without an Issuing program: people pay at pages from their own wallets at Link, and approve each purchase there. The simulator of
 * Link is the witness.
 */
describe.runIf(hasChromium)('a purchase of live mode by a wallet', () => {
  let buying: Buying
  let link: ReturnType<typeof linkAt>
  let native: NativeShop

  beforeAll(async () => {
    buying = await startBuying({
      live: true,
      testClock: true,
      strangers: true,
      pages: true,
      link: { cards: false },
    })
    await installTestClock(buying.app.databaseUrl)
    link = linkAt({ url: buying.sandbox.linkUrl, token: buying.sandbox.controlToken })
    const strangers = openStrangers(buying)
    for (const shop of ['classic', 'app', 'hosted'])
      await strangers.know(`${shop}.shop.test`, 'browser', [], 'live')
    native = await openNativeShop(buying, 'live')
  })
  afterEach(() => buying.audit())
  afterAll(() => buying?.stop())

  type Buyer = Parameters<Buying['buy']>[0]

  function buy(buyer: Buyer, path = 'classic/product/kettle', amount = 4_900): Promise<Purchase> {
    const [shop = '', ...rest] = path.split('/')
    return buying.buy(buyer, [{ url: `https://${shop}.shop.test/${rest.join('/')}`, amount, quantity: 1 }], {
      preferences: { fulfillment: { max_fee_amount: 900 } },
      max_amount: 90_000,
    })
  }

  const newBuyer = () => newWalletBuyer(buying)

  /** The page at which the purchase waits for its person. */
  async function pageOf(buyer: Buyer, id: string): Promise<string> {
    const waiting = await buying.until(
      buyer,
      id,
      ({ status, next_action }) =>
        status === 'failed' || (status === 'awaiting_approval' && next_action !== null),
    )
    expect(waiting.next_action, JSON.stringify(waiting)).toMatchObject({
      type: 'verify_payment',
      method: 'popup',
    })
    return (waiting.next_action as { url: string }).url
  }

  /** It is asked about now and then; a test does not wait for that. */
  async function look(seconds = 30): Promise<void> {
    buying.passInProcess(seconds)
    await link.pass(seconds)
    await advanceTestClock(buying.app.databaseUrl, seconds)
  }

  async function approved(buyer: Buyer, id: string): Promise<Purchase> {
    await link.say(await pageOf(buyer, id), 'yes')
    await look()
    return await buying.ended(buyer, id)
  }

  test('asks its person, has the shop charge a card of the wallet, and holds nothing anywhere else', async () => {
    const buyer = await newBuyer()
    const { id } = await buy(buyer)
    const ended = await approved(buyer, id)
    expect(ended, JSON.stringify(ended)).toMatchObject({ status: 'succeeded', actual_amount: 5_832 })
    await buying.settled()
    const [hold] = await buying.sql<{ reference: string }>(
      'select rail, kind, status, amount, captured_amount, reference from authorizations where intent_id = $1',
      [id],
    )
    expect(hold).toMatchObject({
      rail: 'link',
      kind: 'credential',
      status: 'captured',
      amount: 5_832n,
      captured_amount: 5_832n,
    })
    const request = hold?.reference.split('/').at(-1)
    const charges = (await link.log()).filter((one) => one.id === request)
    expect(charges.map(({ operation }) => operation)).toContain('charge')
    expect(await buying.sql('select 1 from fundings where intent_id = $1', [id])).toEqual([])
  })

  test('that its person refuses, or does not approve in ten minutes, ends with nothing charged', async () => {
    const [refuses, waits] = [await newBuyer(), await newBuyer()]
    const bought = [await buy(refuses), await buy(waits)] as const
    await link.say(await pageOf(refuses, bought[0].id), 'no')
    await pageOf(waits, bought[1].id)
    await look(601)
    for (const [index, buyer] of [refuses, waits].entries())
      expect(await buying.ended(buyer, bought[index]?.id ?? '')).toMatchObject({
        status: 'failed',
        actual_amount: 0,
        failure_reason: { code: 'payment_authentication_failed' },
      })
    await buying.settled()
  })

  test('whose person has signed out at Link fails, and so does one that waits for them', async () => {
    const [before, while_] = [await newBuyer(), await newBuyer()]
    await link.signOut(before.code)
    const waiting = await buy(while_)
    await pageOf(while_, waiting.id)
    await link.signOut(while_.code)
    const early = await buy(before)
    await look()
    for (const [buyer, { id }] of [
      [before, early],
      [while_, waiting],
    ] as const)
      expect(await buying.ended(buyer, id)).toMatchObject({
        status: 'failed',
        failure_reason: { code: 'payment_authentication_failed' },
      })
    await buying.settled()
  })

  test('is refused before anybody is asked where a wallet does not pay: too much, another currency, another way', async () => {
    const buyer = await newBuyer()
    const asked = (await link.log()).length
    const dear = await buying.ended(buyer, (await buy(buyer, 'classic/product/kettle', 60_000)).id)
    expect(dear).toMatchObject({
      failure_reason: {
        code: 'payment_method_required',
        message: expect.stringContaining('at most $500.00 for one purchase'),
      },
      carts: [{ route: { chosen: null, excluded: [{ channel: 'browser' }] } }],
    })
    const { id } = await buying.buy(buyer, [{ url: native.url }])
    expect(await buying.ended(buyer, id)).toMatchObject({
      failure_reason: {
        code: 'payment_method_required',
        message: 'A wallet at Link pays at shops with pages alone.',
      },
    })
    expect((await link.log()).length).toBe(asked)
  })

  test('is no way for the card of another buyer, for whom no card can be issued', async () => {
    const buyer = await newLiveBuyer(buying)
    const { id } = await buy(buyer)
    expect(await buying.ended(buyer, id)).toMatchObject({
      status: 'failed',
      failure_reason: { message: 'No card can be issued here for what the buyer pays with.' },
    })
  })

  test('that failed for want of another card is retried with one', async () => {
    const buyer = await newBuyer()
    const { id } = await buying.buy(buyer, [{ url: native.url }])
    await buying.ended(buyer, id)
    const failed = await buying.read(buyer, id)
    expect(failed.carts[0]).toMatchObject({ can_retry: true })
  })

  test('whose shop declines the card ends, and the request at Link with it', async () => {
    const buyer = await newBuyer()
    const { id } = await buy(buyer, 'hosted/product/challenge', 14_900)
    const ended = await approved(buyer, id)
    expect(ended).toMatchObject({ status: 'failed', actual_amount: 0 })
    await buying.settled()
    const [hold] = await buying.sql('select status from authorizations where intent_id = $1', [id])
    expect(hold).toEqual({ status: 'voided' })
  })

  test('leaves no token and no number in rows, events and logs', async () => {
    const buyer = await newBuyer()
    const { id } = await buy(buyer)
    await approved(buyer, id)
    await buying.settled()
    const logs = (await buying.pages?.log()) ?? ''
    const [{ dump }] = (await buying.sql<{ dump: string }>(
      `select (select string_agg(e::text, '') from events e) || (select string_agg(a::text, '') from authorizations a)
         || (select string_agg(f::text, '') from effects f) as dump`,
    )) as [{ dump: string }]
    for (const text of [logs, dump]) {
      expect(text).not.toMatch(/400000998\d{7}/)
      expect(text).not.toMatch(/Bearer /)
    }
  })
})
