import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { setPayout } from '../../src/domain/selling/payouts/public.ts'
import { runAs } from '../../src/platform/calls/run-as.ts'
import { advanceTestClock, installTestClock } from '../../src/platform/clock/test-clock.ts'
import { testKeys } from '../harness/app.ts'
import { type Buying, startBuying } from '../harness/buying.ts'
import { prokura } from '../harness/command-runner.ts'
import { newPageKey } from '../harness/element-sessions.ts'
import { newLiveBuyer } from '../harness/live-buyers.ts'
import { answerOrder, type NativeShop, openNativeShop } from '../harness/native-shops.ts'
import { liveSettingsOf, stripeLiveKey, stripeSimulator } from '../harness/stripe.ts'
import { serviceEnvironment } from '../harness/up.ts'

/** How a merchant comes to be paid in live mode: what Stripe says of its account decides, and nobody else. */
let buying: Buying
let stripe: ReturnType<typeof stripeSimulator>
let page: string

beforeAll(async () => {
  buying = await startBuying({ live: true, testClock: true })
  await installTestClock(buying.app.databaseUrl)
  stripe = stripeSimulator(buying.sandbox)
})
afterEach(() => buying.audit())
afterAll(() => buying?.stop())

/** A merchant of live mode about whose money nothing is decided, with a page of its own. */
async function undecided(): Promise<NativeShop> {
  const shop = await openNativeShop(buying, 'live')
  await buying.sql('delete from merchant_payouts where account_id = $1', [shop.seller.accountId])
  await newPageKey(buying.app, shop.seller, 'live')
  const [key] = await buying.sql<{ origins: string[] }>(
    `select origins from api_keys where account_id = $1 and kind = 'publishable' and mode = 'live'`,
    [shop.seller.accountId],
  )
  page = String(key?.origins[0])
  return shop
}

const path = '/v1/merchant/payout_account_links'
const pages = () => ({ return_url: `${page}/paid`, refresh_url: `${page}/again` })

function link({ key }: Pick<NativeShop, 'key'>, body: object = pages()) {
  return buying.app.post(path, body, { key })
}

/** What a person of the merchant does at the page of Stripe. */
async function atStripe(url: string, way: 'complete' | 'later'): Promise<string | null> {
  expect((await fetch(url)).status).toBe(200)
  const back = await fetch(`${url}/${way}`, { method: 'POST', redirect: 'manual' })
  return back.headers.get('location')
}

async function account({ key }: NativeShop) {
  return (await buying.app.get('/v1/merchant', { key })).body.payout_account
}

/** The clock goes on until the record says so. */
async function until(shop: NativeShop, seconds: number, charges_enabled: boolean): Promise<void> {
  await advanceTestClock(buying.app.databaseUrl, seconds)
  await expect
    .poll(async () => account(shop), { interval: 50 })
    .toMatchObject({ charges_enabled, checked_at: expect.any(String) })
}

async function bought(shop: NativeShop): Promise<string> {
  const buyer = await newLiveBuyer(buying)
  const { id } = await buying.buy(buyer, [{ url: shop.url }])
  const intent = await buying.until(
    buyer,
    id,
    ({ status, carts }) => status === 'failed' || typeof carts[0]?.order === 'string',
  )
  if (intent.status === 'failed') return String((intent.failure_reason as { code: string }).code)
  await answerOrder(buying, shop, String(intent.carts[0]?.order), 'confirmed')
  await buying.ended(buyer, id)
  const [charge] = await stripe.intentsOf(id)
  return String((charge?.transfer_data as { destination: string } | null)?.destination)
}

async function accountsAtStripe(shop: NativeShop): Promise<string[]> {
  const answer = await fetch(`${stripe.url}/v1/accounts?limit=100`, {
    headers: { authorization: `Bearer ${stripeLiveKey}` },
  })
  const { data } = (await answer.json()) as { data: { id: string; metadata: { prokura_key: string } }[] }
  return data
    .filter(({ metadata }) => metadata.prokura_key.includes(shop.seller.accountId))
    .map(({ id }) => id)
}

test('a merchant is paid from when Stripe says that it may be charged, and not because somebody came back', async () => {
  const shop = await undecided()
  expect([await account(shop), await bought(shop)]).toEqual([null, 'merchant_not_payable'])
  const first = await link(shop)
  expect(first.status, JSON.stringify(first.body)).toBe(201)
  expect(first.body).toEqual({
    object: 'payout_account_link',
    url: expect.stringMatching(/^http/),
    expires_at: expect.any(String),
  })
  expect(await atStripe(first.body.url, 'later')).toBe(`${page}/paid`)
  await until(shop, 61, false)
  expect(await account(shop)).toMatchObject({
    id: expect.stringMatching(/^acct_/),
    payouts_enabled: false,
    requirements_due: expect.arrayContaining(['external_account']),
  })
  expect(await bought(shop)).toBe('merchant_not_payable')
  await atStripe((await link(shop)).body.url, 'complete')
  await until(shop, 61, true)
  const { id, requirements_due } = await account(shop)
  expect([await bought(shop), requirements_due]).toEqual([id, []])
  const types = await buying.sql<{ type: string }>(
    `select type from events where aggregate_id = $1 and object::jsonb->'payout_account'->>'charges_enabled' = 'true'`,
    [`merchant/${shop.seller.accountId}`],
  )
  expect(types).toEqual([{ type: 'merchant.updated' }])
})

