import { expect, test } from 'vitest'
import type { CartAnswers } from '../../intents/decide/cart-answers.ts'
import { advance } from '../advance.ts'
import type { CartState } from '../cart-state.ts'
import { now, stateInWords } from '../states.testing.ts'

const field = { name: 'bell', label: 'Bell', kind: 'text', host: 'shop.example' } as const

function asks(answers: CartAnswers | null, message: string | null = null) {
  const running = stateInWords({ isNative: false })
  const state = { ...running, cart: { ...running.cart, answers } }
  const answer = { kind: 'needs_input', fields: [field], message, session: 'page' } as const
  return advance(state, { kind: 'answered', answer: { kind: 'offer', answer } })
}

const given = (name: string, host = 'shop.example') => ({ name, host, label: '', owner: '', sealed: '' })

test('a shop that must know more makes its cart wait a day for an answer, with its page, and nothing is asked of the shop', () => {
  const { state, next } = asks(null)
  const until = new Date(now.getTime() + 24 * 3_600_000)
  expect(state.cart).toMatchObject({
    status: 'in_progress',
    question: { fields: [field], until: until.toISOString(), session: 'page' },
  })
  expect(next).toEqual({ kind: 'rest', until })
  expect(state.sayings.flatMap(({ events }) => events.map(({ type }) => type))).toContain(
    'cart.input_required',
  )
})

test('what was told to the same host is not asked again: the cart ends, with the words of the shop', () => {
  expect(asks({ given: [given('bell')], session: null, asked: 1 }, 'No such bell.').state.cart).toMatchObject(
    {
      status: 'failed',
      failure: { code: 'merchant_unsupported', merchant_message: 'No such bell.' },
    },
  )
  expect(
    asks({ given: [given('bell')], session: null, asked: 1 }).state.cart.failure?.merchant_message,
  ).toContain('“Bell” at shop.example')
  for (const other of [given('bell', 'pay.example'), given('door')])
    expect(asks({ given: [other], session: null, asked: 1 }).state.cart.question).not.toBeNull()
})

test('of what a profile keeps, what the purchase names is told without a question, and nothing else is', () => {
  const named = (...names: string[]) => names.map((name) => ({ name, host: 'shop.example', label: '' }))
  const keeps = (kept_answers: CartState['intent']['kept_answers']) => {
    const state = stateInWords({ isNative: false })
    const answer = { kind: 'needs_input', fields: [field], message: null, session: 'page' } as const
    const intent = { ...state.intent, kept_answers }
    const known = { keptAnswers: named('bell', 'door').map((one) => ({ ...one, sealed: 'x' })) }
    return advance({ ...state, intent, known }, { kind: 'answered', answer: { kind: 'offer', answer } }).state
      .cart
  }
  expect(keeps(named('bell'))).toMatchObject({
    question: null,
    answers: { given: [{ name: 'bell', owner: expect.stringMatching(/^prof_/) }], session: 'page', asked: 1 },
  })
  for (const cart of [keeps(null), keeps(named('door'))])
    expect(cart).toMatchObject({ question: { fields: [field] }, answers: null })
})

test('a shop that asks something else each time is not asked for ever', () => {
  const rounds = (asked: number) => asks({ given: [], session: null, asked }).state.cart.status
  expect([rounds(3), rounds(4)]).toEqual(['in_progress', 'failed'])
})
