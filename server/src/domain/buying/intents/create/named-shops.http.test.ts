import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TestApp } from '../../../../../test/harness/app.ts'
import { type Buyer, createPurchase, newBuyer, purchaseOf } from '../../../../../test/harness/buyers.ts'
import { type RegistryWorld, startRegistry } from '../../../../../test/harness/registry-sites.ts'

/** Who the shops of a purchase are: what policies may believe of them, and what people read. */
let world: RegistryWorld
let app: TestApp
let buyer: Buyer
beforeAll(async () => {
  world = await startRegistry()
  ;({ app } = world)
  buyer = await newBuyer(app)
  await Promise.all([
    world.add('https://classic.known.test', { channel: 'ucp' }),
    world.add('https://ucp.known.test', { channel: 'ucp' }),
    world.add('https://www.www-known.test', { channel: 'ucp' }),
    world.add('https://ported.test:8443', { channel: 'ucp' }),
  ])
})
afterAll(() => world?.stop())

const itemAt = (url: string) => ({ url, quantity: 1, expected_amount: 500, expected_currency: 'EUR' })

async function statusUnder(rule: object, url: string): Promise<string> {
  const own = await newBuyer(app)
  await app.post('/v1/policies', {
    name: 'Categories',
    currency: 'EUR',
    scope: { profile_ids: [own.profileId] },
    limits: { per_transaction_max: 100_000 },
    approval: { mode: 'never' },
    ...rule,
  })
  const { body } = await createPurchase(app, own, { items: [itemAt(url)] })
  const preview = await app.post('/v1/purchase_intents/preview', purchaseOf(own, { items: [itemAt(url)] }))
  expect(preview.body.status).toBe(body.status)
  return body.status
}

const known = [
  'https://classic.known.test/bread',
  'https://ucp.known.test/bread',
  'https://www-known.test/bread',
  'https://ported.test:8443/bread',
]

test.each(known)(
  'the URL of a shop that the registry has names neither its category nor its country: %s',
  async (url) => {
    const groceries = { mcc: { allow: ['5411'] } }
    const german = { countries: { allow: ['DE'] } }
    expect(await statusUnder(groceries, `${url}?mcc=5411`)).toBe('declined')
    expect(await statusUnder(german, `${url}?country=DE`)).toBe('declined')
    expect(await statusUnder({ mcc: { block: ['5411'] } }, `${url}?mcc=5912`)).toBe('declined')
    expect(await statusUnder({}, url)).toBe('queued')
  },
)

test('a simulated shop names both, also below the domain of a shop that is known, and at another port of it', async () => {
  for (const url of ['https://other.known.test/bread', 'https://ported.test/bread']) {
    expect(await statusUnder({ mcc: { allow: ['5411'] } }, `${url}?mcc=5411`)).toBe('queued')
    expect(await statusUnder({ countries: { allow: ['DE'] } }, `${url}?country=DE`)).toBe('queued')
  }
})

test('a person reads the very shops that something is bought from', async () => {
  const urls = ['https://classic.known.test/a', 'https://ucp.known.test/b']
  const { body } = await createPurchase(app, buyer, { items: urls.map(itemAt) })
  expect(body.summary).toContain('2 items from classic.known.test and ucp.known.test for at most')
  const { body: list } = await app.get('/v1/purchase_intents?limit=1')
  expect(list.data[0].merchants).toEqual(['classic.known.test', 'ucp.known.test'])
  const one = await createPurchase(app, buyer, { items: [itemAt('https://www.shop.a.known.test/a')] })
  expect(one.body.summary).toContain('1 item from shop.a.known.test for')
  for (const q of ['classic.known', 'known.test', 'shop.a'])
    expect((await app.get(`/v1/purchase_intents?q=${q}`)).body.total, q).toBeGreaterThan(0)
})

test('a preview names the shops as the purchase does, and keeps two ports apart', async () => {
  const merchantsAt = async (urls: string[]) =>
    (
      await app.post('/v1/purchase_intents/preview', purchaseOf(buyer, { items: urls.map(itemAt) }))
    ).body.merchants.map(({ domain }: { domain: string }) => domain)
  expect(await merchantsAt(['https://a.plain.test/1'])).toEqual(['a.plain.test'])
  expect(await merchantsAt(['https://a.plain.test/1', 'https://b.plain.test/1'])).toEqual(['plain.test'])
  expect(await merchantsAt(['https://plain.test/1', 'https://plain.test:8443/1'])).toEqual([
    'plain.test',
    'plain.test:8443',
  ])
})
