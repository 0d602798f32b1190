import { describe, expect, test } from 'vitest'
import { atStage } from '../intents/public.ts'
import type { RailObject } from '../rails/port.ts'
import { live, type Plant } from './life.testing.ts'
import { type Kind, kinds } from './outside.testing.ts'

/** How many lives of each kind are lived; `npm run suite -- lives` lives 200,000, and 5,000,000 in its long size. */
const lives = 2_000

test.each(kinds)(
  'however a cart lives that is bought at %s, its money and its orders are right in the end',
  (kind) => {
    const wrong: string[] = []
    for (let seed = 1; seed <= lives && wrong.length < 5; seed++) {
      const { problems } = live(seed, kind)
      if (problems.length > 0) wrong.push(`${kind} ${seed}: ${problems.join('; ')}`)
    }
    expect(wrong).toEqual([])
  },
)

/** The same key for every attempt. */
const firstKey = (key: string) => key.replace(/:\d+:/, ':1:')

function unclaimed(object: RailObject): RailObject {
  return object.status === 'claimed' ? { ...object, status: 'voided' } : object
}

const faults: readonly (readonly [name: string, kind: Kind, plant: Plant])[] = [
  ['a lost lease is ignored', 'native', { honorsNoLease: true }],
  [
    'a key is used again in the next attempt',
    'native',
    {
      turn({ state, next }) {
        if (next?.kind !== 'call' || next.call.kind !== 'rail') return { state, next }
        const { sent } = next.call
        const input = { ...sent.input, key: firstKey(sent.input.key) }
        return {
          state,
          next: { kind: 'call', call: { ...next.call, sent: { ...sent, input } as typeof sent } },
        }
      },
    },
  ],
  [
    'a call without an answer is taken for a refusal',
    'native',
    {
      answer: (one) =>
        one.kind === 'rail' && one.answer.kind === 'unknown'
          ? { ...one, answer: { kind: 'refused', refusal: { code: 'unknown', declineCode: null } } }
          : one,
    },
  ],
  [
    'a payment that waits for its person is taken for a refusal',
    'native',
    {
      answer: (one) =>
        one.kind === 'rail' && one.answer.kind === 'needs_person'
          ? { ...one, answer: { kind: 'refused', refusal: { code: 'away', declineCode: null } } }
          : one,
    },
  ],
  [
    'nobody asks the person of a payment',
    'simulated',
    { state: (state) => ({ ...state, intent: { ...state.intent, next_action: null } }) },
  ],
  [
    'what is not found is believed never to come',
    'native',
    {
      answer: (one) =>
        one.kind === 'rail_memory' && one.answer.kind === 'not_found'
          ? { ...one, answer: { kind: 'closed' } }
          : one,
    },
  ],
  [
    'a cart that was cancelled goes on',
    'native',
    {
      state: ({ cart, intent, ...state }) =>
        cart.status === 'cancelled'
          ? {
              ...state,
              cart: { ...cart, ...atStage({ kind: 'none' }), status: 'in_progress' },
              intent: { ...intent, status: 'approved' },
            }
          : { ...state, cart, intent },
    },
  ],
  [
    'money that a failed attempt took is forgotten, so that the sum exceeds the cap',
    'simulated',
    { state: (state) => (state.cart.status === 'failed' ? { ...state, holds: [] } : state) },
  ],
  [
    'what a stranger has authorized is forgotten',
    'stranger',
    {
      answer: (one) =>
        one.kind !== 'offer' &&
        one.kind !== 'elsewhere' &&
        one.kind !== 'funds' &&
        one.answer.kind === 'done' &&
        'status' in one.answer.value
          ? ({ ...one, answer: { ...one.answer, value: unclaimed(one.answer.value) } } as typeof one) // the same answer about another state
          : one,
    },
  ],
  [
    'a call goes to the rail that the account has by now',
    'native',
    {
      turn({ state, next }) {
        if (next?.kind !== 'call' || !('rail' in next.call)) return { state, next }
        return { state, next: { kind: 'call', call: { ...next.call, rail: state.means.rail } } }
      },
    },
  ],
  [
    'the journal forgets at which rail money is held',
    'simulated',
    {
      state: ({ effects, holds, ...state }) => ({
        ...state,
        effects: effects.map((one) => ({ ...one, rail: one.rail && state.means.rail })),
        holds,
      }),
    },
  ],
  [
    'the money behind a card is forgotten',
    'card',
    { state: (state) => (state.cart.status === 'failed' ? { ...state, fundings: [] } : state) },
  ],
  [
    'what a shop has given back of its card stays with the operator',
    'card',
    {
      answer: (one) =>
        one.kind === 'reading' && one.answer.kind === 'done'
          ? { ...one, answer: { ...one.answer, value: { ...one.answer.value, refundedAmount: 0n } } }
          : one,
    },
  ],
  [
    'a card is issued with nothing behind it',
    'card',
    { state: (state) => ({ ...state, means: { ...state.means, prefunded: [] } }) },
  ],
  ['a freeze is not looked at', 'simulated', { state: (state) => ({ ...state, isFrozen: false }) }],
  [
    'a call leaves before it is in the journal',
    'simulated',
    {
      turn: ({ state, next }) =>
        next?.kind === 'call' && next.call.kind === 'place'
          ? { state: { ...state, effects: state.effects.filter(({ step }) => step !== 'place') }, next }
          : { state, next },
    },
  ],
  [
    'more is captured than was authorized',
    'native',
    {
      turn({ state, next }) {
        if (next?.kind !== 'call' || next.call.kind !== 'rail' || next.call.sent.step !== 'authorize')
          return { state, next }
        const { sent } = next.call
        const input = { ...sent.input, amount: sent.input.amount * 2n }
        return { state, next: { kind: 'call', call: { ...next.call, sent: { ...sent, input } } } }
      },
    },
  ],
]

describe('the lives of a cart show it', () => {
  test.each(faults)('when %s', (_, kind, plant) => {
    const found = Array.from({ length: 20_000 }, (_, seed) => seed + 1).find((seed) => {
      try {
        return live(seed, kind, plant).problems.length > 0
      } catch {
        return true
      }
    })
    expect(found).toBeDefined()
  })
})
