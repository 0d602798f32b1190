import { atStage, confirmingCart, failureOf, type LoadedCart, type LoadedIntent } from '../intents/public.ts'
import { isUnsettled } from './cart-state.ts'
import { type EffectRow, type FundingRow, type HoldRow, personOf } from './journal.ts'

/** One cart with its purchase and its journal. */
export type Rows = {
  intent: LoadedIntent['intent']
  cart: LoadedCart
  effects: readonly EffectRow[]
  holds: readonly HoldRow[]
  fundings: readonly FundingRow[]
}

/** A person does not want to confirm the payment. */
export function declinePayment(rows: Rows, now: Date, leaseUntilMs: number | null): void {
  const { cart, intent } = rows
  if (confirmingCart(intent) !== cart.id) return
  rows.cart = {
    ...cart,
    status: 'failed',
    failure: failureOf('payment_authentication_failed'),
    completed_at: now,
    ...atStage({ kind: 'cleanup' }),
    due_at: new Date(Math.max(leaseUntilMs ?? 0, now.getTime())),
  }
  rows.intent = { ...intent, status: 'failed', next_action: null }
}

/** A person tells what a shop asks, as far as that is still awaited. */
export function answerQuestion(rows: Rows, now: Date): void {
  const { cart } = rows
  if (cart.status !== 'in_progress' || !cart.question || new Date(cart.question.until) <= now) return
  const { fields, session } = cart.question
  const { given = [], asked = 0 } = cart.answers ?? {}
  const told = fields.map(({ name, host = '', label }) => ({ name, host, label, owner: cart.id, sealed: '' }))
  const answers = { given: [...given, ...told], session, asked: asked + 1 }
  rows.cart = { ...cart, question: null, answers, due_at: now }
}

/** Nothing is held while a person is asked what a shop must know, and one that is over asks nothing. */
function heldWhileAsked({ cart, holds, fundings }: Rows): readonly string[] {
  if (!cart.question) return []
  const isHeld = [...holds, ...fundings].some(
    ({ status, attempt }) => attempt === cart.attempt_number && status === 'authorized',
  )
  return [
    ...(cart.status === 'in_progress' ? [] : [`it is ${cart.status}, and asks`]),
    ...(isHeld ? ['money is held while a person is asked'] : []),
  ]
}

/** The person that a payment waits for is asked, and nobody else is; and nothing is held while a shop asks. */
export function wrongQuestions(rows: Rows, now: Date): readonly string[] {
  const { cart, intent, effects } = rows
  const wrong = heldWhileAsked(rows)
  if (wrong.length > 0) return wrong
  const pay = effects.find(
    ({ step, attempt }) =>
      (step === 'authorize' || step === 'issue_credential') && attempt === cart.attempt_number,
  )
  const person = pay && isUnsettled(pay) ? personOf(pay) : null
  const isWaiting = person !== null && cart.status === 'in_progress'
  const isAsked = confirmingCart(intent) === cart.id
  if (isWaiting && !isAsked && now < person.until)
    return ['a payment waits for its person, and nobody is asked']
  return isAsked && !isWaiting ? ['a person is asked about a payment that waits for nobody'] : []
}
