import type { DeliveryFacts } from '../../webhooks/destinations/reads.sql.ts'
import type { Finding } from './conclude-check.ts'
import type { CheckFailure, CheckStep } from './integration-check.ts'
import type { CheckedStatus } from './integration-checks.sql.ts'
import type { CheckKind } from './machine.ts'

export function failed(name: CheckStep['name'], at: Date | null, failure: CheckFailure): Finding {
  return { name, status: 'failed', detail: failure.message, at, failure }
}

/** Whether events are sent to the destination at all, and whether it may answer them. */
export function checkDestination(
  status: CheckedStatus,
  mayAnswer: boolean,
  kind: CheckKind,
  now: Date,
): Finding {
  const name = 'destination'
  if (status !== 'enabled') {
    return failed(name, now, {
      code: `destination_${status}`,
      message: `The destination is ${status}.`,
      fix: remedies[status],
    })
  }
  if (mayAnswer)
    return {
      name,
      status: 'passed',
      detail: `The destination is enabled, and may answer each ${kind}.`,
      at: now,
    }
  return failed(name, now, {
    code: 'destination_cannot_respond',
    message: `The destination may not answer a${kind === 'order' ? 'n order' : ' quote'}.`,
    fix:
      kind === 'order'
        ? 'Subscribe it to order.requested, order.confirmed and order.rejected.'
        : 'Make it the designated responder with `responds_to_quotes: true`.',
  })
}

const remedies = {
  unconfirmed:
    'Answer destination.test with a 2xx: send it with POST /v1/merchant/destinations/{destination_id}/test.',
  disabled: 'Enable it with POST /v1/merchant/destinations/{destination_id}/enable.',
  archived: 'Create another one with POST /v1/merchant/destinations.',
} as const satisfies Record<Exclude<CheckedStatus, 'enabled'>, string>

/** Whether the destination accepted its deliveries. `isOpen`: one may still be sent. */
export function checkDelivery(
  delivery: DeliveryFacts | null,
  about: { type: string; isOpen: boolean; again: string },
): Finding {
  const name = 'delivery'
  if (delivery === null) {
    const failure = {
      code: 'not_delivered',
      message: `${about.type} was not sent to this destination.`,
      fix: `Subscribe the destination to ${about.type}. ${about.again}`,
    }
    if (!about.isOpen) return failed(name, null, failure)
    return {
      name,
      status: 'running',
      detail: `${about.type} is on its way.`,
      at: null,
      otherwise: failure,
    }
  }
  const { status, attempts, http_status, error } = delivery
  const at = delivery.last_attempt_at === null ? null : new Date(delivery.last_attempt_at)
  const answered = `${error ?? `HTTP ${http_status}`} in attempt ${attempts}.`
  if (status === 'succeeded')
    return { name, status: 'passed', detail: `The destination acknowledged it: ${answered}`, at }
  const detail = attempts === 0 ? 'No delivery was attempted yet.' : `The last attempt failed: ${answered}`
  const failure = {
    code: 'not_acknowledged',
    message: `The destination did not acknowledge ${about.type}. ${detail}`,
    fix: `Answer deliveries with a 2xx within 15 seconds. ${about.again}`,
  }
  if (status === 'exhausted') return failed(name, at, failure)
  return { name, status: 'running', detail, at, otherwise: failure }
}
