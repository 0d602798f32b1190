import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { confirmByHand } from '../../../../test/harness/deliveries.ts'
import { runAs } from '../../../platform/calls/run-as.ts'
import { changeMerchant } from '../../readiness/merchant-readiness/public.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

type Requirement = { code: string; state: string; blocking: string[]; fix: string | null }

function dueOf(body: { requirements: Requirement[] }): string[] {
  return body.requirements.filter(({ state }) => state === 'currently_due').map(({ code }) => code)
}

test('an account that has set nothing reads an empty record with everything due, and no row appears', async () => {
  const first = await app.get('/v1/merchant')
  expect(first.status).toBe(200)
  expect(first.body).toMatchObject({
    id: app.account.accountId,
    object: 'merchant',
    mode: 'test',
    slug: null,
    status: 'setup',
    capabilities: { catalog: false, quotes: false, orders: false, ucp: false, mpp: false },
    verifications: [],
  })
  expect(dueOf(first.body)).toEqual([
    'slug',
    'domain',
    'domain_verification',
    'catalog_item',
    'order_destination',
    'quote_responder',
    'order_check',
    'quote_check',
  ])
  expect((await app.get('/v1/merchant')).body).toEqual(first.body)
})

test('the first change makes the record; later ones keep what they leave out and null clears', async () => {
  const { keys } = await app.newAccount('Seller')
  const as = { key: keys.secret_test }
  const made = await app.post(
    '/v1/merchant',
    { slug: 'acme', domain: 'Shop.ACME.example', name: 'Acme', mcc: '5999', country: 'DE', currency: 'eur' },
    as,
  )
  expect(made.status).toBe(200)
  expect(made.body).toMatchObject({ slug: 'acme', domain: 'shop.acme.example', currency: 'EUR', mcc: '5999' })
  expect(made.body.verifications).toEqual([
    { kind: 'domain', status: 'pending', stale: false, checked_at: null, detail: null },
  ])
  const changed = await app.post('/v1/merchant', { name: null, tax_basis_points: 1900 }, as)
  expect(changed.body).toMatchObject({ slug: 'acme', name: null, tax_basis_points: 1900, country: 'DE' })
  expect((await app.get('/v1/merchant', as)).body).toEqual(changed.body)
  expect((await app.get('/v1/merchant', { key: keys.secret_live })).body.slug).toBeNull()
})

test('a slug belongs to one merchant of a mode', async () => {
  const [first, second] = [await app.newAccount('One'), await app.newAccount('Two')]
  await app.post('/v1/merchant', { slug: 'only-one' }, { key: first.keys.secret_test })
  const refused = await app.post('/v1/merchant', { slug: 'only-one' }, { key: second.keys.secret_test })
  expect([refused.status, refused.body.detail.code]).toEqual([409, 'slug_in_use'])
  const live = await app.post('/v1/merchant', { slug: 'only-one' }, { key: second.keys.secret_live })
  expect(live.status).toBe(200)
})

test('no other merchant can claim a verified domain, and another domain needs a verification of its own', async () => {
  const [owner, other] = [await app.newAccount('Owner'), await app.newAccount('Other')]
  await app.post('/v1/merchant', { domain: 'proved.example' }, { key: other.keys.secret_test })
  await app.post('/v1/merchant', { domain: 'proved.example' }, { key: owner.keys.secret_test })
  const tenant = { accountId: owner.accountId, mode: 'test' } as const
  const verified = await runAs(app.parts, { tenant, actor: { type: 'system', id: 'test' } }, (ctx) =>
    changeMerchant(ctx, () => ({ domain_verified_at: ctx.now })),
  )
  expect(verified.verifications[0]?.status).toBe('passed')
  const third = await app.newAccount('Third')
  const refused = await app.post(
    '/v1/merchant',
    { domain: 'PROVED.example' },
    { key: third.keys.secret_test },
  )
  expect([refused.status, refused.body.detail]).toMatchObject([
    409,
    { code: 'domain_in_use', param: 'domain' },
  ])
  const moved = await app.post('/v1/merchant', { domain: 'new.example' }, { key: owner.keys.secret_test })
  expect(moved.body.verifications[0].status).toBe('pending')
})

test('refuses a value that is no slug, domain, category code, country, currency or rate', async () => {
  const { status, body } = await app.post('/v1/merchant', {
    slug: 'No Slug',
    domain: 'localhost',
    mcc: '59',
    country: 'Germany',
    currency: 'EURO',
    tax_basis_points: 10_001,
    status: 'live_ready',
  })
  expect(status).toBe(422)
  const fields = body.detail.map(({ loc }: { loc: string[] }) => loc[1])
  expect(new Set(fields)).toEqual(
    new Set(['slug', 'domain', 'mcc', 'country', 'currency', 'tax_basis_points', 'status']),
  )
})

test('an idempotency key makes one change', async () => {
  const { keys } = await app.newAccount('Retrying')
  const given = { key: keys.secret_test, headers: { 'idempotency-key': 'merchant-1' } }
  const first = await app.post('/v1/merchant', { slug: 'retrying' }, given)
  const again = await app.post('/v1/merchant', { slug: 'retrying' }, given)
  expect(again.body).toEqual(first.body)
  expect(again.headers.get('idempotent-replayed')).toBe('true')
})

test('needs a key with the right scope', async () => {
  expect((await app.get('/v1/merchant', { key: null })).status).toBe(401)
  const reader = await app.newKey(app.account, 'test', 'read_only')
  expect((await app.get('/v1/merchant', { key: reader.token })).status).toBe(200)
  const refused = await app.post('/v1/merchant', { name: 'X' }, { key: reader.token })
  expect([refused.status, refused.body.detail.code]).toEqual([403, 'insufficient_scope'])
})

test('a merchant with a slug, a domain, an item and a destination for orders is ready for tests', async () => {
  const { keys } = await app.newAccount('Ready')
  const as = { key: keys.secret_test }
  await app.post('/v1/merchant', { slug: 'ready', domain: 'ready.example', currency: 'EUR' }, as)
  const item = await app.post(
    '/v1/merchant/catalog_items',
    { title: 'Tea', url: 'https://ready.example/tea', variants: [{ price: 500 }] },
    as,
  )
  await app.post(`/v1/merchant/catalog_items/${item.body.id}/publish`, undefined, as)
  const before = (await app.get('/v1/merchant', as)).body
  expect(before.status).toBe('setup')
  expect(before.blockers).toEqual(['order_destination'])
  expect(before.capabilities).toMatchObject({ catalog: true, orders: false, quotes: false })
  const destination = {
    name: 'Backend',
    responds_to_quotes: true,
    event_types: ['order.requested', 'order.confirmed', 'order.rejected'],
    webhook: { endpoint_url: 'https://8.8.8.8/hooks' },
  }
  const made = await app.post('/v1/merchant/destinations', destination, as)
  expect(made.status).toBe(201)
  expect((await app.get('/v1/merchant', as)).body).toMatchObject({
    status: 'setup',
    blockers: ['order_destination'],
    next_action: { path: `/v1/merchant/destinations/${made.body.id}/test` },
  })
  await confirmByHand(app, made.body)
  const after = (await app.get('/v1/merchant', as)).body
  expect(after).toMatchObject({ status: 'test_ready', blockers: [] })
  expect(after.capabilities).toMatchObject({ catalog: true, orders: true, quotes: true })
  expect(dueOf(after)).toEqual(['domain_verification', 'order_check', 'quote_check'])
})
