import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLease, type Lease, LeaseLost } from '../../../platform/work/lease.ts'
import type { StepContext } from '../../../platform/work/work.ts'
import type { ClaimedCart } from '../intents/writes.sql.ts'
import { timing } from '../rails/timing.ts'
import { keepLease } from './keep-lease.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const row: ClaimedCart = {
  account_id: 'acct_1',
  mode: 'test',
  id: 'cart_1',
  intent_id: 'pi_1',
  lease_token: 3n,
  step_failures: 0,
}

/** A step whose row is held for as long as `isHeld` says so. */
function stepOn(isHeld: () => boolean | 'silent') {
  const lease: Lease = createLease(3n, performance.now(), timing.leaseSeconds)
  let renewals = 0
  const single = async () => {
    renewals += 1
    const held = isHeld()
    if (held === 'silent') throw new Error('no connection')
    return held ? [{ id: row.id }] : []
  }
  const step = { lease, single, log: { warn: () => undefined } } as unknown as StepContext
  return { step, lease, renewals: () => renewals }
}

/** That many seconds pass, a renewal at a time. */
async function pass(seconds: number): Promise<void> {
  for (let ms = 0; ms < seconds * 1000; ms += timing.renewMs) {
    vi.advanceTimersByTime(timing.renewMs)
    await delay(0)
  }
}

test('a call of several leases keeps its row, and ends with nobody else having it', async () => {
  const { step, lease, renewals } = stepOn(() => true)
  const { promise, resolve } = Promise.withResolvers<string>()
  const running = keepLease(step, row, () => promise)
  await pass(120)
  expect(lease.remainingMs()).toBeGreaterThan(timing.leaseSeconds * 1000 - timing.renewMs)
  resolve('bought')
  expect(await running).toBe('bought')
  const before = renewals()
  await pass(60)
  expect(renewals()).toBe(before)
})

test('a call whose row somebody else holds is ended, and its answer counts for nothing', async () => {
  let isHeld = true
  const { step } = stepOn(() => isHeld)
  let signal: AbortSignal | undefined
  const { promise, resolve } = Promise.withResolvers<string>()
  const running = keepLease(step, row, (given) => {
    signal = given
    return promise
  })
  await pass(20)
  expect(signal?.aborted).toBe(false)
  isHeld = false
  await pass(5)
  expect(signal?.aborted).toBe(true)
  resolve('too late')
  await expect(running).rejects.toThrow(LeaseLost)
})

test('a database that does not answer ends the call only when the lease is over', async () => {
  const { step } = stepOn(() => 'silent')
  let signal: AbortSignal | undefined
  const { promise, resolve } = Promise.withResolvers<string>()
  const running = keepLease(step, row, (given) => {
    signal = given
    return promise
  })
  await pass(timing.leaseSeconds - 5)
  expect(signal?.aborted).toBe(false)
  await pass(5)
  expect(signal?.aborted).toBe(true)
  resolve('unknown')
  await expect(running).rejects.toThrow(LeaseLost)
})
