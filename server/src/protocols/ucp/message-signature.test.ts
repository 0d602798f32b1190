import { createHash, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { contentDigestOf } from './content-digest.ts'
import type { PublicJwk } from './jwk.ts'
import { signMessage } from './sign-message.ts'
import type { Message } from './signed-components.ts'
import { isSigned, verifyMessage } from './verify-message.ts'

const now = new Date('2026-09-01T12:00:00Z')
const p256 = pairOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }), 'ES256')
const p384 = pairOf(generateKeyPairSync('ec', { namedCurve: 'P-384' }), 'ES384')
const ed25519 = pairOf(generateKeyPairSync('ed25519'), 'EdDSA')
const keys = [p256.jwk, p384.jwk, ed25519.jwk]

function pairOf({ publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject }, alg: string) {
  const { kty = '', crv, x, y } = publicKey.export({ format: 'jwk' })
  const point = { kty, ...(crv ? { crv } : {}), ...(x ? { x } : {}), ...(y ? { y } : {}) }
  const jwk: PublicJwk = { kid: `kid of ${alg}`, ...point, use: 'sig', alg }
  return { key: privateKey, jwk, publicKey }
}

const body = Buffer.from('{"query":"boots"}')
const headers = {
  'ucp-agent': 'profile="https://platform.example/.well-known/ucp"',
  'content-type': 'application/json',
}
const request = {
  kind: 'request',
  method: 'POST',
  url: 'https://Shop.example:443/ucp/m/rose/catalog/search?x=1',
  headers,
  body,
} as const

/** What a signer without our code writes: the base of RFC 9421 by hand. */
function byHand(
  covered: readonly string[],
  values: Readonly<Record<string, string>>,
  how: {
    kid: string
    key: KeyObject
    hash: string | null
    params?: string
    dsaEncoding?: 'ieee-p1363' | 'der'
  },
): Record<string, string> {
  const params = `(${covered.map((name) => `"${name}"`).join(' ')})${how.params ?? ''};keyid="${how.kid}"`
  const lines = covered.map((name) => `"${name}": ${values[name]}`)
  const base = [...lines, `"@signature-params": ${params}`].join('\n')
  const dsaEncoding = how.dsaEncoding ?? 'ieee-p1363'
  const signature = sign(how.hash, Buffer.from(base), { key: how.key, dsaEncoding })
  return { 'signature-input': `a=${params}`, signature: `a=:${signature.toString('base64')}:` }
}

const values = {
  '@method': 'POST',
  '@authority': 'shop.example',
  '@path': '/ucp/m/rose/catalog/search',
  '@query': '?x=1',
  'ucp-agent': headers['ucp-agent'],
  'content-digest': `sha-256=:${createHash('sha256').update(body).digest('base64')}:`,
  'content-type': 'application/json',
}
const all = Object.keys(values)
const withDigest = { ...headers, 'content-digest': values['content-digest'] }

function verdictOf(added: Record<string, string>, changes: Partial<typeof request> = {}) {
  const message: Message = { ...request, ...changes, headers: { ...withDigest, ...added } }
  const verdict = verifyMessage(message, keys, now)
  return verdict.kind === 'verified' ? verdict.kid : verdict.code
}

test('a request is signed so that the base of the RFC, built by hand, verifies', () => {
  const {
    'signature-input': input = '',
    signature = '',
    ...more
  } = signMessage(request, { kid: p256.jwk.kid, key: p256.key }, { now })
  const params = input.slice('sig1='.length)
  expect(params).toBe(
    `("@method" "@authority" "@path" "@query" "ucp-agent" "content-digest" "content-type");created=${now.getTime() / 1000};keyid="${p256.jwk.kid}"`,
  )
  const base = [
    ...all.map((name) => `"${name}": ${values[name as keyof typeof values]}`),
    `"@signature-params": ${params}`,
  ]
  const bytes = Buffer.from(signature.slice('sig1=:'.length, -1), 'base64')
  expect(bytes).toHaveLength(64)
  const { publicKey: key } = p256
  expect(verify('sha256', Buffer.from(base.join('\n')), { key, dsaEncoding: 'ieee-p1363' }, bytes)).toBe(true)
  expect(more).toEqual({ 'content-digest': values['content-digest'] })
})

