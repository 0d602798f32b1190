import { expect, test } from 'vitest'
import type { DestinationSettings } from '../../webhooks/destinations/public.ts'
import { concludeCheck } from './conclude-check.ts'
import { type AskedQuote, decideQuoteCheck, type QuoteCheckFacts } from './decide-quote-check.ts'

const now = new Date('2030-01-01T12:00:00Z')
const after = (ms: number) => new Date(now.getTime() + ms)
const settings: DestinationSettings = {
  endpoint_url: 'https://shop.example/hooks',
  secret_prefix: 'whsec_ab12',
  event_types: ['quote.requested'],
  responds_to_quotes: true,
  is_archived: false,
}
const offer = {
  id: 'offer_1',
  total_amount: 1000,
  currency: 'EUR',
  available_quantity: 1,
  expires_at: after(60_000).toISOString(),
  message: null,
}
const quoted: AskedQuote = {
  status: 'quoted',
  requested_at: now,
  deadline_at: after(10_000),
  responded_at: after(120),
  responded_by_type: 'destination',
  responded_by_id: 'dest_1',
  offers: [offer],
  merchant_currency: 'EUR',
}
const unanswered = { responded_at: null, responded_by_type: null, responded_by_id: null, offers: [] }
const delivery = {
  id: 'dlv_1',
  status: 'succeeded',
  attempts: 1,
  http_status: 200,
  error: null,
  last_attempt_at: now.toISOString(),
} as const

function judge(quote: Partial<AskedQuote>, more: Partial<QuoteCheckFacts> = {}, isInTime = true): string {
  const findings = decideQuoteCheck({
    destinationId: 'dest_1',
    destinationStatus: 'enabled',
    settingsThen: settings,
    settingsNow: settings,
    quote: { ...quoted, ...quote },
    delivery,
    now,
    ...more,
  })
  const conclusion = concludeCheck(findings, isInTime)
  return conclusion.kind === 'failed' ? conclusion.failure.code : conclusion.kind
}

test.each<[string, Partial<AskedQuote>, string]>([
  ['priced and signed in time', {}, 'passed'],
  ['answered at the last moment', { responded_at: after(10_000) }, 'passed'],
  ['expired since', { status: 'expired' }, 'passed'],
  ['answered too late', { responded_at: after(10_001) }, 'no_answer_in_time'],
  ['not answered yet', { ...unanswered, status: 'pending' }, 'waiting'],
  ['refused by the endpoint', { ...unanswered, status: 'failed' }, 'responder_failed'],
  ['cancelled before', { ...unanswered, status: 'cancelled' }, 'quote_cancelled'],
  [
    'answered with a key',
    { responded_by_type: 'api_key', responded_by_id: 'key_1' },
    'answered_with_api_key',
  ],
  ['answered by another one', { responded_by_id: 'dest_2' }, 'answered_by_other_destination'],
  ['declined', { status: 'declined', offers: [] }, 'quote_declined'],
  ['asked back', { status: 'requires_input', offers: [] }, 'input_required'],
  ['priced in another currency', { offers: [{ ...offer, currency: 'USD' }] }, 'no_valid_offer'],
  ['priced for no time', { offers: [{ ...offer, expires_at: after(120).toISOString() }] }, 'no_valid_offer'],
])('a quote that was %s', (_, quote, verdict) => {
  expect(judge(quote)).toBe(verdict)
})

test('a price counts once the delivery was acknowledged too', () => {
  const retrying = { ...delivery, status: 'failed', http_status: 500 } as const
  expect(judge({}, { delivery: { ...delivery, status: 'pending', attempts: 0, http_status: null } })).toBe(
    'waiting',
  )
  expect(judge({}, { delivery: retrying })).toBe('waiting')
  expect(judge({}, { delivery: retrying }, false)).toBe('not_acknowledged')
  expect(judge({}, { delivery: { ...retrying, status: 'exhausted' } })).toBe('not_acknowledged')
})

test('silence is a failure when the ten seconds are over', () => {
  expect(judge({ ...unanswered, status: 'pending' }, {}, false)).toBe('no_answer_in_time')
})

test('a destination that changes meanwhile, or is the responder no longer, proves nothing', () => {
  expect(judge({}, { settingsNow: { ...settings, endpoint_url: 'https://shop.example/v2' } })).toBe(
    'settings_changed',
  )
  expect(judge({}, { settingsNow: { ...settings, responds_to_quotes: false } })).toBe(
    'destination_cannot_respond',
  )
  expect(judge({}, { destinationStatus: 'disabled' })).toBe('destination_disabled')
})
