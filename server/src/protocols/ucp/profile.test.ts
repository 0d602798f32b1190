import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readProfile } from './profile.ts'

const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'ES256' }

const service = {
  version: '2026-08-25',
  transport: 'rest',
  endpoint: 'https://shop.example/ucp',
  spec: 'https://ucp.dev/2026-08-25/specification/overview/',
  schema: 'https://ucp.dev/2026-08-25/services/shopping/rest.openapi.json',
}
const capability = {
  version: '2026-08-25',
  spec: 'https://ucp.dev/2026-08-25/specification/checkout/',
  schema: 'https://ucp.dev/2026-08-25/schemas/shopping/checkout.json',
}
const handler = {
  id: 'h1',
  version: '2026-10-01',
  spec: 'https://pay.example/docs',
  schema: 'https://pay.example/schema.json',
  available_instruments: [{ type: 'card' }],
  config: { network_id: 'profile_1' },
}
const whole = () => ({
  ucp: {
    version: '2026-08-25',
    services: { 'dev.ucp.shopping': [service] },
    capabilities: {
      'dev.ucp.shopping.checkout': [capability],
      'dev.ucp.shopping.fulfillment': [{ ...capability, extends: 'dev.ucp.shopping.checkout' }],
    },
    payment_handlers: { 'example.pay': [handler] },
  },
  keys: [jwk],
})

// biome-ignore lint/suspicious/noExplicitAny: tests break documents in any way
type Broken = any
const changed = (change: (document: Broken) => void): Broken => {
  const document = structuredClone(whole())
  change(document)
  return document
}
const faultsOf = (document: unknown, role: 'business' | 'platform' = 'business', leafOf?: string) =>
  readProfile(document, { role, ...(leafOf ? { leafOf } : {}) }).faults.map(
    ({ path, severity }) => `${severity} ${path}`,
  )
const profileOf = (document: unknown) => readProfile(document, { role: 'business' }).profile

test('a whole profile has no faults, as a business and as a platform, and is read', () => {
  expect(faultsOf(whole())).toEqual([])
  expect(faultsOf(whole(), 'platform')).toEqual([])
  expect(profileOf(whole())).toEqual({
    version: '2026-08-25',
    supportedVersions: [],
    services: [
      {
        name: 'dev.ucp.shopping',
        version: '2026-08-25',
        transport: 'rest',
        endpoint: 'https://shop.example/ucp',
      },
    ],
    capabilities: [
      { name: 'dev.ucp.shopping.checkout', version: '2026-08-25', extends: [], config: null },
      {
        name: 'dev.ucp.shopping.fulfillment',
        version: '2026-08-25',
        extends: ['dev.ucp.shopping.checkout'],
        config: null,
      },
    ],
    paymentHandlers: [
      {
        name: 'example.pay',
        id: 'h1',
        version: '2026-10-01',
        instruments: ['card'],
        config: { network_id: 'profile_1' },
      },
    ],
    keys: [{ kid: 'one', kty: 'EC', crv: 'P-256', x: jwk.x, y: jwk.y, alg: 'ES256' }],
  })
})

test('unknown members are ignored, also inside ucp', () => {
  const document = changed((one) => {
    Object.assign(one, { more: [] })
    Object.assign(one.ucp, { map_order: {}, news: 1 })
  })
  expect(faultsOf(document)).toEqual([])
})

const part = '/ucp/services/dev.ucp.shopping/0'
const first = '/ucp/capabilities/dev.ucp.shopping.checkout/0'
test.each<[string, (one: Broken) => void, string]>([
  [
    'an entry of another version',
    (one) => (one.ucp.services['dev.ucp.shopping'][0].version = '2026-04-08'),
    `${part}/version`,
  ],
  [
    'a plain http endpoint',
    (one) => (one.ucp.services['dev.ucp.shopping'][0].endpoint = 'http://shop.example'),
    `${part}/endpoint`,
  ],
  ['no endpoint', (one) => delete one.ucp.services['dev.ucp.shopping'][0].endpoint, `${part}/endpoint`],
  [
    'an unknown transport',
    (one) => (one.ucp.services['dev.ucp.shopping'][0].transport = 'soap'),
    `${part}/transport`,
  ],
  [
    'a schema of another domain',
    (one) => (one.ucp.services['dev.ucp.shopping'][0].schema = 'https://ucp.dev.evil.example/a'),
    `${part}/schema`,
  ],
  [
    'a schema of a part of a label',
    (one) => (one.ucp.services['dev.ucp.shopping'][0].schema = 'https://uc.dev/a'),
    `${part}/schema`,
  ],
  ['an entry that is no object', (one) => (one.ucp.services['dev.ucp.shopping'][0] = 7), part],
  [
    'no list of entries',
    (one) => (one.ucp.services['dev.ucp.shopping'] = service),
    '/ucp/services/dev.ucp.shopping',
  ],
])('a service with %s is left out, with an error that says where', (_what, change, path) => {
  const { profile, faults } = readProfile(changed(change), { role: 'business' })
  expect(profile?.services).toEqual([])
  expect(faults.map((fault) => [fault.severity, fault.path])).toContainEqual(['error', path])
  for (const { message, fix } of faults) expect(message.endsWith('.') && fix.endsWith('.')).toBe(true)
})

