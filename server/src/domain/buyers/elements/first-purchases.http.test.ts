import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { createPurchase, newBuyer } from '../../../../test/harness/buyers.ts'
import { elementsOfTests, openComponentPage } from '../../../../test/harness/component-page.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ elements: elementsOfTests })
})
afterAll(() => app.stop())

test('in live mode a page sees cards without a client secret once ten purchases have succeeded', async () => {
  const key = app.account.keys.secret_live
  const buyer = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'AT' }
  const { id: profile_id } = (await app.post('/v1/profiles', buyer, { key })).body
  const page = await openComponentPage(app, { mode: 'live' })
  const isShown = async (more: object = {}) => {
    const component = await page.open('AddOrSelectPaymentMethod', { profile_id }, more)
    return (await component.get('/payment_methods')).status === 200
  }
  await haveBought(profile_id, 9)
  expect(await isShown()).toBe(false)
  const asked = { profile_id, components: ['AddOrSelectPaymentMethod'] }
  const { client_secret } = (await app.post('/v1/elements/client_secrets', asked, { key })).body
  expect(await isShown({ client_secret })).toBe(true)
  await haveBought(profile_id, 1)
  expect(await isShown()).toBe(true)
})

/** Nothing buys in live mode yet: rows like that of a purchase of test mode. */
async function haveBought(profileId: string, purchases: number): Promise<void> {
  const { id: like } = (await createPurchase(app, await newBuyer(app))).body
  const columns = await app.sql<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_name = 'purchase_intents' and table_schema = 'public' and is_generated = 'NEVER'`,
  )
  const named = (of: string) => columns.map(({ name }) => of + name).join(', ')
  await app.sql(
    `insert into purchase_intents (${named('')}) select ${named('made.')}
     from purchase_intents p, generate_series(1, $2::int) n, jsonb_populate_record(p, jsonb_build_object('id', p.id || n,
       'mode', 'live', 'status', 'succeeded', 'profile_id', $3::text, 'idempotency_key', null, 'due_at', null)) made
     where p.id = $1`,
    [like, purchases, profileId],
  )
}
