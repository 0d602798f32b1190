import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp } from '../../../../test/harness/app.ts'
import {
  type Asked,
  expectedOf,
  fillRegistry,
  pick,
  type RandomRegistry,
  some,
} from '../../../../test/harness/random-registry.ts'
import { type RegistryWorld, startRegistry } from '../../../../test/harness/registry-sites.ts'
import type { Mode } from '../../../contract/context.ts'
import { registryAccount } from './entry-row.ts'
import { paymentInstruments, paymentMethods } from './payment-words.ts'

let world: RegistryWorld
let filled: RandomRegistry
beforeAll(async () => {
  world = await startRegistry()
  filled = await fillRegistry(world)
})
afterAll(() => world.stop())

const expected = (mode: Mode, viewer: string | null, asked: Asked) =>
  expectedOf(filled.known, { mode, viewer, asked })

const queryOf = (asked: Asked & { limit?: number; offset?: number }) => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(asked))
    for (const one of [value].flat()) query.append(name, String(one))
  return query.toString()
}

async function listed(asked: Asked, key: string | null): Promise<string[]> {
  const { status, body } = await world.app.get(`/v1/registry?${queryOf({ ...asked, limit: 100 })}`, { key })
  expect(status).toBe(200)
  expect(body.total).toBe(body.data.length)
  return body.data.map(({ id }: { id: string }) => id)
}

/** Everybody who may ask: no key, a stranger, owners; each in a mode. */
const callers = () => [
  { mode: 'live' as const, viewer: null, key: null },
  { mode: 'live' as const, viewer: null, key: world.app.stranger.keys.secret_live },
  { mode: 'test' as const, viewer: null, key: world.app.stranger.keys.secret_test },
  ...filled.accounts.slice(0, 4).flatMap(({ accountId, keys }) => [
    { mode: 'test' as const, viewer: accountId, key: keys.secret_test },
    { mode: 'live' as const, viewer: accountId, key: keys.secret_live },
  ]),
]

const filters: { [Name in keyof Asked]-?: readonly NonNullable<Asked[Name]>[] } = {
  q: ['tea', 'TEA', 'é', '%', '_', 'shop', '.example', 'nothing'],
  protocol: ['all', 'ucp', 'mpp', 'native'],
  commerce_category: ['product', 'digital', 'service', 'booking', 'subscription', 'api'],
  mpp_category: ['data', 'DATA', 'media', 'nothing'],
  payment_method: [
    ...paymentMethods.map((method) => [method]),
    ['card', 'tempo'],
    ['link', 'paypal', 'x402'],
  ],
  payment_instrument: [...paymentInstruments.map((one) => [one]), ['card', 'wallet']],
}
const names = Object.keys(filters) as (keyof Asked)[]

test('each filter alone finds what a look at everything finds, for every caller', async () => {
  let found = 0
  for (const { mode, viewer, key } of callers())
    for (const name of names)
      for (const value of filters[name]) {
        const asked = { [name]: value }
        const ids = await listed(asked, key)
        expect({ asked, mode, ids }).toEqual({ asked, mode, ids: expected(mode, viewer, asked) })
        found += ids.length
      }
  expect(found).toBeGreaterThan(500)
})

test('filters together find what all of them hold for', async () => {
  let found = 0
  for (let tried = 0; tried < 400; tried++) {
    const { mode, viewer, key } = pick(callers())
    const asked = Object.fromEntries(
      some(names, 0.35).map((name) => [name, pick<unknown>(filters[name])]),
    ) as Asked
    const ids = await listed(asked, key)
    expect({ asked, mode, ids }).toEqual({ asked, mode, ids: expected(mode, viewer, asked) })
    found += ids.length
  }
  expect(found).toBeGreaterThan(300)
})

test('pages put together are the whole list, each with the total and what follows; 8 entries unless asked otherwise', async () => {
  const key = world.app.stranger.keys.secret_test
  const all = expected('test', null, {})
  const paged: string[] = []
  for (let offset = 0; ; offset += 7) {
    const { body } = await world.app.get(`/v1/registry?limit=7&offset=${offset}`, { key })
    expect(body).toMatchObject({ object: 'list', total: all.length, limit: 7, offset })
    paged.push(...body.data.map(({ id }: { id: string }) => id))
    expect(body.has_more).toBe(paged.length < all.length)
    if (!body.has_more) break
  }
  expect(paged).toEqual(all)
  expect((await world.app.get('/v1/registry', { key })).body).toMatchObject({
    limit: 8,
    offset: 0,
    has_more: true,
  })
  expect((await world.app.get('/v1/registry?offset=10000', { key })).body).toMatchObject({
    data: [],
    has_more: false,
  })
})

test.each([
  'limit=0',
  'limit=101',
  'offset=10001',
  'offset=-1',
  'q=',
  `q=${'a'.repeat(256)}`,
  'protocol=acp',
  'protocol=ucp&protocol=mpp',
  'commerce_category=wine',
  `mpp_category=${'a'.repeat(101)}`,
  'payment_method=cash',
  'payment_method=card&payment_method=cash',
  'payment_instrument=visa',
  'fields=id',
])('%s is refused', async (query) => {
  expect((await world.app.get(`/v1/registry?${query}`)).status).toBe(422)
})

