import { expect, test } from 'vitest'
import { type OpenCart, type OpenPurchase, responsibleFor, responsibleForWork } from './responsibility.ts'

const now = new Date('2030-01-01T12:00:00Z')
const seconds = (more: number) => new Date(now.getTime() + more * 1000)
const cart = (more: Partial<OpenCart> = {}): OpenCart => ({
  id: 'cart_1',
  status: 'in_progress',
  stage: null,
  due_at: seconds(5),
  lease_until: null,
  token_expires_at: null,
  effects: [],
  order: null,
  ...more,
})
const purchase = (carts: OpenCart[], more: Partial<OpenPurchase> = {}): OpenPurchase => ({
  id: 'pi_1',
  status: 'approved',
  due_at: null,
  lease_until: null,
  approval_expires_at: null,
  carts,
  ...more,
})
const order = (
  deliveries: { status: string; attempt_count: number; due_at: Date | null }[],
): OpenCart['order'] => ({
  id: 'ord_1',
  status: 'awaiting_confirmation',
  deliveries,
})
const who = (one: OpenPurchase) => responsibleFor(one, now)

test('a row with a due time, or with a lease that still runs, belongs to a worker', () => {
  expect(who(purchase([cart()]))).toEqual({ who: 'worker', by: seconds(5) })
  expect(who(purchase([cart({ due_at: seconds(-100), lease_until: seconds(20) })]))).toEqual({
    who: 'worker',
    by: seconds(20),
  })
  expect(who(purchase([], { due_at: seconds(1) }))).toEqual({ who: 'worker', by: seconds(1) })
})

test('a row without a due time, or due for a minute, belongs to nobody', () => {
  expect(who(purchase([cart({ due_at: null })])).who).toBe('nobody')
  expect(who(purchase([cart({ due_at: seconds(-61) })])).who).toBe('nobody')
  expect(who(purchase([])).who).toBe('nobody')
  expect(who(purchase([cart(), cart({ due_at: null })])).who).toBe('nobody')
})

test('an order waits for its merchant only while a delivery to the merchant is still due', () => {
  const failed = { status: 'failed', attempt_count: 2, due_at: seconds(240) }
  const waiting = (deliveries: (typeof failed)[]) =>
    purchase([cart({ due_at: seconds(900), order: order(deliveries) })])
  expect(who(waiting([failed]))).toEqual({ who: 'merchant', by: seconds(240) })
  expect(who(waiting([])).who).toBe('nobody')
  expect(who(waiting([{ ...failed, due_at: seconds(-70) }])).who).toBe('nobody')
  // Without an attempt after a minute of quiet: no worker has taken it.
  expect(who(waiting([{ ...failed, attempt_count: 0, due_at: seconds(-1) }])).who).toBe('nobody')
})

test('work that follows from a purchase belongs to a worker when it is due, and a later delivery belongs to its listener', () => {
  const work = { what: 'rfd_1', due_at: seconds(5), lease_until: null }
  expect(responsibleForWork({ ...work, who: 'worker' }, now)).toEqual({ who: 'worker', by: seconds(5) })
  expect(responsibleForWork({ ...work, who: 'listener' }, now)).toEqual({ who: 'listener', by: seconds(5) })
  expect(responsibleForWork({ ...work, who: 'listener', due_at: seconds(-5) }, now).who).toBe('worker')
  expect(responsibleForWork({ ...work, who: 'listener', due_at: seconds(-61) }, now).who).toBe('nobody')
  // Given up: it is not delivered any more.
  expect(responsibleForWork({ ...work, who: 'listener', due_at: null }, now).who).toBe('nobody')
})

test('a token that nobody has used waits for its end, and for nobody after it', () => {
  expect(who(purchase([cart({ due_at: seconds(40), token_expires_at: seconds(700) })]))).toEqual({
    who: 'merchant',
    by: seconds(700),
  })
  expect(who(purchase([cart({ due_at: seconds(-100), token_expires_at: seconds(-90) })]))).toMatchObject({
    who: 'nobody',
  })
})
