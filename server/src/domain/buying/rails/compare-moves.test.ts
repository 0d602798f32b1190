import { expect, test } from 'vitest'
import type { Booking } from './books/port.ts'
import { judgeBooking, type KnownMoves, type OurMove, sumBookings } from './compare-moves.ts'

const capture: OurMove = {
  kind: 'capture',
  key: 'cart_1:1:authorize',
  subject: 'cart_1 1',
  reference: 'pi_1',
  state: 'done',
  amount: 700n,
  currency: 'USD',
}
const refund: OurMove = {
  ...capture,
  kind: 'refund',
  key: 'rfd_1',
  subject: 'ord_1 rfd_1',
  reference: 're_1',
}

function known(...all: OurMove[]): KnownMoves {
  return {
    byKey: (kind, key) => all.find((one) => one.kind === kind && one.key === key),
    byReference: (kind, reference) => all.find((one) => one.kind === kind && one.reference === reference),
  }
}

function booked(of: Partial<Booking>): Booking {
  return {
    kind: 'capture',
    key: 'cart_1:1:authorize',
    reference: 'pi_1',
    hold: 'pi_1',
    amount: 700n,
    currency: 'USD',
    bookedAt: new Date(0),
    ...of,
  }
}

function verdict(of: Partial<Booking>, ...ours: OurMove[]): string {
  const said = judgeBooking(booked(of), known(...ours))
  return typeof said === 'string' ? said : `${said.kind}, made ${said.made}`
}

const ofRefund = { kind: 'refund', key: 'rfd_1', reference: 're_1' } as const

test.each([
  ['the same capture', {}, [capture], 'equal'],
  ['one minor unit more', { amount: 701n }, [capture], 'another_amount, made here'],
  ['the same number of another currency', { currency: 'EUR' }, [capture], 'another_currency, made here'],
  [
    'a key that nobody knows',
    { key: 'cart_2:1:authorize', reference: 'pi_2' },
    [capture],
    'only_there, made here',
  ],
  ['a second capture under the same key', { reference: 'pi_2' }, [capture], 'only_there, made here'],
  [
    'a capture that a row does not have',
    {},
    [{ ...capture, state: 'not_done' as const }],
    'only_there, made here',
  ],
  ['a call without an answer yet', {}, [{ ...capture, state: 'under_way' as const }], 'under_way'],
  ['a charge of another business', { key: null, reference: 'pi_9', hold: 'pi_9' }, [capture], 'strange'],
  ['our capture, whose key somebody took away', { key: null }, [capture], 'equal'],
  ['our refund', ofRefund, [capture, refund], 'equal'],
  [
    'an earlier one of several refunds, of which only the sum is kept',
    ofRefund,
    [{ ...refund, reference: null, amount: null }],
    'equal',
  ],
  [
    'a refund without a key, of our hold',
    { ...ofRefund, key: null, reference: 're_9' },
    [capture, refund],
    'only_there, made elsewhere',
  ],
  [
    'a refund of another business',
    { ...ofRefund, key: null, reference: 're_9', hold: 'pi_9' },
    [capture, refund],
    'strange',
  ],
  [
    'our refund, which the bank has sent back',
    { ...ofRefund, kind: 'failed_refund' as const },
    [capture, refund],
    'only_there, made here',
  ],
  [
    'a failed refund of another business',
    { kind: 'failed_refund' as const, key: null, reference: 're_9', hold: 'pi_9' },
    [capture],
    'strange',
  ],
])('%s: %s', (_, of, ours, says) => {
  expect(verdict(of, ...ours)).toBe(says)
})

test('a charge and the rest that is taken back are one capture, whichever is listed first', () => {
  const whole = booked({ amount: 1_000n })
  const rest = booked({ key: null, amount: -300n })
  for (const all of [
    [whole, rest],
    [rest, whole],
  ])
    expect(sumBookings(all)).toMatchObject([{ key: whole.key, reference: 'pi_1', amount: 700n }])
  expect(sumBookings([whole, booked({ kind: 'refund' }), booked({ currency: 'EUR' })])).toHaveLength(3)
})
