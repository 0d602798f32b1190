import { afterEach, beforeEach, expect, test } from 'vitest'
import { type OpenProcessor, openProcessor } from '../../test/open-processor.ts'
import { get, type Json, type Reply } from '../../test/run-sandbox.ts'

let processor: OpenProcessor
beforeEach(async () => {
  processor = await openProcessor()
})
afterEach(() => processor.close())

const wanted = {
  card: 'visa_auto_approved',
  limit: 1000,
  currency: 'USD',
  merchant: 'classic.shop.test',
  reference: 'cart_1',
}

/** A new card, with calls as the merchant that is typed its number. */
async function issue(fields: object = {}) {
  const expires_at = new Date(Date.now() + 3_600_000).toISOString()
  const { body } = await processor.call('/v1/virtual_cards', { ...wanted, expires_at, ...fields })
  const path = `/v1/virtual_cards/${body.id}`
  const secrets: Json = (await get(`${processor.url}${path}/number`)).body
  const typed = {
    number: secrets.number,
    expiry: `${secrets.exp_month}/${Number(secrets.exp_year) % 100}`,
    security_code: secrets.security_code,
  }
  const order = { currency: 'USD', merchant: 'classic.shop.test', reference: 'order_1' }
  return {
    body,
    path,
    typed,
    authorize: (amount: number, more: object = {}): Promise<Reply> =>
      processor.call('/v1/card_authorizations', { ...typed, ...order, amount, ...more }),
    revoke: () => processor.call(`${path}/revoke`, {}),
    state: async () => (await get(`${processor.url}${path}`)).body,
  }
}

const decline = (code: string) => ({ status: 402, body: { error: { decline_code: code } } })

test('the number passes the check of a form, is no part of the object, and is asked for by itself', async () => {
  const card = await issue()
  const digits = String(card.typed.number)
  const sum = [...digits]
    .reverse()
    .map((digit, index) => Number(digit) * (index % 2 === 1 ? 2 : 1))
    .reduce((total, value) => total + (value > 9 ? value - 9 : value), 0)
  expect([digits.length, sum % 10]).toEqual([16, 0])
  expect(JSON.stringify([card.body, await card.state()])).not.toContain(digits)
  expect(card.body).toMatchObject({ status: 'active', takes_more: true, last4: digits.slice(-4) })
})

test('a check holds nothing, shipments are captured in parts, and the final capture gives back the rest', async () => {
  const card = await issue()
  expect((await card.authorize(0)).status).toBe(201)
  expect(await card.state()).toMatchObject({ status: 'active', authorized: 0 })
  const held = (await card.authorize(1000)).body
  expect(await card.state()).toMatchObject({ status: 'authorized', authorized: 1000, captured: 0 })
  const captures = `/v1/card_authorizations/${held.id}/captures`
  expect((await processor.call(captures, { amount: 400 })).status).toBe(201)
  expect(await card.state()).toMatchObject({ status: 'captured', authorized: 600, captured: 400 })
  expect((await processor.call(captures, { amount: 601 })).body.error).toMatchObject({
    code: 'over_authorized_amount',
  })
  const last = await processor.call(captures, { amount: 500, is_final: true })
  await processor.call(`/v1/captures/${last.body.id}/refunds`, { amount: 120 })
  expect(await card.state()).toMatchObject({
    status: 'captured',
    authorized: 0,
    captured: 900,
    refunded: 120,
  })
  const { body } = await get(`${processor.url}/v1/card_movements?after=1`)
  expect(body.data).toMatchObject([
    { kind: 'check_card', authorized: 0 },
    { kind: 'authorize_card', authorized: 1000 },
    { kind: 'capture', amount: 400, captured: 400 },
    { kind: 'capture', amount: 500, authorized: 0, captured: 900 },
    { kind: 'refund', refunded: 120 },
  ])
})

test('what is authorized and captured together never exceeds the limit, by whatever number of authorizations', async () => {
  const card = await issue()
  const replies = await Promise.all([600, 600, 600].map((amount) => card.authorize(amount)))
  expect(replies.map(({ status }) => status).sort()).toEqual([201, 402, 402])
  expect(await card.authorize(401)).toMatchObject(decline('over_limit'))
  expect((await card.authorize(400)).status).toBe(201)
})

