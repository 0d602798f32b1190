import type { Audience } from '../../../contract/event.ts'
import type { RequestExamples } from '../../../contract/examples.ts'

type Shown = Readonly<Record<'create' | 'update' | 'recover', RequestExamples>>

const recover: RequestExamples = {
  since: {
    summary: 'Deliver again what failed since a moment',
    body: { since: '2026-01-01T00:00:00Z' },
  },
}

/**
 * Requests that readers of either side can copy. The operations are made once for both, so their types cannot say that only merchants
 * have a responder.
 */
export const requestExamples: Readonly<Record<Audience, Shown>> = {
  merchant: {
    create: {
      responder: {
        summary: 'Connect a backend that answers quotes and orders',
        body: {
          name: 'Shop backend',
          responds_to_quotes: true,
          event_types: ['order.requested', 'order.confirmed', 'order.rejected'],
          webhook: { endpoint_url: 'https://shop.example.com/webhooks/prokura' },
        },
      },
    },
    update: {
      url: {
        summary: 'Move to another URL',
        body: { webhook: { endpoint_url: 'https://shop.example.com/webhooks/v2' } },
      },
    },
    recover,
  },
  buyer: {
    create: {
      orders: {
        summary: 'Get the events of purchases and orders',
        body: {
          name: 'Our backend',
          event_types: ['purchase_intent.*', 'order.*'],
          webhook: { endpoint_url: 'https://app.example.com/webhooks/prokura' },
        },
      },
    },
    update: {
      url: {
        summary: 'Move to another URL',
        body: { webhook: { endpoint_url: 'https://app.example.com/webhooks/v2' } },
      },
    },
    recover,
  },
}
