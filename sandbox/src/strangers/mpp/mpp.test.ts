import { afterAll, beforeAll, expect, test } from 'vitest'
import { credentialOf, openMppPayer, receiptIn } from '../../../test/mpp-payer.ts'
import { openStrangers, type Strangers } from '../../../test/open-strangers.ts'

let strangers: Strangers
let payer: ReturnType<typeof openMppPayer>
beforeAll(async () => {
  strangers = await openStrangers()
  payer = openMppPayer(strangers)
})
afterAll(() => strangers.close())

async function buy(path: string) {
  const asked = await payer.challenge(path)
  const token = await payer.issueToken(asked.terms)
  const answer = await payer.pay(path, asked, { token }).catch(() => undefined)
  return { asked, token, answer, said: answer?.status ?? 'broken', state: await payer.tokenState(token) }
}

test('a forecast is asked for, paid with a token as the shop, and answered with a receipt', async () => {
  const path = '/v1/forecast?city=Oslo&days=2'
  const { asked, answer, state } = await buy(path)
  expect(asked).toMatchObject({
    id: expect.stringMatching(/^[\w-]{43}$/),
    realm: 'mpp.shop.test',
    intent: 'charge',
    terms: { amount: '250', currency: 'usd', recipient: 'mpp.shop.test' },
  })
  expect(answer?.status).toBe(200)
  expect(JSON.parse(answer?.text ?? '')).toMatchObject({ city: 'Oslo', days: [{ day: 1 }, { day: 2 }] })
  expect(answer?.headers['cache-control']).toBe('private')
  expect(answer && receiptIn(answer)).toMatchObject({
    status: 'success',
    method: 'processor',
    challengeId: asked.id,
    reference: '100001',
  })
  expect(state).toBe('charged 250')
  expect(await payer.calls()).toEqual(['forecast payment-required', 'forecast paid'])
  expect(await strangers.orders('mpp')).toMatchObject([{ number: '100001', state: 'paid', cartId: asked.id }])
})

test('a body is bound by its digest: another one is not answered, and nothing is charged', async () => {
  const body = JSON.stringify({ city: 'Lima', days: 1 })
  const asked = await payer.challenge('/v1/forecast', body)
  expect(asked.digest).toMatch(/^sha-256=:/)
  const token = await payer.issueToken(asked.terms)
  const other = await payer.pay('/v1/forecast', asked, { token }, '{"city":"Rome"}')
  expect([other.status, await payer.tokenState(token)]).toEqual([402, 'active 0'])
  const paid = await payer.pay('/v1/forecast', asked, { token }, body)
  expect(JSON.parse(paid.text)).toMatchObject({ city: 'Lima' })
  expect(await payer.tokenState(token)).toBe('charged 250')
})

test.each([
  ['archive', 200, 'charged 1900'],
  ['no-receipt', 200, 'charged 250'],
  ['garbage-receipt', 200, 'charged 250'],
  ['other-realm', 200, 'charged 250'],
  ['dies-before-charge', 'broken', 'active 0'],
  ['dies-after-charge', 'broken', 'charged 250'],
  ['asks-again', 402, 'charged 250'],
  ['error-after-charge', 500, 'charged 250'],
  ['declined', 402, 'active 0'],
  ['asks-more', 402, 'active 0'],
  ['redirects-when-paid', 303, 'charged 250'],
  ['too-large', 200, 'charged 250'],
  ['picture', 200, 'charged 250'],
  ['expired-challenge', 402, 'active 0'],
])('%s answers %s to a payment, and the token is %s', async (name, said, state) => {
  const bought = await buy(`/v1/${name}`)
  expect([bought.said, bought.state]).toEqual([said, state])
})

test('what is read of these answers is what they promise', async () => {
  expect((await buy('/v1/no-receipt')).answer?.headers['payment-receipt']).toBeUndefined()
  const garbage = (await buy('/v1/garbage-receipt')).answer
  expect(() => garbage && receiptIn(garbage)).toThrow()
  expect((await buy('/v1/too-large')).answer?.text.length).toBeGreaterThan(1 << 20)
  expect((await buy('/v1/picture')).answer?.headers['content-type']).toBe('image/svg+xml')
  expect((await buy('/v1/redirects-when-paid')).answer?.headers.location).toMatch(/^https:\/\/elsewhere/)
  expect((await payer.challenge('/v1/other-realm')).realm).toBe('evil.example')
})

test('a challenge that is asked for twice names another amount, recipient or currency', async () => {
  const twice = async (name: string) => [
    (await payer.challenge(`/v1/${name}`)).terms,
    (await payer.challenge(`/v1/${name}`)).terms,
  ]
  expect(await twice('dearer-each-time')).toMatchObject([{ amount: '250' }, { amount: '275' }])
  expect(await twice('other-recipient')).toMatchObject([
    { recipient: 'mpp.shop.test' },
    { recipient: 'other.example' },
  ])
  expect(await twice('other-currency')).toMatchObject([{ currency: 'usd' }, { currency: 'eur' }])
})

test('a challenge is good for two seconds where it says so', async () => {
  const before = Date.now()
  const { expires = '' } = await payer.challenge('/v1/short-challenge')
  const end = Date.parse(expires) - 2_000
  expect([end >= before, end <= Date.now()]).toEqual([true, true])
})

test('without a payment some answer something else', async () => {
  expect(await payer.ask('/v1/free')).toMatchObject({ status: 200 })
  expect(await payer.ask('/v1/redirects')).toMatchObject({ status: 303 })
  const none = await payer.ask('/v1/no-challenge')
  expect([none.status, none.headers['www-authenticate']]).toEqual([402, undefined])
  const garbage = await payer.ask('/v1/garbage-challenge')
  expect([garbage.status, garbage.headers['www-authenticate']]).toEqual([
    402,
    'Payment id="", request="!!!", method=',
  ])
  await expect(payer.challenge('/v1/garbage-challenge')).rejects.toThrow()
})

