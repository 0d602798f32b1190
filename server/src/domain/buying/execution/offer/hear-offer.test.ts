import { expect, test } from 'vitest'
import { failureOf } from '../../intents/public.ts'
import { advance } from '../advance.ts'
import type { CartState } from '../cart-state.ts'
import { offer, stateInWords } from '../states.testing.ts'

const dearer = { ...offer, lines: offer.lines, subtotal: 2400n, total: 2400n }

function asked(): CartState {
  const running = stateInWords({ isNative: false })
  const state = { ...running, intent: { ...running.intent, on_price_exceed: 'reapprove' } } as const
  const turn = advance(state, {
    kind: 'answered',
    answer: { kind: 'offer', answer: { kind: 'offer', offer: dearer } },
  })
  expect(turn.next).toMatchObject({ kind: 'command', command: { kind: 'propose_price' } })
  return turn.state
}

function told(state: CartState, from: number): string[] {
  return state.sayings.slice(from).flatMap(({ events }) => events.map(({ type }) => type))
}

test('a price that nobody can approve fails its cart, after what was written with the question', () => {
  const state = asked()
  const refusal = failureOf('max_amount_exceeded')
  const done = { kind: 'propose_price', refusal, intent: state.intent, carts: [state.cart] } as const
  const turn = advance(state, { kind: 'done', done })
  expect(turn.state.cart).toMatchObject({ status: 'failed', failure: { code: 'max_amount_exceeded' } })
  expect([told(state, 0), told(turn.state, state.sayings.length)]).toEqual([
    ['cart.offer_updated'],
    ['cart.failed'],
  ])
})

test('a price that a person is asked about leaves the cart where the question has put it', () => {
  const state = asked()
  const done = { kind: 'propose_price', refusal: null, intent: state.intent, carts: [state.cart] } as const
  const turn = advance(state, { kind: 'done', done })
  expect([turn.next, told(turn.state, state.sayings.length)]).toEqual([{ kind: 'asked' }, []])
})

test('while a person is asked about something else, the question comes later', () => {
  const running = stateInWords({ isNative: false })
  const intent = {
    ...running.intent,
    on_price_exceed: 'reapprove',
    status: 'awaiting_merchant_auth',
  } as const
  const turn = advance(
    { ...running, intent },
    { kind: 'answered', answer: { kind: 'offer', answer: { kind: 'offer', offer: dearer } } },
  )
  expect(turn.next).toEqual({ kind: 'rest', until: new Date(running.now.getTime() + 30_000) })
})
