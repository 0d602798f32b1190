import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { computingMs } from '../../../test/gate/pace.ts'
import { readChallenges } from './challenge.ts'
import { readManifest } from './manifest.ts'
import { readPaidOpenApi } from './paid-openapi.ts'

const origin = 'https://api.example.com'
const manifest = (document: unknown) => readManifest(document, { origin })
const openApi = (document: unknown) => readPaidOpenApi(document, { origin })

describe('a manifest', () => {
  test('in the form of a registry has methods, instruments, categories and paid endpoints', () => {
    const { offer, faults } = manifest({
      id: 'acme',
      name: 'Acme',
      serviceUrl: 'https://api.example.com/mpp',
      categories: ['Web', 'web', 7],
      methods: { stripe: { intents: ['charge'], assets: ['usd'] }, vault: { intents: ['charge'] } },
      endpoints: [
        {
          method: 'GET',
          path: '/mpp/report',
          payment: { intent: 'charge', method: 'stripe', amount: '100', currency: 'usd' },
        },
        { method: 'GET', path: '/status', payment: null },
        {
          method: 'POST',
          path: '/:slug/orders',
          payment: { intent: 'charge', method: 'vault', dynamic: true },
        },
      ],
      paymentMethods: [{ key: 'stripe/charge', method: 'stripe', instruments: ['card', 'link'] }],
    })
    expect(faults).toEqual([])
    expect(offer).toEqual({
      name: 'Acme',
      serviceUrl: 'https://api.example.com/mpp',
      methods: ['stripe', 'vault'],
      instruments: ['usd', 'card', 'link'],
      categories: ['web'],
      operations: [
        {
          method: 'GET',
          path: '/mpp/report',
          url: 'https://api.example.com/mpp/report',
          offers: [{ intent: 'charge', method: 'stripe', amount: '100', currency: 'usd' }],
        },
        {
          method: 'POST',
          path: '/:slug/orders',
          url: null,
          offers: [{ intent: 'charge', method: 'vault', amount: null, currency: null }],
        },
      ],
    })
  })

  test.each<[string, unknown, string[]]>([
    [
      'a purchase with method/intent',
      { purchase: { payment_methods: ['tempo/charge', 'stripe/charge'] } },
      ['tempo', 'stripe'],
    ],
    [
      'a list of method/intent',
      { protocol: 'mpp', methods: ['stellar/charge'], endpoints: { exec: {} } },
      ['stellar'],
    ],
    [
      'a list of objects',
      { methods: [{ method: 'stripe/charge', paymentMethodTypes: ['card'] }] },
      ['stripe'],
    ],
  ])('in the form of %s is read too', (_form, document, methods) => {
    expect(manifest(document).offer?.methods).toEqual(methods)
  })

  test.each<[string, unknown]>([
    ['a text', 'mpp'],
    ['a list', []],
    ['nothing', {}],
    ['methods that are numbers', { methods: [1, {}, null] }],
    ['methods in capitals', { methods: ['STRIPE CARD'] }],
  ])('of %s is wrong, and says how to mend it', (_what, document) => {
    const { offer, faults } = manifest(document)
    expect(offer).toBeNull()
    expect(faults).toMatchObject([{ severity: 'error', fix: expect.stringMatching(/\.$/) }])
  })
})

