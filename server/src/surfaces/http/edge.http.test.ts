import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../test/harness/app.ts'
import { person } from '../../../test/harness/person.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp({
    trustedProxies: ['127.0.0.9'],
    limits: { keyGuesses: 5, anonymousBodyBytes: 2000, addressConnections: 40 },
  })
})
afterAll(() => app.stop())

const junk = (n: number | string) => `pr_sk_test_${String(n).padStart(33, 'x')}`

/** Writes a head, without the body that it announces, and answers all that comes back until the connection closes. */
async function sayHead(lines: string[], localAddress = '127.0.0.1'): Promise<string> {
  const socket = open(localAddress)
  socket.write(`${lines.join('\r\n')}\r\nHost: 127.0.0.1\r\n\r\n`)
  return await heard(socket)
}

function open(localAddress = '127.0.0.1'): Socket {
  const { port } = new URL(app.url)
  const socket = connect({ host: '127.0.0.1', port: Number(port), localAddress })
  socket.on('error', () => undefined)
  return socket
}

async function heard(socket: Socket): Promise<string> {
  let text = ''
  socket.setEncoding('latin1').on('data', (data) => {
    text += data
  })
  await once(socket, 'close')
  return text
}

const post = ['Content-Type: application/json', 'Content-Length: 200000']

test.each([
  ['/v1/profiles', 'no key', []],
  ['/v1/profiles', 'no bearer', ['Authorization: Basic eDp5']],
  ['/v1/profiles', 'an unknown key', [`Authorization: Bearer ${junk('a')}`]],
  ['/mcp/v1', 'an unknown key', [`Authorization: Bearer ${junk('a')}`]],
  ['/mcp/v1', 'no bearer', ['Authorization: Basic eDp5']],
])('%s with %s is 401 before a byte of the body is sent, and the connection ends', async (path, _, key) => {
  const answer = await sayHead([`POST ${path} HTTP/1.1`, ...post, ...key], '127.0.0.2')
  expect(answer).toMatch(/^HTTP\/1\.1 401 /)
  expect(answer).toMatch(/\r\nwww-authenticate: Bearer\b/i)
  expect(answer).toMatch(/\r\nconnection: close\r\n/i)
  expect(answer).toContain('"code":"unauthorized"')
})

test('a body that is not allowed is never asked for, and one that is, is', async () => {
  const head = ['POST /v1/profiles HTTP/1.1', 'Expect: 100-continue', 'Content-Type: application/json']
  expect(await sayHead([...head, 'Content-Length: 10'])).toMatch(/^HTTP\/1\.1 401 /)
  const socket = open()
  const all = heard(socket)
  const body = JSON.stringify(person)
  const key = `Authorization: Bearer ${app.account.keys.secret_test}`
  socket.write(
    `${[...head, key, `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close', 'Host: x'].join('\r\n')}\r\n\r\n`,
  )
  const [first] = await once(socket, 'data')
  expect(String(first)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\n$/)
  socket.write(body)
  expect(await all).toContain('HTTP/1.1 201 ')
})

test('without a key a body is small: over REST where a signature would do, and for tools', async () => {
  const big = JSON.stringify({ a: 'x'.repeat(2100) })
  const signed = `/v1/merchant/quotes/quo_${'0'.repeat(26)}/responses`
  for (const at of ['/mcp/v1', signed]) {
    const refused = await app.request('POST', at, { key: null, raw: big })
    const { detail } = refused.body.error?.data ?? refused.body
    expect([at, refused.status, detail.code]).toEqual([at, 413, 'payload_too_large'])
    expect(detail.message).toContain('2000 bytes')
  }
  const withKey = await app.request('POST', '/mcp/v1', { raw: big })
  expect(withKey.status).not.toBe(413)
})

