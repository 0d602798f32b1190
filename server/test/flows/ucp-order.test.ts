import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { advanceTestClock } from '../../src/platform/clock/test-clock.ts'
import { verifyMessage } from '../../src/protocols/ucp/verify-message.ts'
import { ucpSchemas } from '../harness/ucp-schemas.ts'
import { paid, startUcpShop, total } from '../harness/ucp-shop.ts'

const shop = await startUcpShop()
const { buying, platform, stranger, base } = shop
const { post, ask, create, becomes, orderOf, answerOrder } = shop
afterEach(() => buying.audit())
afterAll(() => shop.stop())

describe('an order that was placed', () => {
  async function placed(): Promise<{ id: string; order: string }> {
    const made = await create({ attribution: { campaign: 'spring' } })
    await ask(`/checkout-sessions/${made.id}/complete`, { body: paid() })
    const order = await orderOf(made.id)
    await answerOrder(order, 'confirmed')
    await becomes(made.id, 'completed')
    return { id: made.id, order }
  }

  function toldOf(order: string) {
    return platform.told.filter(({ body }) => body.id === order)
  }

  async function told(order: string, count: number) {
    const look = async () => {
      await buying.relayed()
      return toldOf(order).length
    }
    await expect.poll(look, { interval: 20 }).toBeGreaterThanOrEqual(count)
    return toldOf(order)
  }

  test('is read by its platform alone', async () => {
    const { id, order } = await placed()
    const { body } = await ask(`/orders/${order}`, { method: 'GET' })
    expect(body).toMatchObject({
      id: order,
      checkout_id: id,
      currency: 'USD',
      line_items: [{ status: 'processing', quantity: { original: 1, total: 1, fulfilled: 0 } }],
      attribution: { campaign: 'spring' },
    })
    expect(total(body)).toBe(2700)
    const theirs = await ask(`/orders/${order}`, { method: 'GET', by: stranger })
    const none = await ask('/orders/ord_none', { method: 'GET' })
    expect(theirs.body.messages).toEqual(none.body.messages)
    const unsigned = await ask(`/orders/${order}`, { method: 'GET', signed: false })
    expect(unsigned.body.code).toBe('signature_missing')
  })

  test('is told when it is taken, shipped and refunded, signed by the key that the business publishes', async () => {
    const { order } = await placed()
    await told(order, 1)
    await post(`/v1/merchant/orders/${order}/fulfillments`, {
      status: 'shipped',
      tracking_number: 'T-1',
      carrier: 'UPS',
    })
    await told(order, 2)
    await post(`/v1/merchant/orders/${order}/refunds`, { amount: 700, reason: 'Scratch' })
    const look = async () => {
      await buying.relayed()
      return toldOf(order).at(-1)?.body.adjustments
    }
    await expect
      .poll(look, { interval: 20 })
      .toMatchObject([{ type: 'refund', status: 'completed', totals: [{ type: 'total', amount: -700 }] }])
    const messages = toldOf(order)
    expect(messages.at(-1)?.body).toMatchObject({
      line_items: [{ status: 'fulfilled' }],
      fulfillment: { events: [{ type: 'shipped', tracking_number: 'T-1', carrier: 'UPS' }] },
    })
    const profile = JSON.parse(await (await fetch(`${buying.app.url}${base}/.well-known/ucp`)).text())
    const check = ucpSchemas('2026-08-25')
    for (const { url, headers, raw, body } of messages) {
      expect(headers['ucp-agent']).toBe(
        `profile="${buying.app.parts.settings.publicUrl}${base}/.well-known/ucp"`,
      )
      const verdict = verifyMessage(
        { kind: 'request', method: 'POST', url, headers, body: raw },
        profile.keys,
        new Date(),
      )
      expect(verdict).toMatchObject({ kind: 'verified' })
      expect(headers['signature-input']).toContain('"webhook-id" "webhook-timestamp"')
      expect(check('schemas/shopping/order.json', body), JSON.stringify(body, null, 1)).toBeNull()
    }
    const ids = messages.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('is told again where the platform did not take it, with the same id', async () => {
    platform.webhookAnswers.push(500, 503)
    const { order } = await placed()
    const look = async () => {
      await advanceTestClock(buying.app.databaseUrl, 20)
      await buying.relayed()
      return toldOf(order).length
    }
    await expect.poll(look, { interval: 100 }).toBe(3)
    expect(new Set(toldOf(order).map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  })

  test('is not told any more after three days of failures', async () => {
    platform.webhookAnswers.push(...Array<number>(100).fill(500))
    const { order } = await placed()
    const notice = async () => {
      const [row] = await buying.sql<{ due_at: Date | null; is_due: boolean; hours: number }>(
        `select due_at, due_at <= prokura_now() as is_due, (extract(epoch from prokura_now() - failing_since) / 3600)::float8 as hours from order_notices where id = $1`,
        [order],
      )
      return row
    }
    let before = 0
    const look = async () => {
      const { due_at = new Date(), is_due = false, hours = 0 } = (await notice()) ?? {}
      if (due_at === null) return 'over'
      before = hours ?? 0
      // What is due already waits for a worker of this busy machine, and not for another hour.
      if (!is_due) await advanceTestClock(buying.app.databaseUrl, 3600)
      await buying.relayed()
      return 'tried'
    }
    await expect.poll(look, { interval: 50 }).toBe('over')
    const told = toldOf(order).length
    expect(told).toBeGreaterThan(8)
    expect(told).toBeLessThan(40)
    expect((await notice())?.hours).toBeGreaterThanOrEqual(72)
    expect(before).toBeLessThan(80)
    platform.webhookAnswers.length = 0
  })
})
