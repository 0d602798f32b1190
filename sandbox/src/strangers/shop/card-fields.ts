import { type Html, html } from '../web/html.ts'
import type { TypedCard } from './card-processor.ts'

/** As payment plugins ask for a card on the shop's own page. */
export function cardFields(): Html {
  return html`<p class="field"><label for="cardholder">Name on card</label>
<input id="cardholder" name="cardholder" autocomplete="cc-name"></p>
<p class="field"><label for="card_number">Card number</label>
<input id="card_number" name="card_number" autocomplete="cc-number" inputmode="numeric" placeholder="1234 1234 1234 1234" required></p>
<div class="columns"><p class="field"><label for="card_expiry">Expiry (MM/YY)</label>
<input id="card_expiry" name="card_expiry" autocomplete="cc-exp" inputmode="numeric" placeholder="MM / YY" required></p>
<p class="field"><label for="card_cvc">Card code (CVC)</label>
<input id="card_cvc" name="card_cvc" autocomplete="cc-csc" inputmode="numeric" placeholder="CVC" required></p></div>`
}

/** The card, or what a form says of it before anybody is asked. */
export function readCard(
  typed: URLSearchParams,
): { kind: 'card'; card: TypedCard } | { kind: 'wrong'; messages: string[] } {
  const number = (typed.get('card_number') ?? '').replaceAll(/\D/g, '')
  const expiry = (typed.get('card_expiry') ?? '').trim()
  const securityCode = (typed.get('card_cvc') ?? '').trim()
  const messages = [
    ...(hasCheckDigit(number) ? [] : ['Your card number is invalid.']),
    ...(/^\d{1,2}\s*[/-]?\s*(\d{2}|\d{4})$/.test(expiry)
      ? []
      : ["Your card's expiration date is incomplete."]),
    ...(/^\d{3,4}$/.test(securityCode) ? [] : ["Your card's security code is incomplete."]),
  ]
  if (messages.length > 0) return { kind: 'wrong', messages }
  return { kind: 'card', card: { number, expiry, securityCode } }
}

function hasCheckDigit(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 1 ? 2 : 1)
    return total + (doubled > 9 ? doubled - 9 : doubled)
  }, 0)
  return number.length >= 12 && sum % 10 === 0
}