test('the same credential once more is answered the same and charged once; what broke before the charge is charged then', async () => {
  for (const name of ['forecast', 'dies-after-charge', 'dies-before-charge']) {
    const path = `/v1/${name}`
    const { asked, token } = await buy(path)
    const again = await payer.pay(path, asked, { token })
    expect([name, again.status, receiptIn(again).challengeId]).toEqual([name, 200, asked.id])
    expect(await payer.tokenState(token)).toBe('charged 250')
    expect((await strangers.orders('mpp')).filter(({ cartId }) => cartId === asked.id)).toHaveLength(1)
  }
})

test('two at once with one credential are charged once, and another token for a used challenge is not taken', async () => {
  const asked = await payer.challenge('/v1/forecast')
  const token = await payer.issueToken(asked.terms)
  const both = await Promise.all([0, 1].map(() => payer.pay('/v1/forecast', asked, { token })))
  expect(both.map(({ status }) => status)).toEqual([200, 200])
  expect((await strangers.orders('mpp')).filter(({ cartId }) => cartId === asked.id)).toHaveLength(1)
  const other = await payer.issueToken(asked.terms)
  const refused = await payer.pay('/v1/forecast', asked, { token: other })
  expect(JSON.parse(refused.text)).toMatchObject({
    status: 402,
    type: expect.stringContaining('invalid-challenge'),
  })
  expect(await payer.tokenState(other)).toBe('active 0')
})

test.each<[string, Record<string, string>]>([
  ['a smaller amount', { request: Buffer.from('{"amount":"1","currency":"usd"}').toString('base64url') }],
  ['a later end', { expires: '2099-01-01T00:00:00.000Z' }],
  ['another method', { method: 'stripe' }],
  ['another intent', { intent: 'subscription' }],
  ['another id', { id: 'x'.repeat(43) }],
  ['another scope', { opaque: Buffer.from('{"scope":"GET /v1/archive"}').toString('base64url') }],
])('a credential with %s is not one of this shop', async (_, changed) => {
  const asked = await payer.challenge('/v1/forecast')
  const token = await payer.issueToken(asked.terms)
  const refused = await payer.pay('/v1/forecast', { ...asked, ...changed }, { token })
  expect(refused.status).toBe(402)
  expect(JSON.parse(refused.text).type).toContain('invalid-challenge')
  expect(await payer.tokenState(token)).toBe('active 0')
})

test('a challenge of one address does not open a dearer one, and a token of another shop pays nothing', async () => {
  const asked = await payer.challenge('/v1/forecast')
  const token = await payer.issueToken(asked.terms, 'other.example')
  expect((await payer.pay('/v1/archive', asked, { token })).status).toBe(402)
  expect((await payer.pay('/v1/forecast?city=Rome', asked, { token })).status).toBe(402)
  const declined = await payer.pay('/v1/forecast', asked, { token })
  expect(JSON.parse(declined.text).type).toContain('verification-failed')
  expect((await payer.calls()).at(-2)).toBe('forecast declined:wrong_merchant')
})

test('what is no credential is malformed, and gets a fresh challenge', async () => {
  for (const authorization of [
    'Payment',
    'Payment !!!',
    'Payment e30',
    'Payment W10',
    `Payment ${'A'.repeat(9_000)}`,
  ]) {
    const { status, headers, text } = await payer.ask('/v1/forecast', { authorization })
    expect([authorization.slice(0, 12), status, JSON.parse(text).type]).toEqual([
      authorization.slice(0, 12),
      402,
      'https://paymentauth.org/problems/malformed-credential',
    ])
    expect(headers['www-authenticate']).toContain('Payment id=')
  }
  const asked = await payer.challenge('/v1/forecast')
  for (const payload of [{}, { token: 7 }, { token: '../holds' }])
    expect((await payer.ask('/v1/forecast', { authorization: credentialOf(asked, payload) })).status).toBe(
      402,
    )
  expect((await payer.ask('/v1/constructor')).status).toBe(404)
})

test('what is sold is listed for registries, in a document that is not large', async () => {
  const { status, text } = await payer.ask('/openapi.json')
  expect([status, text.length < 64_000]).toEqual([200, true])
  expect(JSON.parse(text)).toMatchObject({
    openapi: '3.1.0',
    paths: {
      '/v1/forecast': {
        get: { 'x-payment-info': { offers: [{ intent: 'charge', method: 'processor', amount: '250' }] } },
      },
      '/v1/dearer-each-time': { get: { 'x-payment-info': { offers: [{ amount: null }] } } },
    },
  })
})

test('an answer that takes 25 seconds does not keep the money from being taken', async () => {
  const asked = await payer.challenge('/v1/slow')
  const token = await payer.issueToken(asked.terms)
  const late = payer.pay('/v1/slow', asked, { token }).catch(() => 'gone')
  await expect.poll(() => payer.tokenState(token)).toBe('charged 250')
  expect(await Promise.race([late, 'not there'])).toBe('not there')
})

test('a restart keeps what was paid: the same credential is answered, and an old challenge is still one', async () => {
  const { asked, token } = await buy('/v1/forecast')
  const open = await payer.challenge('/v1/forecast')
  await strangers.restart()
  const after = openMppPayer(strangers)
  expect((await after.pay('/v1/forecast', asked, { token })).status).toBe(200)
  const other = await after.issueToken(open.terms)
  expect((await after.pay('/v1/forecast', open, { token: other })).status).toBe(200)
})
