import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { newBuyer } from '../../../../test/harness/buyers.ts'
import { runningPurchase } from '../../../../test/harness/hand-worker.ts'
import { heldAmount, onLockedCart, sentEffect } from '../../../../test/harness/on-locked-cart.ts'
import { applyOutcome, type Outcome } from './apply-answer.ts'
import { effectSteps } from './cart-facts.ts'
import { journalOrder, journalRail } from './journal-effect.ts'
import type { LockedCart } from './locked-cart.ts'
import type { PlaceAnswer } from './port.ts'
import type { NotNow, NotNowReason, RailAnswer, RailReading } from './rail/port.ts'

let app: TestApp
let purchase: Awaited<ReturnType<typeof runningPurchase>>
beforeAll(async () => {
  app = await startTestApp()
  purchase = await runningPurchase(app, await newBuyer(app))
})
afterAll(() => app.stop())

/** Nothing of it is to be written: the next test starts from the same rows. */
class Rollback extends Error {}

async function rolledBack(work: (locked: LockedCart) => Promise<void>): Promise<void> {
  const run = onLockedCart(app, purchase, async (locked) => {
    heldAmount(locked, 2000n)
    await work(locked)
    throw new Rollback()
  })
  await expect(run).rejects.toThrow(Rollback)
}

const lease = { token: 0n, remainingMs: () => 30_000, assertHeld: () => undefined, renewed: () => undefined }
const reasons: Record<NotNowReason, true> = {
  credentials: true,
  permission: true,
  misrouted: true,
  busy: true,
  no_room: true,
  no_object: true,
  not_understood: true,
  circuit_open: true,
}
const turnedAway = Object.keys(reasons).map((reason): NotNow => {
  return { kind: 'not_now', reason: reason as NotNowReason, retryAfterSeconds: 40 } // its own keys
})
const notSent = { kind: 'not_sent', retryable: true } as const
const unknown = { kind: 'unknown' } as const

function outcome(step: (typeof effectSteps)[number], answer: RailAnswer & PlaceAnswer): Outcome {
  return step === 'place' ? { kind: 'place', attempt: 1, answer } : { kind: 'rail', step, attempt: 1, answer }
}

const cases = effectSteps.flatMap((step) =>
  [...turnedAway, notSent, unknown].flatMap((answer) =>
    [false, true].map((mayHaveLeft) => ({ step, answer, mayHaveLeft })),
  ),
)

test('no step without an answer decides anything, and held money stays held', async () => {
  expect(cases.length).toBe(7 * 10 * 2)
  for (const { step, answer, mayHaveLeft } of cases) {
    const name = `${step} ${JSON.stringify(answer)} ${mayHaveLeft}`
    await rolledBack(async (locked) => {
      const effect = sentEffect(locked, step, 2000n, { may_have_left: mayHaveLeft, tries: 3 })
      locked.addEffect(effect)
      await applyOutcome(locked, outcome(step, answer))
      expect([name, locked.cart.status, locked.cart.failure]).toEqual([name, 'in_progress', null])
      expect([name, locked.hold(1)?.status]).toEqual([name, 'authorized'])
      expect([name, effect.settled_at, effect.answer]).toEqual([name, null, null])
      // Only what certainly never left counts as not sent.
      const isProven = answer.kind !== 'unknown' && !mayHaveLeft
      expect([name, effect.state]).toEqual([name, isProven ? 'unsent' : 'unknown'])
      if (answer.kind !== 'not_now') expect([name, effect.put_off, effect.tries]).toEqual([name, null, 3])
      else expect([name, effect.put_off?.reason, effect.tries]).toEqual([name, answer.reason, 2])
    })
  }
})

test('a call that was turned away is made again as the same call, under the same key', async () => {
  for (const step of effectSteps) {
    await rolledBack(async (locked) => {
      const effect = sentEffect(locked, step, 2000n)
      const { key, request } = effect
      locked.addEffect(effect)
      for (const answer of turnedAway) {
        await applyOutcome(locked, outcome(step, answer))
        if (step === 'place') journalOrder(locked, { lease, longestCallMs: 8000 })
        else journalRail(locked, { step, attempt: 1 }, null, lease)
        expect([step, effect.state, effect.tries]).toEqual([step, 'sent', 1])
      }
      expect({ key: effect.key, request: effect.request }).toEqual({ key, request })
      // What the circuit breaker held back was not turned away by the rail.
      expect([step, effect.put_off?.count]).toEqual([step, turnedAway.length - 1])
    })
  }
})

test('being left alone ends with the first answer that decides', async () => {
  await rolledBack(async (locked) => {
    const effect = sentEffect(locked, 'capture', 2000n)
    locked.addEffect(effect)
    await applyOutcome(locked, outcome('capture', turnedAway[0] as NotNow)) // there are seven
    expect(effect.put_off).not.toBeNull()
    const value = {
      reference: 'held at the rail',
      status: 'captured',
      amount: 2000n,
      currency: 'EUR',
      capturedAmount: 2000n,
      captureReference: 'captured at the rail',
    } as const
    await applyOutcome(locked, { kind: 'rail', step: 'capture', attempt: 1, answer: { kind: 'done', value } })
    expect([effect.state, effect.put_off]).toEqual(['done', null])
  })
})

test.each(['void', 'revoke'] as const)(
  'a %s that was refused is made again under another key, once the rail says that the hold stands, and not before',
  async (step) => {
    const standing: RailReading = {
      kind: 'done',
      value: {
        reference: 'held at the rail',
        status: 'authorized',
        amount: 2000n,
        currency: 'EUR',
        capturedAmount: 0n,
        captureReference: null,
      },
    }
    await rolledBack(async (locked) => {
      const effect = sentEffect(locked, step, 2000n)
      const { key } = effect
      locked.addEffect(effect)
      const refusal = { code: 'release_refused', declineCode: null }
      for (const number of [2, 3, 4]) {
        await applyOutcome(locked, { kind: 'rail', step, attempt: 1, answer: { kind: 'refused', refusal } })
        for (const answer of [unknown, turnedAway[0] as NotNow]) {
          const before = effect.key
          await applyOutcome(locked, { kind: 'verified', attempt: 1, answer, news: [] })
          expect([effect.state, effect.key]).toEqual(['refused', before])
        }
        await applyOutcome(locked, { kind: 'verified', attempt: 1, answer: standing, news: [] })
        expect([effect.state, effect.key]).toEqual(['unsent', `${key}:${number}`])
        journalRail(locked, { step, attempt: 1 }, null, lease)
        expect([effect.state, effect.key, effect.tries]).toEqual(['sent', `${key}:${number}`, 1])
      }
      const { since, count } = effect.put_off ?? {}
      expect([since, count]).toEqual([locked.ctx.now.toISOString(), 6])
      expect(locked.hold(1)?.status).toBe('authorized')
    })
  },
)
