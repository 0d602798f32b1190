import { request as httpRequest } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness/app.ts'
import { askBusiness, startUcpPlatform, type UcpPlatform } from '../../../test/harness/ucp-platform.ts'
import { ucpSchemas } from '../../../test/harness/ucp-schemas.ts'
import { releases } from '../../protocols/ucp/releases.ts'
import { signMessage } from '../../protocols/ucp/sign-message.ts'
import type { Message } from '../../protocols/ucp/signed-components.ts'
import { verifyMessage } from '../../protocols/ucp/verify-message.ts'

let app: TestApp
let platform: UcpPlatform
beforeAll(async () => {
  app = await startTestApp({
    limits: { discoveryAnonymousMinute: 10_000, discoveryAnonymousHour: 10_000 },
    ucpHost: 'shops.example',
  })
  platform = await startUcpPlatform()
  await app.post('/v1/merchant', { slug: 'rose', domain: 'rose.example', name: 'Rose', currency: 'EUR' })
  await app.post('/v1/merchant', { slug: 'lily', name: 'Lily' }, { key: app.account.keys.secret_live })
  // Public in live mode: its domain is proved, and something answers its orders.
  await app.sql(
    `update merchants set domain = 'lily.example', domain_verified_at = now() where slug = 'lily'`,
  )
})
afterAll(() => Promise.all([app.stop(), platform.stop()]))

const rose = '/ucp/test/m/rose'
const businessForms = {
  '2026-08-25': 'schemas/profile.json#/$defs/business_schema',
  '2026-04-08': 'discovery/profile_schema.json#/$defs/business_profile',
  '2026-01-23': 'discovery/profile_schema.json#/$defs/business_profile',
} as const

// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
type Json = { status: number; headers: Headers; body: any }

async function readJson(path: string, headers: Record<string, string> = {}): Promise<Json> {
  const answer = await fetch(`${app.url}${path}`, { headers })
  return { status: answer.status, headers: answer.headers, body: await answer.json() }
}

