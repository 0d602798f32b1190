import type { Settlement } from '../../src/domain/trade/orders/machine.ts'
import type { OrderRow } from '../../src/domain/trade/orders/order.ts'
import { markOrderPaid } from '../../src/domain/trade/orders/public.ts'
import { runAs } from '../../src/platform/calls/run-as.ts'
import { Secret } from '../../src/platform/secrets/secret.ts'
import { signWebhook } from '../../src/platform/signatures/webhook-signature.ts'
import type { Answer, TestApp } from './app.ts'
import type { Received } from './deliveries.ts'

/** Answers an order as the backend that received it would: signed, with the delivery's headers. */
export function answerSigned(
  app: TestApp,
  delivery: Received | undefined,
  secret: string,
  body: object,
): Promise<Answer> {
  if (delivery === undefined) throw new Error('nothing was delivered that could be answered')
  const raw = JSON.stringify(body)
  const header = (name: string) => String(delivery.headers[name])
  return app.request('POST', new URL(header('service-response-url')).pathname, {
    key: null,
    raw,
    headers: {
      'service-destination-id': header('service-destination-id'),
      'service-webhook-id': header('service-webhook-id'),
      'service-webhook-event': header('service-webhook-event'),
      'service-response-signature': signWebhook({
        secrets: [new Secret(secret)],
        timestampSeconds: Math.floor(Date.now() / 1000),
        body: raw,
      }),
    },
  })
}

/** Records the payment status of an order, as execution does after the rail's answer. */
export function settlePayment(app: TestApp, order: OrderRow, settlement: Settlement): Promise<OrderRow> {
  const tenant = { accountId: order.account_id, mode: order.mode }
  return runAs(app.parts, { tenant, actor: { type: 'system', id: 'carts' } }, (ctx) =>
    markOrderPaid(ctx, order.id, settlement),
  )
}
