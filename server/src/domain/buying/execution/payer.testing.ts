import { atStage, confirmingCart, failureOf, type LoadedCart, type LoadedIntent } from '../intents/public.ts'
import { isUnsettled } from './cart-state.ts'
import { type EffectRow, personOf } from './journal.ts'

type Rows = { intent: LoadedIntent['intent']; cart: LoadedCart; readonly effects: readonly EffectRow[] }

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

/** The person that a payment waits for is asked, and nobody else is. */
export function wrongQuestions({ cart, intent, effects }: Rows, now: Date): readonly string[] {
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
