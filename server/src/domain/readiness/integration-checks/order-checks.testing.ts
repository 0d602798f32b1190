import { expect } from 'vitest'
import { answerSigned, settlePayment } from '../../../../test/harness/answers.ts'
import type { Answer, TestAccount } from '../../../../test/harness/app.ts'
import { type Delivering, newDestination, type Received } from '../../../../test/harness/deliveries.ts'
import { openShop, placeOrder, type TestShop } from '../../../../test/harness/orders.ts'
import type { OrderRow } from '../../trade/orders/order.ts'

export const path = '/v1/merchant/integration_checks'

export type TestDestination = { id: string; secret: { secret: string } }

/** A seller whose destinations are proven by orders. */
export type OrderChecks = {
  seller: TestAccount
  shop: TestShop
  key: string
  connect(more?: Record<string, unknown>): Promise<TestDestination>
  /** An order that has been delivered to every subscriber. */
  deliveredOrder(): Promise<OrderRow>
  /** The delivery about the order that this destination received. */
  toldOf(order: OrderRow, destination: TestDestination): Received | undefined
  /** An order that this destination confirmed, with its payment captured. */
  provenOrder(by: TestDestination): Promise<OrderRow>
  start(destination: TestDestination, order: OrderRow): Promise<Answer['body']>
  /** A check that has looked once. */
  finished(destination: TestDestination, order: OrderRow): Promise<Answer['body']>
  read(id: string): Promise<Answer['body']>
}

export async function newOrderChecks({ app, deliverer, receiver }: Delivering): Promise<OrderChecks> {
  const seller = await app.newAccount('Seller')
  const shop = await openShop(app, seller)
  const { key } = shop
  receiver.answer((response) => void response.end('ok'))
  async function deliveredOrder() {
    const order = await placeOrder(app, app.account, shop)
    await deliverer.drain()
    return order
  }
  const toldOf: OrderChecks['toldOf'] = (order, { id }) =>
    receiver.received.findLast(
      ({ headers, body }) =>
        headers['service-destination-id'] === id &&
        headers['service-webhook-event'] === 'order.requested' &&
        body.includes(order.id),
    )
  const start: OrderChecks['start'] = async (destination, order) => {
    const body = { kind: 'order', destination_id: destination.id, order_id: order.id }
    const { status, body: check } = await app.post(path, body, { key })
    expect(status, JSON.stringify(check)).toBe(201)
    return check
  }
  const read: OrderChecks['read'] = async (id) => (await app.get(`${path}/${id}`, { key })).body
  return {
    seller,
    shop,
    key,
    connect: (more = {}) => newDestination(app, receiver.url, more, key),
    deliveredOrder,
    toldOf,
    async provenOrder(by) {
      const order = await deliveredOrder()
      const answered = await answerSigned(app, toldOf(order, by), by.secret.secret, confirmation())
      expect(answered.status).toBe(200)
      return settlePayment(app, order, 'captured')
    },
    start,
    async finished(destination, order) {
      const { id } = await start(destination, order)
      await deliverer.worker.runOnce('integration_checks')
      return read(id)
    },
    read,
  }
}

let orders = 0

export function confirmation() {
  return { outcome: 'confirmed', confirmation_reference: `C-${++orders}` }
}
