import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  control,
  controlToken,
  get,
  post,
  type Reply,
  readLog,
  runSandbox,
  temporaryFolder,
} from '../../test/run-sandbox.ts'
import type { RunningServer } from '../json-server.ts'
import { startProcessor } from './processor-server.ts'

let folder: ReturnType<typeof temporaryFolder>
let server: RunningServer
let counter = 0

beforeEach(async () => {
  folder = temporaryFolder()
  server = await startProcessor({ stateDir: folder.path, port: 0, controlToken })
})

afterEach(async () => {
  await server.close()
  folder.remove()
})

const payment = { card: 'visa_auto_approved', amount: 1000, currency: 'USD', reference: 'cart_1' }

const budget = {
  card: 'visa_auto_approved',
  limit: 1000,
  currency: 'usd',
  merchant: 'shop.example',
  expires_at: new Date(Date.now() + 3_600_000).toISOString(),
  reference: 'cart_2',
}

const purchase = { amount: 900, currency: 'USD', merchant: 'shop.example', reference: 'order' }

function call(path: string, body: object, options: { key?: string; fault?: string } = {}): Promise<Reply> {
  counter += 1
  return post(server.url + path, body, {
    'idempotency-key': options.key ?? `key-${counter}`,
    ...(options.fault === undefined ? {} : { 'sandbox-fault': options.fault }),
  })
}

async function results(): Promise<unknown[]> {
  const entries = await readLog(server.url)
  return entries.map((entry) => `${entry.operation} ${entry.amount} ${entry.result}`)
}

async function authorized(): Promise<string> {
  const { body } = await call('/v1/authorizations', payment)
  return `/v1/authorizations/${body.id}`
}

async function credential(fields: object = {}): Promise<string> {
  const { body } = await call('/v1/credentials', { ...budget, ...fields })
  return `/v1/credentials/${body.id}`
}

describe('idempotency', () => {
  test('the same key and request is one effect and gets the first answer, also at the same time', async () => {
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => call('/v1/authorizations', payment, { key: 'same' })),
    )
    expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1)
    expect(await results()).toEqual(['authorize 1000 approved'])
  })

  test('the order of fields does not make another request', async () => {
    await call('/v1/authorizations', payment, { key: 'same' })
    const { reference, ...rest } = payment
    expect((await call('/v1/authorizations', { reference, ...rest }, { key: 'same' })).status).toBe(201)
  })

  test('the same key with another request is refused and leaves the first effect alone', async () => {
    await call('/v1/authorizations', payment, { key: 'same' })
    const reply = await call('/v1/authorizations', { ...payment, amount: 1001 }, { key: 'same' })
    expect(reply).toMatchObject({ status: 409, body: { error: { code: 'idempotency_key_conflict' } } })
    expect(await results()).toEqual([
      'authorize 1000 approved',
      'authorize 1001 refused:idempotency_key_conflict',
    ])
  })

  test('a money call without a key is refused and not remembered', async () => {
    const reply = await post(`${server.url}/v1/authorizations`, payment)
    expect(reply).toMatchObject({ status: 400, body: { error: { code: 'idempotency_key_required' } } })
    expect(await results()).toEqual([])
  })

  test.each([-1, 1.5, 1_000_000_000_001, '1000', null])('an amount of %s is no amount', async (amount) => {
    expect((await call('/v1/authorizations', { ...payment, amount })).status).toBe(400)
  })
})

