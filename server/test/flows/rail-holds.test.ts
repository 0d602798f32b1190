import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestRail } from '../../src/cli/open-rail.ts'
import { purchaseHolds } from '../../src/domain/buying/execution/purchase-holds.ts'
import type { PaymentRail } from '../../src/domain/buying/rails/port.ts'
import { railInvariants } from '../../src/domain/buying/rails/rail-holds.ts'
import { runInvariants } from '../../src/platform/audit/invariants.ts'
import { testKeys } from '../harness/app.ts'
import { brokenInvariants } from '../harness/broken-invariants.ts'
import { type Buyer, type Buying, startBuying } from '../harness/buying.ts'
import { prokura } from '../harness/command-runner.ts'
import { type NativeShop, openNativeShop } from '../harness/native-shops.ts'
import { serviceEnvironment } from '../harness/up.ts'

/** What the payment rail holds and what we say it does, each held against the other. */
let buying: Buying
let buyer: Buyer
let shop: NativeShop
let opened: ReturnType<typeof openTestRail>
/** A purchase that waits for its merchant, its money held. */
let held: { id: string; cart: string; reference: string; key: string }

beforeAll(async () => {
  buying = await startBuying()
  buyer = await buying.newBuyer()
  shop = await openNativeShop(buying)
  opened = openTestRail(buying.sandbox.processorUrl)
})
beforeEach(async () => {
  const { id } = await buying.buy(buyer, [{ url: shop.url }])
  const { carts } = await buying.until(buyer, id, (intent) => typeof intent.carts[0]?.order === 'string')
  const cart = String(carts[0]?.id)
  const [row] = await buying.sql<{ reference: string }>(
    'select reference from authorizations where cart_id = $1',
    [cart],
  )
  held = { id, cart, reference: row?.reference ?? '', key: `${cart}:1:authorize` }
  expect(await broken()).toEqual([])
})
afterAll(async () => {
  await opened?.close()
  await buying?.stop()
})

/** A hold of this very millisecond counts, too, by whichever clock. */
const olderThanMs = -1_000

function broken(rail: PaymentRail = opened.rail): Promise<string[]> {
  return brokenInvariants(
    buying.app,
    railInvariants({ name: 'sandbox', mode: 'test', rail }, { olderThanMs, sources: [purchaseHolds] }),
  )
}

async function atProcessor(path: string, body: object, key = randomUUID() as string): Promise<Response> {
  return fetch(buying.sandbox.processorUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
  })
}

/** Everything but listing: as a rail that cannot. */
function withoutList({ list: _, ...rail }: PaymentRail): PaymentRail {
  return rail
}

test.each([
  ['that can list', (rail: PaymentRail) => rail],
  ['that cannot', withoutList],
])('a hold that we know and a rail %s no longer has is found', async (_, of) => {
  expect((await atProcessor(`/v1/authorizations/${held.reference}/void`, {})).status).toBe(200)
  expect(await broken(of(opened.rail))).toEqual([`M6-rail ${held.cart} 1: ${held.reference} is not held`])
  await buying.sql(`update authorizations set status = 'voided' where cart_id = $1`, [held.cart])
})

test('a hold of an unknown cart is found', async () => {
  const terms = {
    card: 'visa_auto_approved',
    amount: 900,
    currency: 'USD',
    merchant: 'x.example',
    reference: 'x',
  }
  const key = `cart_of_nobody:1:authorize`
  const made: unknown = await (await atProcessor('/v1/authorizations', terms, key)).json()
  const { id } = made as { id: string } // as the sandbox documents it
  expect(await broken()).toEqual([`M6-listed ${key}: ${id} is held and no row knows of it`])
  await atProcessor(`/v1/authorizations/${id}/void`, {})
})

test('a hold that our row calls voided is found', async () => {
  await buying.sql(`update authorizations set status = 'voided' where cart_id = $1`, [held.cart])
  expect(await broken()).toEqual([`M6-listed ${held.key}: ${held.reference} is held and no row knows of it`])
  await buying.sql(`update authorizations set status = 'authorized' where cart_id = $1`, [held.cart])
})

test('a hold whose answer was lost is known by the journal, and a hold that is about to change is left alone', async () => {
  await buying.sql('delete from authorizations where cart_id = $1', [held.cart])
  await buying.sql(`update effects set state = 'sent' where key = $1`, [held.key])
  expect(await broken()).toEqual([])
  await buying.sql(`update effects set state = 'done' where key = $1`, [held.key])
  expect(await broken()).toEqual([`M6-listed ${held.key}: ${held.reference} is held and no row knows of it`])
  await atProcessor(`/v1/authorizations/${held.reference}/void`, {})
})

test('a rail that does not answer is a fault, and one that cannot list is not, but neither counts as checked', async () => {
  const away = openTestRail('http://127.0.0.1:1')
  const silent = await runInvariants(buying.app.parts, railInvariants(away, { sources: [purchaseHolds] }))
  expect(silent.ok).toBe(false)
  expect(silent.invariants.map(({ notAsked }) => notAsked?.isFault)).toEqual([true, true])
  await away.close()
  const listless = await runInvariants(
    buying.app.parts,
    railInvariants(
      { name: 'sandbox', mode: 'test', rail: withoutList(opened.rail) },
      { sources: [purchaseHolds] },
    ),
  )
  expect(listless).toMatchObject({
    ok: true,
    invariants: [{ violations: [] }, { notAsked: { isFault: false } }],
  })
})

test('prokura audit asks the rail where one is configured, and says where it did not', async () => {
  const env = { ...serviceEnvironment(), DATABASE_URL: buying.app.databaseUrl, PROKURA_KEYS: testKeys }
  const alone = await prokura(['audit'], env)
  expect(alone.out).toMatch(/M6-rail +not asked {2}.* \(PROKURA_RAIL_URL is not set\)\n/)
  expect(alone.out).toMatch(/M6-listed +not asked {2}/)
  const { processorUrl } = buying.sandbox
  const asked = await prokura(['audit'], { ...env, PROKURA_RAIL_URL: processorUrl })
  expect(asked.out).toMatch(/M6-rail +holds {2}/)
  expect(asked.out).toMatch(/M6-listed +holds {2}/)
  const silent = await prokura(['audit', '--json'], { ...env, PROKURA_RAIL_URL: 'http://127.0.0.1:1' })
  expect(silent.code).toBe(1)
  const report = JSON.parse(silent.out)
  expect(report.invariants.filter((one: { not_asked?: string }) => one.not_asked)).toMatchObject([
    { id: 'M6-rail', checked: 0, not_asked: 'the payment rail did not answer' },
    { id: 'M6-listed', checked: 0 },
  ])
})
