import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const home = { line1: '1 Main St', city: 'Springfield', state: 'IL', postal_code: '62701', country: 'US' }

type Addressed = { id: string; addresses: { id: string; address_type: string; is_default: boolean }[] }

async function newProfile(...addresses: object[]): Promise<Addressed> {
  const named = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'US' }
  const { status, body } = await app.post('/v1/profiles', { ...named, addresses })
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

/** The defaults of a profile, each as its type and place in the list. */
function defaultsOf({ addresses }: Addressed): string[] {
  return addresses.flatMap(({ is_default, address_type }, at) =>
    is_default ? [`${address_type} ${at}`] : [],
  )
}

const of = (type: string, more: object = {}) => ({ ...home, address_type: type, ...more })

test('an address is changed in what the request names, as a tool too, and the profile says so in an event', async () => {
  const profile = await newProfile(of('both', { line2: 'Flat 3' }))
  const [address] = profile.addresses
  const path = `/v1/profiles/${profile.id}/addresses/${address?.id}`
  const { status, body } = await app.post(path, { line1: '2 Oak Ave', line2: null })
  expect(status).toBe(200)
  expect(body.addresses).toEqual([{ ...address, line1: '2 Oak Ave', line2: null }])
  const tool = await app.mcp('v1_update_profile_address', {
    profile_id: profile.id,
    address_id: address?.id,
    city: 'Chicago',
  })
  expect(tool).toMatchObject({ status: 200, body: { addresses: [{ id: address?.id, city: 'Chicago' }] } })
  expect((await app.get(`/v1/profiles/${profile.id}`)).body).toEqual(tool.body)
})

test('the same idempotency key changes an address once', async () => {
  const profile = await newProfile(of('both'))
  const path = `/v1/profiles/${profile.id}/addresses/${profile.addresses[0]?.id}`
  const send = (body: object) => app.post(path, body, { headers: { 'idempotency-key': 'once' } })
  const first = await send({ city: 'Chicago' })
  expect((await send({ city: 'Chicago' })).body).toEqual(first.body)
  expect((await send({ city: 'Boston' })).status).toBe(409)
})

test('an address or profile that is not there, or another account’s, is not found', async () => {
  const profile = await newProfile(of('both'))
  const other = await newProfile(of('both'))
  const { keys } = await app.newAccount()
  const [address, foreign] = [profile.addresses[0]?.id, other.addresses[0]?.id]
  for (const [path, key, param] of [
    [`/v1/profiles/${profile.id}/addresses/${foreign}`, undefined, 'address_id'],
    [`/v1/profiles/${profile.id}/addresses/addr_none`, undefined, 'address_id'],
    [`/v1/profiles/${profile.id}/addresses/${address}`, keys.secret_test, 'profile_id'],
  ] as const) {
    for (const method of ['POST', 'DELETE'] as const) {
      const body = method === 'POST' ? { city: 'Boston' } : undefined
      const answer = await app.request(method, path, { ...(body ? { body } : {}), ...(key ? { key } : {}) })
      expect([answer.status, answer.body.detail.param]).toEqual([404, param])
    }
  }
  const replaced = await app.post(`/v1/profiles/${profile.id}`, { addresses: [of('both', { id: foreign })] })
  expect([replaced.status, replaced.body.detail.param]).toEqual([404, 'addresses.0.id'])
  expect((await app.get(`/v1/profiles/${profile.id}`)).body.addresses).toEqual(profile.addresses)
})

test('an archived profile keeps its addresses as they are', async () => {
  const profile = await newProfile(of('both'))
  const path = `/v1/profiles/${profile.id}/addresses/${profile.addresses[0]?.id}`
  await app.post(`/v1/profiles/${profile.id}/archive`)
  for (const answer of [await app.post(path, { city: 'Boston' }), await app.request('DELETE', path)])
    expect([answer.status, answer.body.detail.code]).toEqual([409, 'profile_archived'])
})

test('a card keeps the id of a billing address that is deleted, and what was read of it is written back', async () => {
  const profile = await newProfile(of('both'), of('billing'))
  const [first, second] = profile.addresses
  const cards = `/v1/profiles/${profile.id}/payment_methods`
  const card = { kind: 'existing', vault_token_id: 'visa_auto_approved' }
  const { body: method } = await app.post(cards, { type: 'card', card, billing_address: { id: second?.id } })
  await app.request('DELETE', `/v1/profiles/${profile.id}/addresses/${second?.id}`)
  const path = `${cards}/${method.id}`
  const { billing_address, label } = (await app.get(path)).body
  expect(billing_address).toEqual({ id: second?.id })
  const written = await app.post(path, { billing_address, label })
  expect([written.status, written.body.billing_address]).toEqual([200, billing_address])
  expect((await app.post(path, { billing_address: { id: first?.id } })).status).toBe(200)
  const gone = await app.post(path, { billing_address })
  expect([gone.status, gone.body.detail.param]).toEqual([404, 'billing_address.id'])
})

