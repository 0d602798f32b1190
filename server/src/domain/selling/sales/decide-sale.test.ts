import { expect, test } from 'vitest'
import { decideSale } from './decide-sale.ts'

type Sale = Parameters<typeof decideSale>[0]

const begin = Date.UTC(2026, 0, 1)
const at = (seconds: number) => new Date(begin + seconds * 1000)
const day = 86_400

const fresh: Sale = {
  state: 'charging',
  call: 'charge',
  tries: 0,
  asked: 0,
  may_have_left: false,
  heard: null,
  sent_at: null,
  asked_at: null,
  not_before: null,
  put_off: null,
  hold_expires_at: at(7 * day),
  created_at: at(0),
}
const decided = (sale: Partial<Sale>, seconds: number) => decideSale({ ...fresh, ...sale }, null, at(seconds))
const kind = (sale: Partial<Sale>, seconds: number) => decided(sale, seconds).kind

test('a card is charged for fifteen minutes, and then no more', () => {
  expect(kind({}, 899.999)).toBe('send')
  expect(decided({}, 900)).toEqual({ kind: 'give_up', failure: { code: 'not_reached', decline_code: null } })
})

test('a charge that may have left is never given up before the rail refuses it for ever', () => {
  const left = { may_have_left: true, tries: 1, sent_at: at(0), asked_at: at(1), asked: 1 }
  expect(kind({ ...left, heard: null }, 900)).toBe('ask')
  expect(kind({ ...left, heard: 'nothing' }, 900)).toBe('close')
  expect(kind({ ...left, heard: 'pending' }, 30 * day)).toBe('close')
  expect(kind({ ...left, heard: 'not_found' }, 900)).toBe('close')
  expect(kind({ ...left, heard: 'closed' }, 900)).toBe('give_up')
})

test('what was confirmed is captured as long as the issuer keeps the hold', () => {
  const capturing = { state: 'capturing', call: 'capture', tries: 1000, sent_at: at(0) } as const
  expect(kind(capturing, 7 * day - 0.001)).toBe('send')
  expect(kind(capturing, 7 * day)).toBe('give_up')
})

test('a hold is released however long it takes', () => {
  const releasing = { state: 'releasing', call: 'void', tries: 1000, sent_at: at(0) } as const
  expect(kind(releasing, 365 * day)).toBe('send')
})

test('a call is made again after a minute at most, however often it was made', () => {
  const tried = { state: 'releasing', call: 'void', tries: 1000, sent_at: at(0) } as const
  expect(decided(tried, 59.999)).toEqual({ kind: 'wait', until: at(60) })
  expect(kind(tried, 60)).toBe('send')
})

test('an order that awaits its merchant is looked at every quarter of an hour', () => {
  const order = { status: 'awaiting_confirmation', total_amount: 100n } as const
  expect(decideSale({ ...fresh, state: 'ordered' }, order, at(5))).toEqual({ kind: 'wait', until: at(905) })
})
