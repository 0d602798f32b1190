import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { newBuyer } from '../../../../../test/harness/buyers.ts'
import { runningPurchase } from '../../../../../test/harness/hand-worker.ts'
import { heldAmount, onLockedCart, sentEffect } from '../../../../../test/harness/on-locked-cart.ts'
import type { Call, PaymentRail, RailAnswer } from './port.ts'
import { assertWithinCap, railCall } from './rail-call.ts'

let app: TestApp
let purchase: Awaited<ReturnType<typeof runningPurchase>>
beforeAll(async () => {
  app = await startTestApp()
  purchase = await runningPurchase(app, await newBuyer(app))
})
afterAll(() => app.stop())

const card = { test_card: null, vault_token: 'pr_vt_test_card' }
const call: Call = { mode: 'test', timeoutMs: 1000 }

/** A rail that takes every call, and remembers its amount. */
function takingRail() {
  const taken: bigint[] = []
  const take = async (amount: bigint): Promise<RailAnswer> => {
    taken.push(amount)
    return { kind: 'unknown' }
  }
  const refuse = async (): Promise<never> => {
    throw new Error('nobody asked for this')
  }
  const rail: PaymentRail = {
    authorize: ({ amount }) => take(amount),
    issueCredential: ({ limit }) => take(limit),
    chargeCredential: refuse,
    capture: ({ amount }) => take(amount),
    void: refuse,
    revoke: refuse,
    refund: refuse,
    get: refuse,
    ask: refuse,
    close: refuse,
  }
  return { rail, taken }
}

test('an amount within the cap passes, one minor unit more does not', () => {
  expect(() => assertWithinCap({ max_allowed_amount: 1000n }, 1000n)).not.toThrow()
  expect(() => assertWithinCap({ max_allowed_amount: 1000n }, 1001n)).toThrow('above the cap')
})

test.each(['authorize', 'issue_credential', 'capture'] as const)(
  'the call to %s is made for the cap, and never for more',
  async (step) => {
    await onLockedCart(app, purchase, async (locked) => {
      const cap = locked.cart.max_allowed_amount
      heldAmount(locked, cap + 1n)
      const { rail, taken } = takingRail()
      await railCall(locked, sentEffect(locked, step, cap), card, rail)(call)
      expect(taken).toEqual([cap])
      expect(() => railCall(locked, sentEffect(locked, step, cap + 1n), card, rail)).toThrow('above the cap')
      throw new Rollback()
    }).catch(ignoreRollback)
  },
)

/** Nothing of it is to be written: the next test starts from the same rows. */
class Rollback extends Error {}

function ignoreRollback(error: unknown): void {
  if (!(error instanceof Rollback)) throw error
}
