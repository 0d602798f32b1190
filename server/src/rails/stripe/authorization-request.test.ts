import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { Secret } from '../../platform/secrets/secret.ts'
import { readAuthorizationRequest } from './authorization-request.ts'

const secrets = { test: new Secret('whsec_test'), live: new Secret('whsec_live') }
const nowMs = 1_800_000_000_000

function event(change: object = {}, more: object = {}): object {
  return {
    type: 'issuing_authorization.request',
    livemode: false,
    data: {
      object: {
        id: 'iauth_1',
        card: { id: 'ic_1' },
        pending_request: { amount: 1_050, currency: 'usd', merchant_currency: 'usd' },
        merchant_data: { network_id: '123', name: 'SHOP', country: 'US' },
        request_history: [{}],
        ...change,
      },
    },
    ...more,
  }
}

function signed(body: string, { secret = 'whsec_test', at = nowMs / 1000 } = {}): string {
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`
}

function read(body: string, signature: string | undefined = signed(body)) {
  return readAuthorizationRequest(secrets, { body: Buffer.from(body), signature, nowMs })
}

const plain = JSON.stringify(event())

test('a question of Stripe is read in our units, and says which request on its authorization it is', () => {
  expect(read(plain)).toEqual({
    kind: 'request',
    request: {
      mode: 'test',
      reference: 'ic_1',
      authorization: 'iauth_1',
      request: 1,
      amount: 1_050n,
      currency: 'USD',
      country: 'US',
      merchant: { id: '123', name: 'SHOP' },
    },
  })
  const kronur = { amount: 70_000, currency: 'isk', merchant_currency: 'isk' }
  expect(read(JSON.stringify(event({ pending_request: kronur })))).toMatchObject({
    request: { amount: 700n },
  })
  const live = JSON.stringify(event({}, { livemode: true }))
  expect(read(live, signed(live, { secret: 'whsec_live' }))).toMatchObject({ request: { mode: 'live' } })
})

test('a merchant that charges in another currency is not read as one of the currency of the card', () => {
  const converted = { amount: 1_050, currency: 'usd', merchant_currency: 'eur' }
  const said = read(JSON.stringify(event({ pending_request: converted })))
  expect(said.kind === 'request' && said.request.currency).not.toBe('USD')
})

test.each([
  ['nothing', ''],
  ['words', 'signed'],
  ['another secret', signed(plain, { secret: 'whsec_other' })],
  ['other bytes', signed(`${plain} `)],
  ['a time that was changed afterwards', signed(plain).replace(/t=\d+/, `t=${nowMs / 1000 - 1}`)],
  ['a time 301 seconds ago', signed(plain, { at: nowMs / 1000 - 301 })],
  ['a time in 301 seconds', signed(plain, { at: nowMs / 1000 + 301 })],
])('a message that is signed by %s is not of Stripe', (_, signature) => {
  expect(read(plain, signature)).toEqual({ kind: 'unsigned' })
})

test('a message counts for 300 seconds, and one of two signatures is enough while a secret is replaced', () => {
  for (const seconds of [-300, 300])
    expect(read(plain, signed(plain, { at: nowMs / 1000 + seconds })).kind).toBe('request')
  expect(read(plain, signed(plain).replace(',v1', `,v1=${'0'.repeat(64)},v1`)).kind).toBe('request')
})

test.each([
  ['of another mode than its secret', event({}, { livemode: true })],
  ['of another kind', event({}, { type: 'issuing_authorization.created' })],
  ['without a card', event({ card: null })],
  [
    'of an amount below nothing',
    event({ pending_request: { amount: -1, currency: 'usd', merchant_currency: 'usd' } }),
  ],
  ['that asks nothing', event({ pending_request: null })],
  ['of a merchant without a number', event({ merchant_data: { name: 'SHOP' } })],
  ['that is a list', []],
])('a message %s is odd', (_, body) => {
  expect(read(JSON.stringify(body))).toEqual({ kind: 'odd' })
})

test('bytes that are no JSON are odd, if Stripe has signed them', () => {
  expect([read('{'), read('{', 'x')]).toEqual([{ kind: 'odd' }, { kind: 'unsigned' }])
})
