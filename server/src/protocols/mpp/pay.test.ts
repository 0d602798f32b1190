import { Challenge, Credential, Receipt } from 'mppx'
import { describe, expect, test } from 'vitest'
import { readChallenges } from './challenge.ts'
import { readChargeRequest } from './charge-request.ts'
import { readReceipt, writeCredential } from './pay.ts'

const secretKey = 'a secret of the service, of 32 bytes'
const request = {
  amount: '1250',
  currency: 'usd',
  recipient: 'test:rose',
  methodDetails: { testMode: true },
}

/** As a service elsewhere writes it, with the public library. */
function written(more: Partial<Parameters<typeof Challenge.from>[0]> = {}): string {
  return Challenge.serialize(
    Challenge.from({
      secretKey,
      realm: 'api.example.com',
      method: 'vault',
      intent: 'charge',
      request,
      expires: '2026-11-24T20:00:00.000Z',
      meta: { cart: 'abc' },
      ...more,
    } as Parameters<typeof Challenge.from>[0]),
  )
}

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

describe('a credential', () => {
  test.each<[string, object]>([
    ['of all parts', { description: 'Tea — “green” \\ 2 × €' }],
    ['without a description', {}],
    ['with a header of its own', { header: 'Payment-Authorization' }],
    ['with a digest', { digest: 'sha-256=X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=' }],
  ])('%s is one that the service has asked for', (_what, more) => {
    const [challenge] = readChallenges(written(more))
    if (!challenge) throw new Error('no challenge')
    const { header, value } = writeCredential(challenge, { token: 'vtok_1' })
    expect(header).toBe('header' in more ? 'payment-authorization' : 'authorization')
    const read = Credential.deserialize(value)
    expect(Challenge.verify(read.challenge, { secretKey })).toBe(true)
    expect(read.payload).toEqual({ token: 'vtok_1' })
    if ('description' in more) expect(read.challenge.description).toBe(more.description)
    expect(writeCredential(challenge, { token: 'vtok_1' }).value).toBe(value)
  })
})

describe('what a challenge asks for', () => {
  test('is read as the service wrote it', () => {
    const [challenge] = readChallenges(written())
    expect(readChargeRequest(challenge?.request ?? '')).toEqual({
      amount: 1250n,
      currency: 'usd',
      recipient: 'test:rose',
      externalId: null,
      details: { testMode: true },
    })
  })

  test.each<[string, string]>([
    ['nothing', ''],
    ['no base64url', 'a b'],
    ['no JSON', Buffer.from('{').toString('base64url')],
    ['a list', encoded([])],
    ['a number for an amount', encoded({ ...request, amount: 1250 })],
    ['a decimal amount', encoded({ ...request, amount: '12.50' })],
    ['a negative amount', encoded({ ...request, amount: '-1' })],
    ['an amount with a zero before it', encoded({ ...request, amount: '01' })],
    ['an amount that no account has', encoded({ ...request, amount: '1'.padEnd(31, '0') })],
    ['no currency', encoded({ amount: '1' })],
    ['a recipient that is an object', encoded({ ...request, recipient: {} })],
    ['a recipient that moves the cursor', encoded({ ...request, recipient: 'a\u001b[2Jb' })],
    ['one amount twice', Buffer.from('{"amount":"1","amount":"2","currency":"usd"}').toString('base64url')],
    ['too many characters', encoded({ ...request, note: 'x'.repeat(20_000) })],
  ])('%s cannot be read', (_what, text) => {
    expect(readChargeRequest(text)).toBeNull()
  })
})

describe('a receipt', () => {
  test('names the payment', () => {
    const header = Receipt.serialize({
      status: 'success',
      method: 'vault',
      reference: 'pay_1',
      timestamp: '2026-11-24T20:00:00Z',
      externalId: 'ord_1',
    })
    expect(readReceipt(header)).toEqual({ reference: 'pay_1', externalId: 'ord_1' })
  })

  test.each<[string, string, object | null]>([
    ['of a failure', encoded({ status: 'failed', reference: 'pay_1' }), null],
    ['that is a text', 'hello', null],
    [
      'with a reference that is an object',
      encoded({ status: 'success', reference: {} }),
      { reference: null, externalId: null },
    ],
    ['of too many characters', encoded({ status: 'success', reference: 'x'.repeat(9_000) }), null],
  ])('%s', (_what, header, read) => {
    expect(readReceipt(header)).toEqual(read)
  })
})
