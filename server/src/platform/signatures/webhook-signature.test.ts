import { createHmac } from 'node:crypto'
import Stripe from 'stripe'
import { expect, test } from 'vitest'
import { Secret } from '../secrets/secret.ts'
import { signWebhook, verifyWebhook } from './webhook-signature.ts'

const current = new Secret('whsec_currentcurrentcurrentcurrent')
const previous = new Secret('whsec_previousprevious')
const stranger = new Secret('whsec_stranger')
const body = Buffer.from('{"id":"evt_1","object":"event","note":"grüße"}')
const now = 1_750_000_000
const stripe = new Stripe('sk_test_none')

function signed(secrets: Secret[], timestampSeconds = now): string {
  return signWebhook({ secrets, timestampSeconds, body })
}

function verify(
  header: string,
  overrides: { body?: Uint8Array; secrets?: Secret[]; nowSeconds?: number } = {},
) {
  return verifyWebhook({
    header,
    body,
    secrets: [current, previous],
    nowSeconds: now,
    toleranceSeconds: 60,
    ...overrides,
  })
}

test('the header is the timestamp and the hex HMAC-SHA256 of timestamp, period and body', () => {
  const expected = createHmac('sha256', 'whsec_stranger').update(`${now}.`).update(body).digest('hex')
  expect(signed([stranger])).toBe(`t=${now},v1=${expected}`)
})

test('a body signs alike as text and as bytes', () => {
  expect(signWebhook({ secrets: [current], timestampSeconds: now, body: body.toString('utf8') })).toBe(
    signed([current]),
  )
})

test('a verifier made for Stripe accepts our header, body and secret, and either secret of a rotation', () => {
  const header = signed([current, previous])
  for (const secret of [current, previous]) {
    expect(stripe.webhooks.constructEvent(body, header, secret.reveal(), 60, undefined, now * 1_000).id).toBe(
      'evt_1',
    )
  }
})

test('a verifier made for Stripe rejects every single altered byte', () => {
  const header = signed([current])
  for (let index = 0; index < body.length; index += 1) {
    const altered = Buffer.from(body)
    altered[index] = (altered[index] ?? 0) ^ 1
    expect(() =>
      stripe.webhooks.constructEvent(altered, header, current.reveal(), 60, undefined, now * 1_000),
    ).toThrow(Stripe.errors.StripeSignatureVerificationError)
  }
})

test('we accept what Stripe signs', () => {
  const header = stripe.webhooks.generateTestHeaderString({
    payload: body.toString('utf8'),
    secret: previous.reveal(),
    timestamp: now,
  })
  expect(verify(header)).toEqual({ ok: true, matched: 1 })
})

test.each([
  ['the current secret', [current], 0],
  ['the previous secret', [previous], 1],
  ['both', [current, previous], 0],
  ['both, the other way round', [previous, current], 0],
  ['a stranger and the previous secret', [stranger, previous], 1],
] as const)('signed with %s, the first of our secrets that matches is named', (_by, secrets, matched) => {
  expect(verify(signed([...secrets]))).toEqual({ ok: true, matched })
})

test('every single altered byte of the body is refused', () => {
  const header = signed([current])
  for (let index = 0; index < body.length; index += 1) {
    const altered = Buffer.from(body)
    altered[index] = (altered[index] ?? 0) ^ 1
    expect(verify(header, { body: altered })).toEqual({ ok: false, reason: 'signature' })
  }
  expect(verify(header, { body: body.subarray(1) })).toEqual({ ok: false, reason: 'signature' })
})

test('an altered timestamp or digest is refused', () => {
  const header = signed([current])
  expect(verify(header.replace(`t=${now}`, `t=${now + 1}`))).toEqual({ ok: false, reason: 'signature' })
  const flipped = header.slice(0, -1) + (header.endsWith('0') ? '1' : '0')
  expect(verify(flipped)).toEqual({ ok: false, reason: 'signature' })
})

test('a signature by a stranger, or no signature, is refused', () => {
  expect(verify(signed([stranger]))).toEqual({ ok: false, reason: 'signature' })
  expect(verify(signed([current]), { secrets: [] })).toEqual({ ok: false, reason: 'signature' })
})

test.each([
  [-61, false],
  [-60, true],
  [0, true],
  [60, true],
  [61, false],
])('a timestamp %i seconds away is accepted: %s', (offset, accepted) => {
  const expected = accepted ? { ok: true, matched: 0 } : { ok: false, reason: 'timestamp' }
  expect(verify(signed([current], now + offset))).toEqual(expected)
})

const digest = 'a'.repeat(64)

test.each([
  '',
  'garbage',
  `v1=${digest}`,
  `t=${now}`,
  `t=${now},v0=${digest}`,
  `t=${now},t=${now},v1=${digest}`,
  `t=${now},v1=${digest},t=${now}`,
  `t=,v1=${digest}`,
  `t=-1,v1=${digest}`,
  `t=+${now},v1=${digest}`,
  `t=0${now},v1=${digest}`,
  `t=${now}.0,v1=${digest}`,
  `t=1e9,v1=${digest}`,
  `t=${'9'.repeat(13)},v1=${digest}`,
  `t=NaN,v1=${digest}`,
  `t=${now},v1=${digest.slice(1)}`,
  `t=${now},v1=${digest}0`,
  `t=${now},v1=${digest.toUpperCase()}`,
  `t=${now},v1=${'g'.repeat(64)}`,
  `t=${now},v1=`,
  `t=${now},v1=${digest},`,
  `t=${now}, v1=${digest}`,
  `=${now},v1=${digest}`,
  `t=${now}${`,v1=${digest}`.repeat(9)}`,
  `t=${now},v1=${digest},v2=${'x'.repeat(1_024)}`,
])('a malformed header is refused as such: %s', (header) => {
  expect(verify(header)).toEqual({ ok: false, reason: 'malformed' })
})

test('schemes to come are passed over', () => {
  expect(verify(`${signed([current])},v2=something`)).toEqual({ ok: true, matched: 0 })
})

test.each([1.5, -1, Number.NaN, 1e21])('nothing is signed at the impossible time %d', (timestampSeconds) => {
  expect(() => signed([current], timestampSeconds)).toThrow(RangeError)
})

test('nothing is signed without a secret', () => {
  expect(() => signed([])).toThrow(RangeError)
})