test('a response is signed with its status and its body, and verifies', () => {
  const response: Message = {
    kind: 'response',
    status: 200,
    headers: { 'content-type': 'application/json' },
    body,
  }
  const signed = signMessage(response, { kid: p256.jwk.kid, key: p256.key }, { now })
  const received: Message = { ...response, headers: { ...response.headers, ...signed } }
  expect(verifyMessage(received, keys, now)).toMatchObject({ kind: 'verified', kid: p256.jwk.kid })
  expect(verifyMessage({ ...received, status: 201 }, keys, now)).toMatchObject({ code: 'signature_invalid' })
  // A merchant whose clock is wrong is still bought from: an answer comes on the connection of its request.
  const later = new Date(now.getTime() + 3_600_000)
  expect(verifyMessage(received, keys, later).kind).toBe('verified')
})

test('what is signed besides is covered: the id and the time of a webhook', () => {
  const webhook: Message = {
    ...request,
    headers: { ...headers, 'webhook-id': 'w1', 'webhook-timestamp': '1' },
  }
  const signed = signMessage(
    webhook,
    { kid: p256.jwk.kid, key: p256.key },
    { now, also: ['webhook-id', 'webhook-timestamp'] },
  )
  const received = (id: string): Message => ({
    ...webhook,
    headers: { ...webhook.headers, ...signed, 'webhook-id': id },
  })
  expect(verifyMessage(received('w1'), keys, now).kind).toBe('verified')
  expect(verifyMessage(received('w2'), keys, now).kind).toBe('refused')
})

