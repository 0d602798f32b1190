import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { budget, type OpenProcessor, openProcessor, payment } from '../../test/open-processor.ts'
import { control, get, post } from '../../test/run-sandbox.ts'

let processor: OpenProcessor
beforeEach(async () => {
  processor = await openProcessor()
})
afterEach(() => processor.close())

const purchase = { amount: 900, currency: 'USD', merchant: 'shop.example', reference: 'order' }

describe('idempotency', () => {
  test('the same key and request is one effect and gets the first answer, also at the same time', async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => processor.call('/v1/authorizations', payment, { key: 'same' })),
    )
    expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1)
    expect(await processor.results()).toEqual(['authorize 1000 approved'])
  })

  test('the order of fields does not make another request', async () => {
    await processor.call('/v1/authorizations', payment, { key: 'same' })
    const { reference, ...rest } = payment
    expect((await processor.call('/v1/authorizations', { reference, ...rest }, { key: 'same' })).status).toBe(
      201,
    )
  })

  test('the same key with another request is refused and leaves the first effect alone', async () => {
    await processor.call('/v1/authorizations', payment, { key: 'same' })
    const reply = await processor.call('/v1/authorizations', { ...payment, amount: 1001 }, { key: 'same' })
    expect(reply).toMatchObject({ status: 409, body: { error: { code: 'idempotency_key_conflict' } } })
    expect(await processor.results()).toEqual([
      'authorize 1000 approved',
      'authorize 1001 refused:idempotency_key_conflict',
    ])
  })

  test('a money call without a key is refused and not remembered', async () => {
    const reply = await post(`${processor.url}/v1/authorizations`, payment)
    expect(reply).toMatchObject({ status: 400, body: { error: { code: 'idempotency_key_required' } } })
    expect(await processor.results()).toEqual([])
  })

  test.each([-1, 1.5, 1_000_000_000_001, '1000', null])('an amount of %s is no amount', async (amount) => {
    expect((await processor.call('/v1/authorizations', { ...payment, amount })).status).toBe(400)
  })
})

describe('issuer', () => {
  test.each([
    ['visa_issuer_declined', 'do_not_honor'],
    ['mastercard_issuer_declined', 'do_not_honor'],
    ['visa_insufficient_funds', 'insufficient_funds'],
    ['4111111111111111', 'invalid_card'],
  ])('%s is declined with %s, for authorizations and credentials', async (card, code) => {
    const authorization = await processor.call('/v1/authorizations', { ...payment, card })
    expect(authorization).toMatchObject({ status: 402, body: { status: 'declined', decline_code: code } })
    const issued = await processor.call('/v1/credentials', { ...budget, card: { test_card: card } })
    expect(issued).toMatchObject({ status: 402, body: { status: 'declined', decline_code: code } })
    expect((await processor.call(`/v1/credentials/${issued.body.id}/charges`, purchase)).status).toBe(409)
    expect(
      JSON.stringify(await get(`${processor.url}/v1/authorizations/${authorization.body.id}`)),
    ).not.toContain('4111')
  })

  test('every other test card is approved', async () => {
    for (const card of [
      'visa_rejected',
      'amex_ineligible',
      'mastercard_popup',
      'visa_otp_passkey',
      'visa_otp_invalid',
    ]) {
      expect((await processor.call('/v1/authorizations', { ...payment, card })).status).toBe(201)
    }
  })
})

