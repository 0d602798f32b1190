import { expect, test } from 'vitest'
import type { Tenant } from '../../contract/context.ts'
import { defaultLimits } from '../../contract/limits.ts'
import type { Id } from '../../core/id.ts'
import { HeldSlots, Slots } from './slots.ts'

const limits = { ...defaultLimits, streams: 2 }
const one: Tenant = { accountId: 'acct_1' as Id<'acct'>, mode: 'test' }
const live: Tenant = { ...one, mode: 'live' }
const other: Tenant = { accountId: 'acct_2' as Id<'acct'>, mode: 'test' }

test('an account has so many places in each mode, and other accounts have theirs', () => {
  const slots = new Slots(limits)
  slots.take('streams', one)
  const giveBack = slots.take('streams', one)
  expect(() => slots.take('streams', one)).toThrow(
    expect.objectContaining({
      code: 'rate_limited',
      options: {
        headers: { 'retry-after': '1', 'x-ratelimit-limit': '2', 'x-ratelimit-window': '1' },
        extra: { limit: 2, window_seconds: 1, retry_after_seconds: 1, scope: 'account.streams' },
      },
    }),
  )
  slots.take('streams', live)
  slots.take('streams', other)
  slots.take('quoteWaits', one)
  giveBack()
  giveBack()
  slots.take('streams', one)
  expect(() => slots.take('streams', one)).toThrow()
})

test('a call holds one place of a kind however often it asks, and leaves none behind', () => {
  const slots = new Slots(limits)
  const call = new HeldSlots(slots)
  for (let time = 0; time < 5; time++) call.hold('streams', one)
  call.hold('requests', one)
  expect(slots.taken).toBe(2)
  call.release('requests')
  expect(slots.taken).toBe(1)
  call.releaseAll()
  call.releaseAll()
  expect(slots.taken).toBe(0)
})