test('an account that Stripe closes sells nothing from when it is read again', async () => {
  const shop = await undecided()
  await atStripe((await link(shop)).body.url, 'complete')
  await until(shop, 61, true)
  const { id } = await account(shop)
  await restrict(id)
  await until(shop, 6 * 3_600 + 1, false)
  expect(await bought(shop)).toBe('merchant_not_payable')
})

async function restrict(id: string): Promise<void> {
  const answer = await fetch(`${stripe.url}/control/connected_accounts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${buying.sandbox.controlToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ id, charges: 0 }),
  })
  expect(answer.status).toBe(200)
}

test('what the operator has decided goes before the account that a merchant opens', async () => {
  const shop = await undecided()
  const tenant = { accountId: shop.seller.accountId, mode: 'live' } as const
  const decide = (payout: Parameters<typeof setPayout>[1]) =>
    runAs(buying.app.parts, { tenant, actor: { type: 'system', id: 'test' } }, async (ctx) =>
      setPayout(ctx, payout, 'test'),
    )
  await decide({ to: 'nobody' })
  await atStripe((await link(shop)).body.url, 'complete')
  await until(shop, 61, true)
  expect(await bought(shop)).toBe('merchant_not_payable')
  await decide({ to: 'operator' })
  expect(await bought(shop)).toBe('undefined')
  await decide({ to: 'account', account: 'acct_1Nobody' })
  await expect.poll(async () => (await account(shop)).checked_at, { interval: 50 }).not.toBeNull()
  expect([(await account(shop)).id, await bought(shop)]).toEqual(['acct_1Nobody', 'merchant_not_payable'])
})

test('a first link whose answers are lost, or that is asked for twice at once, opens one account', async () => {
  const shop = await undecided()
  await stripe.fault('create_account', 'lose_answer')
  expect((await link(shop)).status).toBe(503)
  await stripe.fault('create_account_link', 'lose_answer')
  expect((await link(shop)).status).toBe(503)
  await stripe.clearFaults()
  const both = await Promise.all([link(shop), link(shop)])
  expect(both.filter(({ status }) => status === 201).length).toBeGreaterThan(0)
  const [id, ...more] = await accountsAtStripe(shop)
  expect([more, (await account(shop)).id]).toEqual([[], id])
})

test('a link leads only to pages of the account, and is made by a key that may say who the merchant is', async () => {
  const shop = await undecided()
  for (const field of ['return_url', 'refresh_url']) {
    for (const url of ['https://elsewhere.example/paid', 'http://shop.example/paid', 'javascript:alert(1)']) {
      const refused = await link(shop, { ...pages(), [field]: url })
      expect([refused.status, JSON.stringify(refused.body)]).toEqual([422, expect.stringContaining(field)])
    }
  }
  const inTest = await link({ key: shop.seller.keys.secret_test })
  expect([inTest.status, inTest.body.detail.code]).toEqual([409, 'payout_accounts_not_offered'])
  expect(await accountsAtStripe(shop)).toEqual([])
})

test('the operator prints the same link, and sees who is not paid yet', async () => {
  const shop = await undecided()
  const slug = `slug-${shop.domain.replace('.example', '')}`
  await buying.app.post('/v1/merchant', { slug }, { key: shop.key })
  const env = {
    ...serviceEnvironment(),
    DATABASE_URL: buying.app.databaseUrl,
    PROKURA_KEYS: testKeys,
    ...liveSettingsOf(buying.sandbox),
  }
  const printed = await prokura(['merchants', 'payout', slug, '--link', '--json'], env)
  expect(printed.code, printed.err).toBe(0)
  const { url, account: id } = JSON.parse(printed.out)
  const about = async () => {
    const { findings } = JSON.parse((await prokura(['rail', 'check', '--json'], env)).out)
    return findings.find(({ what }: { what: string }) => what === `paid: ${slug}`)
  }
  expect(await about()).toMatchObject({ state: 'waits', says: expect.stringContaining(id) })
  expect(await atStripe(url, 'complete')).toBe('https://api.example.com/payment_confirmed')
  await until(shop, 61, true)
  expect([await about(), (await account(shop)).id]).toEqual([undefined, id])
})
