import { type Html, html } from '../web/html.ts'
import type { Address, Cart } from './cart.ts'

type Field = { name: string; label: string; autocomplete: string; type?: string; isRequired: boolean }

/** As shop software asks for it, with the tokens that browsers fill in. */
const fields: readonly Field[] = [
  { name: 'email', label: 'Email address', autocomplete: 'email', type: 'email', isRequired: true },
  { name: 'first_name', label: 'First name', autocomplete: 'given-name', isRequired: true },
  { name: 'last_name', label: 'Last name', autocomplete: 'family-name', isRequired: true },
  { name: 'address_1', label: 'Street address', autocomplete: 'address-line1', isRequired: true },
  { name: 'address_2', label: 'Apartment, suite, etc.', autocomplete: 'address-line2', isRequired: false },
  { name: 'city', label: 'City', autocomplete: 'address-level2', isRequired: true },
  { name: 'state', label: 'State', autocomplete: 'address-level1', isRequired: false },
  { name: 'postcode', label: 'ZIP code', autocomplete: 'postal-code', isRequired: true },
  { name: 'phone', label: 'Phone', autocomplete: 'tel', type: 'tel', isRequired: false },
]

const countries: readonly [string, string][] = [
  ['US', 'United States'],
  ['CA', 'Canada'],
  ['GB', 'United Kingdom'],
  ['DE', 'Germany'],
  ['FR', 'France'],
]

export function addressFields(typed: URLSearchParams): Html {
  const country = typed.get('country') ?? 'US'
  return html`${fields.map(
    ({ name, label, autocomplete, type = 'text', isRequired }) =>
      html`<p class="field"><label for="${name}">${label}${isRequired ? html` <abbr title="required">*</abbr>` : ' (optional)'}</label>
<input type="${type}" id="${name}" name="${name}" autocomplete="${autocomplete}" value="${typed.get(name)}"${isRequired && html` required`}></p>`,
  )}
<p class="field"><label for="country">Country / Region *</label>
<select id="country" name="country" autocomplete="country" required>${countries.map(
    ([code, name]) => html`<option value="${code}"${code === country && html` selected`}>${name}</option>`,
  )}</select></p>`
}

/** What was typed, as it is kept; or what is wrong with it. */
export function readAddress(
  typed: URLSearchParams,
): { kind: 'address'; email: string; address: Address } | { kind: 'wrong'; messages: string[] } {
  const value = (name: string) => (typed.get(name) ?? '').trim()
  const messages = fields
    .filter(({ name, isRequired }) => isRequired && value(name) === '')
    .map(({ label }) => `${label} is a required field.`)
  if (value('email') !== '' && !/^\S+@\S+\.\S+$/.test(value('email')))
    messages.push('Please enter a valid email address.')
  if (!/^[A-Z]{2}$/.test(value('country'))) messages.push('Country / Region is a required field.')
  if (value('country') === 'US' && value('postcode') !== '' && !/^\d{5}(-\d{4})?$/.test(value('postcode')))
    messages.push('ZIP code is not valid.')
  if (messages.length > 0) return { kind: 'wrong', messages }
  const address = {
    name: `${value('first_name')} ${value('last_name')}`,
    line1: value('address_1'),
    line2: value('address_2'),
    city: value('city'),
    region: value('state'),
    postalCode: value('postcode'),
    country: value('country'),
    phone: value('phone'),
  }
  return { kind: 'address', email: value('email'), address }
}

/** The fields as they were typed before. */
export function typedAddress({ email, address }: Cart): URLSearchParams {
  const [firstName = '', ...rest] = (address?.name ?? '').split(' ')
  return new URLSearchParams({
    email: email ?? '',
    first_name: firstName,
    last_name: rest.join(' '),
    address_1: address?.line1 ?? '',
    address_2: address?.line2 ?? '',
    city: address?.city ?? '',
    state: address?.region ?? '',
    postcode: address?.postalCode ?? '',
    country: address?.country ?? 'US',
    phone: address?.phone ?? '',
  })
}