describe('signatures made by hand', () => {
  test.each([
    ['ES256', p256, 'sha256'],
    ['ES384', p384, 'sha384'],
    ['EdDSA', ed25519, null],
  ] as const)('%s verifies', (_name, { key, jwk }, hash) => {
    expect(verdictOf(byHand(all, values, { kid: jwk.kid, key, hash }))).toBe(jwk.kid)
  })

  const good = { kid: p256.jwk.kid, key: p256.key, hash: 'sha256' }

  test('a signature in DER is refused', () => {
    expect(verdictOf(byHand(all, values, { ...good, dsaEncoding: 'der' }))).toBe('signature_invalid')
  })

  test.each(all)('one that does not cover %s counts as none', (left) => {
    const covered = all.filter((name) => name !== left)
    expect(verdictOf(byHand(covered, values, good))).toBe('signature_missing')
  })

  test('one that does not cover the idempotency key of a request that has one counts as none', () => {
    const added = { ...byHand(all, values, good), 'idempotency-key': 'k' }
    expect(verdictOf(added)).toBe('signature_missing')
  })

  test('another body than the one of the digest is refused as such', () => {
    expect(verdictOf(byHand(all, values, good), { body: Buffer.from('{"query":"boot"}') as never })).toBe(
      'digest_mismatch',
    )
  })

  test('a key that is not published, or not for signatures, is not found', () => {
    expect(verdictOf(byHand(all, values, { ...good, kid: 'other' }))).toBe('key_not_found')
    const message: Message = { ...request, headers: { ...withDigest, ...byHand(all, values, good) } }
    for (const more of [{ use: 'enc' }, { key_ops: ['sign'] }])
      expect(verifyMessage(message, [{ ...p256.jwk, ...more }], now)).toMatchObject({ code: 'key_not_found' })
  })

  test('a message chooses no algorithm, and a key none but that of its curve', () => {
    expect(verdictOf(byHand(all, values, { ...good, params: ';alg="ecdsa-p256-sha256"' }))).toBe(
      'signature_invalid',
    )
    const message: Message = { ...request, headers: { ...withDigest, ...byHand(all, values, good) } }
    expect(verifyMessage(message, [{ ...p256.jwk, alg: 'ES384' }], now)).toMatchObject({
      code: 'algorithm_unsupported',
    })
    const rsa = { kid: p256.jwk.kid, kty: 'RSA' }
    expect(verifyMessage(message, [rsa], now)).toMatchObject({ code: 'algorithm_unsupported' })
  })

  test.each<[string, string, string]>([
    ['of now', ';created=0', 'verified'],
    ['of five minutes ago', ';created=-300', 'verified'],
    ['of longer ago', ';created=-301', 'signature_missing'],
    ['of yesterday that has not expired', ';created=-86400;expires=60', 'signature_missing'],
    ['by a clock that is ahead', ';created=300', 'verified'],
    ['by one that is far ahead', ';created=301', 'signature_missing'],
    ['that ends now', ';created=0;expires=0', 'verified'],
    ['that has ended', ';created=0;expires=-1', 'signature_missing'],
    ['with no time', '', 'verified'],
    ['with a time that is none', ';created="now"', 'signature_missing'],
  ])('a request %s is taken for minutes, and later counts as unsigned', (_name, offset, verdict) => {
    const params = offset.replace(/=(-?\d+)/g, (_, seconds) => `=${now.getTime() / 1000 + Number(seconds)}`)
    const signed = byHand(all, values, { ...good, params })
    const message: Message = { ...request, headers: { ...withDigest, ...signed } }
    const found = verifyMessage(message, keys, now)
    expect(found.kind === 'verified' ? found.kind : found.code).toBe(verdict)
    if (found.kind === 'verified') expect(found.isDated).toBe(params.includes('created'))
  })

  test('one that has expired counts as none', () => {
    const seconds = now.getTime() / 1000
    expect(verdictOf(byHand(all, values, { ...good, params: `;expires=${seconds - 1}` }))).toBe(
      'signature_missing',
    )
    expect(verdictOf(byHand(all, values, { ...good, params: `;expires=${seconds + 1}` }))).toBe(p256.jwk.kid)
  })

  test.each([
    ['method', { method: 'PUT' }],
    ['host', { url: 'https://other.example/ucp/m/rose/catalog/search?x=1' }],
    ['port', { url: 'https://shop.example:8443/ucp/m/rose/catalog/search?x=1' }],
    ['path', { url: 'https://shop.example/ucp/m/lily/catalog/search?x=1' }],
    ['query', { url: 'https://shop.example/ucp/m/rose/catalog/search?x=2' }],
  ])('it is for one %s', (_name, changes) => {
    expect(verdictOf(byHand(all, values, good), changes as never)).toBe('signature_invalid')
  })

  test('of several signatures one that verifies is enough', () => {
    const bad = byHand(all, values, { ...good, key: p384.key, hash: 'sha384' })
    const fine = byHand(all, values, good)
    const both = (first: Record<string, string>, second: Record<string, string>) => ({
      'signature-input': `${first['signature-input']}, ${second['signature-input']?.replace('a=', 'b=')}`,
      signature: `${first.signature}, ${second.signature?.replace('a=', 'b=')}`,
    })
    expect(verdictOf(both(bad, fine))).toBe(p256.jwk.kid)
    expect(verdictOf(both(bad, bad))).toBe('signature_invalid')
  })

  test('a member of Signature-Agent may be signed alone, as Web Bot Auth does', () => {
    const agent = 'sig1="https://p.example/.well-known/ucp";type=jwks_uri'
    const covered = [...all, 'signature-agent']
    const params = `(${all.map((name) => `"${name}"`).join(' ')} "signature-agent";key="sig1");keyid="${p256.jwk.kid}"`
    const base = [
      ...all.map((name) => `"${name}": ${values[name as keyof typeof values]}`),
      `"signature-agent";key="sig1": "https://p.example/.well-known/ucp";type=jwks_uri`,
      `"@signature-params": ${params}`,
    ].join('\n')
    expect(covered).toHaveLength(all.length + 1)
    const signature = sign('sha256', Buffer.from(base), { key: p256.key, dsaEncoding: 'ieee-p1363' })
    const added = {
      'signature-agent': agent,
      'signature-input': `a=${params}`,
      signature: `a=:${signature.toString('base64')}:`,
    }
    expect(verdictOf(added)).toBe(p256.jwk.kid)
  })

  test.each([
    '',
    'a',
    'a=(',
    'a=("@method"',
    'a="x"',
    'a=();keyid="k"',
    'a=("@method" "@method");keyid="k"',
    'a=("@method";sf);keyid="k"',
    `a=(${'"x" '.repeat(5000)})`,
  ])('an input that is none is no signature: %#', (input) => {
    expect(verdictOf({ ...byHand(all, values, good), 'signature-input': input })).toBe('signature_missing')
  })

  test('a component that is named twice makes it invalid', () => {
    const twice = byHand([...all, '@method'], values, good)
    expect(verdictOf(twice)).toBe('signature_invalid')
  })
})

test('whether there is any sign of a signature', () => {
  expect(isSigned({ headers: {} })).toBe(false)
  expect(isSigned({ headers: { signature: 'x' } })).toBe(true)
})

test('the digest of nothing is a digest too', () => {
  expect(contentDigestOf(Buffer.from(''))).toBe('sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:')
})