test('unknown keys are counted by address and then refused as a rate; keys that exist go on opening from there', async () => {
  const from = '127.0.0.3'
  const ask = (key: string) =>
    sayHead(['GET /v1/profiles HTTP/1.1', `Authorization: Bearer ${key}`, 'Connection: close'], from)
  const answers: string[] = []
  for (let n = 0; n < 8; n++) answers.push((await ask(junk(n))).slice(9, 12))
  expect(answers).toEqual(['401', '401', '401', '401', '401', '429', '429', '429'])
  const refused = await ask(junk('z'))
  expect(refused).toMatch(/\r\nretry-after: \d+\r\n/i)
  expect(refused).toMatch(/\r\nx-ratelimit-limit: 5\r\nx-ratelimit-window: 60\r\n/i)
  expect(refused).toContain('"scope":"ip"')
  // Not seen by this process before: it is looked up with the guesses.
  const fresh = await app.newKey(app.account, 'test', 'full')
  expect(await ask(fresh.token)).toMatch(/^HTTP\/1\.1 200 /)
  expect(await ask(app.stranger.keys.secret_test)).toMatch(/^HTTP\/1\.1 200 /)
  const ended = await app.newKey(app.account, 'test', 'full')
  await app.sql('update api_keys set revoked_at = now() where id = $1', [ended.id])
  expect(await ask(ended.token)).toMatch(/^HTTP\/1\.1 429 /)
  // Another address has its own count.
  const other = await sayHead(
    ['GET /v1/profiles HTTP/1.1', `Authorization: Bearer ${junk('o')}`],
    '127.0.0.4',
  )
  expect(other).toMatch(/^HTTP\/1\.1 401 /)
})

test('a browser neither keeps private answers nor guesses their type, refusals included', async () => {
  const none = { key: null }
  const answers = await Promise.all([
    app.get('/v1/profiles'),
    app.get('/v1/profiles', none),
    app.get('/v1/nothing'),
    app.post('/v1/profiles', {}),
    app.get('/v1/profiles/prof_%zz'),
    app.request('POST', '/mcp/v1', { body: { jsonrpc: '2.0', id: 1, method: 'ping' } }),
    app.request('GET', '/mcp/v1'),
    app.request('POST', '/mcp/v1', { headers: { 'content-type': 'text/plain' }, raw: 'x' }),
  ])
  for (const { headers } of answers) {
    expect(headers.get('cache-control')).toBe('private, no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('strict-transport-security')).toBeNull()
  }
})

test('public documents are compressed as the client likes, and known again by their tag', async () => {
  for (const path of [
    '/openapi.json',
    '/docs',
    '/docs/',
    '/docs/js/scalar.js',
    '/docs/js/start.js',
    '/mcp/v1/manifest.json',
  ]) {
    const plain = await raw(path, 'Accept-Encoding: identity')
    const br = await raw(path, 'Accept-Encoding: gzip, br')
    const gzip = await raw(path, 'Accept-Encoding: br;q=0.1, gzip')
    const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
    expect([br.header('content-encoding'), gzip.header('content-encoding')]).toEqual(['br', 'gzip'])
    expect(digest(brotliDecompressSync(br.body))).toBe(digest(plain.body))
    expect(digest(gunzipSync(gzip.body))).toBe(digest(plain.body))
    expect(plain.header('cache-control')).toMatch(/^public, max-age=\d+$/)
    expect(plain.header('vary')).toBe('Accept-Encoding')
    expect(plain.header('x-content-type-options')).toBe('nosniff')
    const tag = br.header('etag') ?? ''
    const again = await raw(path, 'Accept-Encoding: br', `If-None-Match: "old", W/${tag}`)
    expect([again.status, again.body.length, again.header('etag')]).toEqual([304, 0, tag])
    expect((await raw(path, 'If-None-Match: "old"')).status).toBe(200)
    const head = await raw(path, 'Accept-Encoding: br', 'HEAD')
    expect([head.status, head.body.length, head.header('content-length')]).toEqual([
      200,
      0,
      String(br.body.length),
    ])
  }
})

type RawAnswer = { status: number; body: Buffer; header: (name: string) => string | undefined }

/** Without a client that decompresses. */
async function raw(path: string, ...lines: string[]): Promise<RawAnswer> {
  const method = lines.includes('HEAD') ? 'HEAD' : 'GET'
  const headers = lines.filter((line) => line !== 'HEAD')
  const text = await sayHead([`${method} ${path} HTTP/1.1`, 'Connection: close', ...headers], '127.0.0.5')
  const end = text.indexOf('\r\n\r\n')
  const head = text.slice(0, end)
  return {
    status: Number(head.slice(9, 12)),
    body: Buffer.from(text.slice(end + 4), 'latin1'),
    header: (name) => new RegExp(`\\r\\n${name}: ([^\\r]*)`, 'i').exec(head)?.[1],
  }
}

test('the reference runs no script but its own files, and none that is made of text', async () => {
  const page = await raw('/docs')
  const policy = page.header('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).toMatch(/(^|; )script-src 'self'(;|$)/)
  expect(policy).not.toContain('unsafe-eval')
  const scripts = [...page.body.toString().matchAll(/<script([^>]*)>([^<]*)<\/script>/g)]
  expect(scripts.length).toBeGreaterThan(0)
  for (const [, attributes = '', content] of scripts) {
    expect(content).toBe('')
    const path = /src="([^"]+)"/.exec(attributes)?.[1] ?? ''
    expect((await raw(path)).status).toBe(200)
  }
})

