import type { Stripe } from 'stripe'
import { renderCharge } from '../charges.ts'
import { renderDispute } from '../disputes/disputes.ts'
import { renderIntent } from '../intent-object.ts'
import type { StripeEvent, Subject } from '../memory.ts'
import { renderRefund } from '../refunds.ts'
import { type Shown, seconds } from '../work.ts'
import { apiVersion } from './signature.ts'

export function renderEvent(
  { id, type, about, endpoints, created_ms }: StripeEvent,
  shown: Shown,
): Stripe.EventBase {
  return {
    id,
    object: 'event',
    api_version: apiVersion,
    created: seconds(created_ms),
    data: { object: renderSubject(about, { ...shown, expands: new Set() }) },
    livemode: shown.account.isLive,
    pending_webhooks: endpoints,
    request: { id: null, idempotency_key: null },
    type,
  }
}

function renderSubject(about: Subject, shown: Shown): object {
  switch (about.kind) {
    case 'payment_intent':
      return renderIntent(about.value, shown)
    case 'charge':
      return renderCharge(about.value, shown)
    case 'refund':
      return renderRefund(about.value, shown)
    case 'dispute':
      return renderDispute(about.value, shown)
    default:
      return about satisfies never
  }
}
