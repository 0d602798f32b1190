import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Operation } from '../../src/contract/operation.ts'
import { takesNull } from '../../src/schema/left-out.ts'
import { type ObjectNode, readSchema, type SchemaNode } from '../../src/schema/schema-node.ts'
import { startTestApp, type TestApp } from '../harness/app.ts'
import { newBuyer } from '../harness/buyers.ts'
import { operationsOfKeys } from '../suites/operations-of-keys.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

let serial = 0

/** Of objects of which there may be one alike. */
function numbered(name: string): string {
  serial += 1
  return `${name}-${serial}`
}

/** Makes an object that has a value in every field that a change can write; answers where it is. */
const makers: Readonly<Record<string, () => Promise<string>>> = {
  v1_update_profile: () =>
    made('/v1/profiles', {
      profile_type: 'business',
      first_name: 'Ada',
      last_name: 'Lovelace',
      email: 'ada@example.com',
      phone: '+4915112345678',
      dob: { day: 10, month: 12, year: 1985 },
      country: 'DE',
      addresses: [
        { ...home, address_type: 'shipping' },
        { ...home, address_type: 'both', recipient_name: 'Reception' },
      ],
      metadata: { a: 'b' },
    }),
  v1_update_profile_payment_method: async () => {
    const profile = await made('/v1/profiles', { ...person, addresses: [{ ...home, address_type: 'both' }] })
    const { body } = await app.get(profile)
    return made(`${profile}/payment_methods`, {
      type: 'card',
      is_default: true,
      label: 'Hers',
      billing_address: { id: body.addresses[0].id },
      card: { kind: 'existing', vault_token_id: 'visa_auto_approved' },
    })
  },
  v1_update_policy: async () => {
    const { profileId } = await newBuyer(app)
    return made('/v1/policies', {
      name: 'Office',
      description: 'Paper and pens',
      currency: 'EUR',
      timezone: 'Europe/Berlin',
      scope: { profile_ids: [profileId] },
      limits: { per_transaction_max: 5000, intervals: [{ interval: 'day', max_amount: 9000 }] },
      mcc: { allow: ['5411'] },
      merchants: { block: ['shop.example'] },
      countries: { allow: ['DE'] },
      approval: { mode: 'above_threshold', auto_approve_up_to: 1000 },
      price_drift: { tolerance_percent: 2 },
      valid_from: '2026-01-01T00:00:00Z',
      valid_until: '2100-01-01T00:00:00Z',
      metadata: { a: 'b' },
    })
  },
  v1_update_merchant: async () => {
    const written = {
      slug: 'written-back',
      domain: 'back.example',
      mcc: '5411',
      country: 'DE',
      currency: 'EUR',
    }
    await app.post('/v1/merchant', { ...written, name: 'Back', tax_basis_points: 700 })
    return '/v1/merchant'
  },
  v1_update_merchant_catalog_item: () =>
    made('/v1/merchant/catalog_items', {
      handle: numbered('vase'),
      title: 'Vase',
      description: 'Blue',
      url: `https://back.example/${numbered('vase')}`,
      item_type: 'product',
      categories: ['Home'],
      media: [{ url: 'https://back.example/vase.jpg' }],
      options: [{ name: 'Size', values: ['S'] }],
      variants: [{ sku: 'V', price: 100, currency: 'EUR', options: [{ name: 'Size', value: 'S' }] }, {}],
      required_inputs: [{ name: 'engraving' }, { name: 'paper', type: 'choice', choices: ['red'] }],
      metadata: { a: 'b' },
    }),
  v1_update_merchant_mpp_api: () =>
    made('/v1/merchant/mpp_apis', {
      name: 'Sizes',
      description: 'Which size fits',
      method: 'POST',
      url: 'https://api.back.example/sizes',
      request_schema: { type: 'object', properties: { z: { type: 'string' }, a: { type: 'integer' } } },
      offers: [
        { intent: 'charge', method: 'stripe', amount: '25', currency: 'usd' },
        { intent: 'session', method: 'tempo' },
      ],
      categories: ['data'],
      metadata: { a: 'b' },
    }),
  v1_update_business_location: () =>
    made('/v1/business_locations', {
      name: 'Store',
      address: home,
      timezone: 'Europe/Berlin',
      visibility: 'public',
      hours: [{ weekday: 'monday', opens: '09:00', closes: '24:00' }],
      latitude: 52.5,
      longitude: 13.4,
      source: { provider: 'maps', fields: ['name', 'hours'] },
      metadata: { a: 'b' },
    }),
  v1_update_market: () =>
    made('/v1/markets', {
      code: numbered('back'),
      name: 'Back',
      currency: 'EUR',
      default_locale: 'de',
      locales: ['de', 'en'],
      routing: { include: [{ country: 'DE', postal_prefixes: [`${serial}`] }], exclude: [{ country: 'AT' }] },
      metadata: { a: 'b' },
    }),
  v1_update_rate_card: async () => {
    const market = await made('/v1/markets', {
      code: numbered('rated'),
      currency: 'EUR',
      default_locale: 'de',
    })
    return made('/v1/rate_cards', {
      name: 'Parcel',
      fulfillment_type: 'shipping',
      provider: 'DHL',
      currency: 'EUR',
      market_ids: [market.split('/').at(-1)],
      timing: { handling: { min: 0, max: 1, unit: 'day' } },
      rate: { kind: 'tiered', basis: 'weight', tiers: [{ up_to: 1000, amount: 500 }] },
      zones: [{ country: 'DE', city: 'Berlin' }, { country: 'AT' }],
      labels: ['bulky'],
      status: 'active',
      metadata: { a: 'b' },
    })
  },
  v1_update_promotion: async () => {
    const item = await made('/v1/merchant/catalog_items', { title: 'Vase' })
    const market = await made('/v1/markets', {
      code: numbered('promoted'),
      currency: 'EUR',
      default_locale: 'de',
    })
    return made('/v1/promotions', {
      name: 'Spring',
      code: numbered('SPRING'),
      market_id: market.split('/').at(-1),
      currency: 'EUR',
      starts_at: '2100-01-01T00:00:00Z',
      ends_at: '2100-02-01T00:00:00Z',
      arms: [
        { kind: 'percent', value: 1000, ttl_minutes: 30 },
        { kind: 'free_fulfillment', ttl_minutes: 5 },
      ],
      caps: { total_uses: 10 },
      identity: { rule: 'email' },
      targets: { catalog_item_ids: [item.split('/').at(-1)] },
      metadata: { a: 'b' },
    })
  },
  v1_update_merchant_destination: () => madeDestination('/v1/merchant/destinations', ['order.requested']),
  v1_update_event_destination: () => madeDestination('/v1/event_destinations', ['order.*']),
}

