import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { newBuyer } from '../../../../test/harness/buyers.ts'
import { readPurchase, runningPurchase } from '../../../../test/harness/hand-worker.ts'
import { heldAmount, onLockedCart, sentEffect } from '../../../../test/harness/on-locked-cart.ts'
import { applyOutcome } from './apply-answer.ts'
import { journalOrder, journalRail } from './journal-effect.ts'
import type { RailObject } from './rail/port.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const captured: RailObject = {
  reference: 'held at the rail',
  status: 'captured',
  amount: 2000n,
  currency: 'EUR',
  capturedAmount: 2000n,
  captureReference: 'captured at the rail',
}

async function newRunning() {
  return runningPurchase(app, await newBuyer(app))
}

test('a sending that failed proves nothing once an earlier one may have left', async () => {
  const states = await onLockedCart(app, await newRunning(), async (locked) => {
    const answers = []
    for (const [step, may_have_left] of [
      ['authorize', false],
      ['capture', true],
    ] as const) {
      const effect = sentEffect(locked, step, 2000n, { may_have_left })
      locked.addEffect(effect)
      await applyOutcome(locked, {
        kind: 'rail',
        step,
        attempt: 1,
        answer: { kind: 'not_sent', retryable: true },
      })
      answers.push(effect.state)
    }
    return answers
  })
  expect(states).toEqual(['unsent', 'unknown'])
})

test('a capture for a running cart is its charge', async () => {
  const purchase = await newRunning()
  await onLockedCart(app, purchase, async (locked) => {
    heldAmount(locked, 2000n)
    locked.addEffect(sentEffect(locked, 'capture', 2000n))
    const answer = { kind: 'done', value: captured } as const
    await applyOutcome(locked, { kind: 'rail', step: 'capture', attempt: 1, answer })
    await locked.flush()
  })
  expect((await readPurchase(app, purchase.id)).carts[0].actual_amount).toBe(2000)
})

test('a capture for a cart that is over is kept for a refund, and is no charge', async () => {
  const purchase = await newRunning()
  await app.post(`/v1/purchase_intents/${purchase.id}/cancel`)
  const hold = await onLockedCart(app, purchase, async (locked) => {
    heldAmount(locked, 2000n)
    locked.addEffect(sentEffect(locked, 'capture', 2000n))
    const answer = { kind: 'done', value: captured } as const
    await applyOutcome(locked, { kind: 'rail', step: 'capture', attempt: 1, answer })
    await locked.flush()
    return locked.hold(1)
  })
  expect(hold).toMatchObject({ status: 'captured', captured_amount: 2000n })
  expect((await readPurchase(app, purchase.id)).carts[0].actual_amount).toBe(0)
})

test('the answer to an earlier attempt changes nothing of the current one', async () => {
  const purchase = await newRunning()
  await app.parts.pools.single({
    name: '',
    text: `update carts set attempt_number = 2, past_no_return = true where id = $1`,
    values: [purchase.carts[0]],
  })
  const cart = await onLockedCart(app, purchase, async (locked) => {
    locked.addEffect(sentEffect(locked, 'place', 2000n, { attempt: 1 }))
    await applyOutcome(locked, { kind: 'place', attempt: 1, answer: { kind: 'not_sent', retryable: true } })
    return locked.cart
  })
  expect(cart.past_no_return).toBe(true)
})

test('a capture and the submit of a checkout are journaled together with the point of no return, a void without', async () => {
  const lease = {
    token: 0n,
    remainingMs: () => 30_000,
    assertHeld: () => undefined,
    renewed: () => undefined,
  }
  for (const [step, isPast] of [
    ['capture', true],
    ['void', false],
    ['place', true],
  ] as const) {
    const cart = await onLockedCart(app, await newRunning(), async (locked) => {
      heldAmount(locked, 2000n)
      if (step === 'place') journalOrder(locked, { lease, longestCallMs: 8000 })
      else journalRail(locked, { step, attempt: 1 }, null, lease)
      return locked.cart
    })
    expect([step, cart.past_no_return]).toEqual([step, isPast])
  }
})