describe('the profile of a business', () => {
  test.each(releases)('is one by the schema of %s, and a leaf names no other release', async (release) => {
    const { status, headers, body } = await readJson(`${rose}/.well-known/ucp/${release}`)
    expect(status).toBe(200)
    expect(headers.get('cache-control')).toBe('public, max-age=300')
    expect(ucpSchemas(release)(businessForms[release], body)).toBeNull()
    expect(body.ucp.version).toBe(release)
    const names = Object.keys(body.ucp.capabilities).map((name) => name.replace('dev.ucp.shopping.', ''))
    const ofCatalog = release === '2026-01-23' ? [] : ['cart', 'catalog.lookup', 'catalog.search']
    expect(names.sort()).toEqual([...ofCatalog, 'checkout', 'discount', 'fulfillment', 'order'])
    expect(Object.values(body.ucp.payment_handlers)).toMatchObject([
      [{ id: 'test_card' }],
      [{ id: 'vault_token' }],
    ])
    for (const { endpoint, transport } of body.ucp.services['dev.ucp.shopping'])
      expect(endpoint).toBe(`http://127.0.0.1${rose}${transport === 'mcp' ? '/mcp' : ''}`)
  })

  test('the newest names the addresses of the others', async () => {
    const { body } = await readJson(`${rose}/.well-known/ucp`)
    expect(body.ucp.version).toBe('2026-08-25')
    const at = `http://127.0.0.1${rose}/.well-known/ucp`
    expect(body.ucp.supported_versions).toEqual({
      '2026-04-08': `${at}/2026-04-08`,
      '2026-01-23': `${at}/2026-01-23`,
    })
    const leaf = await readJson(`${rose}/.well-known/ucp/2026-04-08`)
    expect(leaf.body.ucp).not.toHaveProperty('supported_versions')
  })

  test.each(['/ucp/m/rose', '/ucp/test/m/lily', '/ucp/test/m/nobody', '/ucp/m/lily', '/ucp/test/m/%00'])(
    '%s is no business that strangers may name',
    async (base) => {
      const profile = await readJson(`${base}/.well-known/ucp`)
      expect([profile.status, profile.body.code]).toEqual([404, 'not_found'])
      const answer = await askBusiness(app, platform, `${base}/catalog/search`, { body: { query: 'x' } })
      expect([answer.status, answer.body.code]).toEqual([404, 'not_found'])
    },
  )

  test('a live merchant that can sell has a host of its own too', async () => {
    await makeLive()
    const { body } = await readJson('/ucp/m/lily/.well-known/ucp')
    expect(endpointsOf(body)).toContain('http://127.0.0.1/ucp/m/lily')
    const own = await onHost('Lily.shops.example', 'GET', '/.well-known/ucp')
    expect(own.status).toBe(200)
    expect(endpointsOf(own.body)).toEqual(['http://lily.shops.example', 'http://lily.shops.example/mcp'])
    const leaf = own.body.ucp.supported_versions['2026-04-08']
    expect(leaf).toBe('http://lily.shops.example/.well-known/ucp/2026-04-08')
    for (const [host, path] of [
      ['nobody.shops.example', '/.well-known/ucp'],
      ['rose.shops.example', '/.well-known/ucp'],
      ['lily.shops.example', '/v1/profiles'],
      ['lily.shops.example', '/ucp/m/lily/.well-known/ucp'],
      ['a.lily.shops.example', '/ucp/m/lily/x'],
    ] as const)
      expect((await onHost(host, 'GET', path)).status, `${host}${path}`).toBe(404)
    const searched = await onHost('lily.shops.example', 'POST', '/catalog/search')
    expect([searched.status, searched.body.code]).toEqual([400, 'invalid_profile_url'])
  })

  test('and sells there over MPP, with its documents at the usual places', async () => {
    const manifest = await onHost('lily.shops.example', 'GET', '/.well-known/mpp.json')
    expect(manifest.body).toMatchObject({
      id: 'lily',
      realm: 'lily.shops.example',
      serviceUrl: 'http://lily.shops.example/mpp',
      docs: { openapi: 'http://lily.shops.example/openapi.json' },
    })
    const document = await onHost('lily.shops.example', 'GET', '/openapi.json')
    expect(document.body.servers).toEqual([{ url: 'http://lily.shops.example' }])
    expect(Object.keys(document.body.paths)).toContain('/mpp/orders')
    expect((await onHost('lily.shops.example', 'GET', '/mpp/catalog')).body.products).toEqual([])
    for (const path of ['/mpp/m/lily/catalog', '/mpp', '/mpp/'])
      expect((await onHost('lily.shops.example', 'GET', path)).status, path).toBe(404)
    expect((await onHost('nobody.shops.example', 'GET', '/mpp/catalog')).status).toBe(404)
  })
})

function endpointsOf({ ucp }: { ucp: { services: Record<string, { endpoint: string }[]> } }) {
  return ucp.services['dev.ucp.shopping']?.map(({ endpoint }) => endpoint)
}

/** Something has answered its orders. */
async function makeLive(): Promise<void> {
  await app.sql(
    `insert into webhook_destinations (account_id, mode, id, name, audience, responds_to_quotes, event_types, endpoint_url, status,
       confirmed_at, seq, created_at, updated_at)
     values ($1, 'live', 'dest_lily', 'Shop', 'merchant', false, '{order.requested,order.confirmed,order.rejected}',
       'https://lily.example', 'enabled', now(), 1, now(), now())`,
    [app.account.accountId],
  )
}

// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
function onHost(host: string, method: string, path: string): Promise<{ status: number; body: any }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(app.url)
    const headers = {
      host,
      ...(method === 'POST' ? { 'content-type': 'application/json', 'content-length': '2' } : {}),
    }
    const request = httpRequest({ hostname, port, path, method, headers }, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }))
    })
    request.on('error', reject)
    request.end(method === 'POST' ? '{}' : undefined)
  })
}

const search = (given: Parameters<typeof askBusiness>[3] = {}) =>
  askBusiness(app, platform, `${rose}/catalog/search`, { body: { query: 'tea' }, ...given })

/** A signed search, with the bytes of its answer. */
async function rawSearch() {
  const body = Buffer.from('{"query":"tea"}')
  const own = { 'ucp-agent': `profile="${platform.profileUrl}"`, 'content-type': 'application/json' }
  const url = `http://127.0.0.1${rose}/catalog/search`
  const signature = signMessage({ kind: 'request', method: 'POST', url, headers: own, body }, platform, {
    now: new Date(),
  })
  const answer = await fetch(`${app.url}${rose}/catalog/search`, {
    method: 'POST',
    headers: { ...own, ...signature },
    body,
  })
  return { status: answer.status, headers: answer.headers, body: await answer.text() }
}