describe('an OpenAPI document', () => {
  const paid = { offers: [{ intent: 'charge', method: 'tempo', amount: '5', currency: 'usd' }] }
  const answers = { responses: { 402: { description: 'Payment required' } } }

  test('has the operations with payment; what needs parameters has no address', () => {
    const { offer, faults } = openApi({
      openapi: '3.1.0',
      info: { title: 'Data' },
      servers: [{ url: '/v2/' }],
      'x-service-info': { categories: ['Data'] },
      paths: {
        '/prices': { get: { 'x-payment-info': paid, ...answers } },
        '/prices/{id}': { get: { 'x-payment-info': paid, ...answers } },
        '/find': {
          get: {
            'x-payment-info': paid,
            parameters: [{ name: 'q', in: 'query', required: true }],
            ...answers,
          },
        },
        '/free': { get: {} },
        '/one': {
          post: { 'x-payment-info': { intent: 'charge', method: 'stripe', amount: null }, ...answers },
        },
      },
    })
    expect(faults).toEqual([])
    expect(offer).toMatchObject({ name: 'Data', methods: ['tempo', 'stripe'], categories: ['data'] })
    expect(offer?.operations.map(({ path, url }) => [path, url])).toEqual([
      ['/prices', 'https://api.example.com/v2/prices'],
      ['/prices/{id}', null],
      ['/find', null],
      ['/one', 'https://api.example.com/v2/one'],
    ])
  })

  test('of an ordinary API is no offer and no fault', () => {
    expect(openApi({ openapi: '3.0.0', paths: { '/a': { get: {} } } })).toEqual({ offer: null, faults: [] })
  })

  test('that leads to another origin has no address to call', () => {
    const document = {
      openapi: '3.1.0',
      servers: [{ url: 'http://169.254.169.254/' }],
      paths: {
        '/a': { get: { 'x-payment-info': paid, ...answers } },
        '//evil.example/a': { get: { 'x-payment-info': paid, ...answers } },
      },
    }
    expect(openApi(document).offer?.operations.map(({ url }) => url)).toEqual([null, null])
    const slashes = { ...document, servers: [] }
    expect(openApi(slashes).offer?.operations.map(({ url }) => url)).toEqual([
      'https://api.example.com/a',
      null,
    ])
  })

  test('without an answer 402, or with an amount that is a number, gets a warning', () => {
    const document = {
      openapi: '3.1.0',
      paths: { '/a': { get: { 'x-payment-info': { intent: 'charge', method: 'tempo', amount: 5 } } } },
    }
    expect(openApi(document).faults.map(({ path, severity }) => [path, severity])).toEqual([
      ['/paths/~1a/get/x-payment-info/amount', 'warning'],
      ['/paths/~1a/get/responses', 'warning'],
    ])
  })
})

test('no document makes a reader throw, and what is read is bounded', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const json: unknown = JSON.parse(text)
      for (const document of [
        json,
        { methods: json, endpoints: [json, { payment: json }], paymentMethods: json },
      ])
        manifest(document)
      for (const document of [
        json,
        {
          openapi: '3.1.0',
          servers: json,
          paths: { '/a': { get: { 'x-payment-info': json, parameters: json } }, b: json },
        },
      ])
        openApi(document)
    }),
    { numRuns: 300 },
  )
  const paths = Object.fromEntries(
    Array.from({ length: 5_000 }, (_, index) => [
      `/p${index}`,
      { get: { 'x-payment-info': { intent: 'charge', method: `m${index}` } } },
    ]),
  )
  expect(openApi({ openapi: '3.1.0', paths }).offer?.operations).toHaveLength(200)
})

describe('challenges', () => {
  const challenge = (method: string) =>
    `Payment id="x", realm="api.example.com", method="${method}", intent="charge", request="e30", expires="2026-01-01T00:00:00Z"`

  test.each<[string, string | string[] | undefined, string[]]>([
    ['one value', challenge('stripe'), ['stripe']],
    ['several values', [challenge('stripe'), challenge('tempo')], ['stripe', 'tempo']],
    ['values joined by commas', `${challenge('stripe')}, ${challenge('tempo')}`, ['stripe', 'tempo']],
    ['another scheme before', `Bearer realm="a, Payment", ${challenge('stripe')}`, ['stripe']],
    ['a scheme in lower case', challenge('stripe').replace('Payment', 'payment'), ['stripe']],
    [
      'quotes inside a description',
      `Payment description="say \\"method=\\"", id=x, method=tempo, intent=charge`,
      ['tempo'],
    ],
    ['no header', undefined, []],
    ['another scheme alone', 'Bearer realm="x"', []],
    ['no id', 'Payment method="tempo", intent="charge"', []],
    ['a method with spaces', 'Payment id="x", method="a b", intent="charge"', []],
    ['twenty thousand characters', challenge('stripe').padEnd(20_000, ' '), []],
  ])('%s', (_what, header, methods) => {
    expect(readChallenges(header).map(({ method }) => method)).toEqual(methods)
  })

  test('a header of nothing but openings is read in a moment', () => {
    for (const opening of ['Payment ', 'a="\\', 'a=,', ', ', '\t'.repeat(3)]) {
      const header = opening.repeat(5_000).slice(0, 16_384)
      expect(computingMs(() => readChallenges(header))).toBeLessThan(500)
    }
  })
})
