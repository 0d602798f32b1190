import { expect, test } from 'vitest'
import type { NotNow, NotNowReason, RailAnswer, RailObject, RailReading } from '../rails/port.ts'
import { type CartState, effectOf, holdOf, journaled, withEffect } from './cart-state.ts'
import { hear } from './hear.ts'
import type { EffectRow, EffectStep } from './journal.ts'
import type { Answered } from './messages.ts'
import { assertWithinCap, sendEffect } from './send-effect.ts'
import { at, base, effect, effectSteps, hold, now, offer, stateInWords } from './states.testing.ts'

type Heard = Parameters<typeof hear>[1]

const standing: RailObject = {
  reference: 'held at the rail',
  status: 'authorized',
  amount: 1800n,
  currency: 'EUR',
  capturedAmount: 0n,
  captureReference: null,
}
const captured: RailObject = {
  ...standing,
  status: 'captured',
  capturedAmount: 1800n,
  captureReference: 'captured at the rail',
}
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
const busy: NotNow = { kind: 'not_now', reason: 'busy', retryAfterSeconds: 40 }
const notSent = { kind: 'not_sent', retryable: true } as const
const unknown = { kind: 'unknown' } as const

const running: CartState = {
  ...stateInWords({ isNative: false }),
  holds: [hold('authorized')],
  known: {
    payer: {
      id: 'pm_00000000000000000000000001',
      card_brand: 'visa',
      vault_token: 'vault token',
      test_card: 'pr_vt_test_card',
      agentic_status: 'ready',
      added_by: 'account',
      added_in: null,
    } as CartState['known']['payer'] & object,
  },
}

function sent(step: EffectStep, more: Partial<EffectRow> = {}): EffectRow {
  const isHold = step === 'authorize' || step === 'issue_credential'
  const one = effect(step, 'sent', { sent_at: now, not_before: now, ...more })
  return isHold ? { ...one, request: { ...one.request, offer } } : one
}

function after(step: EffectStep, answer: Exclude<RailAnswer, { kind: 'done' | 'refused' }>): Heard {
  return step === 'place' ? { kind: 'place', attempt: 1, answer } : { kind: 'rail', step, attempt: 1, answer }
}

/** Sends a call again, as the next decision would. */
function sentAgain(state: CartState, step: EffectStep): CartState {
  const turn = sendEffect(state, { step, attempt: 1 })
  expect([step, turn.next?.kind]).toEqual([step, 'call'])
  return turn.state
}

const withOffer = (state: CartState): CartState =>
  effectOf(state, 'authorize', 1) ? state : withEffect(state, { ...sent('authorize'), state: 'done' })

const cases = effectSteps.flatMap((step) =>
  [...turnedAway, notSent, unknown].flatMap((answer) =>
    [false, true].map((mayHaveLeft) => ({ step, answer, mayHaveLeft })),
  ),
)

test('no step without an answer decides anything, and held money stays held', () => {
  expect(cases.length).toBe(7 * 10 * 2)
  for (const { step, answer, mayHaveLeft } of cases) {
    const name = `${step} ${JSON.stringify(answer)} ${mayHaveLeft}`
    const before = withEffect(running, sent(step, { may_have_left: mayHaveLeft, tries: 3 }))
    const state = hear(before, after(step, answer))
    const heard = journaled(state, step, 1)
    expect([name, state.cart.status, state.cart.failure]).toEqual([name, 'in_progress', null])
    expect([name, holdOf(state)?.status]).toEqual([name, 'authorized'])
    expect([name, heard.settled_at, heard.answer]).toEqual([name, null, null])
    // Only what certainly never left counts as not sent.
    const isProven = answer.kind !== 'unknown' && !mayHaveLeft
    expect([name, heard.state]).toEqual([name, isProven ? 'unsent' : 'unknown'])
    if (answer.kind !== 'not_now') expect([name, heard.put_off, heard.tries]).toEqual([name, null, 3])
    else expect([name, heard.put_off?.reason, heard.tries]).toEqual([name, answer.reason, 2])
  }
})

test.each(effectSteps)(
  'a %s that was turned away is made again as the same call, under the same key',
  (step) => {
    const first = sent(step)
    let state = withOffer(withEffect(running, first))
    if (step === 'refund') state = { ...state, holds: [hold('captured')] }
    for (const answer of turnedAway) {
      state = sentAgain(hear(state, after(step, answer)), step)
      expect(journaled(state, step, 1)).toMatchObject({ state: 'sent', tries: 1, key: first.key })
      expect(journaled(state, step, 1).request).toEqual(first.request)
    }
    // What the circuit breaker held back was not turned away by the rail.
    expect(journaled(state, step, 1).put_off?.count).toBe(turnedAway.length - 1)
  },
)

test('being left alone ends with the first answer that decides', () => {
  const put = hear(withEffect(running, sent('capture')), after('capture', busy))
  expect(journaled(put, 'capture', 1).put_off).not.toBeNull()
  const state = hear(put, {
    kind: 'rail',
    step: 'capture',
    attempt: 1,
    answer: { kind: 'done', value: captured },
  })
  expect(journaled(state, 'capture', 1)).toMatchObject({ state: 'done', put_off: null })
})

