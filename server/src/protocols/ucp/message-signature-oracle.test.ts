import { createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
import fc from 'fast-check'
import { createSigner, createVerifier, httpbis } from 'http-message-signatures'
import { expect, test } from 'vitest'
import { contentDigestOf } from './content-digest.ts'
import type { PublicJwk } from './jwk.ts'
import { signMessage } from './sign-message.ts'
import { type Message, requiredComponents, signatureBase } from './signed-components.ts'
import { isInnerList, parseDictionary, serializeMember } from './structured-fields.ts'
import { verifies, verifyMessage } from './verify-message.ts'

// The vectors of RFC 9421, and what another implementation makes of the same messages.

const [p256, p384, ed25519] = [
  pairOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }), 'ecdsa-p256-sha256'),
  pairOf(generateKeyPairSync('ec', { namedCurve: 'P-384' }), 'ecdsa-p384-sha384'),
  pairOf(generateKeyPairSync('ed25519'), 'ed25519'),
] as const
const pairs = [p256, p384, ed25519]
const jwks = pairs.map(({ jwk }) => jwk)
const now = new Date()

function pairOf<Alg extends string>(
  { publicKey, privateKey }: { publicKey: KeyObject; privateKey: KeyObject },
  alg: Alg,
) {
  const { kty = '', crv = '', x = '', y } = publicKey.export({ format: 'jwk' })
  const jwk: PublicJwk = { kid: `kid of ${alg}`, kty, crv, x, ...(y ? { y } : {}) }
  return { alg, jwk, privateKey, publicKey }
}

test.each([
  {
    section: 'B.2.4',
    message: {
      kind: 'response',
      status: 200,
      headers: {
        'content-type': 'application/json',
        'content-digest':
          'sha-512=:mEWXIS7MaLRuGgxOBdODa3xqM1XdEvxoYhvlCFJ41QJgJc4GTsPp29l5oGX69wWdXymyU0rjJuahq4l5aGgfLQ==:',
        'content-length': '23',
      },
      body: Buffer.from('{"message": "good dog"}'),
    },
    input:
      'sig=("@status" "content-type" "content-digest" "content-length");created=1618884473;keyid="test-key-ecc-p256"',
    algorithm: 'ES256',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: 'qIVYZVLCrPZHGHjP17CTW0_-D9Lfw0EkjqF7xB4FivA',
      y: 'Mc4nN9LTDOBhfoUeg8Ye9WedFRhnZXZJA12Qp0zZ6F0',
    },
    signature: 'wNmSUAhwb5LxtOtOpNa6W5xj067m5hFrj0XQ4fvpaCLx0NKocgPquLgyahnzDnDAUy5eCdlYUEkLIj+32oiasw==',
  },
  {
    section: 'B.2.6',
    message: {
      kind: 'request',
      method: 'POST',
      url: 'https://example.com/foo?param=Value&Pet=dog',
      headers: {
        date: 'Tue, 20 Apr 2021 02:07:55 GMT',
        'content-type': 'application/json',
        'content-length': '18',
      },
      body: Buffer.from('{"hello": "world"}'),
    },
    input:
      'sig=("date" "@method" "@path" "@authority" "content-type" "content-length");created=1618884473;keyid="test-key-ed25519"',
    algorithm: 'EdDSA',
    key: { kty: 'OKP', crv: 'Ed25519', x: 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs' },
    signature: 'wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==',
  },
] as const)('the signature of section $section verifies', ({ message, input, algorithm, key, signature }) => {
  const covered = parseDictionary(input)?.get('sig')
  if (!covered || !isInnerList(covered)) throw new Error('the vector covers no components')
  const base = signatureBase(message, covered[0], serializeMember(covered))
  if (base === null) throw new Error('the vector covers what is not in its message')
  const signed = { algorithm, key: createPublicKey({ key, format: 'jwk' }) }
  expect(verifies({ ...signed, base: Buffer.from(base), signature: Buffer.from(signature, 'base64') })).toBe(
    true,
  )
})

