import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { invariants } from '../../src/composition.ts'
import { advanceTestClock, installTestClock } from '../../src/platform/clock/test-clock.ts'
import { testKeys } from '../harness/app.ts'
import { answerOn, claim, makeLink, tokenOf, told } from '../harness/approval-pages.ts'
import { brokenInvariants } from '../harness/broken-invariants.ts'
import { type Buyer, type Buying, intentBody, startBuying } from '../harness/buying.ts'
import { prokura } from '../harness/command-runner.ts'
import { windowOf } from '../harness/component-page.ts'
import { newLiveBuyer } from '../harness/live-buyers.ts'
import { answerOrder, type NativeShop, openNativeShop } from '../harness/native-shops.ts'
import { liveSettingsOf, stripeSimulator } from '../harness/stripe.ts'
import { serviceEnvironment } from '../harness/up.ts'

/** The cap of a purchase of the shop: its price, and what the account allows for delivery and drift. */
const cap = 1470
const day = 86_400

let buying: Buying
let shop: NativeShop

beforeAll(async () => {
  buying = await startBuying({ live: true, testClock: true, liveCapDaily: new Map([['USD', 4000n]]) })
  await installTestClock(buying.app.databaseUrl)
  shop = await openNativeShop(buying, 'live')
})
afterEach(() => buying.audit())
afterAll(() => buying?.stop())

/** Another day: nothing of it is used. */
async function nextDay(): Promise<void> {
  buying.passInProcess(day)
  await advanceTestClock(buying.app.databaseUrl, day)
  // The bank's holds end by its own clock.
  await stripeSimulator(buying.sandbox).forward(day)
}

async function asked(buyer: Buyer, more: Record<string, unknown> = {}) {
  const body = intentBody(buyer, [{ url: shop.url }], more)
  return (await buying.app.post('/v1/purchase_intents', body, { key: buyer.key })).body
}

const approve = (buyer: Buyer, id: string) =>
  buying.app.post(`/v1/purchase_intents/${id}/approve`, { approve: true }, { key: buyer.key })

async function unattended(buyer: Buyer): Promise<void> {
  const policy = {
    name: 'All',
    currency: 'USD',
    scope: { profile_ids: [buyer.profileId] },
    limits: { per_transaction_max: 100_000 },
    approval: { mode: 'never' },
  }
  const made = await buying.app.post('/v1/policies', policy, { key: buyer.key })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
}

async function used(): Promise<number> {
  const rows = await buying.sql<{ used: string }>(
    `select used from live_days where currency = 'USD' and day = (prokura_now() at time zone 'UTC')::date`,
  )
  return Number(rows[0]?.used ?? 0)
}

async function confirmed(buyer: Buyer, id: string): Promise<void> {
  const intent = await buying.until(buyer, id, ({ carts }) => typeof carts[0]?.order === 'string')
  await answerOrder(buying, shop, String(intent.carts[0]?.order), 'confirmed')
  expect(await buying.ended(buyer, id)).toMatchObject({ status: 'succeeded' })
}

