import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { isPublicInMode } from '../../selling/merchant/public.ts'

/** Who can be found is decided twice: by the merchant's setup, and in the search's own statement. Both must decide alike. */
let app: TestApp
beforeAll(async () => {
  app = await startTestApp({
    limits: { discoveryTest: 10_000, discoveryLive: 10_000, discoveryAnonymousMinute: 10_000 },
  })
})
afterAll(() => app.stop())

type Case = { mode: 'test' | 'live'; slug: boolean; verified: boolean; destination: string | null }

const destinations = [null, 'confirmed', 'not confirmed', 'archived', 'for other events']
const cases: Case[] = (['test', 'live'] as const).flatMap((mode) =>
  [true, false].flatMap((slug) =>
    [true, false].flatMap((verified) =>
      destinations.map((destination) => ({ mode, slug, verified, destination })),
    ),
  ),
)

test.each(cases)('%o is found as its setup says', async ({ mode, slug, verified, destination }) => {
  const account = await app.newAccount()
  const key = mode === 'test' ? account.keys.secret_test : account.keys.secret_live
  const name = account.accountId.slice(-12).toLowerCase()
  const domain = `${name}.example`
  await app.post('/v1/merchant', { domain, currency: 'EUR', ...(slug ? { slug: `s-${name}` } : {}) }, { key })
  const item = await app.post(
    '/v1/merchant/catalog_items',
    { title: 'Thing', variants: [{ price: 1 }] },
    { key },
  )
  await app.post(`/v1/merchant/catalog_items/${item.body.id}/publish`, undefined, { key })
  if (verified)
    await app.sql('update merchants set domain_verified_at = now() where account_id = $1', [
      account.accountId,
    ])
  if (destination !== null)
    await app.sql(
      `insert into webhook_destinations (account_id, mode, id, name, audience, responds_to_quotes, event_types, endpoint_url, status,
         confirmed_at, seq, created_at, updated_at)
       values ($1, $2, 'dest_' || $3, 'Shop', 'merchant', false, $4, 'https://shop.example', $5, $6, 1, now(), now())`,
      [
        account.accountId,
        mode,
        name,
        destination === 'for other events'
          ? ['quote.requested']
          : ['order.requested', 'order.confirmed', 'order.rejected'],
        destination === 'archived' ? 'archived' : 'enabled',
        destination === 'not confirmed' ? null : new Date(),
      ],
    )
  const asked = mode === 'test' ? app.stranger.keys.secret_test : app.stranger.keys.secret_live
  const answer = await app.post(
    '/v1/catalog/product',
    { id: item.body.id, merchant: { id: account.accountId } },
    { key: asked },
  )
  const own = await app.post(
    '/v1/catalog/product',
    { id: item.body.id, merchant: { id: account.accountId } },
    { key },
  )
  expect(own.status).toBe(200)
  const [row] = await app.sql<Parameters<typeof isPublicInMode>[0]>(
    'select * from merchants where account_id = $1 and mode = $2',
    [account.accountId, mode],
  )
  if (!row) throw new Error('there is no merchant')
  const isPublic = await isPublicInMode(row, async () => ({
    account_created_at: new Date(),
    published_items: 1,
    order_destinations: destination === 'confirmed' ? 1 : 0,
    quote_responders: 0,
  }))
  expect(answer.status).toBe(isPublic ? 200 : 404)
})