test.each<[string, (one: Broken) => void, string]>([
  [
    'a capability without its schema, from 2026-08-25 on',
    (one) => delete one.ucp.capabilities['dev.ucp.shopping.checkout'][0].schema,
    `error ${first}/schema`,
  ],
  [
    'a handler without an id',
    (one) => delete one.ucp.payment_handlers['example.pay'][0].id,
    'error /ucp/payment_handlers/example.pay/0/id',
  ],
  [
    'a name that is none',
    (one) => (one.ucp.capabilities['Checkout!'] = []),
    'error /ucp/capabilities/Checkout!',
  ],
  [
    'keys of an older release alone',
    (one) => {
      one.signing_keys = one.keys
      delete one.keys
    },
    'error /signing_keys',
  ],
  ['keys inside ucp', (one) => (one.ucp.keys = []), 'error /ucp/keys'],
  ['two keys of one name', (one) => one.keys.push(one.keys[0]), 'error /keys'],
  ['a private key', (one) => (one.keys[0].d = 'x'), 'error /keys/0/d'],
  [
    'a coordinate of 31 bytes',
    (one) => (one.keys[0].x = Buffer.alloc(31, 1).toString('base64url')),
    'error /keys/0',
  ],
  ['a P-256 key for ES384', (one) => (one.keys[0].alg = 'ES384'), 'error /keys/0'],
  [
    'an endpoint that ends with a slash',
    (one) => (one.ucp.services['dev.ucp.shopping'][0].endpoint += '/'),
    `warning ${part}/endpoint`,
  ],
  [
    'an extension of nothing',
    (one) => (one.ucp.capabilities['dev.ucp.shopping.fulfillment'][0].extends = 'dev.ucp.nothing'),
    'warning /ucp/capabilities/dev.ucp.shopping.fulfillment',
  ],
  [
    'a supported version that is its own',
    (one) => (one.ucp.supported_versions = { '2026-08-25': 'https://a.example/' }),
    'error /ucp/supported_versions/2026-08-25',
  ],
])('%s is found', (_what, change, fault) => {
  expect(faultsOf(changed(change))).toContain(fault)
})

test('the endpoint of a warning is used without its slash', () => {
  const document = changed((one) => (one.ucp.services['dev.ucp.shopping'][0].endpoint += '/'))
  expect(profileOf(document)?.services[0]?.endpoint).toBe('https://shop.example/ucp')
})

test('before 2026-08-25 a business needs no schema of a capability, and keys stand in signing_keys', () => {
  const older = changed((one) => {
    one.ucp.version = '2026-04-08'
    for (const list of [
      ...Object.values<Broken>(one.ucp.services),
      ...Object.values<Broken>(one.ucp.capabilities),
    ])
      for (const entry of list) entry.version = '2026-04-08'
    delete one.ucp.capabilities['dev.ucp.shopping.checkout'][0].schema
  })
  expect(faultsOf(older)).toEqual(['error /keys'])
  expect(faultsOf({ ...older, signing_keys: older.keys })).toEqual([])
  expect(
    readProfile({ ...older, signing_keys: older.keys }, { role: 'business' }).profile?.keys,
  ).toHaveLength(1)
})

test('a key of an unknown kind harms no other', () => {
  const document = changed((one) => one.keys.unshift({ kid: 'new', kty: 'AKP', alg: 'ML-DSA-44' }))
  expect(faultsOf(document)).toEqual([])
  expect(profileOf(document)?.keys.map(({ kid }) => kid)).toEqual(['new', 'one'])
})

test('a linked profile has the version of its link, and no links of its own', () => {
  expect(readProfile(whole(), { role: 'business', leafOf: '2026-04-08' }).profile).toBeNull()
  const linked = changed((one) => (one.ucp.supported_versions = { '2026-04-08': 'https://a.example/old' }))
  expect(profileOf(linked)?.supportedVersions).toEqual([
    { version: '2026-04-08', url: 'https://a.example/old' },
  ])
  expect(faultsOf(linked, 'business', '2026-08-25')).toEqual(['warning /ucp/supported_versions'])
})

test('a platform needs no endpoint, but an address for order webhooks', () => {
  const platform = changed((one) => {
    delete one.ucp.services['dev.ucp.shopping'][0].endpoint
    one.ucp.capabilities['dev.ucp.shopping.order'] = [{ ...capability, config: {} }]
  })
  expect(faultsOf(platform, 'platform')).toEqual([
    'error /ucp/capabilities/dev.ucp.shopping.order/0/config/webhook_url',
  ])
})

