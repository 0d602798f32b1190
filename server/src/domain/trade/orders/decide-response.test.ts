import { expect, test } from 'vitest'
import { decideResponse } from './decide-response.ts'
import { orderStatuses } from './machine.ts'

const now = new Date('2030-01-01T12:00:00Z')
const later = new Date('2030-01-02T00:00:00Z')
const first = Buffer.from('first')
const second = Buffer.from('second')

test.each([
  ['confirmed', 'confirm'],
  ['rejected', 'reject'],
] as const)('the first answer %s decides: %s', (outcome, decision) => {
  const order = { status: 'awaiting_confirmation', response_digest: null, expires_at: later } as const
  expect(decideResponse(order, { outcome, digest: first }, now)).toEqual({ ok: true, value: decision })
})

test('an answered order takes the same bytes as a retry and refuses all others, in every later state', () => {
  for (const status of orderStatuses) {
    const order = { status, response_digest: first, expires_at: now }
    const repeat = decideResponse(order, { outcome: 'confirmed', digest: first }, later)
    expect(repeat).toEqual({ ok: true, value: 'repeat' })
    const other = decideResponse(order, { outcome: 'confirmed', digest: second }, now)
    expect(other).toEqual({ ok: false, refusal: 'response_conflict' })
  }
})

test('an order that no longer awaits an answer takes none', () => {
  for (const status of orderStatuses.filter((one) => one !== 'awaiting_confirmation')) {
    const order = { status, response_digest: null, expires_at: later }
    expect(decideResponse(order, { outcome: 'rejected', digest: first }, now)).toEqual({
      ok: false,
      refusal: 'order_not_awaiting',
    })
  }
})

test('time is up at exactly the moment when the order expires, also before its status says so', () => {
  const order = { status: 'awaiting_confirmation', response_digest: null, expires_at: now } as const
  expect(decideResponse(order, { outcome: 'confirmed', digest: first }, now).ok).toBe(false)
})