test('when a default is deleted, the oldest other address of its type is the default', async () => {
  const profile = await newProfile(of('both'), of('shipping'), of('billing'), of('both'))
  expect(defaultsOf(profile)).toEqual(['both 0'])
  const remove = async (at: number, from: Addressed) =>
    (await app.request('DELETE', `/v1/profiles/${profile.id}/addresses/${from.addresses[at]?.id}`))
      .body as Addressed
  const second = await remove(0, profile)
  expect(defaultsOf(second)).toEqual(['shipping 0', 'billing 1'])
  const third = await remove(0, second)
  // The one that is left for goods would be a second default for bills.
  expect(defaultsOf(third)).toEqual(['billing 0'])
  const fourth = await remove(0, third)
  expect(defaultsOf(fourth)).toEqual(['both 0'])
  expect((await remove(0, fourth)).addresses).toEqual([])
})

test('a default that is given up goes to another address, and back where there is no other', async () => {
  const profile = await newProfile(of('shipping'), of('shipping'))
  const change = async (at: number, body: object) =>
    (await app.post(`/v1/profiles/${profile.id}/addresses/${profile.addresses[at]?.id}`, body)).body
  expect(defaultsOf(await change(0, { is_default: false }))).toEqual(['shipping 1'])
  expect(defaultsOf(await change(0, { is_default: true }))).toEqual(['shipping 0'])
  expect(defaultsOf(await change(0, { address_type: 'billing' }))).toEqual(['billing 0', 'shipping 1'])
  expect(defaultsOf(await change(1, { is_default: false }))).toEqual(['billing 0', 'shipping 1'])
})

test('a profile that was read is written back with its addresses, and a list replaces all of them', async () => {
  const read = await newProfile(of('both', { recipient_name: 'Reception' }), of('shipping'))
  const path = `/v1/profiles/${read.id}`
  const written = await app.post(path, { addresses: read.addresses })
  expect([written.status, written.body.addresses]).toEqual([200, read.addresses])
  const [first, second] = read.addresses
  const changed = await app.post(path, {
    first_name: 'Augusta',
    addresses: [{ ...second, is_default: true, city: 'Boston' }, of('billing')],
  })
  expect(changed.body.addresses).toMatchObject([
    { id: second?.id, city: 'Boston', is_default: true, recipient_name: 'Ada Lovelace' },
    { address_type: 'billing', is_default: true, recipient_name: 'Augusta Lovelace' },
  ])
  expect(JSON.stringify(changed.body)).not.toContain(String(first?.id))
  const twice = await app.post(path, { addresses: [second, second] })
  expect([twice.status, twice.body.detail[0].loc]).toEqual([422, ['body', 'addresses', 1, 'id']])
  expect((await app.post(path, { addresses: [] })).body.addresses).toEqual([])
})

test.each(['HK', 'AE', 'IE', 'PA', 'QA'])('an address in %s needs no postal code', async (country) => {
  const { addresses } = await newProfile(of('both', { postal_code: null, state: null, country }))
  expect(addresses[0]).toMatchObject({ country, postal_code: null })
})

test.each(['US', 'DE', 'JP', 'GB', 'BR', 'PR', 'IN'])(
  'an address in %s is refused without its postal code, wherever it is written',
  async (country) => {
    const msg = 'Value error, every address in this country has a postal code: send it as postal_code'
    const bare = { ...of('both', { country }), postal_code: undefined }
    const profile = await newProfile(of('both', { country }))
    const path = `/v1/profiles/${profile.id}`
    const address = `${path}/addresses/${profile.addresses[0]?.id}`
    for (const [at, body, loc] of [
      [
        '/v1/profiles',
        { first_name: 'A', email: 'a@example.com', country, addresses: [bare] },
        ['addresses', 0],
      ],
      [`${path}/addresses`, bare, []],
      [address, { postal_code: null }, []],
      [path, { addresses: [bare] }, ['addresses', 0]],
    ] as const) {
      const { status, body: refused } = await app.post(at, body)
      const detail = [{ type: 'value_error', loc: ['body', ...loc, 'postal_code'], msg }]
      expect([status, refused]).toEqual([422, { detail }])
    }
  },
)

test.each([{}, { last_name: null }, { last_name: '' }, { last_name: '  ' }])(
  'a person may have one name: %j',
  async (names) => {
    const person = { first_name: 'Suharto', email: 'suharto@example.com', country: 'ID', ...names }
    const { status, body } = await app.post('/v1/profiles', { ...person, addresses: [of('both')] })
    expect([status, body.last_name]).toEqual([201, null])
    expect(body.addresses[0].recipient_name).toBe('Suharto')
    const found = await app.get('/v1/profiles?q=suharto%20suh')
    expect(found.body.data.map(({ id }: { id: string }) => id)).toContain(body.id)
    const path = `/v1/profiles/${body.id}`
    expect((await app.post(path, { last_name: 'Wijaya' })).body.last_name).toBe('Wijaya')
    expect((await app.post(path, { last_name: names.last_name ?? null })).body.last_name).toBeNull()
  },
)