describe('issuer', () => {
  test.each([
    ['visa_issuer_declined', 'do_not_honor'],
    ['mastercard_issuer_declined', 'do_not_honor'],
    ['visa_insufficient_funds', 'insufficient_funds'],
    ['4111111111111111', 'invalid_card'],
  ])('%s is declined with %s, for authorizations and credentials', async (card, code) => {
    const authorization = await call('/v1/authorizations', { ...payment, card })
    expect(authorization).toMatchObject({ status: 402, body: { status: 'declined', decline_code: code } })
    const issued = await call('/v1/credentials', { ...budget, card: { test_card: card } })
    expect(issued).toMatchObject({ status: 402, body: { status: 'declined', decline_code: code } })
    expect((await call(`/v1/credentials/${issued.body.id}/charges`, purchase)).status).toBe(409)
    expect(
      JSON.stringify(await get(`${server.url}/v1/authorizations/${authorization.body.id}`)),
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
      expect((await call('/v1/authorizations', { ...payment, card })).status).toBe(201)
    }
  })
})

describe('authorization', () => {
  test('is captured at most once and never above its amount', async () => {
    const path = await authorized()
    expect(await call(`${path}/captures`, { amount: 1001 })).toMatchObject({
      status: 409,
      body: { error: { code: 'over_authorized_amount' } },
    })
    const replies = await Promise.all([
      call(`${path}/captures`, { amount: 400 }),
      call(`${path}/captures`, { amount: 400 }),
    ])
    expect(replies.map((reply) => reply.status).sort()).toEqual([201, 409])
    expect((await get(server.url + path)).body).toMatchObject({ status: 'captured', captured_amount: 400 })
    expect(await call(`${path}/void`, {})).toMatchObject({
      status: 409,
      body: { error: { code: 'already_captured' } },
    })
  })

  test('captures nothing after a void, and a second void is no second effect', async () => {
    const path = await authorized()
    expect((await call(`${path}/void`, {})).body).toMatchObject({ status: 'voided' })
    expect((await call(`${path}/void`, {})).body).toMatchObject({ status: 'voided' })
    expect((await call(`${path}/captures`, { amount: 1 })).status).toBe(409)
    expect(await results()).toEqual([
      'authorize 1000 approved',
      'void 1000 voided',
      'capture 1 refused:authorization_voided',
    ])
  })

  test('refunds never sum above what was captured', async () => {
    const path = await authorized()
    const { body } = await call(`${path}/captures`, { amount: 1000 })
    const refunds = `/v1/captures/${body.id}/refunds`
    const replies = await Promise.all([600, 600, 400].map((amount) => call(refunds, { amount })))
    expect(replies.map((reply) => reply.status)).toEqual([201, 409, 201])
    expect((await get(server.url + path)).body).toMatchObject({ refunded_amount: 1000 })
    expect((await call(refunds, { amount: 1 })).status).toBe(409)
  })

  test('of another id is unknown', async () => {
    expect((await call('/v1/authorizations/auth_none/captures', { amount: 1 })).status).toBe(404)
    expect((await get(`${server.url}/v1/authorizations/auth_none`)).status).toBe(404)
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
    const path = await credential(granted)
    expect(await call(`${path}/charges`, { ...purchase, ...charged })).toMatchObject({
      status: 409,
      body: { error: { code } },
    })
    expect((await get(server.url + path)).body).toMatchObject({ status: 'active', captured_amount: 0 })
  })

  test('is charged once, even by two charges at the same time, and can be refunded', async () => {
    const path = await credential()
    const replies = await Promise.all([call(`${path}/charges`, purchase), call(`${path}/charges`, purchase)])
    expect(replies.map((reply) => reply.status).sort()).toEqual([201, 409])
    const { body } = await get(server.url + path)
    expect(body).toMatchObject({ status: 'charged', captured_amount: 900 })
    expect((await call(`/v1/captures/${body.capture_id}/refunds`, { amount: 900 })).status).toBe(201)
    expect((await call(`${path}/revoke`, {})).status).toBe(409)
  })

  test('is good at the hosts below its merchant, up to its very limit', async () => {
    const path = await credential()
    expect(
      (await call(`${path}/charges`, { ...purchase, amount: 1000, merchant: 'www.shop.example' })).status,
    ).toBe(201)
  })

  test('is worth nothing once revoked', async () => {
    const path = await credential()
    expect((await call(`${path}/revoke`, {})).body).toMatchObject({ status: 'revoked' })
    expect(await call(`${path}/charges`, purchase)).toMatchObject({
      status: 409,
      body: { error: { code: 'credential_revoked' } },
    })
  })
})