test('a revoke refuses every new authorization, leaves the old one capturable, and answers the totals', async () => {
  const card = await issue()
  const held = (await card.authorize(700)).body
  expect((await card.revoke()).body).toMatchObject({
    status: 'authorized',
    authorized: 700,
    takes_more: false,
  })
  expect(await card.authorize(1)).toMatchObject(decline('card_revoked'))
  expect(await card.authorize(0)).toMatchObject(decline('card_revoked'))
  const capture = await processor.call(`/v1/card_authorizations/${held.id}/captures`, { amount: 700 })
  expect(capture.status).toBe(201)
  const unused = await issue()
  expect((await unused.revoke()).body).toMatchObject({ status: 'revoked', authorized: 0, captured: 0 })
  expect(await unused.authorize(1)).toMatchObject(decline('card_revoked'))
})

test('reversals free what was held, and a card of which all was reversed says so', async () => {
  const card = await issue()
  const path = `/v1/card_authorizations/${(await card.authorize(1000)).body.id}/reversals`
  await processor.call(path, { amount: 300 })
  expect(await card.state()).toMatchObject({ status: 'authorized', authorized: 700 })
  await processor.call(path, {})
  expect(await card.state()).toMatchObject({ status: 'reversed', authorized: 0 })
  expect((await card.revoke()).body).toMatchObject({ status: 'reversed', takes_more: false })
})

test.each([
  [{ merchant: 'evil.shop.test' }, 'wrong_merchant'],
  [{ merchant: 'notclassic.shop.test' }, 'wrong_merchant'],
  [{ currency: 'EUR' }, 'wrong_currency'],
  [{ security_code: '1234' }, 'incorrect_cvc'],
  [{ expiry: '01/20' }, 'invalid_expiry'],
  [{ number: '4111 1111 1111 1111' }, 'invalid_number'],
  [{ amount: 1001 }, 'over_limit'],
])('an authorization with %j is declined: %s', async (fields, code) => {
  const card = await issue()
  expect(await card.authorize(1000, fields)).toMatchObject(decline(code))
  expect(await card.state()).toMatchObject({ status: 'active', authorized: 0 })
})

test('a card for any merchant is locked to the first that authorizes', async () => {
  const card = await issue({ merchant: null })
  expect((await card.authorize(0, { merchant: 'one.shop.test' })).status).toBe(201)
  expect((await card.authorize(100, { merchant: 'two.shop.test' })).status).toBe(201)
  expect(await card.authorize(100, { merchant: 'one.shop.test' })).toMatchObject(decline('wrong_merchant'))
})

test('a card that is past its time is expired, and its hold stays', async () => {
  const past = await issue({ expires_at: new Date(Date.now() - 1).toISOString() })
  expect(await past.authorize(1)).toMatchObject(decline('expired_card'))
  expect(await past.state()).toMatchObject({ status: 'expired' })
})

test('closing the key of a card revokes it, closing that of an authorization reverses it, and a restart forgets nothing', async () => {
  const card = await issue()
  const first = await card.authorize(500)
  await processor.call('/v1/operations/close', { key: 'key-2' })
  expect(first.status).toBe(201)
  expect(await card.state()).toMatchObject({ status: 'reversed', authorized: 0 })
  await processor.call('/v1/operations/close', { key: 'key-1' })
  await processor.restart()
  expect(await card.state()).toMatchObject({ status: 'reversed', takes_more: false })
  expect(await card.authorize(1)).toMatchObject(decline('card_revoked'))
  const { body } = await get(`${processor.url}/v1/operations?key=key-1`)
  expect(JSON.stringify(body)).not.toContain(card.typed.number)
})

test('open cards and their holds are listed as holds until nothing can be charged any more', async () => {
  const [open, held, gone] = [await issue(), await issue(), await issue()]
  await held.authorize(10)
  await held.revoke()
  await gone.revoke()
  const { body } = await get(`${processor.url}/v1/holds`)
  expect(body.data).toMatchObject([{ hold: { id: open.body.id } }, { hold: { id: held.body.id } }])
  expect(JSON.stringify(body)).not.toContain(open.typed.number)
})
