import { cardFields } from '../shop/card-fields.ts'
import type { Cart } from '../shop/cart.ts'
import type { Desk } from '../shop/desk.ts'
import { payByCard, paymentAgain } from '../storefront/pay-by-card.ts'
import type { Storefront } from '../storefront/storefront.ts'
import { storefrontRoutes } from '../storefront/storefront-routes.ts'
import { usualTerms } from '../storefront/usual-terms.ts'
import { type Html, html, written } from '../web/html.ts'
import type { OpenedShop } from '../web/site.ts'
import { type PickyForm, pickyAddress, pickyFields, pickyForms } from './picky-forms.ts'

const picky: Storefront = {
  ...usualTerms,
  look: { title: 'Picky Papers', tagline: 'Forms, in every form', lang: 'en', accent: '#4a2e6b' },
  products: Object.keys(pickyForms).map((handle) => ({
    handle,
    name: `Notebook ${handle}`,
    description: 'A notebook that is sold by a form of its own.',
    price: 1200,
    stock: 1_000,
  })),
  address: {
    fields: (typed, cart) => pickyFields(formOf(cart), typed),
    read(form, cart) {
      const { email, address } = pickyAddress(form)
      const missing = formOf(cart).fields.filter(
        ({ name, isRequired, isMissed, isStarred }) =>
          (isRequired || isMissed || isStarred) && (form.get(name) ?? '') === '',
      )
      if (missing.length > 0)
        return {
          kind: 'wrong',
          messages: missing.map(({ label, isMissed }) =>
            isMissed ? `${label} must be between 3 and 32 characters!` : `${label} is a required field.`,
          ),
        }
      // Its database has room for so much.
      const line1 = skuOf(cart) === 'cuts' ? address.line1.slice(0, 7) : address.line1
      return { kind: 'address', email, address: { ...address, line1 } }
    },
  },
  hidesAddress: (cart) => skuOf(cart) === 'odd-blind',
  payment: (cart) => ({ fields: paymentFields(skuOf(cart)) }),
  pay(paying) {
    const form = new URLSearchParams(paying.visit.form)
    if ((form.get('loyalty') ?? '') !== '')
      return Promise.resolve(paymentAgain(paying, ['Unknown loyalty card.']))
    if (form.has('to_month')) form.set('card_expiry', `${form.get('to_month')}/${form.get('to_year')}`)
    return payByCard({ ...paying, visit: { ...paying.visit, form } })
  },
}

function skuOf(cart: Cart): string {
  return cart.lines[0]?.sku ?? ''
}

function formOf(cart: Cart): PickyForm {
  return pickyForms[skuOf(cart)] ?? { fields: [] }
}

function paymentFields(sku: string): Html {
  if (sku === 'loyalty')
    return html`<p class="field"><label for="loyalty">Loyalty card number (optional)</label><input id="loyalty" name="loyalty" inputmode="numeric"></p>
<p class="field"><label for="n">Card number</label><input id="n" name="card_number" inputmode="numeric" required></p>
<p class="field"><label for="e">Expiry (MM/YY)</label><input id="e" name="card_expiry" required></p>
<p class="field"><label for="c">CCV number</label><input id="c" name="card_cvc" required></p>`
  if (sku === 'valid-from')
    return html`<p class="field"><label for="n">Card number</label><input id="n" name="card_number" required></p>
<p class="field"><label for="fm">Valid from</label>${months('from_month', 'fm')}${years('from_year', '', 2018)}</p>
<p class="field"><label for="tm">Valid to</label>${months('to_month', 'tm')}${years('to_year', '', new Date().getFullYear())}</p>
<p class="field"><label for="c">Security code</label><input id="c" name="card_cvc" required></p>`
  if (sku !== 'forgets') return cardFields()
  return html`${cardFields()}${written(
    '<script>card_cvc.addEventListener("input", () => { card_number.value = card_number.value.slice(0, 4) })</script>',
  )}`
}

function months(name: string, id: string): Html {
  const all = Array.from({ length: 12 }, (_, at) => String(at + 1).padStart(2, '0'))
  return html`<select name="${name}" id="${id}"><option value="">MM</option>${all.map((one) => html`<option>${one}</option>`)}</select>`
}

function years(name: string, id: string, first: number): Html {
  const all = Array.from({ length: 12 }, (_, at) => first + at)
  return html`<select name="${name}" id="${id}"><option value="">YYYY</option>${all.map((one) => html`<option>${one}</option>`)}</select>`
}

/** Each product is sold by a checkout with another form, as the forms of real shops are. Its book keeps what was typed, field by field. */
export function openShop(desk: Desk): OpenedShop {
  return { sites: { [desk.host]: storefrontRoutes(desk, picky) } }
}
