import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness/app.ts'
import { ucpSchemas } from '../../../test/harness/ucp-schemas.ts'
import { releases } from '../../protocols/ucp/releases.ts'
import { writePlatformProfile } from '../../protocols/ucp/write-profile.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({ publicUrl: 'https://api.prokura.example' })
})
afterAll(() => app.stop())

const platformForms = {
  '2026-08-25': 'schemas/profile.json#/$defs/platform_schema',
  '2026-04-08': 'discovery/profile_schema.json#/$defs/platform_profile',
  '2026-01-23': 'discovery/profile_schema.json#/$defs/platform_profile',
} as const

const read = (path: string, init: RequestInit = {}) => fetch(`${app.url}${path}`, init)

test.each(releases)(
  'the profile at %s is one by the schema of the release, and stands at its address',
  async (release) => {
    const answer = await read(`/.well-known/ucp/${release}`)
    expect(answer.status).toBe(200)
    // biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
    const profile: any = await answer.json()
    expect(ucpSchemas(release)(platformForms[release], profile)).toBeNull()
    expect(profile.ucp.version).toBe(release)
    expect(profile.keys).toEqual([
      {
        kid: expect.stringMatching(/^[\w-]{43}$/),
        kty: 'EC',
        crv: 'P-256',
        x: expect.any(String),
        y: expect.any(String),
        use: 'sig',
        alg: 'ES256',
      },
    ])
    expect(profile.signing_keys).toEqual(profile.keys)
  },
)

test.each(releases)(
  'a profile with everything that can be declared is one by the schema of %s',
  (release) => {
    const profile = writePlatformProfile({
      release,
      endpoint: 'https://api.prokura.example',
      keys: [],
      offer: {
        transports: ['rest', 'mcp'],
        capabilities: [
          { name: 'dev.ucp.shopping.catalog.search' },
          { name: 'dev.ucp.shopping.catalog.lookup' },
          { name: 'dev.ucp.shopping.cart' },
          { name: 'dev.ucp.shopping.checkout' },
          { name: 'dev.ucp.shopping.fulfillment' },
          { name: 'dev.ucp.shopping.discount' },
          {
            name: 'dev.ucp.shopping.order',
            config: { webhook_url: 'https://api.prokura.example/ucp/webhooks/orders' },
          },
        ],
        handlers: () => ({}),
      },
    })
    expect(ucpSchemas(release)(platformForms[release], profile)).toBeNull()
    expect(Object.keys(profile.ucp.capabilities)).toHaveLength(release === '2026-01-23' ? 4 : 7)
  },
)

test('without a release it is the newest, and others may keep it', async () => {
  const answer = await read('/.well-known/ucp')
  expect(await answer.json()).toMatchObject({ ucp: { version: releases[0] } })

  expect(answer.headers.get('cache-control')).toBe('public, max-age=300')
  const etag = answer.headers.get('etag') ?? ''
  expect(etag).toMatch(/^"[\w-]+"$/)
  const known = await read('/.well-known/ucp', { headers: { 'if-none-match': `"x", W/${etag}` } })
  expect([known.status, await known.text(), known.headers.get('etag')]).toEqual([304, '', etag])
  expect((await read('/.well-known/ucp', { headers: { 'if-none-match': '"x"' } })).status).toBe(200)
  const head = await read('/.well-known/ucp', { method: 'HEAD' })
  expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, ''])
})

test.each(['2026-01-11', '2099-01-01', 'draft', 'x'.repeat(700)])('%s is no release', async (version) => {
  const answer = await read(`/.well-known/ucp/${version}`)
  expect(answer.status).toBeGreaterThanOrEqual(400)
  expect(answer.status).toBeLessThan(405)
})

test('a profile cannot be written', async () => {
  const answer = await read('/.well-known/ucp', { method: 'POST', body: '{}' })
  expect([answer.status, await answer.json()]).toMatchObject([
    405,
    { detail: { code: 'method_not_allowed' } },
  ])
})

test('the schema of the deprecated payment handler is a schema, says that it is deprecated, and can be kept', async () => {
  const path = '/ucp/payment_handlers/processor_spt.schema.json'
  const answer = await read(path)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/schema+json')
  expect(answer.headers.get('deprecation')).toBe(`@${Date.UTC(2026, 7, 25) / 1000}`)
  expect(answer.headers.get('sunset')).toBeNull()
  expect(answer.headers.get('cache-control')).toBe('public, max-age=86400')
  const validate = new Ajv2020().compile((await answer.json()) as object)
  const credential = { type: 'processor_spt', token: 't' }
  expect(validate({ id: 'a', handler_id: 'h', type: 'processor_spt', credential })).toBe(true)
  expect(validate({ id: 'a', handler_id: 'h', type: 'card', credential })).toBe(false)
  expect((await read(path, { method: 'HEAD' })).headers.get('etag')).toBe(answer.headers.get('etag'))
})
