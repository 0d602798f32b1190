import { describe, expect, test } from 'vitest'
import { putOffSeconds } from '../rails/call-again.ts'
import type { EffectRow, EffectStep, Heard } from './journal.ts'
import { at, brief, decided, effect, effectSteps, hold, leftAlone, now, type Row } from './states.testing.ts'
import { pace, type Step } from './step.ts'

/** Every step that can be turned away, in a cart where it is the one that is due. */
const due: Record<EffectStep, (of: EffectRow) => Row[1]> = {
  authorize: (of) => ({ effects: [of], isOfferAccepted: false }),
  issue_credential: (of) => ({ payment: 'credential', isNative: false, effects: [of] }),
  place: (of) => ({
    payment: 'credential',
    isNative: false,
    effects: [effect('issue_credential', 'done'), of],
    holds: [hold('authorized', { kind: 'credential' })],
  }),
  capture: (of) => ({
    effects: [effect('authorize', 'done'), effect('place', 'done'), of],
    holds: [hold('authorized')],
  }),
  void: (of) => ({
    cart: { status: 'cancelled' },
    effects: [effect('authorize', 'done'), of],
    holds: [hold('authorized')],
  }),
  revoke: (of) => ({
    payment: 'credential',
    isNative: false,
    cart: { status: 'failed', isCleanup: true },
    effects: [effect('issue_credential', 'done'), effect('place', 'closed'), of],
    holds: [hold('authorized', { kind: 'credential' })],
  }),
  refund: (of) => ({
    cart: { status: 'failed', isCleanup: true },
    effects: [effect('authorize', 'done'), of],
    holds: [hold('captured')],
  }),
}

const verdicts: readonly Step['kind'][] = ['succeed', 'fail', 'fail_refused', 'cancel', 'settle', 'rest']
const calls: readonly Step['kind'][] = ['offer', 'send', 'ask', 'close', 'verify']
const fresh = { since: at(-60), until: at(30) }
const over = { since: at(-60), until: at(-1) }
const endless = { since: at(-30 * 86_400), until: at(-1) }
const heards: readonly (Heard | null)[] = [null, 'nothing', 'not_found', 'pending', 'closed']
const states = ['unsent', 'unknown', 'sent'] as const

function situations(): { name: string; of: EffectRow; facts: Row[1] }[] {
  return effectSteps.flatMap((step) =>
    states.flatMap((state) =>
      heards.flatMap((heard) =>
        [0, 3].flatMap((asked) =>
          [false, true].map((isFrozen) => {
            const more = { heard, asked, asked_at: asked ? at(-600) : null, tries: 0 }
            const of = effect(step, state, more)
            const name = `${step} ${state} ${heard} asked ${asked}${isFrozen ? ' frozen' : ''}`
            return { name, of, facts: { ...due[step](of), isFrozen } }
          }),
        ),
      ),
    ),
  )
}

/** The same situation in which the callee has turned the call away. */
function turnedAway(of: EffectRow, facts: Row[1], putOff: Parameters<typeof leftAlone>[0]): Step {
  const put_off = leftAlone(putOff)
  const effects = facts.effects?.map((one) => (one === of ? { ...one, put_off } : one)) ?? []
  return decided({ ...facts, effects })
}

