import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openLiveRail } from '../../src/cli/open-rail.ts'
import { railHolds } from '../../src/composition.ts'
import { railInvariants } from '../../src/domain/buying/rails/rail-holds.ts'
import { Secret } from '../../src/platform/secrets/secret.ts'
import { testKeys } from '../harness/app.ts'
import { brokenInvariants } from '../harness/broken-invariants.ts'
import { type Buying, startBuying } from '../harness/buying.ts'
import { prokura } from '../harness/command-runner.ts'
import { newLiveBuyer } from '../harness/live-buyers.ts'
import { type NativeShop, openNativeShop } from '../harness/native-shops.ts'
import { liveSettingsOf, stripeLiveKey } from '../harness/stripe.ts'
import { serviceEnvironment } from '../harness/up.ts'

/** What Stripe holds for live mode and what we say that it does, each held against the other. */
let buying: Buying
let shop: NativeShop

beforeAll(async () => {
  buying = await startBuying({ live: true })
  shop = await openNativeShop(buying, 'live')
})
afterAll(() => buying?.stop())

async function broken(): Promise<string[]> {
  const live = { url: buying.sandbox.stripeUrl, secretKey: new Secret(stripeLiveKey), cardholder: null }
  const opened = openLiveRail({ liveRail: 'stripe', stripe: { live } })
  if (opened === null) throw new Error('there is no rail')
  // A hold of this very second counts, too, by either clock.
  const found = railInvariants(opened, { olderThanMs: -2_000, sources: railHolds })
  return brokenInvariants(buying.app, found).finally(() => opened.close())
}

type Held = { id: string; cart: string; reference: string }

async function held(): Promise<Held> {
  const buyer = await newLiveBuyer(buying)
  const { id } = await buying.buy(buyer, [{ url: shop.url }])
  const { carts } = await buying.until(buyer, id, (intent) => typeof intent.carts[0]?.order === 'string')
  const cart = String(carts[0]?.id)
  const [row] = await buying.sql<{ reference: string }>(
    'select reference from authorizations where cart_id = $1',
    [cart],
  )
  return { id, cart, reference: String(row?.reference) }
}

function atStripe(path: string, fields: Record<string, string> = {}): Promise<Response> {
  return fetch(`${buying.sandbox.stripeUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stripeLiveKey}` },
    body: new URLSearchParams(fields),
  })
}

test('a hold that somebody has released at Stripe is found, and one that is there is not', async () => {
  const { cart, reference } = await held()
  expect(await broken()).toEqual([])
  expect((await atStripe(`/v1/payment_intents/${reference}/cancel`)).status).toBe(200)
  expect(await broken()).toEqual([`M6-rail-live ${cart} 1: ${reference} is not held`])
  await buying.sql(`update authorizations set status = 'voided' where cart_id = $1`, [cart])
  expect(await broken()).toEqual([])
})

test('a hold under a key of ours that no row knows is found, and one of somebody else at the account is not', async () => {
  const terms = { amount: '900', currency: 'usd', capture_method: 'manual', confirm: 'true' }
  const paid = { ...terms, payment_method: 'pm_card_visa', 'allowed_payment_method_types[0]': 'card' }
  expect((await atStripe('/v1/payment_intents', paid)).status).toBe(200)
  expect(await broken()).toEqual([])
  const key = `cart_${randomUUID()}:1:authorize`
  const made = await atStripe('/v1/payment_intents', { ...paid, 'metadata[prokura_key]': key })
  const { id } = (await made.json()) as { id: string } // as Stripe documents it
  expect(await broken()).toEqual([`M6-listed-live ${key}: ${id} is held and no row knows of it`])
  await atStripe(`/v1/payment_intents/${id}/cancel`)
  expect(await broken()).toEqual([])
})

test('the command compares live mode, too, and says so where Stripe does not answer', async () => {
  await held()
  const live = {
    ...serviceEnvironment(),
    DATABASE_URL: buying.app.databaseUrl,
    PROKURA_KEYS: testKeys,
    ...liveSettingsOf(buying.sandbox),
  }
  const said = async (env: Record<string, string | undefined>) => {
    const { out } = await prokura(['audit', '--json'], env)
    const { invariants } = JSON.parse(out) as { invariants: { id: string; not_asked?: string }[] }
    return invariants.filter(({ id }) => /^M6-.*-live$/.test(id))
  }
  expect(await said(live)).toMatchObject([
    { id: 'M6-rail-live', violations: [] },
    { id: 'M6-listed-live', violations: [] },
  ])
  const silent = { not_asked: expect.stringContaining('did not answer') }
  expect(await said({ ...live, PROKURA_STRIPE_SECRET_KEY: 'sk_live_nobody' })).toMatchObject([silent, silent])
})