const refusal = async (given: Parameters<typeof search>[0]) => {
  const { status, body } = await search(given)
  return [status, body.code]
}

describe('who calls', () => {
  const others: UcpPlatform[] = []
  afterEach(async () => {
    await Promise.all(others.splice(0).map((one) => one.stop()))
  })
  const startOther = async (capabilities?: string[]) => {
    const other = await startUcpPlatform(capabilities)
    others.push(other)
    return other
  }
  const agent = (text: string) => ({ headers: { 'ucp-agent': text } })

  test.each([
    '',
    'x',
    'profile=https://platform.example',
    'profile="platform.example"',
    'profile="http://platform.example/.well-known/ucp"',
    'profile="https://user:pass@platform.example/p"',
    'profile="https://platform.example/p#x"',
    'profile="https://10.0.0.1/p"',
    'profile="https://169.254.169.254/latest/meta-data"',
    'profile="file:///etc/passwd"',
    `profile="https://platform.example/${'x'.repeat(2100)}"`,
  ])('is named by a public https URL, and not by %s', async (text) => {
    expect(await refusal(agent(text))).toEqual([400, 'invalid_profile_url'])
  })

  test('a profile that cannot be read, or is none, is said to be so', async () => {
    const cases: [Parameters<UcpPlatform['answer']>[0], number, string][] = [
      [(_, response) => response.writeHead(404).end(), 424, 'profile_unreachable'],
      [
        (_, response) => response.writeHead(302, { location: platform.profileUrl }).end(),
        424,
        'profile_unreachable',
      ],
      [(request) => request.socket.destroy(), 424, 'profile_unreachable'],
      // On this machine, what names no profile looks like what is not there.
      [(_, response) => response.end('{'), 424, 'profile_unreachable'],
      [(_, response) => response.end('[]'), 424, 'profile_unreachable'],
      [(_, response) => response.end('{"ucp":{"version":1}}'), 422, 'profile_malformed'],
      [
        (_, response) => response.end('{"ucp":{"version":"2026-08-25","capabilities":[]}}'),
        422,
        'profile_malformed',
      ],
      [(_, response) => response.end(`{"ucp":"${'x'.repeat(140_000)}"}`), 424, 'profile_unreachable'],
      [(_, response) => response.end('{"ucp":{"version":"2026-01-11"}}'), 422, 'version_unsupported'],
      [(_, response) => response.end('{"ucp":{"version":"2099-01-01"}}'), 422, 'version_unsupported'],
    ]
    for (const [answer, status, code] of cases) {
      const other = await startOther()
      other.answer(answer)
      expect(await refusal(agent(`profile="${other.profileUrl}"`)), code).toEqual([status, code])
    }
  })

  test('a profile that never answers costs no more than its time', async () => {
    const other = await startOther()
    other.answer(() => undefined)
    expect(await refusal(agent(`profile="${other.profileUrl}"`))).toEqual([424, 'profile_unreachable'])
  })

  test('a profile is fetched once for many requests, also for those that come together', async () => {
    const other = await startOther()
    const all = await Promise.all(
      Array.from({ length: 8 }, () =>
        askBusiness(app, other, `${rose}/catalog/search`, { body: { query: 'x' } }),
      ),
    )
    expect(all.map(({ status }) => status)).toEqual(Array(8).fill(200))
    await askBusiness(app, other, `${rose}/catalog/lookup`, { body: { ids: ['x'] } })
    expect(other.fetched()).toBe(1)
  })

  test('one origin is fetched so often in a minute, whatever its addresses', async () => {
    const other = await startOther()
    const answers = []
    for (let index = 0; index < 24; index++)
      answers.push(await refusal(agent(`profile="${other.profileUrl}?${index}"`)))
    expect(other.fetched()).toBe(20)
    expect(answers.slice(20)).toEqual(Array(4).fill([503, 'unavailable']))
    const { headers } = await search(agent(`profile="${other.profileUrl}?z"`))
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
  })

  test('a platform without the capability gets an answer that says so', async () => {
    const other = await startOther(['dev.ucp.shopping.checkout'])
    const { status, body } = await askBusiness(app, other, `${rose}/catalog/search`, { body: { query: 'x' } })
    expect(status).toBe(200)
    expect(body.ucp).toEqual({ version: '2026-08-25', status: 'error' })
    expect(body.messages[0]).toMatchObject({ code: 'capabilities_incompatible', severity: 'unrecoverable' })
    expect(ucpSchemas('2026-08-25')('schemas/common/types/error_response.json', body)).toBeNull()
  })
})

