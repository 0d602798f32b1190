import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type OpenProcessor, openProcessor, payment } from '../../test/open-processor.ts'
import { control, get, post } from '../../test/run-sandbox.ts'

let processor: OpenProcessor
beforeEach(async () => {
  processor = await openProcessor()
})
afterEach(() => processor.close())

describe('faults', () => {
  test('a lost answer did its work, and asking by key finds it', async () => {
    await expect(
      processor.call('/v1/authorizations', payment, { key: 'k', fault: 'lose_answer' }),
    ).rejects.toThrow()
    expect((await get(`${processor.url}/v1/operations?key=k`)).body).toMatchObject({
      operation: 'authorize',
      status: 201,
    })
    expect((await processor.call('/v1/authorizations', payment, { key: 'k' })).status).toBe(201)
    expect(await processor.results()).toEqual(['authorize 1000 approved'])
  })

  test('a dropped request did nothing', async () => {
    await expect(
      processor.call('/v1/authorizations', payment, { key: 'k', fault: 'drop_request' }),
    ).rejects.toThrow()
    expect((await get(`${processor.url}/v1/operations?key=k`)).status).toBe(404)
  })

  test('error_500_once fails the first call of a key only', async () => {
    const options = { key: 'k', fault: 'error_500_once' }
    expect((await processor.call('/v1/authorizations', payment, options)).status).toBe(500)
    expect((await processor.call('/v1/authorizations', payment, options)).status).toBe(201)
  })

  test('a delayed request that is closed meanwhile can not land', async () => {
    const late = processor.call('/v1/authorizations', payment, { key: 'k', fault: 'delay=1500' })
    await post(`${processor.url}/v1/operations/close`, { key: 'k' })
    expect((await late).body).toMatchObject({ error: { code: 'closed' } })
  })

  test('a rule set from outside meets only what it matches, as often as it says', async () => {
    const rule = {
      match: { operation: 'capture', reference_contains: 'cart_1' },
      fault: 'decline=lost_card',
      times: 1,
    }
    expect((await control(`${processor.url}/control/faults`, rule)).status).toBe(201)
    const first = await processor.authorized()
    expect(await processor.call(`${first}/captures`, { amount: 1 })).toMatchObject({
      status: 402,
      body: { error: { decline_code: 'lost_card' } },
    })
    const second = await processor.authorized()
    expect((await processor.call(`${second}/captures`, { amount: 1 })).status).toBe(201)
  })

  test.each([400, 401, 403, 404, 408, 422, 425, 429])(
    'a call that is turned away with %i did nothing, is in the log, and its key is free',
    async (status) => {
      const fault = `status=${status};retry_after=30`
      const rule = { match: { operation: 'authorize' }, fault, times: 2 }
      expect((await control(`${processor.url}/control/faults`, rule)).status).toBe(201)
      for (const _ of [1, 2]) {
        const response = await fetch(`${processor.url}/v1/authorizations`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': 'k' },
          body: JSON.stringify(payment),
        })
        expect([response.status, response.headers.get('retry-after')]).toEqual([status, '30'])
      }
      expect((await get(`${processor.url}/v1/operations?key=k`)).status).toBe(404)
      expect((await processor.call('/v1/authorizations', payment, { key: 'k' })).status).toBe(201)
      const away = `authorize null turned_away:${status}`
      expect(await processor.results()).toEqual([away, away, 'authorize 1000 approved'])
    },
  )

  test('when to come back is said as a date where the rule says so', async () => {
    const headers = { 'idempotency-key': 'k', 'sandbox-fault': 'status=429;retry_after_date=60' }
    const response = await fetch(`${processor.url}/v1/operations?key=k`, { headers })
    const at = Date.parse(response.headers.get('retry-after') ?? '')
    expect(at - Date.now()).toBeGreaterThan(50_000)
    expect(await processor.results()).toEqual([])
    expect(
      (await fetch(`${processor.url}/v1/operations?key=k`, { headers: { 'sandbox-fault': 'status=999' } }))
        .status,
    ).toBe(400)
  })

  test('a refused release stays refused under its key, and the hold stays', async () => {
    const path = await processor.authorized()
    const refused = { status: 409, body: { error: { code: 'release_refused' } } }
    expect(await processor.call(`${path}/void`, {}, { key: 'v', fault: 'refuse_release' })).toMatchObject(
      refused,
    )
    expect(await processor.call(`${path}/void`, {}, { key: 'v' })).toMatchObject(refused)
    expect((await get(processor.url + path)).body).toMatchObject({ status: 'authorized' })
    expect((await processor.call(`${path}/void`, {}, { key: 'v:2' })).body).toMatchObject({
      status: 'voided',
    })
  })

  test('a rule with an unknown name is refused, because it would silently match everything', async () => {
    const rule = { match: { refrence: 'x' }, fault: 'lose_answer' }
    expect((await control(`${processor.url}/control/faults`, rule)).status).toBe(400)
  })
})
