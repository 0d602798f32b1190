import { afterAll, beforeAll, expect, test } from 'vitest'
import { readManifest } from '../../src/protocols/mpp/manifest.ts'
import { startTestApp, type TestAccount, type TestApp } from '../harness/app.ts'

/** Paid APIs that merchants run themselves, as payers find them. */
let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ limits: { discoveryTest: 10_000, discoveryLive: 10_000 } })
})
afterAll(() => app.stop())

const offer = { intent: 'charge', method: 'stripe', amount: '25', currency: 'usd' }
const request_schema = { type: 'object', properties: { height: { type: 'integer' } } }
type Mode = 'test' | 'live'
type Merchant = { account: TestAccount; key: string; slug: string; mode: Mode }

let opened = 0

async function newMerchant(mode: Mode = 'test', account?: TestAccount): Promise<Merchant> {
  const slug = `shop-${++opened}`
  const own = account ?? (await app.newAccount())
  const key = mode === 'test' ? own.keys.secret_test : own.keys.secret_live
  await app.post('/v1/merchant', { slug, domain: `${slug}.example`, name: 'Shop' }, { key })
  return { account: own, key, slug, mode }
}

/** In live mode strangers may name a merchant with a proved domain and a confirmed backend. */
async function makePublic({ account, mode }: Merchant): Promise<void> {
  await app.sql('update merchants set domain_verified_at = now() where account_id = $1 and mode = $2', [
    account.accountId,
    mode,
  ])
  await app.sql(
    `insert into destinations (account_id, mode, id, name, responds_to_quotes, event_types, endpoint_url, status, confirmed_at, seq, created_at, updated_at)
     values ($1, $2, 'dest_' || $1, 'Shop', false, '{order.requested,order.confirmed,order.rejected}', 'https://shop.example', 'enabled', now(), 1, now(), now())`,
    [account.accountId, mode],
  )
}

async function publish({ key, slug }: Merchant, over: object = {}): Promise<string> {
  const url = `https://api.${slug}.example/sizes`
  const body = {
    name: 'Sizes',
    description: 'Which size fits',
    method: 'POST',
    url,
    offers: [offer],
    ...over,
  }
  const made = await app.post('/v1/merchant/mpp_apis', body, { key })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body.id
}

async function read(path: string) {
  const response = await fetch(`${app.url}${path}/.well-known/mpp.json`)
  const text = await response.text()
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(64 * 1024)
  expect(response.headers.get('content-type')).toMatch(/^application\/(problem\+)?json\b/)
  return { status: response.status, text, body: JSON.parse(text) }
}
const manifestOf = ({ slug, mode }: Merchant) =>
  read(mode === 'test' ? `/mpp/test/m/${slug}` : `/mpp/m/${slug}`)
const namesOf = (body: { customApis: { name: string }[] }) => body.customApis.map(({ name }) => name)

test("a merchant's manifest names what it has published, the newest first, and its readers find no fault", async () => {
  const merchant = await newMerchant()
  expect((await manifestOf(merchant)).body.customApis).toEqual([])
  const id = await publish(merchant, { request_schema, categories: ['data'] })
  await publish(merchant, {
    name: 'Dynamic',
    method: 'GET',
    offers: [{ intent: 'session', method: 'tempo' }],
  })
  const { body } = await manifestOf(merchant)
  expect(namesOf(body)).toEqual(['Dynamic', 'Sizes'])
  expect(body.customApis[0].offers).toEqual([{ intent: 'session', method: 'tempo', amount: null }])
  expect(body.customApis[1]).toEqual({
    id,
    slug: merchant.slug,
    livemode: false,
    name: 'Sizes',
    description: 'Which size fits',
    method: 'POST',
    url: `https://api.${merchant.slug}.example/sizes`,
    offers: [offer],
    categories: ['data'],
    requestSchema: request_schema,
  })
  expect(body.customApisOmitted).toBeUndefined()
  const { offer: readOffer, faults } = readManifest(body, { origin: app.url })
  expect([faults, readOffer?.operations.map(({ path }) => path)]).toEqual([[], ['/orders']])
  const openApi = await (await fetch(`${app.url}/mpp/test/m/${merchant.slug}/openapi.json`)).text()
  expect(openApi).not.toContain('sizes')
})

