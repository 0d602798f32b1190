import { expect, test } from 'vitest'
import { movementsOf } from './movements.ts'

const entry = {
  seq: 4,
  at: '2026-06-01T12:00:00Z',
  virtual_card: 'vcard_1',
  credential: null,
  authorization: 'cauth_1',
  kind: 'refund',
  amount: 300,
  authorized: 0,
  captured: 1000,
  refunded: 300,
}

const answer = (body: Record<string, unknown>, status = 200) =>
  movementsOf({ kind: 'answer', status, body, retryAfterSeconds: null })

test('a page is read in its order, of cards and of credentials, and our own calls are no news', () => {
  const data = [
    { ...entry, seq: 1, kind: 'issue_card' },
    { ...entry, seq: 2, kind: 'capture', refunded: 0 },
    { ...entry, seq: 3, virtual_card: null, credential: 'cred_1' },
    { ...entry, kind: 'revoke' },
  ]
  expect(answer({ data, next: 5 })).toEqual({
    movements: [
      { id: '2', reference: 'vcard_1', isRefund: false, refundedAmount: 0n },
      { id: '3', reference: 'cred_1', isRefund: true, refundedAmount: 300n },
    ],
    unread: 0,
    next: '5',
  })
})

test.each([
  ['null', null],
  ['a text', 'x'],
  ['no number', { ...entry, seq: undefined }],
  ['no name', { ...entry, virtual_card: null }],
  ['a fraction', { ...entry, refunded: 1.5 }],
  ['less than nothing', { ...entry, refunded: -1 }],
  ['a sum beyond all numbers', { ...entry, refunded: 1e300 }],
])('an entry that is %s is passed over, and those after it are read', (_, bad) => {
  const page = answer({ data: [bad, entry], next: 9 })
  expect(page).toMatchObject({ movements: [{ id: '4' }], unread: 1, next: '9' })
})

test.each<[string, Record<string, unknown>, number]>([
  ['an error', { error: { code: 'busy' } }, 503],
  ['no list', { data: {}, next: 1 }, 200],
  ['no position', { data: [entry] }, 200],
  ['a position that is none', { data: [entry], next: 'x' }, 200],
])('%s is no page, and is asked for again', (_, body, status) => {
  expect(answer(body, status)).toBeNull()
})