describe('authorization', () => {
  test('is captured at most once and never above its amount', async () => {
    const path = await processor.authorized()
    expect(await processor.call(`${path}/captures`, { amount: 1001 })).toMatchObject({
      status: 409,
      body: { error: { code: 'over_authorized_amount' } },
    })
    const replies = await Promise.all([
      processor.call(`${path}/captures`, { amount: 400 }),
      processor.call(`${path}/captures`, { amount: 400 }),
    ])
    expect(replies.map((reply) => reply.status).sort()).toEqual([201, 409])
    expect((await get(processor.url + path)).body).toMatchObject({ status: 'captured', captured_amount: 400 })
    expect(await processor.call(`${path}/void`, {})).toMatchObject({
      status: 409,
      body: { error: { code: 'already_captured' } },
    })
  })

  test('captures nothing after a void, and a second void is no second effect', async () => {
    const path = await processor.authorized()
    expect((await processor.call(`${path}/void`, {})).body).toMatchObject({ status: 'voided' })
    expect((await processor.call(`${path}/void`, {})).body).toMatchObject({ status: 'voided' })
    expect((await processor.call(`${path}/captures`, { amount: 1 })).status).toBe(409)
    expect(await processor.results()).toEqual([
      'authorize 1000 approved',
      'void 1000 voided',
      'capture 1 refused:authorization_voided',
    ])
  })

  test('refunds never sum above what was captured', async () => {
    const path = await processor.authorized()
    const { body } = await processor.call(`${path}/captures`, { amount: 1000 })
    const refunds = `/v1/captures/${body.id}/refunds`
    const replies = await Promise.all([600, 600, 400].map((amount) => processor.call(refunds, { amount })))
    expect(replies.map((reply) => reply.status)).toEqual([201, 409, 201])
    expect((await get(processor.url + path)).body).toMatchObject({ refunded_amount: 1000 })
    expect((await processor.call(refunds, { amount: 1 })).status).toBe(409)
  })

  test('of another id is unknown', async () => {
    expect((await processor.call('/v1/authorizations/auth_none/captures', { amount: 1 })).status).toBe(404)
    expect((await get(`${processor.url}/v1/authorizations/auth_none`)).status).toBe(404)
  })
})

describe('single-use credential', () => {
  test.each([
    ['over_limit', {}, { amount: 1001 }],
    ['wrong_merchant', {}, { merchant: 'other.example' }],
    ['wrong_merchant', {}, { merchant: 'notshop.example' }],
    ['wrong_currency', {}, { currency: 'EUR' }],
    ['credential_expired', { expires_at: new Date(Date.now() - 1).toISOString() }, {}],
  ])('refuses a charge: %s', async (code, granted, charged) => {
    const path = await processor.credential(granted)
    expect(await processor.call(`${path}/charges`, { ...purchase, ...charged })).toMatchObject({
      status: 409,
      body: { error: { code } },
    })
    expect((await get(processor.url + path)).body).toMatchObject({ status: 'active', captured_amount: 0 })
  })

  test('is charged once, even by two charges at the same time, and can be refunded', async () => {
    const path = await processor.credential()
    const replies = await Promise.all([
      processor.call(`${path}/charges`, purchase),
      processor.call(`${path}/charges`, purchase),
    ])
    expect(replies.map((reply) => reply.status).sort()).toEqual([201, 409])
    const { body } = await get(processor.url + path)
    expect(body).toMatchObject({ status: 'charged', captured_amount: 900 })
    expect((await processor.call(`/v1/captures/${body.capture_id}/refunds`, { amount: 900 })).status).toBe(
      201,
    )
    expect((await processor.call(`${path}/revoke`, {})).status).toBe(409)
  })

  test('is good at the hosts below its merchant, up to its very limit', async () => {
    const path = await processor.credential()
    expect(
      (await processor.call(`${path}/charges`, { ...purchase, amount: 1000, merchant: 'www.shop.example' }))
        .status,
    ).toBe(201)
  })

  test('is worth nothing once revoked', async () => {
    const path = await processor.credential()
    expect((await processor.call(`${path}/revoke`, {})).body).toMatchObject({ status: 'revoked' })
    expect(await processor.call(`${path}/charges`, purchase)).toMatchObject({
      status: 409,
      body: { error: { code: 'credential_revoked' } },
    })
  })
})

