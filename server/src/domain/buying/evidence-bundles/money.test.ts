import { expect, test } from 'vitest'
import type { Traces } from './bundle.sql.ts'
import { moneyOf } from './money.ts'

type Hold = Traces['holds'][number]

const hold: Hold = {
  cart_id: 'cart_01jb2w9m4ye6xs3kq8t7v5c0zd',
  attempt: 1,
  kind: 'credential',
  rail: 'sandbox',
  reference: 'cred_1',
  amount: 2_500n,
  captured_amount: 0n,
  refunded_amount: 0n,
  capture_reference: null,
  currency: 'USD',
  status: 'authorized',
  claimed_at: null,
  created_at: new Date('2026-03-01T12:00:00Z'),
  updated_at: new Date('2026-03-01T12:00:00Z'),
}

test.each([
  ['a credential that can still be charged', {}, null],
  ['a credential that was charged', { status: 'captured' }, 'cred_1'],
  ['a credential that was taken back', { status: 'voided' }, 'cred_1'],
  ['an authorization, which only we can capture', { kind: 'authorization' }, 'cred_1'],
] as const)('%s: by which name it is told', (_, change, reference) => {
  const traces = { pictures: [], calls: [], refunds: [], cards: [], holds: [{ ...hold, ...change }] }
  expect(moneyOf(traces)).toMatchObject({ holds: [{ reference, amount: 2_500, currency_code: 'USD' }] })
})
