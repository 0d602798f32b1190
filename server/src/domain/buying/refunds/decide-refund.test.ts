import { expect, test } from 'vitest'
import type { RailObject } from '../rails/port.ts'
import { decideRefundCall, decideRefundNews } from './decide-refund.ts'

const now = new Date('2026-05-01T12:00:00Z')
const refund = { tries: 1, asked: 0, put_off: null }
const object: RailObject = {
  reference: 'refd_1',
  status: 'refunded',
  amount: 700n,
  capturedAmount: 0n,
  currency: 'EUR',
  captureReference: 'capt_1',
}

test('the rail is asked about refunds that may have arrived, and about no others', () => {
  expect(decideRefundCall({ may_have_left: true })).toBe('ask')
  expect(decideRefundCall({ may_have_left: false })).toBe('send')
})

test.each(['sent', 'asked'] as const)('the word of the rail is final, whether it was %s', (kind) => {
  const done = { kind, answer: { kind: 'done', value: object } } as const
  expect(decideRefundNews(refund, done, now)).toEqual({
    kind: 'succeeded',
    reference: 'refd_1',
    amount: 700n,
  })
  const refusal = { code: 'declined', declineCode: 'card_closed' }
  const refused = { kind, answer: { kind: 'refused', refusal } } as const
  expect(decideRefundNews(refund, refused, now)).toEqual({ kind: 'failed', code: 'card_closed' })
})

test('a call without an answer may have arrived, and is asked about at once, then ever less often', () => {
  const lost = { kind: 'sent', answer: { kind: 'unknown' } } as const
  expect(decideRefundNews(refund, lost, now)).toEqual({
    kind: 'later',
    dueAt: now,
    mayHaveLeft: true,
    wasAsked: false,
    putOff: null,
  })
  const silent = { kind: 'asked', answer: { kind: 'unknown' } } as const
  const waits = [0, 3, 30].map((asked) => {
    const news = decideRefundNews({ ...refund, asked }, silent, now)
    return news.kind === 'later' && news.mayHaveLeft ? (news.dueAt.getTime() - now.getTime()) / 1000 : -1
  })
  expect(waits[0]).toBeGreaterThan(0)
  expect(waits[1]).toBeGreaterThan(waits[0] ?? 0)
  expect(waits[2]).toBe(60)
})

test('a refund that the rail has not seen is sent again, however often it was sent', () => {
  for (const answer of [{ kind: 'not_found' }, { kind: 'not_sent', retryable: false }] as const) {
    const kind = answer.kind === 'not_found' ? 'asked' : 'sent'
    const news = decideRefundNews({ ...refund, tries: 1000, asked: 1000 }, { kind, answer } as never, now)
    expect(news).toMatchObject({ kind: 'later', mayHaveLeft: false })
  }
})

test('a refund that the rail turns away waits, and is as certain or uncertain as before', () => {
  const away = { kind: 'not_now', reason: 'busy', retryAfterSeconds: 120 } as const
  for (const [kind, mayHaveLeft] of [
    ['sent', false],
    ['asked', true],
  ] as const) {
    const first = decideRefundNews(refund, { kind, answer: away }, now)
    const since = now.toISOString()
    const until = new Date(now.getTime() + 120_000)
    const put_off = { count: 1, since, until: until.toISOString(), reason: 'busy' }
    expect(first).toEqual({
      kind: 'later',
      dueAt: until,
      mayHaveLeft,
      wasAsked: kind === 'asked',
      putOff: put_off,
    })
    const later = new Date(now.getTime() + 86_400_000)
    const often = { ...refund, put_off: { ...put_off, count: 1000 } }
    const next = decideRefundNews(often, { kind, answer: { ...away, retryAfterSeconds: null } }, later)
    expect(next).toMatchObject({ dueAt: new Date(later.getTime() + 900_000), putOff: { count: 1001, since } })
  }
})

test('a refund that the circuit breaker held back was not turned away by the rail', () => {
  const away = { kind: 'not_now', reason: 'circuit_open', retryAfterSeconds: 7 } as const
  const news = decideRefundNews(refund, { kind: 'sent', answer: away }, now)
  expect(news).toMatchObject({
    dueAt: new Date(now.getTime() + 7000),
    mayHaveLeft: false,
    putOff: { count: 0, reason: 'circuit_open' },
  })
})