describe('forgetting', () => {
  test('a forgotten key is free, and its object stays and is found by it', async () => {
    const first = await processor.call('/v1/authorizations', payment, { key: 'k' })
    await post(`${processor.url}/v1/operations/close`, { key: 'tomb' })
    expect((await control(`${processor.url}/control/keys/forget`, {})).body).toEqual({ forgotten: 1 })
    expect((await get(`${processor.url}/v1/operations?key=k`)).status).toBe(404)
    const second = await processor.call('/v1/authorizations', payment, { key: 'k' })
    expect(second.body.id).not.toBe(first.body.id)
    expect((await processor.call('/v1/authorizations', payment, { key: 'tomb' })).status).toBe(201)
    const path = `/v1/authorizations/${first.body.id}`
    const { body: capture } = await processor.call(`${path}/captures`, { amount: 1 }, { key: 'c' })
    expect((await processor.call(`${path}/captures`, { amount: 1 }, { key: 'c2' })).status).toBe(409)
    const madeUnder = async (key: string) => (await get(`${processor.url}/v1/objects?key=${key}`)).body.data
    expect(await madeUnder('k')).toMatchObject([
      { id: first.body.id, status: 'captured' },
      { id: second.body.id, status: 'authorized' },
    ])
    expect(await madeUnder('c')).toMatchObject([{ id: capture.id }])
    expect(await madeUnder('c2')).toEqual([])
  })

  test('a processor that closes no keys says so, and remembers nothing of the question', async () => {
    await processor.restart({ closesKeys: false })
    const closed = await post(`${processor.url}/v1/operations/close`, { key: 'k' })
    expect(closed).toMatchObject({ status: 404, body: { error: { code: 'not_supported' } } })
    expect((await processor.call('/v1/authorizations', payment, { key: 'k' })).status).toBe(201)
  })

  test('keys that were forgotten before a start stay forgotten after it', async () => {
    const first = await processor.call('/v1/authorizations', payment, { key: 'k' })
    await control(`${processor.url}/control/keys/forget`, {})
    await processor.restart()
    expect((await get(`${processor.url}/v1/operations?key=k`)).status).toBe(404)
    expect((await get(`${processor.url}/v1/objects?key=k`)).body).toMatchObject({
      data: [{ id: first.body.id }],
    })
  })
})

describe('close', () => {
  test('of an unused key makes every later call with it fail', async () => {
    expect((await post(`${processor.url}/v1/operations/close`, { key: 'lost' })).body).toMatchObject({
      operation: null,
      result: 'closed',
    })
    expect(await processor.call('/v1/authorizations', payment, { key: 'lost' })).toMatchObject({
      status: 409,
      body: { error: { code: 'closed' } },
    })
    expect(await processor.results()).toEqual(['close null closed', 'authorize 1000 refused:closed'])
  })

  test('of a key that authorized voids the authorization, and of a key that issued a credential revokes it', async () => {
    const { body } = await processor.call('/v1/authorizations', payment, { key: 'a' })
    const closed = await post(`${processor.url}/v1/operations/close`, { key: 'a' })
    expect(closed.body).toMatchObject({ operation: 'authorize', current: { id: body.id, status: 'voided' } })
    await processor.call('/v1/credentials', budget, { key: 'c' })
    expect((await post(`${processor.url}/v1/operations/close`, { key: 'c' })).body).toMatchObject({
      operation: 'issue_credential',
      current: { status: 'revoked' },
    })
    expect((await processor.call('/v1/authorizations', payment, { key: 'a' })).body).toMatchObject({
      error: { code: 'closed' },
    })
    expect(await processor.results()).toEqual([
      'authorize 1000 approved',
      'close 1000 voided',
      'issue_credential 1000 approved',
      'close 1000 revoked',
      'authorize 1000 refused:closed',
    ])
  })

  test('of a key that captured tells so and takes nothing back', async () => {
    const path = await processor.authorized()
    const { body } = await processor.call(`${path}/captures`, { amount: 700 }, { key: 'cap' })
    expect((await post(`${processor.url}/v1/operations/close`, { key: 'cap' })).body).toMatchObject({
      operation: 'capture',
      status: 201,
      answer: { id: body.id, amount: 700 },
    })
    expect((await get(processor.url + path)).body).toMatchObject({ status: 'captured' })
  })

  test('twice is one entry', async () => {
    await post(`${processor.url}/v1/operations/close`, { key: 'lost' })
    await post(`${processor.url}/v1/operations/close`, { key: 'lost' })
    expect(await processor.results()).toEqual(['close null closed'])
  })
})
