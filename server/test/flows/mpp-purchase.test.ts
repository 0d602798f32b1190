import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openTestRail } from '../../src/cli/open-rail.ts'
import { type Buyer, type Buying, type Purchase, startBuying } from '../harness/buying.ts'
import { chargingBy, startPaidApi } from '../harness/paid-api.ts'
import { registerPaidSite } from '../harness/register-paid-site.ts'

let buying: Buying
let buyer: Buyer
let api: Awaited<ReturnType<typeof startPaidApi>>
let opened: ReturnType<typeof openTestRail>
beforeAll(async () => {
  buying = await startBuying()
  buyer = await buying.newBuyer()
  opened = openTestRail(buying.sandbox.processorUrl)
  api = await startPaidApi({ charge: chargingBy(opened.rail, () => api.host) })
  await registerPaidSite(buying, api)
})
afterEach(() => buying.audit())
afterAll(async () => {
  await buying?.stop()
  await api?.stop()
  await opened?.close()
})

const itemAt = (path: string, more: object = {}, host = api.host) => ({
  url: `https://${host}${path}`,
  quantity: 1,
  expected_amount: 1250,
  expected_currency: 'USD',
  ...more,
})

async function bought(...items: object[]): Promise<Purchase> {
  const { id } = await buying.buy(buyer, [], {
    items,
    preferences: { fulfillment: { method: 'digital' } },
  })
  await buying.ended(buyer, id)
  await buying.settled()
  return await buying.read(buyer, id)
}

const resultOf = (purchase: Purchase, cart = purchase.carts[0]) =>
  fetch(`${buying.app.url}/v1/purchase_intents/${purchase.id}/carts/${cart?.id}/result`, {
    headers: { authorization: `Bearer ${buyer.key}` },
  })

describe('a paid API elsewhere', () => {
  test('is asked, paid and charged once, and its answer is what the buyer gets', async () => {
    const path = api.path({ result: { body: Buffer.from('{"weather":"tea"}'), type: 'application/json' } })
    const body = '{"city":"Bend","note":"for my aunt"}'
    const request = { method: 'POST', content_type: 'application/json', body }
    const purchase = await bought(itemAt(path, { request }))
    expect(purchase).toMatchObject({ status: 'succeeded', actual_amount: 1250 })
    expect(purchase.carts).toMatchObject([
      {
        channel: 'mpp',
        status: 'succeeded',
        actual_amount: 1250,
        order_id: expect.stringMatching(/^order-/),
        items: [{ title: 'One answer — fresh', unit_amount: 1250 }],
      },
    ])
    expect(await buying.moneyOf(purchase.id)).toEqual(['issue_credential 1250 approved'])
    expect(api.requests(path).map((one) => one.body)).toEqual([body, body])
    const answer = await resultOf(purchase)
    expect([answer.status, await answer.text()]).toEqual([200, '{"weather":"tea"}'])
    expect(api.sold(path)).toHaveLength(1)
  })

  test('sells each request in a cart of its own', async () => {
    const paths = [
      api.path({ result: { body: Buffer.from('first') } }),
      api.path({ result: { body: Buffer.from('second') } }),
    ]
    const purchase = await bought(...paths.map((path) => itemAt(path)))
    expect(purchase).toMatchObject({ status: 'succeeded', actual_amount: 2500 })
    expect(purchase.carts.map(({ status, channel }) => [status, channel])).toEqual([
      ['succeeded', 'mpp'],
      ['succeeded', 'mpp'],
    ])
    const answers = await Promise.all(
      purchase.carts.map(async (cart) => (await resultOf(purchase, cart)).text()),
    )
    expect(answers.sort()).toEqual(['first', 'second'])
  })

  test.each(['lost_before', 'lost_after', 'lost_in_body', 'fails_after'] as const)(
    'whose answer is %s has sold once, and the answer is found',
    async (what) => {
      const path = api.path({ paying: (at) => (at === 1 ? what : 'as_usual') })
      const purchase = await bought(itemAt(path))
      expect(purchase).toMatchObject({ status: 'succeeded', actual_amount: 1250 })
      expect(await (await resultOf(purchase)).text()).toBe('{"answer":42}')
      expect(api.sold(path)).toHaveLength(1)
    },
  )

  test('that does not sell after all charges nothing, and there is no result', async () => {
    const purchase = await bought(itemAt(api.path({ paying: () => 'rejects' })))
    expect(purchase).toMatchObject({ status: 'failed', actual_amount: 0 })
    expect(purchase.carts[0]).toMatchObject({
      failure_reason: { code: 'order_rejected_by_merchant', merchant_message: 'We do not sell to you.' },
    })
    expect((await resultOf(purchase)).status).toBe(404)
  })
})

test('a request is sent over MPP or not at all, also when it is tried again', async () => {
  const purchase = await bought(itemAt('/thing', { request: { method: 'DELETE' } }, 'shop.example'))
  const refused = { status: 'failed', failure_reason: { code: 'merchant_unsupported' } }
  expect(purchase.carts).toMatchObject([refused])
  const again = await buying.app.post(`/v1/purchase_intents/${purchase.id}/retry`, {}, { key: buyer.key })
  expect([again.status, again.body.status]).toEqual([200, 'approved'])
  await buying.ended(buyer, purchase.id)
  await buying.settled()
  expect((await buying.read(buyer, purchase.id)).carts).toMatchObject([refused])
  expect(
    (await buying.sandbox.shopsLog()).filter(({ cart_key }) =>
      cart_key?.includes(String(purchase.carts[0]?.id)),
    ),
  ).toEqual([])
})