describe('forgetting', () => {
  test('a forgotten key is free, and what it made stays and is found by it', async () => {
    const first = await call('/v1/authorizations', payment, { key: 'k' })
    await post(`${server.url}/v1/operations/close`, { key: 'tomb' })
    expect((await control(`${server.url}/control/keys/forget`, {})).body).toEqual({ forgotten: 1 })
    expect((await get(`${server.url}/v1/operations?key=k`)).status).toBe(404)
    const second = await call('/v1/authorizations', payment, { key: 'k' })
    expect(second.body.id).not.toBe(first.body.id)
    expect((await call('/v1/authorizations', payment, { key: 'tomb' })).status).toBe(201)
    const path = `/v1/authorizations/${first.body.id}`
    const { body: capture } = await call(`${path}/captures`, { amount: 1 }, { key: 'c' })
    expect((await call(`${path}/captures`, { amount: 1 }, { key: 'c2' })).status).toBe(409)
    const madeUnder = async (key: string) => (await get(`${server.url}/v1/objects?key=${key}`)).body.data
    expect(await madeUnder('k')).toMatchObject([
      { id: first.body.id, status: 'captured' },
      { id: second.body.id, status: 'authorized' },
    ])
    expect(await madeUnder('c')).toMatchObject([{ id: capture.id }])
    expect(await madeUnder('c2')).toEqual([])
  })

  test('a processor that closes no keys says so, and remembers nothing of the question', async () => {
    await server.close()
    const settings = { closesKeys: false }
    server = await startProcessor({ stateDir: folder.path, port: 0, settings, controlToken })
    const closed = await post(`${server.url}/v1/operations/close`, { key: 'k' })
    expect(closed).toMatchObject({ status: 404, body: { error: { code: 'not_supported' } } })
    expect((await call('/v1/authorizations', payment, { key: 'k' })).status).toBe(201)
  })

  test('what was forgotten before a start stays forgotten after it', async () => {
    const first = await call('/v1/authorizations', payment, { key: 'k' })
    await control(`${server.url}/control/keys/forget`, {})
    await server.close()
    server = await startProcessor({ stateDir: folder.path, port: 0, controlToken })
    expect((await get(`${server.url}/v1/operations?key=k`)).status).toBe(404)
    expect((await get(`${server.url}/v1/objects?key=k`)).body).toMatchObject({
      data: [{ id: first.body.id }],
    })
  })
})

describe('close', () => {
  test('of an unused key makes every later call with it fail', async () => {
    expect((await post(`${server.url}/v1/operations/close`, { key: 'lost' })).body).toMatchObject({
      operation: null,
      result: 'closed',
    })
    expect(await call('/v1/authorizations', payment, { key: 'lost' })).toMatchObject({
      status: 409,
      body: { error: { code: 'closed' } },
    })
    expect(await results()).toEqual(['close null closed', 'authorize 1000 refused:closed'])
  })

  test('of a key that authorized voids it, and of a credential revokes it', async () => {
    const { body } = await call('/v1/authorizations', payment, { key: 'a' })
    const closed = await post(`${server.url}/v1/operations/close`, { key: 'a' })
    expect(closed.body).toMatchObject({ operation: 'authorize', current: { id: body.id, status: 'voided' } })
    await call('/v1/credentials', budget, { key: 'c' })
    expect((await post(`${server.url}/v1/operations/close`, { key: 'c' })).body).toMatchObject({
      operation: 'issue_credential',
      current: { status: 'revoked' },
    })
    expect((await call('/v1/authorizations', payment, { key: 'a' })).body).toMatchObject({
      error: { code: 'closed' },
    })
    expect(await results()).toEqual([
      'authorize 1000 approved',
      'close 1000 voided',
      'issue_credential 1000 approved',
      'close 1000 revoked',
      'authorize 1000 refused:closed',
    ])
  })

  test('of a key that captured tells so and takes nothing back', async () => {
    const path = await authorized()
    const { body } = await call(`${path}/captures`, { amount: 700 }, { key: 'cap' })
    expect((await post(`${server.url}/v1/operations/close`, { key: 'cap' })).body).toMatchObject({
      operation: 'capture',
      status: 201,
      answer: { id: body.id, amount: 700 },
    })
    expect((await get(server.url + path)).body).toMatchObject({ status: 'captured' })
  })

  test('twice is one entry', async () => {
    await post(`${server.url}/v1/operations/close`, { key: 'lost' })
    await post(`${server.url}/v1/operations/close`, { key: 'lost' })
    expect(await results()).toEqual(['close null closed'])
  })
})