/** What cannot be cleared once it is set, though it may never have been. */
const kept: Readonly<Record<string, readonly string[]>> = { v1_update_policy: ['currency'] }

/** What is written and never read back. */
const unread: Readonly<Record<string, readonly string[]>> = { v1_update_profile: ['dob'] }

// An address is read and written back with its profile.
const isWithAnother = (id: string) => id === 'v1_update_profile_address'
/** Of people there is a test beside them. */
const updates = operationsOfKeys.filter(({ id }) => id.startsWith('v1_update_') && !isWithAnother(id))

test('every operation that changes an object has such an object here, and says that it is a change', () => {
  expect(updates.map(({ id }) => id).sort()).toEqual(Object.keys(makers).sort())
  const changes = operationsOfKeys.filter(({ body }) => body && Reflect.get(body, 'x-clears') === true)
  expect(changes.filter(({ id }) => !isWithAnother(id))).toEqual(updates)
})

describe.each(updates)('$id', (operation) => {
  const fields = [...membersOf(operation.body).keys()]
  const clearable = fields.filter((field) => takesNull(memberOf(operation.body, field)))

  test('takes null in every field that is shown as null when it is empty, and in no other', () => {
    const shown = membersOf(operation.responses[200])
    const empty = fields.filter((field) => {
      const property = shown.get(field)
      return property === undefined ? unread[operation.id]?.includes(field) : takesNull(property.node)
    })
    expect(clearable).toEqual(empty)
  })

  test('takes what was read, without its read-only fields, and leaves it as it is', async () => {
    const path = await make(operation)
    const { body: before } = await app.get(path)
    for (const field of fields.filter((each) => !unread[operation.id]?.includes(each)))
      expect(before[field] ?? null, field).not.toBeNull()
    const { status, body: after } = await app.post(path, picked(before, fields))
    expect(status, JSON.stringify(after)).toBe(200)
    expect(picked(after, fields)).toEqual(picked(before, fields))
  })

  test('clears what can be empty with null, and leaves the rest as it is', async () => {
    const path = await make(operation)
    const { body: before } = await app.get(path)
    const sent = fields.filter((field) => !kept[operation.id]?.includes(field))
    const nulls = Object.fromEntries(sent.map((field) => [field, null]))
    const { status, body: after } = await app.post(path, nulls)
    expect(status, JSON.stringify(after)).toBe(200)
    const cleared = picked(nulls, clearable)
    expect(picked(after, fields)).toEqual(
      picked({ ...before, ...picked(cleared, Object.keys(before)) }, fields),
    )
    const { status: again, body: emptied } = await app.post(path, picked(after, fields))
    expect(again, JSON.stringify(emptied)).toBe(200)
    expect(picked(emptied, fields)).toEqual(picked(after, fields))
  })
})

