import { expect, test } from 'vitest'
import { decideRefundCall, decideRefundNews } from './decide-refund.ts'
import type { RailObject } from './port.ts'

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

test('what may have arrived is asked about, and nothing else', () => {
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

test('what the rail has not seen is sent again, however often it was sent', () => {
  for (const answer of [{ kind: 'not_found' }, { kind: 'not_sent', retryable: false }] as const) {
    const kind = answer.kind === 'not_found' ? 'asked' : 'sent'
    const news = decideRefundNews({ ...refund, tries: 1000, asked: 1000 }, { kind, answer } as never, now)
    expect(news).toMatchObject({ kind: 'later', mayHaveLeft: false })
  }
})