describe('faults', () => {
  test('a lost answer did its work, and asking by key finds it', async () => {
    await expect(call('/v1/authorizations', payment, { key: 'k', fault: 'lose_answer' })).rejects.toThrow()
    expect((await get(`${server.url}/v1/operations?key=k`)).body).toMatchObject({
      operation: 'authorize',
      status: 201,
    })
    expect((await call('/v1/authorizations', payment, { key: 'k' })).status).toBe(201)
    expect(await results()).toEqual(['authorize 1000 approved'])
  })

  test('a dropped request did nothing', async () => {
    await expect(call('/v1/authorizations', payment, { key: 'k', fault: 'drop_request' })).rejects.toThrow()
    expect((await get(`${server.url}/v1/operations?key=k`)).status).toBe(404)
  })

  test('error_500_once fails the first call of a key only', async () => {
    const options = { key: 'k', fault: 'error_500_once' }
    expect((await call('/v1/authorizations', payment, options)).status).toBe(500)
    expect((await call('/v1/authorizations', payment, options)).status).toBe(201)
  })

  test('a delayed request that is closed meanwhile can not land', async () => {
    const late = call('/v1/authorizations', payment, { key: 'k', fault: 'delay=1500' })
    await post(`${server.url}/v1/operations/close`, { key: 'k' })
    expect((await late).body).toMatchObject({ error: { code: 'closed' } })
  })

  test('a rule set from outside meets only what it matches, as often as it says', async () => {
    const rule = {
      match: { operation: 'capture', reference_contains: 'cart_1' },
      fault: 'decline=lost_card',
      times: 1,
    }
    expect((await control(`${server.url}/control/faults`, rule)).status).toBe(201)
    const first = await authorized()
    expect(await call(`${first}/captures`, { amount: 1 })).toMatchObject({
      status: 402,
      body: { error: { decline_code: 'lost_card' } },
    })
    const second = await authorized()
    expect((await call(`${second}/captures`, { amount: 1 })).status).toBe(201)
  })

  test.each([400, 401, 403, 404, 408, 422, 425, 429])(
    'a call that is turned away with %i did nothing, is in the log, and its key is free',
    async (status) => {
      const fault = `status=${status};retry_after=30`
      const rule = { match: { operation: 'authorize' }, fault, times: 2 }
      expect((await control(`${server.url}/control/faults`, rule)).status).toBe(201)
      for (const _ of [1, 2]) {
        const response = await fetch(`${server.url}/v1/authorizations`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': 'k' },
          body: JSON.stringify(payment),
        })
        expect([response.status, response.headers.get('retry-after')]).toEqual([status, '30'])
      }
      expect((await get(`${server.url}/v1/operations?key=k`)).status).toBe(404)
      expect((await call('/v1/authorizations', payment, { key: 'k' })).status).toBe(201)
      const away = `authorize null turned_away:${status}`
      expect(await results()).toEqual([away, away, 'authorize 1000 approved'])
    },
  )

  test('when to come back is said as a date where the rule says so', async () => {
    const headers = { 'idempotency-key': 'k', 'sandbox-fault': 'status=429;retry_after_date=60' }
    const response = await fetch(`${server.url}/v1/operations?key=k`, { headers })
    const at = Date.parse(response.headers.get('retry-after') ?? '')
    expect(at - Date.now()).toBeGreaterThan(50_000)
    expect(await results()).toEqual([])
    expect(
      (await fetch(`${server.url}/v1/operations?key=k`, { headers: { 'sandbox-fault': 'status=999' } }))
        .status,
    ).toBe(400)
  })

  test('a release that is refused is refused for good under its key, and the hold stands', async () => {
    const path = await authorized()
    const refused = { status: 409, body: { error: { code: 'release_refused' } } }
    expect(await call(`${path}/void`, {}, { key: 'v', fault: 'refuse_release' })).toMatchObject(refused)
    expect(await call(`${path}/void`, {}, { key: 'v' })).toMatchObject(refused)
    expect((await get(server.url + path)).body).toMatchObject({ status: 'authorized' })
    expect((await call(`${path}/void`, {}, { key: 'v:2' })).body).toMatchObject({ status: 'voided' })
  })

  test('a rule with an unknown name is refused, because it would silently match everything', async () => {
    const rule = { match: { refrence: 'x' }, fault: 'lose_answer' }
    expect((await control(`${server.url}/control/faults`, rule)).status).toBe(400)
  })
})

