import {
  canRespondToOrders,
  changedSettings,
  type DestinationSettings,
} from '../../webhooks/destinations/public.ts'
import type { Finding } from './conclude-check.ts'
import { checkDelivery, checkDestination, failed } from './findings.ts'
import type { CheckedStatus, OrderFacts } from './integration-checks.sql.ts'

export type OrderCheckFacts = {
  destinationId: string
  destinationStatus: CheckedStatus
  settingsNow: DestinationSettings
  facts: OrderFacts
  now: Date
}

const buyAgain =
  'Buy one of your items in test mode with POST /v1/purchase_intents, let the destination answer, and check that order.'

/** What an order proves about the destination that it was sent to. The order is read and never changed. */
export function decideOrderCheck(given: OrderCheckFacts): Finding[] {
  const { facts, settingsNow, destinationStatus, now } = given
  return [
    checkDestination(
      destinationStatus,
      canRespondToOrders({ audience: 'merchant', event_types: settingsNow.event_types }),
      'order',
      now,
    ),
    checkDelivery(facts.delivery, {
      type: 'order.requested',
      isOpen: facts.order_status === 'awaiting_confirmation',
      again: buyAgain,
    }),
    checkResponse(given),
    checkPayment(facts),
    checkSettings(given),
  ]
}

function checkResponse({ facts, destinationId }: OrderCheckFacts): Finding {
  const name = 'response'
  const { responded_at: at, responded_by_type: by, order_status: status } = facts
  if (at === null) {
    if (status === 'awaiting_confirmation') {
      return {
        name,
        status: 'running',
        detail: 'The order waits for its answer.',
        at,
        otherwise: {
          code: 'order_unanswered',
          message: 'The order was not answered in time.',
          fix: 'Let the destination post its signed answer to the URL in Service-Response-Url, and check again.',
        },
      }
    }
    return failed(name, at, {
      code: `order_${status}`,
      message: `The order was ${status} before it was answered.`,
      fix: buyAgain,
    })
  }
  if (by !== 'destination') {
    return failed(name, at, {
      code: 'answered_with_api_key',
      message: 'The order was answered with an API key, which proves nothing about the destination.',
      fix: `Sign the answer with the destination's secret. ${buyAgain}`,
    })
  }
  if (facts.responded_by_id !== destinationId) {
    return failed(name, at, {
      code: 'answered_by_other_destination',
      message: 'Another destination answered the order.',
      fix: `Check that destination, or let only this one answer orders. ${buyAgain}`,
    })
  }
  if (status === 'rejected') {
    return failed(name, at, {
      code: 'order_rejected',
      message: 'The destination rejected the order, so nothing was charged.',
      fix: `Confirm the test order. ${buyAgain}`,
    })
  }
  return { name, status: 'passed', detail: 'This destination confirmed the order with its signature.', at }
}

function checkPayment({ payment_status: status, total_amount: total, currency }: OrderFacts): Finding {
  const name = 'payment'
  const failure = {
    code: 'payment_not_captured',
    message: 'The test payment was not captured.',
    fix: buyAgain,
  }
  if (status === 'authorized') {
    return {
      name,
      status: 'running',
      detail: 'The payment is authorized and not captured yet.',
      at: null,
      otherwise: failure,
    }
  }
  if (status === 'voided' || status === 'failed') return failed(name, null, failure)
  return { name, status: 'passed', detail: `${total} ${currency} in minor units were captured.`, at: null }
}

/** An order that was answered under other settings proves nothing about those of today. */
function checkSettings({ facts, settingsNow, now }: OrderCheckFacts): Finding {
  const then = facts.destination_then
  const changes =
    then === null
      ? ['destination_created']
      : changedSettings(
          {
            endpoint_url: then.webhook.endpoint_url,
            secret_prefix: then.secret.prefix,
            event_types: then.event_types,
            responds_to_quotes: then.responds_to_quotes,
            is_archived: false,
            // The event has no counts, so between the order and the check only values that differ count.
            ...(settingsNow.changes ? { changes: settingsNow.changes } : {}),
          },
          settingsNow,
        )
  if (changes.length === 0) {
    return {
      name: 'settings',
      status: 'passed',
      detail: 'The settings are the same as when the order was placed.',
      at: now,
    }
  }
  return failed('settings', now, {
    code: 'settings_changed',
    message: `The destination changed after the order was placed: ${changes.join(', ')}.`,
    fix: buyAgain,
  })
}
