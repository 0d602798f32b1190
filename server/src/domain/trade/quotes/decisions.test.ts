import { describe, expect, test } from 'vitest'
import { decideAccept } from './decide-accept.ts'
import { decideResponse } from './decide-response.ts'
import type { QuoteOffer } from './quote.ts'

const now = new Date('2030-01-01T00:00:00Z')
const later = new Date('2030-01-01T00:10:00Z')
const digest = Buffer.from('this')
const other = Buffer.from('that')

describe('an answer', () => {
  const pending = { status: 'pending', requested_event_id: 'evt_2', due_at: later } as const
  const answer = { eventId: 'evt_2', digest, before: null }

  test.each([
    ['to what was asked is taken', pending, answer, 'take'],
    ['that was taken is a repeat', pending, { ...answer, before: { round: 1, digest } }, 'repeat'],
    [
      'beside the one that was taken is a conflict',
      pending,
      { ...answer, before: { round: 1, digest: other } },
      'response_conflict',
    ],
    ['to an earlier request comes too late', pending, { ...answer, eventId: 'evt_1' }, 'quote_expired'],
    ['at the end of its time comes too late', { ...pending, due_at: now }, answer, 'quote_expired'],
    [
      'to a quote that was cancelled comes too late',
      { ...pending, status: 'cancelled', due_at: null },
      answer,
      'quote_expired',
    ],
    [
      'that was taken is a repeat in every later state',
      { ...pending, status: 'ordered', due_at: null },
      { ...answer, before: { round: 1, digest } },
      'repeat',
    ],
  ] as const)('%s', (_, quote, given, wanted) => {
    const decision = decideResponse(quote as Parameters<typeof decideResponse>[0], given, now)
    expect(decision.ok ? decision.value : decision.refusal).toBe(wanted)
  })
})

describe('accepting', () => {
  const offer: QuoteOffer = {
    id: 'offer_1',
    total_amount: 1000,
    currency: 'EUR',
    available_quantity: 2,
    expires_at: later.toISOString(),
    message: null,
  }
  type Accepted = Parameters<typeof decideAccept>[0]
  const quote: Accepted = { status: 'quoted', offers: [offer], quantity: 2 }

  test.each<[string, Accepted, string | null, string]>([
    ['the one offer, named', quote, 'offer_1', 'offer_1'],
    ['the one offer, unnamed', quote, null, 'offer_1'],
    [
      'one of several, unnamed',
      { ...quote, offers: [offer, { ...offer, id: 'offer_2' }] },
      null,
      'offer_required',
    ],
    ['an unknown offer', quote, 'offer_3', 'offer_not_found'],
    ['an offer of too few', { ...quote, quantity: 3 }, 'offer_1', 'quote_not_acceptable'],
    [
      'an offer that ends now',
      { ...quote, offers: [{ ...offer, expires_at: now.toISOString() }] },
      'offer_1',
      'quote_expired',
    ],
    ['a quote that has expired', { ...quote, status: 'expired' }, 'offer_1', 'quote_expired'],
    ['a quote that was ordered', { ...quote, status: 'ordered' }, 'offer_1', 'quote_not_acceptable'],
    [
      'a quote that is pending',
      { ...quote, status: 'pending', offers: [] },
      'offer_1',
      'quote_not_acceptable',
    ],
  ])('%s', (_, given, offerId, wanted) => {
    const decision = decideAccept(given, offerId, now)
    expect(decision.ok ? decision.value.id : decision.refusal).toBe(wanted)
  })
})