describe("the operator's limit of a day", () => {
  test('holds for all accounts together: what is released counts with its cap, what has ended with its cost', async () => {
    await nextDay()
    const one = await newLiveBuyer(buying)
    const other = await newLiveBuyer(buying, 'pm_card_mastercard', { account: buying.app.stranger })
    const [first, second, third] = [await asked(one), await asked(other), await asked(one)]
    expect(told(await approve(one, first.id))).toBe(200)
    expect(told(await approve(other, second.id))).toBe(200)
    expect(await used()).toBe(2 * cap)
    const refused = await approve(one, third.id)
    expect(told(refused)).toEqual([409, 'operator_limit_reached'])
    expect(await buying.read(one, third.id)).toMatchObject({ status: 'awaiting_approval' })
    await confirmed(one, first.id)
    await confirmed(other, second.id)
    expect(await used()).toBe(2000)
    expect(told(await approve(one, third.id))).toBe(200)
    await confirmed(one, third.id)
    expect(await used()).toBe(3000)
  })

  test('of two approvals at once for what is left, one is refused', async () => {
    await nextDay()
    const buyers = [
      await newLiveBuyer(buying),
      await newLiveBuyer(buying),
      await newLiveBuyer(buying),
    ] as const
    const made = await Promise.all(buyers.map((buyer) => asked(buyer)))
    const answers = await Promise.all(buyers.map((buyer, index) => approve(buyer, made[index].id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409])
    expect(await used()).toBe(2 * cap)
    for (const [index, buyer] of buyers.entries())
      if (answers[index]?.status === 200) await confirmed(buyer, made[index].id)
  })

  test('leaves to a person what a policy would have bought, and begins anew on another day', async () => {
    await nextDay()
    const buyer = await newLiveBuyer(buying)
    await unattended(buyer)
    const [first, second, third] = [await asked(buyer), await asked(buyer), await asked(buyer)]
    expect([first.status, second.status, third.status]).toEqual(['queued', 'queued', 'awaiting_approval'])
    await confirmed(buyer, first.id)
    await confirmed(buyer, second.id)
    await nextDay()
    const fourth = await asked(buyer)
    expect(fourth.status).toBe('queued')
    await confirmed(buyer, fourth.id)
  })

  test('is audited: a day that is not what its purchases hold and have cost is named', async () => {
    const wrong = (by: number) =>
      buying.sql(`update live_days set used = used + $1 where day = '2020-01-01'`, [by])
    await newLiveBuyer(buying)
    await wrong(1)
    expect(await brokenInvariants(buying.app, invariants)).toEqual([
      expect.stringMatching(/^M7-live USD 2020-01-01: /),
    ])
    await wrong(-1)
  })

  test('gives back what was cancelled, and knows no currency that the operator has not named', async () => {
    await nextDay()
    const buyer = await newLiveBuyer(buying)
    const { id } = await asked(buyer)
    await approve(buyer, id)
    await buying.until(buyer, id, ({ carts }) => typeof carts[0]?.order === 'string')
    expect((await buying.app.post(`/v1/purchase_intents/${id}/cancel`, {}, { key: buyer.key })).status).toBe(
      200,
    )
    await buying.settled()
    expect(await used()).toBe(0)
    const body = intentBody(buyer, [{ url: shop.url }], {})
    const inEuro = { ...body, items: body.items.map((item) => ({ ...item, expected_currency: 'EUR' })) }
    const made = await buying.app.post('/v1/purchase_intents', inEuro, { key: buyer.key })
    expect(told(await approve(buyer, made.body.id))).toEqual([409, 'operator_limit_reached'])
  })
})

/** A command of the operator, beside the running service. */
function operate(args: readonly string[], more: Record<string, string> = {}) {
  const env = {
    ...serviceEnvironment(),
    DATABASE_URL: buying.app.databaseUrl,
    PROKURA_KEYS: testKeys,
    ...more,
  }
  return prokura(args, env)
}

describe('what the operator alone lets pass the limit', () => {
  test('is one purchase, which a person still approves, and the limit holds for all others', async () => {
    await nextDay()
    const buyer = await newLiveBuyer(buying)
    const made = [await asked(buyer), await asked(buyer), await asked(buyer), await asked(buyer)] as const
    for (const { id } of made.slice(0, 2)) expect(told(await approve(buyer, id))).toBe(200)
    expect(told(await approve(buyer, made[2].id))).toEqual([409, 'operator_limit_reached'])
    const allowed = await operate(['rail', 'allow', made[2].id, '--as', 'Ada', '--json'])
    expect([allowed.err, JSON.parse(allowed.out)]).toEqual([
      '',
      {
        purchase_intent_id: made[2].id,
        account_id: buyer.account.accountId,
        currency_code: 'USD',
        max_allowed_amount: cap,
        allowed_by: 'Ada',
      },
    ])
    expect((await buying.read(buyer, made[2].id)).status).toBe('awaiting_approval')
    expect(told(await approve(buyer, made[3].id))).toEqual([409, 'operator_limit_reached'])
    expect(told(await approve(buyer, made[2].id))).toBe(200)
    for (const { id } of made.slice(0, 3)) await confirmed(buyer, id)
    const late = await operate(['rail', 'allow', made[2].id])
    expect([late.code, late.err]).toEqual([1, expect.stringContaining('succeeded')])
    const none = await operate(['rail', 'allow', 'pi_00000000000000000000000000'])
    expect([none.code, none.err]).toEqual([1, expect.stringContaining('There is no purchase intent')])
    const tested = await buying.newBuyer()
    const { body } = await buying.app.post(
      '/v1/purchase_intents',
      intentBody(tested, [{ url: buying.sandbox.shopsUrl.replace('http:', 'https:') }], {}),
      { key: tested.key },
    )
    const inTest = await operate(['rail', 'allow', body.id])
    expect([inTest.code, inTest.err]).toEqual([1, expect.stringContaining('test mode')])
  })

  test('is seen in a check of the account, with a remedy for each lack', async () => {
    const stripe = stripeSimulator(buying.sandbox)
    const live = liveSettingsOf(buying.sandbox)
    const check = async (env: Record<string, string>) => {
      const { code, out } = await operate(['rail', 'check', '--json'], env)
      const { findings } = JSON.parse(out) as { findings: { what: string; state: string; says: string }[] }
      return {
        code,
        lacks: findings.filter(({ state }) => state === 'lacks').map(({ what, says }) => [what, says]),
      }
    }
    expect(await check(live)).toEqual({ code: 0, lacks: [] })
    const said = await operate(['rail', 'check'], live)
    expect(said.out).toMatch(/Nothing is lacking/)
    expect(await check({})).toMatchObject({
      code: 1,
      lacks: [
        ['rail', expect.any(String)],
        ['limit of a day', expect.any(String)],
        ['address', expect.any(String)],
        ['key', expect.any(String)],
      ],
    })
    await stripe.fault('list_setups', 'status=403')
    expect(await check(live)).toMatchObject({
      code: 1,
      lacks: [['key: SetupIntents', expect.stringContaining('SetupIntents, write')]],
    })
    await stripe.clearFaults()
    const issuing = { ...live, PROKURA_STRIPE_CARDHOLDER: 'ich_sandbox' }
    const answering = { ...issuing, PROKURA_STRIPE_AUTHORIZATIONS_SECRET: 'whsec_1' }
    expect(await check(answering)).toMatchObject({
      code: 1,
      lacks: [['fallback', expect.stringContaining('--confirm-fallback decline')]],
    })
    await operate(['rail', 'check', '--confirm-fallback', 'decline', '--as', 'Jane Roe'], answering)
    expect(await check(answering)).toEqual({ code: 0, lacks: [] })
    const tokens = { ...live, PROKURA_STRIPE_TOKENS: 'on' }
    expect(await check(tokens)).toEqual({ code: 0, lacks: [] })
    await stripe.fault('read_issued', 'status=403')
    expect(await check(tokens)).toMatchObject({
      code: 1,
      lacks: [['tokens', expect.stringContaining('PROKURA_STRIPE_TOKENS=off')]],
    })
    await stripe.clearFaults()
    for (const currency of ['USD', 'EUR', 'GBP']) await stripe.payIn(currency, 0)
    expect(await check({ ...issuing, PROKURA_STRIPE_CARDHOLDER: 'ich_nobody' })).toMatchObject({
      code: 1,
      lacks: [
        ['cardholder', expect.stringContaining('ich_nobody')],
        ['money for cards', expect.stringContaining('Pay in')],
        ['charges of cards', expect.stringContaining('PROKURA_STRIPE_AUTHORIZATIONS_SECRET')],
      ],
    })
    const unknown = await check({ ...live, PROKURA_STRIPE_SECRET_KEY: 'sk_live_nobody' })
    expect(unknown).toMatchObject({ code: 1, lacks: [['key', expect.stringContaining('does not know')]] })
    const whole = await operate(['rail', 'check'], { ...live, PROKURA_STRIPE_SECRET_KEY: 'sk_live_nobody' })
    expect(whole.out + whole.err).not.toContain('sk_live_nobody')
  })
})

describe('the first ten purchases of an account in live mode', () => {
  test('are released by a person who proves the card to its bank, and by no key and no policy', async () => {
    await nextDay()
    const { app } = buying
    const stripe = stripeSimulator(buying.sandbox)
    const account = await app.newAccount('New')
    const buyer = await newLiveBuyer(buying, 'pm_card_visa', { account, isNew: true })
    await unattended(buyer)
    const intent = await asked(buyer)
    expect(intent.status).toBe('awaiting_approval')
    expect(told(await approve(buyer, intent.id))).toEqual([403, 'person_required'])
    const link = await makeLink(app, intent.id, {}, { key: buyer.key })
    const { session } = (await claim(app, tokenOf(link))).body
    const proof = await app.post(
      '/elements/v1/purchase_intent/payment_verifications',
      { profile_payment_method_id: buyer.method },
      { key: session },
    )
    expect(proof.body).toMatchObject({ method: 'popup', status: 'pending' })
    const window = windowOf(app, proof)
    const opened = await window.open()
    expect(opened.body.bank).toMatchObject({ answer: 'pending' })
    const yes = { approve: true, max_allowed_amount: cap, profile_payment_method_id: buyer.method }
    expect(told(await answerOn(app, session, yes))).toEqual([409, 'payment_verification_required'])
    await stripe.answerAtBank(opened.body.bank.url, 'complete')
    expect((await window.open()).body.bank).toMatchObject({ answer: 'confirmed' })
    expect((await window.finish({})).body.status).toBe('proven')
    const { assertion } = (
      await app.get(`/elements/v1/payment_verifications/${proof.body.id}`, { key: session })
    ).body
    const approved = await answerOn(app, session, {
      ...yes,
      payment_verification: { method: 'popup', assertion },
    })
    expect(told(approved)).toBe(200)
    await confirmed(buyer, intent.id)
  })

  test('are not released where the bank was told no', async () => {
    const { app } = buying
    const stripe = stripeSimulator(buying.sandbox)
    const account = await app.newAccount('Another')
    const buyer = await newLiveBuyer(buying, 'pm_card_visa', { account, isNew: true })
    const intent = await asked(buyer)
    const { session } = (await claim(app, tokenOf(await makeLink(app, intent.id, {}, { key: buyer.key }))))
      .body
    const proof = await app.post(
      '/elements/v1/purchase_intent/payment_verifications',
      { profile_payment_method_id: buyer.method },
      { key: session },
    )
    const window = windowOf(app, proof)
    await stripe.answerAtBank((await window.open()).body.bank.url, 'fail')
    expect((await window.finish({})).body.status).toBe('refused')
  })
})