/** Two process starts and some fifty round trips: a minute on a machine with ten times more to do than it has cores. */
const RESTART_WITHIN_MS = 120_000

test(
  'everything acknowledged before kill -9 is there after it, tombstones and remaining faults included',
  async () => {
    const state = temporaryFolder()
    const args = ['--state', state.path, '--role', 'processor']
    const before = await runSandbox(args)
    const pay = (url: string, key: string) =>
      post(`${url}/v1/authorizations`, payment, { 'idempotency-key': key })
    const first = await pay(before.processor, 'first')
    await post(`${before.processor}/v1/operations/close`, { key: 'tomb' })
    const rule = { match: { operation: 'void' }, fault: 'error_500_once' }
    expect((await control(`${before.processor}/control/faults`, rule, before.controlToken)).status).toBe(201)

    const answered = new Map<string, Reply['body']>()
    const enough = Promise.withResolvers<void>()
    // Each caller sends its next call at once, so that the kill always meets calls that are under way.
    const callers = Array.from({ length: 8 }, async (_, caller) => {
      for (let index = 0; ; index++) {
        const key = `k${caller}-${index}`
        const reply = await pay(before.processor, key).catch(() => undefined)
        if (reply === undefined) return key
        answered.set(key, reply.body)
        if (answered.size === 40) enough.resolve()
      }
    })
    await enough.promise
    await before.kill()
    const underWay = await Promise.all(callers)

    const after = await runSandbox(args)
    const lookUp = (key: string) => get(`${after.processor}/v1/operations?key=${key}`)
    for (const [key, body] of answered) expect((await lookUp(key)).body.answer).toEqual(body)
    // A call without an answer has happened entirely or not at all, and the same key finds out which.
    for (const key of underWay) {
      const found = await lookUp(key)
      const repeated = await pay(after.processor, key)
      expect(repeated.status).toBe(201)
      if (found.status === 200) expect(repeated.body).toEqual(found.body.answer)
    }
    const log = await readLog(after.processor)
    expect(new Set(log.map((entry) => entry.key)).size).toBe(log.length)
    const late = await pay(after.processor, 'tomb')
    expect(late.body).toMatchObject({ error: { code: 'closed' } })
    const voidPath = `${after.processor}/v1/authorizations/${first.body.id}/void`
    expect((await post(voidPath, {}, { 'idempotency-key': 'v0' })).status).toBe(500)
    expect((await post(voidPath, {}, { 'idempotency-key': 'v0' })).body).toMatchObject({ status: 'voided' })
    await after.stop()
    state.remove()
  },
  RESTART_WITHIN_MS,
)
