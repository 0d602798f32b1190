import { markOrderPaid, type OrderRow, type Settlement } from '../../src/domain/trade/orders/public.ts'
import { runAs } from '../../src/platform/calls/run-as.ts'
import { Secret } from '../../src/platform/secrets/secret.ts'
import { signWebhook } from '../../src/platform/signatures/webhook-signature.ts'
import type { Answer, TestApp } from './app.ts'
import type { Received } from './deliveries.ts'

/** Answers an order as the backend does that was told of it: signed, with the delivery's headers. */
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

/** Records how the payment of an order settled, as execution does when the rail has said so. */
export function settlePayment(app: TestApp, order: OrderRow, settlement: Settlement): Promise<OrderRow> {
  const tenant = { accountId: order.account_id, mode: order.mode }
  return runAs(app.parts, { tenant, actor: { type: 'system', id: 'carts' } }, (ctx) =>
    markOrderPaid(ctx, order.id, settlement),
  )
}