test('a member that is cleared over MCP is cleared', async () => {
  const path = await makers.v1_update_profile?.()
  const tool = await app.mcp('v1_update_profile', {
    profile_id: path?.split('/').at(-1),
    phone: null,
    first_name: null,
    idempotency_key: null,
  })
  expect(tool).toMatchObject({ status: 200, body: { phone: null, first_name: 'Ada' } })
})

test('a date of birth is cleared with null', async () => {
  const path = (await makers.v1_update_profile?.()) ?? ''
  expect((await app.get(path)).body.dob_provided).toBe(true)
  expect((await app.post(path, { dob: null })).body.dob_provided).toBe(false)
})

test('a promotion that runs takes back what was read; what can no longer change is refused when it would', async () => {
  const path = await made('/v1/promotions', {
    name: 'Running',
    currency: 'EUR',
    arms: [{ kind: 'percent', value: 1000, ttl_minutes: 30 }],
    targets: { categories: ['Home'] },
  })
  expect((await app.post(`${path}/publish`)).body.status).toBe('active')
  const { body: before } = await app.get(path)
  const fields = [...membersOf(updates.find(({ id }) => id === 'v1_update_promotion')?.body).keys()]
  const { status, body: after } = await app.post(path, { ...picked(before, fields), name: 'Still running' })
  expect(status, JSON.stringify(after)).toBe(200)
  expect(picked(after, fields)).toEqual({ ...picked(before, fields), name: 'Still running' })
  const refused = await app.post(path, { ...picked(before, fields), identity: { rule: 'email' } })
  expect(refused.body.detail).toMatchObject({ code: 'promotion_not_editable', param: 'identity' })
})

test('the default among payment methods stays the default until another one is', async () => {
  const path = (await makers.v1_update_profile_payment_method?.()) ?? ''
  const refused = await app.post(path, { is_default: false })
  expect(refused.status).toBe(422)
  expect(refused.body.detail[0].loc).toEqual(['body', 'is_default'])
  const other = await made(path.slice(0, path.lastIndexOf('/')), {
    type: 'card',
    card: { kind: 'existing', vault_token_id: 'visa_auto_approved' },
  })
  expect((await app.post(other, { is_default: false })).status).toBe(200)
})

const person = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'DE' }
const home = {
  line1: 'Unter den Linden 1',
  line2: 'Hinterhaus',
  city: 'Berlin',
  state: 'BE',
  postal_code: '10117',
  country: 'DE',
}

function make(operation: Operation): Promise<string> {
  const maker = makers[operation.id]
  if (!maker) throw new Error(`nothing makes what ${operation.id} changes`)
  return maker()
}

async function made(path: string, body: object): Promise<string> {
  const answer = await app.post(path, body)
  if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return `${path}/${answer.body.id}`
}

function madeDestination(path: string, types: string[]): Promise<string> {
  const webhook = { endpoint_url: 'https://hooks.example/prokura' }
  return made(path, { name: 'Hooks', event_types: types, webhook, metadata: { a: 'b' } })
}

function membersOf(schema: unknown): ObjectNode['properties'] {
  const node = readSchema(schema)
  if (node.kind !== 'object') throw new Error('not the schema of an object')
  return node.properties
}

function memberOf(schema: unknown, name: string): SchemaNode {
  return membersOf(schema).get(name)?.node ?? { kind: 'any' }
}

function picked(object: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (name in object ? [[name, object[name]]] : [])))
}