test('what is archived, of another mode, of another merchant or of another domain is not shown', async () => {
  const merchant = await newMerchant()
  const other = await newMerchant()
  const live = await newMerchant('live', merchant.account)
  const id = await publish(merchant)
  await publish(merchant, { name: 'Kept', url: `https://${merchant.slug}.example/kept` })
  await publish(live, { name: 'Live' })
  expect(namesOf((await manifestOf(merchant)).body)).toEqual(['Kept', 'Sizes'])
  expect(namesOf((await manifestOf(other)).body)).toEqual([])
  await app.post(`/v1/merchant/mpp_apis/${id}/archive`, undefined, { key: merchant.key })
  expect(namesOf((await manifestOf(merchant)).body)).toEqual(['Kept'])
  const move = (domain: string | null) => app.post('/v1/merchant', { domain }, { key: merchant.key })
  for (const domain of [`my${merchant.slug}.example`, `shop.${merchant.slug}.example`, null]) {
    expect((await move(domain)).status).toBe(200)
    expect([domain, namesOf((await manifestOf(merchant)).body)]).toEqual([domain, []])
  }
  await move(`${merchant.slug}.example`)
  expect(namesOf((await manifestOf(merchant)).body)).toEqual(['Kept'])
})

test('a merchant of live mode that strangers may not name has no manifest, and loses it with its domain', async () => {
  const merchant = await newMerchant('live')
  await publish(merchant)
  expect((await manifestOf(merchant)).status).toBe(404)
  await makePublic(merchant)
  expect(namesOf((await manifestOf(merchant)).body)).toEqual(['Sizes'])
  expect(namesOf((await read('/mpp')).body)).toContain('Sizes')
  await app.post('/v1/merchant', { domain: 'elsewhere.example' }, { key: merchant.key })
  expect((await manifestOf(merchant)).status).toBe(404)
  await app.sql('update merchants set domain_verified_at = now() where account_id = $1', [
    merchant.account.accountId,
  ])
  expect(namesOf((await manifestOf(merchant)).body)).toEqual([])
  expect((await read('/mpp')).text).not.toContain(merchant.slug)
})

test("the service's manifest names those of public merchants, and says where all of one are", async () => {
  await app.sql('delete from mpp_apis')
  const [shown, hidden, tested] = [await newMerchant('live'), await newMerchant('live'), await newMerchant()]
  await makePublic(shown)
  const id = await publish(shown, { request_schema, description: 'Long '.repeat(100) })
  for (const merchant of [hidden, tested]) await publish(merchant)
  const { body, text } = await read('/mpp')
  // The manifest is of test mode where live mode has no way to pay, and what is live comes first.
  expect(body.customApis).toMatchObject([
    { id },
    { slug: tested.slug, livemode: false, name: 'Sizes', offers: [offer] },
  ])
  expect(body.customApis.slice(0, 1)).toEqual([
    {
      id,
      slug: shown.slug,
      livemode: true,
      name: 'Sizes',
      method: 'POST',
      url: `https://api.${shown.slug}.example/sizes`,
      offers: [offer],
    },
  ])
  expect(text).not.toContain(hidden.slug)
  expect(body.commerce.customApis).toEqual({
    urlTemplate: body.commerce.merchantManifest,
    member: 'customApis',
  })
  await app.post(`/v1/merchant/mpp_apis/${id}/archive`, undefined, { key: shown.key })
  expect((await read('/mpp')).body.customApis).toMatchObject([{ slug: tested.slug }])
})

