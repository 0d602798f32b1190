import type { Form } from './form.ts'
import { StripeError } from './stripe-error.ts'
import { testCardNumbers } from './test-cards.ts'

/** The test card of a number that a person has entered in the frame of the script; null: none was. The number itself is kept nowhere. */
export function enteredCard(form: Form): string | null {
  const data = 'payment_method_data'
  if (form.text(`${data}[type]`) === null) return null
  const number = form.required(`${data}[card][number]`)
  for (const name of ['exp_month', 'exp_year', 'cvc']) form.required(`${data}[card][${name}]`)
  const known = Object.hasOwn(testCardNumbers, number) ? testCardNumbers[number] : undefined
  if (known !== undefined) return known
  throw new StripeError(402, {
    type: 'card_error',
    code: 'incorrect_number',
    param: 'number',
    message: 'Your card number is incorrect.',
  })
}