test('health answers HEAD', async () => {
  for (const path of ['/healthz', '/readyz']) {
    const { status, body } = await raw(path, 'HEAD')
    expect([status, body.length]).toEqual([200, 0])
  }
})

test('each line of the log tells the address that asked, through trusted proxies only', async () => {
  const forwarded = ['X-Forwarded-For: 198.51.100.7, 203.0.113.9', 'Connection: close']
  const asked = ['GET /v1/profiles HTTP/1.1', ...forwarded]
  app.lines.length = 0
  await sayHead(asked, '127.0.0.9')
  await sayHead(asked, '127.0.0.6')
  await sayHead([...asked, `Authorization: Bearer ${app.account.keys.secret_test}`], '127.0.0.9')
  await sayHead(['POST /mcp/v1 HTTP/1.1', ...post, ...forwarded, 'Authorization: Basic eDp5'], '127.0.0.9')
  await sayHead(['GET /onboarding/nothing HTTP/1.1', ...forwarded], '127.0.0.9')
  expect(app.lines.map(({ client, status, route, code }) => [client, status, route, code])).toEqual([
    ['203.0.113.9', 401, '/v1/profiles', 'unauthorized'],
    ['127.0.0.6', 401, '/v1/profiles', 'unauthorized'],
    ['203.0.113.9', 200, '/v1/profiles', null],
    ['203.0.113.9', 401, '/mcp/v1', 'unauthorized'],
    ['203.0.113.9', 404, '/onboarding/{token}', null],
  ])
})

test('a client that opens very many connections loses its own oldest, and none that has shown a key', async () => {
  const from = '127.0.0.7'
  const keyed = open(from)
  const key = `Authorization: Bearer ${app.account.keys.secret_test}`
  const ask = async () => {
    if (keyed.closed) return 'closed'
    keyed.write(`GET /v1/profiles HTTP/1.1\r\nHost: x\r\n${key}\r\n\r\n`)
    const [data] = await Promise.race([once(keyed, 'data'), once(keyed, 'close').then(() => ['closed'])])
    return String(data).slice(9, 12)
  }
  expect(await ask()).toBe('200')
  const first = open(from)
  await once(first, 'connect')
  const many = Array.from({ length: 60 }, () => open(from))
  await expect.poll(() => first.closed).toBe(true)
  expect(await ask()).toBe('200')
  const others = await app.get('/v1/profiles')
  expect(others.status).toBe(200)
  for (const socket of [keyed, ...many]) socket.destroy()
})

test('behind a proxy the requests of one client under way are counted, and each surface refuses the next in its own words', async () => {
  const forwarded = 'X-Forwarded-For: 203.0.113.40'
  const key = `Authorization: Bearer ${app.account.keys.secret_test}`
  const waiting = Array.from({ length: 40 }, () => open('127.0.0.9'))
  for (const socket of waiting)
    socket.write(`${['POST /v1/profiles HTTP/1.1', ...post, key, forwarded, 'Host: x'].join('\r\n')}\r\n\r\n`)
  const ask = (path: string) =>
    sayHead([`POST ${path} HTTP/1.1`, ...post.slice(0, 1), 'Content-Length: 0', key, forwarded], '127.0.0.9')
  // The last of them may still be on its way: until then this one is read, and refused for what it says.
  await expect.poll(() => ask('/v1/profiles')).toMatch(/^HTTP\/1\.1 429 /)
  const refused = { detail: { code: 'rate_limited', scope: 'ip', limit: 40, message: expect.any(String) } }
  expect(bodyOf(await ask('/v1/profiles'))).toMatchObject(refused)
  expect(bodyOf(await ask('/mcp/v1'))).toMatchObject({ jsonrpc: '2.0', id: null, error: { data: refused } })
  const other = await sayHead(
    ['GET /v1/profiles HTTP/1.1', key, 'X-Forwarded-For: 203.0.113.41', 'Connection: close'],
    '127.0.0.9',
  )
  expect(other).toMatch(/^HTTP\/1\.1 200 /)
  for (const socket of waiting) socket.destroy()
})

function bodyOf(answer: string): unknown {
  return JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))
}