test('no merchant fills the list of the service, which ends at a hundred', async () => {
  const many = await newMerchant('live')
  const few = await newMerchant('live')
  await publish(few, { name: 'Few' })
  const first = await publish(many, { name: 'Many' })
  await app.sql(
    `insert into mpp_apis (account_id, mode, id, name, description, method, url, host, offers, categories, status, metadata, seq, created_at,
       updated_at)
     select account_id, mode, 'mapi_7' || lpad(i::text, 25, '0'), name, description, method, url, host, offers, categories, status, metadata, seq,
       created_at, updated_at from mpp_apis, generate_series(1, 120) as i where id = $1`,
    [first],
  )
  for (const merchant of [many, few]) await makePublic(merchant)
  const { body } = await read('/mpp')
  expect(namesOf(body).slice(0, 3)).toEqual(['Many', 'Few', 'Many'])
  expect(body.customApis).toHaveLength(100)
  await app.sql(`delete from mpp_apis where id like 'mapi_7%'`)
})

test('a manifest stays small: schemas go before whole APIs, and it says how many are missing', async () => {
  const merchant = await newMerchant()
  const big = { request_schema: { title: 'x'.repeat(16_000) }, description: 'é'.repeat(1000) }
  for (let made = 0; made < 5; made++) await publish(merchant, { name: `A${made}`, ...big })
  const { body } = await manifestOf(merchant)
  expect(namesOf(body)).toEqual(['A4', 'A3', 'A2', 'A1', 'A0'])
  expect(body.customApis.map((api: object) => 'requestSchema' in api)).toEqual([
    true,
    true,
    true,
    false,
    false,
  ])
  const long = { name: 'é'.repeat(255), url: `https://${merchant.slug}.example/${'x'.repeat(2000)}` }
  for (let made = 0; made < 20; made++) await publish(merchant, { ...big, ...long })
  const { body: cut } = await manifestOf(merchant)
  expect(cut.customApis.length).toBeGreaterThan(10)
  expect(cut.customApis.length + cut.customApisOmitted).toBe(25)
})

test('text of merchants is data: markup and quotes are what they were', async () => {
  const merchant = await newMerchant('live')
  await makePublic(merchant)
  const name = `</script><img src=x onerror="alert(1)">"},{"slug":"evil\\\u2028`
  await publish(merchant, { name, request_schema: { title: name, [name]: [name] } })
  const own = await manifestOf(merchant)
  expect(own.body.customApis).toMatchObject([{ name, requestSchema: { title: name, [name]: [name] } }])
  const all = await read('/mpp')
  expect(all.body.customApis.filter(({ slug }: { slug: string }) => slug === merchant.slug)).toMatchObject([
    { name },
  ])
})

test('an address on this machine is shown in test mode', async () => {
  const merchant = await newMerchant()
  await publish(merchant, { name: 'Here', url: 'http://127.0.0.1:9/x' })
  expect(namesOf((await manifestOf(merchant)).body)).toEqual(['Here'])
})

test('a merchant without a domain may prepare, and nothing is shown before it has the right one', async () => {
  const account = await app.newAccount()
  const merchant: Merchant = { account, key: account.keys.secret_test, slug: 'prepared', mode: 'test' }
  await publish(merchant)
  await app.post('/v1/merchant', { slug: 'prepared' }, { key: merchant.key })
  expect(namesOf((await manifestOf(merchant)).body)).toEqual([])
  await app.post('/v1/merchant', { domain: 'prepared.example' }, { key: merchant.key })
  expect(namesOf((await manifestOf(merchant)).body)).toEqual(['Sizes'])
})

test('the registry files a merchant under the words of what it shows', async () => {
  const merchant = await newMerchant()
  await publish(merchant, { categories: ['travel', 'data'] })
  await publish(merchant, { categories: ['data'] })
  const found = async (word: string) => {
    const { body } = await app.get(`/v1/registry?mpp_category=${word}&limit=100`)
    return body.data.filter(({ id }: { id: string }) => id === merchant.account.accountId)
  }
  expect(await found('travel')).toMatchObject([{ mpp_categories: ['data', 'travel'] }])
  expect(await found('media')).toEqual([])
  await app.post('/v1/merchant', { domain: 'moved.example' }, { key: merchant.key })
  expect(await found('travel')).toEqual([])
})