test('an entry is read by whoever finds it in the list, and by nobody else', async () => {
  for (const { mode, viewer, key } of callers()) {
    const visible = new Set(expected(mode, viewer, {}))
    for (const one of filled.known.filter((each) => each.mode === mode)) {
      const { status, body } = await world.app.get(`/v1/registry/${one.id}`, { key })
      expect(status).toBe(visible.has(one.id) ? 200 : 404)
      if (status === 200) expect(body.visibility).toBe(one.isPublic ? 'public' : 'preview')
    }
  }
  for (const id of ['nothing', 'reg_00000000000000000000000000', registryAccount, '%25', 'a'.repeat(255)])
    expect((await world.app.get(`/v1/registry/${id}`)).status).toBe(404)
  expect((await world.app.get(`/v1/registry/${'a'.repeat(256)}`)).status).toBe(422)
})

test('an entry of one mode does not exist in the other, and no query changes the mode', async () => {
  expect(await listed({ mode: 'live' } as Asked, world.app.stranger.keys.secret_test)).toEqual(
    expected('test', null, {}),
  )
  const site = filled.known.find(({ owner, mode }) => owner === null && mode === 'test')
  expect(
    (await world.app.get(`/v1/registry/${site?.id}`, { key: world.app.stranger.keys.secret_live })).status,
  ).toBe(404)
})

describe('what an entry says', () => {
  test('of a merchant of ours: what it sells, with its lowest prices, and where it is bought', async () => {
    const seller = filled.known.find(
      ({ owner, mode, itemTypes, isPublic }) => owner && mode === 'test' && isPublic && itemTypes.length > 1,
    )
    const { body } = await world.app.get(`/v1/registry/${seller?.id}`)
    expect(body).toMatchObject({
      protocols: [
        { protocol: 'native', status: 'live', last_checked_at: null, capabilities: ['purchase_intent'] },
        { protocol: 'ucp', status: 'live', last_checked_at: null },
        { protocol: 'mpp', status: 'live', last_checked_at: null },
      ],
      payment_methods: ['card'],
      payment_instruments: ['card'],
      payment_provenance: [{ method: 'card', source: 'merchant_profile' }],
      commerce_categories: seller?.itemTypes,
    })
    expect(
      body.representative_items.map(({ item_type, price }: { item_type: string; price: unknown }) => [
        item_type,
        price,
      ]),
    ).toEqual([...(seller?.itemTypes ?? [])].reverse().map((type) => [type, { amount: 70, currency: 'EUR' }]))
  })

  test('of a merchant of ours over UCP: what its own profile says', async () => {
    const { data } = (
      await world.app.get('/v1/registry?protocol=ucp&limit=100', { key: world.app.stranger.keys.secret_test })
    ).body
    const { protocols } = data.find(
      ({ merchant }: { merchant: { slug: string | null } }) => merchant.slug !== null,
    )
    const { endpoints, capabilities, version } = protocols[1]
    const [rest, mcp, profile] = endpoints.map(({ url }: { url: string }) => url)
    const { ucp } = (await world.app.get(new URL(profile).pathname)).body
    expect(version).toBe(ucp.version)
    expect([...capabilities].sort()).toEqual(Object.keys(ucp.capabilities).sort())
    expect(ucp.services['dev.ucp.shopping'].map(({ endpoint }: { endpoint: string }) => endpoint)).toEqual([
      rest,
      mcp,
    ])
  })

  test('of a merchant of ours over MPP: what its own manifest says', async () => {
    const { data } = (
      await world.app.get('/v1/registry?protocol=mpp&limit=100', { key: world.app.stranger.keys.secret_test })
    ).body
    const { protocols } = data.find(
      ({ merchant }: { merchant: { slug: string | null } }) => merchant.slug !== null,
    )
    const [rest, mcp, profile] = protocols[2].endpoints.map(({ url }: { url: string }) => url)
    const manifest = (await world.app.get(new URL(profile).pathname)).body
    expect([manifest.serviceUrl, manifest.commerce.tools]).toEqual([rest, mcp])
    expect(manifest.methods).toEqual({ vault: { intents: protocols[2].capabilities } })
  })

  test('tools say the same', async () => {
    const rest = await world.app.get('/v1/registry?payment_method=card&payment_method=tempo&limit=3')
    const tool = await world.app.mcp('v1_list_registry', { payment_method: ['card', 'tempo'], limit: 3 })
    expect(tool.body).toEqual(rest.body)
    const [first] = rest.body.data
    expect((await world.app.mcp('v1_get_registry_entry', { entry_id: first.id })).body).toEqual(first)
  })
})

test('a key needs the right to read the registry', async () => {
  for (const preset of ['merchant_backend', 'discovery', 'buyer_agent', 'full'] as const) {
    const { token } = await world.app.newKey(world.app.account, 'test', preset)
    expect((await world.app.get('/v1/registry', { key: token })).status).toBe(200)
  }
  const { id, token } = await world.app.newKey(world.app.account, 'test', 'discovery')
  await world.app.sql(`update api_keys set scopes = '{catalog:read}' where id = $1`, [id])
  expect((await world.app.get('/v1/registry', { key: token })).body.detail.code).toBe('insufficient_scope')
  expect((await world.app.get('/v1/registry', { key: 'pr_sk_live_nothing' })).status).toBe(401)
})

test('the registry is counted together with the catalog', async () => {
  const app = await startTestApp({ testClock: true, limits: { discoveryTest: 2 } })
  try {
    expect((await app.get('/v1/registry')).status).toBe(200)
    expect((await app.post('/v1/catalog', { query: 'tea' })).status).toBe(200)
    const refused = await app.get('/v1/registry/nothing')
    expect([refused.status, refused.body.detail.scope]).toEqual([429, 'api_key'])
  } finally {
    await app.stop()
  }
})