describe('a call that was turned away', () => {
  const all = situations()

  test('is left alone until its time has come', () => {
    expect(all.length).toBeGreaterThan(400)
    const early = all.filter(({ of, facts }) => {
      const step = turnedAway(of, facts, fresh)
      return (
        calls.includes(step.kind) ||
        (step.kind === 'wait' && step.because === 'backoff' && step.until < fresh.until)
      )
    })
    expect(early.map(({ name }) => name)).toEqual([])
  })

  test('decides nothing that would not have been decided without', () => {
    const judged = all.filter(({ of, facts }) =>
      [fresh, over].some((putOff) => {
        const step = turnedAway(of, facts, putOff)
        return verdicts.includes(step.kind) && brief(step) !== brief(decided(facts))
      }),
    )
    expect(judged.map(({ name }) => name)).toEqual([])
  })

  test('goes on as if nothing had happened once its time has come', () => {
    const differ = all.filter(({ of, facts }) => brief(turnedAway(of, facts, over)) !== brief(decided(facts)))
    expect(differ.map(({ name }) => name)).toEqual([])
  })

  test('that lets money go or gives it back is never given up', () => {
    const releases = all.filter(({ of }) => ['void', 'revoke', 'refund'].includes(of.step))
    const givenUp = releases.filter(({ of, facts }) => {
      const step = turnedAway(of, facts, endless)
      return brief(step) !== brief(decided(facts)) || step.kind === 'fail'
    })
    expect(releases.length).toBeGreaterThan(150)
    expect(givenUp.map(({ name }) => name)).toEqual([])
  })

  test('to capture for a confirmed order is made as long as its hold lasts', () => {
    const captures = all.filter(({ of }) => of.step === 'capture')
    for (const { of, facts, name } of captures) {
      expect([name, brief(turnedAway(of, facts, endless))]).toEqual([name, brief(decided(facts))])
    }
  })
})

type Holds = Row[1]['holds'] & {}

describe('when the patience with a rail is over', () => {
  test.each(['authorize', 'issue_credential'] as const)(
    '%s ends a purchase that has charged nothing',
    (step) => {
      const edge = (seconds: number) =>
        decided(due[step](effect(step, 'unsent', { putOff: { since: at(-seconds), until: at(-1) } })))
      expect(brief(edge(pace.patienceSeconds - 1))).toBe(`send ${step}`)
      expect(brief(edge(pace.patienceSeconds))).toBe('fail internal_error same')
    },
  )

  test.each(['authorize', 'issue_credential'] as const)(
    '%s that may have outcome is closed first',
    (step) => {
      const of = effect(step, 'unknown', { heard: 'not_found', putOff: endless })
      expect(brief(decided(due[step](of)))).toBe(`close ${step}`)
    },
  )

  test('a shop that turns the order away loses its credential before the purchase ends', () => {
    const of = effect('place', 'unsent', { putOff: endless })
    expect(brief(decided(due.place(of)))).toBe('send revoke')
    const gone: Holds = [hold('voided', { kind: 'credential' })]
    expect(brief(decided({ ...due.place(of), holds: gone }))).toBe('fail merchant_unavailable same')
  })
})

describe('when the hold of a confirmed order is over', () => {
  const ended: Holds = [hold('authorized', { expires_at: now })]

  test('a capture that never arrived ends the purchase: nothing was taken and nothing can be', () => {
    const of = effect('capture', 'unsent', { putOff: over })
    expect(brief(decided({ ...due.capture(of), holds: ended }))).toBe('fail hold_ended')
  })

  test('one that may have arrived is closed at the rail first', () => {
    const of = effect('capture', 'unknown', { heard: 'not_found', putOff: over })
    expect(brief(decided({ ...due.capture(of), holds: ended }))).toBe('close capture')
    const asking = effect('capture', 'unknown', {
      heard: 'nothing',
      putOff: over,
      asked: 3,
      asked_at: at(-600),
    })
    expect(brief(decided({ ...due.capture(asking), holds: ended }))).toBe('ask capture')
  })

  test('one that was never begun is begun, since the rail says so', () => {
    const facts = { effects: [effect('authorize', 'done'), effect('place', 'done')], holds: ended }
    expect(brief(decided(facts))).toBe('send capture')
  })
})

test.each<[EffectStep, number, number | null, number]>([
  ['capture', 1, null, 1],
  ['capture', 4, null, 8],
  ['capture', 50, null, 60],
  ['void', 50, null, 900],
  ['revoke', 10, null, 512],
  ['refund', 50, null, 900],
  ['capture', 1, 120, 120],
  ['capture', 50, 1, 60],
  ['authorize', 1, 86_400, 900],
])(
  '%s that was turned away %i times, with Retry-After %s, waits %i seconds',
  (step, count, retryAfter, seconds) => {
    expect(putOffSeconds(step, count, retryAfter)).toBe(seconds)
  },
)