describe('a signature', () => {
  test('that verifies is taken, and none is needed for the catalog', async () => {
    expect((await search({ signed: true })).status).toBe(200)
    expect((await search({ signed: true, release: '2026-04-08' })).status).toBe(200)
    expect((await search()).status).toBe(200)
  })

  test('is answered with one that the profile of the business verifies', async () => {
    const { status, headers } = await search({ signed: true })
    const { body: profile } = await readJson(`${rose}/.well-known/ucp`)
    const text = await rawSearch()
    const answered: Message = {
      kind: 'response',
      status: text.status,
      headers: Object.fromEntries(text.headers),
      body: Buffer.from(text.body),
    }
    expect(verifyMessage(answered, profile.keys, new Date()).kind).toBe('verified')
    expect(verifyMessage({ ...answered, body: Buffer.from('{}') }, profile.keys, new Date()).kind).toBe(
      'refused',
    )
    expect([status, headers.has('signature')]).toEqual([200, true])
    expect((await search()).headers.has('signature')).toBe(false)
  })

  test('that is there must verify', async () => {
    const right = platform.kid
    platform.kid = 'unknown'
    expect(await refusal({ signed: true })).toEqual([401, 'key_not_found'])
    platform.kid = right
    const bad = { 'signature-input': 'a=("@method");keyid="x"', signature: 'a=:AA==:' }
    expect(await refusal({ headers: bad })).toEqual([401, 'signature_missing'])
    expect(await refusal({ headers: { signature: 'x' } })).toEqual([401, 'signature_missing'])
  })

  test('is of the body, and of this business', async () => {
    const seen: Record<string, string> = {}
    const { fetch: real } = globalThis
    const spied: typeof fetch = (input, init) => {
      Object.assign(seen, init?.headers)
      return real(input, init)
    }
    globalThis.fetch = spied
    await search({ signed: true }).finally(() => {
      globalThis.fetch = real
    })
    const { signature = '', 'signature-input': input = '', 'content-digest': digest = '' } = seen
    const headers = { signature, 'signature-input': input, 'content-digest': digest }
    expect((await search({ headers })).status).toBe(200)
    expect(await refusal({ headers, body: { query: 'other' } })).toEqual([400, 'digest_mismatch'])
    const moved = await askBusiness(app, platform, `${rose}/catalog/search?x=1`, {
      headers,
      body: { query: 'tea' },
    })
    expect([moved.status, moved.body.code]).toEqual([401, 'signature_missing'])
    const elsewhere = await askBusiness(app, platform, `${rose}/catalog/lookup`, {
      headers,
      body: { query: 'tea' },
    })
    expect([elsewhere.status, elsewhere.body.code]).toEqual([401, 'signature_invalid'])
  })
})

test('a body that is too large, or no JSON, is refused in the words of the protocol', async () => {
  const large = await search({ raw: `{"query":"${'x'.repeat(300_000)}"}` })
  expect([large.status, large.body.code]).toEqual([413, 'payload_too_large'])
  expect(await refusal({ raw: '{"query":"a","query":"b"}' })).toEqual([400, 'invalid_request'])
  expect(await refusal({ headers: { 'content-type': 'text/plain' } })).toEqual([
    415,
    'unsupported_media_type',
  ])
})

test('a header of the caller cannot say what was negotiated', async () => {
  expect((await search({ headers: { 'ucp-call': '{"release":"2026-01-23"}' } })).status).toBe(200)
})

test('an operation of UCP is none of the public interface, and no key opens it', async () => {
  expect((await app.post('/catalog/search', { query: 'x' })).status).toBe(404)
  const document = await app.get('/openapi.json')
  expect(JSON.stringify(document.body)).not.toContain('ucp_search_catalog')
})