const word = fc.stringMatching(/^[a-zA-Z0-9_~-]{1,8}$/)
const headerValue = fc.stringMatching(/^[!-~]([ -~]{0,20}[!-~])?$/)
const url = fc
  .tuple(
    fc.constantFrom('https://Shop.example', 'https://shop.example:443', 'https://shop.example:8443'),
    fc.array(word, { maxLength: 3 }),
    fc.option(fc.tuple(word, word), { nil: null }),
  )
  .map(([origin, path, query]) => `${origin}/${path.join('/')}${query ? `?${query.join('=')}` : ''}`)
const rest = fc.record({
  headers: fc.record(
    {
      'ucp-agent': headerValue,
      'idempotency-key': headerValue,
      'signature-agent': word.map((host) => `sig1="https://${host}.example";type=jwks_uri, b=(1 2);c`),
      'x-more': headerValue,
    },
    { requiredKeys: [] },
  ),
  body: fc.string({ maxLength: 20 }).map((text) => Buffer.from(text)),
})
const message: fc.Arbitrary<Message> = fc
  .tuple(
    rest,
    fc.oneof(
      fc.record({ kind: fc.constant('request' as const), method: fc.constantFrom('GET', 'POST'), url }),
      fc.record({ kind: fc.constant('response' as const), status: fc.integer({ min: 200, max: 599 }) }),
    ),
  )
  .map(([{ headers, body }, kind]) => {
    const ofBody =
      body.length > 0 ? { 'content-type': 'application/json', 'content-digest': contentDigestOf(body) } : {}
    return { ...kind, body, headers: { ...headers, ...ofBody } }
  })

/** As the package wants a message: it tells a request by its method. */
function theirs(message: Message) {
  const headers = Object.fromEntries(
    Object.entries(message.headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  )
  return message.kind === 'request'
    ? { method: message.method, url: message.url, headers }
    : { status: message.status, headers }
}

test('what is signed here verifies there, and no longer once anything that is covered is another', async () => {
  const key = {
    verify: createVerifier(p256.publicKey, 'ecdsa-p256-sha256'),
    algs: ['ecdsa-p256-sha256' as const],
  }
  const verified = (signed: Message) =>
    httpbis.verifyMessage({ keyLookup: () => Promise.resolve(key) }, theirs(signed) as never)
  await fc.assert(
    fc.asyncProperty(message, async (plain) => {
      const added = signMessage(plain, { kid: p256.jwk.kid, key: p256.privateKey }, { now })
      const signed: Message = { ...plain, headers: { ...plain.headers, ...added } }
      expect(await verified(signed)).toBe(true)
      const other: Message =
        signed.kind === 'request' ? { ...signed, method: 'PUT' } : { ...signed, status: signed.status + 1 }
      expect(await verified(other)).toBe(false)
    }),
    { numRuns: 300 },
  )
})

test('what is signed there verifies here, by every algorithm and with more than must be covered', async () => {
  await fc.assert(
    fc.asyncProperty(
      message,
      fc.constantFrom(...pairs),
      fc.infiniteStream(fc.nat(99)),
      async (plain, pair, order) => {
        const more = [
          ...(plain.kind === 'request' ? ['@scheme', '@query', '@target-uri'] : []),
          ...(plain.headers['x-more'] === undefined ? [] : ['x-more']),
          ...(plain.headers['signature-agent'] === undefined
            ? []
            : ['"signature-agent";key="sig1"', '"signature-agent";key="b"']),
        ]
        const required = requiredComponents(plain)
        const fields = [...new Set([...required, ...more])]
          .map((field) => ({ field, rank: order.next().value ?? 0 }))
          .sort((one, two) => one.rank - two.rank)
          .map(({ field }) => field)
        const { headers } = await httpbis.signMessage(
          {
            key: createSigner(pair.privateKey, pair.alg, pair.jwk.kid),
            fields,
            params: ['created', 'keyid'],
            paramValues: { created: now },
          },
          // Both resolve a URL before they sign it.
          theirs(plain.kind === 'request' ? { ...plain, url: new URL(plain.url).href } : plain) as never,
        )
        const { Signature: signature, 'Signature-Input': input } = headers as Record<string, string>
        const signed: Message = {
          ...plain,
          headers: { ...plain.headers, signature, 'signature-input': input },
        }
        const { kid } = pair.jwk
        expect(verifyMessage(signed, jwks, now)).toMatchObject({ kind: 'verified', kid, isDated: true })
      },
    ),
    { numRuns: 300 },
  )
})