test('a profile of 2026-01-11 is read from its lists', () => {
  const old = {
    ucp: {
      version: '2026-01-11',
      services: {
        'dev.ucp.shopping': {
          version: '2026-01-11',
          spec: 'https://ucp.dev/specs/shopping',
          rest: {
            schema: 'https://ucp.dev/services/shopping/openapi.json',
            endpoint: 'https://flowers.example',
          },
        },
      },
      capabilities: [
        {
          name: 'dev.ucp.shopping.checkout',
          version: '2026-01-11',
          spec: 'https://ucp.dev/a',
          schema: 'https://ucp.dev/b.json',
        },
        {
          name: 'dev.ucp.shopping.discount',
          version: '2026-01-11',
          schema: 'https://ucp.dev/b.json',
          extends: 'dev.ucp.shopping.checkout',
        },
      ],
    },
    payment: { handlers: [{ id: 'gpay', name: 'com.google.pay', version: '2026-01-11', config: {} }] },
  }
  expect(readProfile(old, { role: 'business' })).toMatchObject({
    profile: {
      services: [{ transport: 'rest', endpoint: 'https://flowers.example' }],
      capabilities: [{ name: 'dev.ucp.shopping.checkout' }, { name: 'dev.ucp.shopping.discount' }],
      paymentHandlers: [{ name: 'com.google.pay', id: 'gpay' }],
    },
    faults: [],
  })
})

test('plain http of this machine is an endpoint only where that is allowed', () => {
  const local = changed(
    (one) => (one.ucp.services['dev.ucp.shopping'][0].endpoint = 'http://127.0.0.1:8080/ucp'),
  )
  expect(readProfile(local, { role: 'business' }).profile?.services).toEqual([])
  expect(readProfile(local, { role: 'business', allowLoopback: true }).profile?.services).toHaveLength(1)
  const elsewhere = changed(
    (one) => (one.ucp.services['dev.ucp.shopping'][0].endpoint = 'http://127.0.0.1.evil.example'),
  )
  expect(readProfile(elsewhere, { role: 'business', allowLoopback: true }).profile?.services).toEqual([])
})

describe('hostile documents', () => {
  test.each<[string, unknown]>([
    ['null', null],
    ['a list', []],
    ['a text', 'ucp'],
    ['an object without ucp', {}],
    ['a ucp that is a list', { ucp: [] }],
    ['no version', { ucp: { services: {}, payment_handlers: {} } }],
    ['a draft', { ucp: { version: 'draft', services: {}, payment_handlers: {} } }],
    ['no services', { ucp: { version: '2026-08-25', payment_handlers: {} } }],
    ['inherited members alone', Object.create({ ucp: whole().ucp })],
  ])('%s is no profile', (_what, document) => {
    const { profile, faults } = readProfile(document, { role: 'business' })
    expect(profile).toBeNull()
    expect(faults.some(({ severity }) => severity === 'error')).toBe(true)
  })

  test('names of prototypes are names like any other, and poison nothing', () => {
    const document = JSON.parse(
      '{"__proto__":{"polluted":1},"ucp":{"version":"2026-01-11","services":{"__proto__":{"rest":{"endpoint":"https://a.example"}},"constructor":[]},"capabilities":[{"name":"__proto__"},{"name":"toString"}]}}',
    )
    expect(readProfile(document, { role: 'business' }).profile).toMatchObject({
      services: [],
      capabilities: [],
    })
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  })

  test('a million entries and a thousand levels cost no more than the first of them', () => {
    const many = changed((one) => {
      for (let made = 0; made < 100_000; made++) one.ucp.capabilities[`com.example.c${made}`] = 'no'
      one.keys = new Array(100_000).fill({})
    })
    const { faults } = readProfile(many, { role: 'business' })
    expect(faults.length).toBe(100)
    const deep = JSON.parse(
      `{"ucp":{"version":"2026-08-25","services":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)},"payment_handlers":{}}}`,
    )
    expect(readProfile(deep, { role: 'business' }).profile?.services).toEqual([])
  })

  test('text that a terminal or a database would not take is not read', () => {
    for (const bad of ['\u0000', '\u001b[2J', '\ud800', '\u2028']) {
      const document = changed((one) => (one.ucp.payment_handlers['example.pay'][0].id = `h${bad}`))
      expect(profileOf(document)?.paymentHandlers).toEqual([])
      const named = changed((one) => (one.ucp.capabilities[`x${bad}`] = []))
      expect(faultsOf(named).join().includes(bad)).toBe(false)
    }
  })

  test('no document makes it throw', () => {
    fc.assert(
      fc.property(fc.json(), fc.anything(), (text, value) => {
        const json: unknown = JSON.parse(text)
        for (const document of [
          json,
          { ucp: json },
          value,
          changed((one) => (one.ucp.services = json)),
          changed((one) => (one.keys = [json, value])),
          {
            ucp: { version: '2026-01-11', services: { a: json }, capabilities: [json, value] },
            payment: { handlers: json },
          },
        ])
          for (const role of ['business', 'platform'] as const) readProfile(document, { role })
      }),
      { numRuns: 300 },
    )
  })
})