test.each(['void', 'revoke'] as const)(
  'a %s that was refused is made again under another key, once the rail says that the hold stands, and not before',
  (step) => {
    const reading = (answer: RailReading): Answered & { kind: 'reading' } => {
      return { kind: 'reading', attempt: 1, answer, news: [] }
    }
    const { key } = sent(step)
    const refusal = { code: 'release_refused', declineCode: null }
    let state = withEffect(running, sent(step))
    for (const number of [2, 3, 4]) {
      state = hear(state, { kind: 'rail', step, attempt: 1, answer: { kind: 'refused', refusal } })
      const before = journaled(state, step, 1).key
      for (const answer of [unknown, busy]) {
        state = hear(state, reading(answer))
        expect(journaled(state, step, 1)).toMatchObject({ state: 'refused', key: before })
      }
      state = hear(state, reading({ kind: 'done', value: standing }))
      expect(journaled(state, step, 1)).toMatchObject({ state: 'unsent', key: `${key}:${number}` })
      state = sentAgain(state, step)
      expect(journaled(state, step, 1)).toMatchObject({ state: 'sent', key: `${key}:${number}`, tries: 1 })
    }
    expect(journaled(state, step, 1).put_off).toMatchObject({ since: now.toISOString(), count: 6 })
    expect(holdOf(state)?.status).toBe('authorized')
  },
)

test('a sending that failed proves nothing once an earlier one may have left', () => {
  const states = (['authorize', 'capture'] as const).map((step) => {
    const before = withEffect(running, sent(step, { may_have_left: step === 'capture' }))
    return journaled(hear(before, after(step, notSent)), step, 1).state
  })
  expect(states).toEqual(['unsent', 'unknown'])
})

const done: Heard = { kind: 'rail', step: 'capture', attempt: 1, answer: { kind: 'done', value: captured } }

test('a capture for a running cart is its charge', () => {
  const state = hear(withEffect(running, sent('capture')), done)
  expect(state.cart).toMatchObject({ actual_amount: 1800n, transaction_id: 'captured at the rail' })
  expect(state.sayings.flatMap(({ events }) => events.map(({ type }) => type))).toEqual([
    'cart.payment_captured',
  ])
})

test('a capture for a cart that is over is kept for a refund, and is no charge', () => {
  const over: CartState = { ...running, cart: { ...running.cart, status: 'cancelled' } }
  const state = hear(withEffect(over, sent('capture')), done)
  expect(holdOf(state)).toMatchObject({ status: 'captured', captured_amount: 1800n })
  expect([state.cart.actual_amount, state.sayings]).toEqual([0n, []])
})

test('the answer to an earlier attempt changes nothing of the current one', () => {
  const second: CartState = { ...running, cart: { ...running.cart, attempt_number: 2, past_no_return: true } }
  const state = hear(withEffect(second, sent('place')), after('place', notSent))
  expect(state.cart.past_no_return).toBe(true)
})

test('a capture and the submit of a checkout are journaled together with the point of no return, a void without', () => {
  const past = (['capture', 'void', 'place'] as const).map((step) => {
    const { state } = sendEffect(withOffer(running), { step, attempt: 1 })
    return [step, journaled(state, step, 1).state, state.cart.past_no_return]
  })
  expect(past).toEqual([
    ['capture', 'sent', true],
    ['void', 'sent', false],
    ['place', 'sent', true],
  ])
})

test('an amount within the cap passes, one minor unit more does not', () => {
  expect(() => assertWithinCap({ cart: { max_allowed_amount: 1000n } }, 1000n)).not.toThrow()
  expect(() => assertWithinCap({ cart: { max_allowed_amount: 1000n } }, 1001n)).toThrow('above the cap')
})

test.each(['authorize', 'issue_credential', 'capture'] as const)(
  'the call to %s is made for the cap, and never for more',
  (step) => {
    const cap = base.cart.max_allowed_amount
    const asking = (amount: bigint) => {
      const one = sent(step)
      const unsent = { ...one, state: 'unsent', request: { ...one.request, amount } } as const
      return sendEffect(withEffect({ ...running, accepted: offer }, unsent), { step, attempt: 1 })
    }
    const { next } = asking(cap)
    const input = next?.kind === 'call' && next.call.kind === 'rail' ? next.call.sent.input : null
    expect(input).toMatchObject(step === 'issue_credential' ? { limit: cap } : { amount: cap })
    expect(() => asking(cap + 1n)).toThrow('above the cap')
  },
)

test('a rail that names a later time than before makes nobody wait longer', () => {
  const needed = (minutes: number) =>
    ({ kind: 'needs_person', url: `https://bank.example/${minutes}`, until: at(minutes * 60) }) as const
  const first = hear(withEffect(running, sent('authorize')), {
    kind: 'rail',
    step: 'authorize',
    attempt: 1,
    answer: needed(30),
  })
  expect(journaled(first, 'authorize', 1)).toMatchObject({
    state: 'unknown',
    heard: 'pending',
    settled_at: null,
  })
  const asked = { kind: 'rail_memory', step: 'authorize', attempt: 1, answer: needed(60) } as const
  const second = hear(first, asked)
  expect(journaled(second, 'authorize', 1).answer).toEqual({
    kind: 'needs_person',
    url: 'https://bank.example/60',
    until: at(30 * 60).toISOString(),
  })
})
