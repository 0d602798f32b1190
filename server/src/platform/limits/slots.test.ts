import { expect, test } from 'vitest'
import { defaultLimits } from '../../../test/harness/default-limits.ts'
import type { Id } from '../../core/id.ts'
import { HeldSlots, type Holder, Slots } from './slots.ts'

const limits = { ...defaultLimits, streams: 2 }
const agent = { type: 'api_key', id: 'agent_1' as Id<'agent'> } as const
const one: Holder = { tenant: { accountId: 'acct_1' as Id<'acct'>, mode: 'test' }, actor: agent }
const live: Holder = { ...one, tenant: { ...one.tenant, mode: 'live' } }
const other: Holder = { ...one, tenant: { accountId: 'acct_2' as Id<'acct'>, mode: 'test' } }

test('an account has a number of places in each mode, and other accounts have their own', () => {
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

test('each agent of an account has places of its own where it says so, within those of the account', () => {
  const slots = new Slots({ ...defaultLimits, agentIntentWaits: 1, intentWaits: 2 })
  const holder = (id: string): Holder => ({ ...one, actor: { type: 'api_key', id: id as Id<'agent'> } })
  for (const id of ['agent_1', 'agent_2']) {
    slots.take('agentIntentWaits', holder(id))
    slots.take('intentWaits', holder(id))
    expect(() => slots.take('agentIntentWaits', holder(id))).toThrow(
      expect.objectContaining({ code: 'rate_limited' }),
    )
  }
  slots.take('agentIntentWaits', holder('agent_3'))
  expect(() => slots.take('intentWaits', holder('agent_3'))).toThrow(
    expect.objectContaining({ code: 'rate_limited' }),
  )
})
