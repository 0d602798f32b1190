import { expect, test } from 'vitest'
import type { DestinationSettings } from '../../webhooks/destinations/public.ts'
import { concludeCheck } from './conclude-check.ts'
import { decideOrderCheck, type OrderCheckFacts } from './decide-order-check.ts'
import type { OrderFacts } from './integration-checks.sql.ts'

const now = new Date('2030-01-01T12:00:00Z')
const settings: DestinationSettings = {
  endpoint_url: 'https://shop.example/hooks',
  secret_prefix: 'whsec_ab12',
  event_types: ['order.requested', 'order.confirmed', 'order.rejected'],
  responds_to_quotes: false,
  is_archived: false,
}
const shown = {
  webhook: { endpoint_url: settings.endpoint_url },
  event_types: ['order.rejected', 'order.requested', 'order.confirmed'],
  responds_to_quotes: false,
  secret: { prefix: settings.secret_prefix },
}
const delivery = {
  id: 'dlv_1',
  status: 'succeeded',
  attempts: 1,
  http_status: 200,
  error: null,
  last_attempt_at: now.toISOString(),
} as const
const proven: OrderFacts = {
  order_status: 'confirmed',
  payment_status: 'captured',
  total_amount: 1000n,
  currency: 'EUR',
  ordered_at: now,
  responded_at: now,
  responded_by_type: 'destination',
  responded_by_id: 'dest_1',
  event_id: 'evt_1',
  delivery,
  destination_then: shown,
}
const known = { destinationId: 'dest_1', destinationStatus: 'enabled', settingsNow: settings, now } as const
const unanswered = { responded_at: null, responded_by_type: null, responded_by_id: null }
const waiting = { ...unanswered, order_status: 'awaiting_confirmation', payment_status: 'authorized' }

function judge(changes: Partial<OrderFacts>, more: Partial<OrderCheckFacts> = {}, isInTime = true) {
  const facts = { ...proven, ...changes }
  const findings = decideOrderCheck({ ...known, ...more, facts })
  const conclusion = concludeCheck(findings, isInTime)
  return conclusion.kind === 'failed' ? conclusion.failure.code : conclusion.kind
}

test.each<[string, Partial<OrderFacts>, string]>([
  ['answered, signed and paid', {}, 'passed'],
  ['shipped since', { order_status: 'fulfilling' }, 'passed'],
  ['completed since', { order_status: 'completed' }, 'passed'],
  ['partly refunded since', { payment_status: 'partially_refunded' }, 'passed'],
  ['refunded since', { payment_status: 'refunded' }, 'passed'],
  ['not delivered yet', { ...waiting, delivery: null }, 'waiting'],
  [
    'not attempted yet',
    { ...waiting, delivery: { ...delivery, status: 'pending', attempts: 0, http_status: null } },
    'waiting',
  ],
  [
    'refused so far',
    { ...waiting, delivery: { ...delivery, status: 'failed', http_status: 500 } },
    'waiting',
  ],
  ['not answered yet', waiting, 'waiting'],
  ['not captured yet', { payment_status: 'authorized' }, 'waiting'],
  ['never delivered', { delivery: null }, 'not_delivered'],
  ['given up', { ...waiting, delivery: { ...delivery, status: 'exhausted' } }, 'not_acknowledged'],
  [
    'answered with a key',
    { responded_by_type: 'api_key', responded_by_id: 'key_1' },
    'answered_with_api_key',
  ],
  ['answered by another one', { responded_by_id: 'dest_2' }, 'answered_by_other_destination'],
  ['rejected', { order_status: 'rejected', payment_status: 'voided' }, 'order_rejected'],
  ['expired', { ...unanswered, order_status: 'expired', payment_status: 'voided' }, 'order_expired'],
  ['cancelled', { ...unanswered, order_status: 'cancelled', payment_status: 'voided' }, 'order_cancelled'],
  ['charged in vain', { order_status: 'cancelled', payment_status: 'failed' }, 'payment_not_captured'],
  ['older than the destination', { destination_then: null }, 'settings_changed'],
  [
    'signed by an earlier secret',
    { destination_then: { ...shown, secret: { prefix: 'whsec_0000' } } },
    'settings_changed',
  ],
])('an order that was %s', (_, changes, verdict) => {
  expect(judge(changes)).toBe(verdict)
})

test.each<[string, Partial<OrderFacts>, string]>([
  ['delivery', { ...waiting, delivery: null }, 'not_delivered'],
  ['acknowledgement', { ...waiting, delivery: { ...delivery, status: 'failed' } }, 'not_acknowledged'],
  ['answer', waiting, 'order_unanswered'],
  ['capture', { payment_status: 'authorized' }, 'payment_not_captured'],
])('an %s that does not come in time is what failed', (_, changes, verdict) => {
  expect(judge(changes, {}, false)).toBe(verdict)
})

test('a destination that could not answer today proves nothing', () => {
  const settingsNow = { ...settings, event_types: ['order.requested'] }
  expect(judge({}, { settingsNow })).toBe('destination_cannot_respond')
  expect(judge({}, { destinationStatus: 'disabled' })).toBe('destination_disabled')
  expect(judge({}, { destinationStatus: 'archived' })).toBe('destination_archived')
})

test('nothing is waited for after a failure, and every failure says what to do', () => {
  const facts = { ...proven, payment_status: 'authorized', responded_by_id: 'dest_2' }
  const findings = decideOrderCheck({ ...known, facts })
  const conclusion = concludeCheck(findings, true)
  expect(conclusion.kind).toBe('failed')
  expect(conclusion.steps.map(({ name, status }) => [name, status])).toContainEqual(['payment', 'skipped'])
  for (const finding of findings) {
    if (finding.status === 'failed') expect(finding.failure.fix).toMatch(/\w/)
    if (finding.status === 'running') expect(finding.otherwise.fix).toMatch(/\w/)
  }
})
