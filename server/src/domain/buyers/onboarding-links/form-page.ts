import type { HostedReply } from '../../../contract/hosted-page.ts'
import { type Html, html } from '../../../platform/pages/html.ts'
import { pageOf } from '../../../platform/pages/layout.ts'
import { countryCodes } from '../../../schema/formats.ts'
import type { Faults, FieldName, FieldValues } from './form-fields.ts'
import type { FoundLink } from './links.sql.ts'

type FormShown = {
  readonly link: FoundLink
  readonly values: FieldValues
  readonly faults: Faults
  /** Proves that the form was sent from this very page. */
  readonly formToken: string
  /** Whether the profile has a date of birth, which is not shown. */
  readonly hasDob: boolean
}

/** The form; with faults, each beside its field and all of them above. The typed values stay. */
export function formPage(shown: FormShown): HostedReply {
  const { link, faults } = shown
  const isUpdate = link.use_case === 'account_update'
  const heading = isUpdate ? 'Update your details' : 'Enter your details'
  const title = faults.size > 0 ? `Error: ${heading}` : heading
  const body = html`<h1>${heading}</h1>
<p>For <strong>${link.account_name}</strong>. You can leave fields empty that are marked as optional.</p>
${summary(faults)}
<form method="post" novalidate>
<input type="hidden" name="form_token" value="${shown.formToken}">
${personFields(shown)}
${addressFields(shown)}
<button type="submit">Save</button>
</form>`
  return pageOf({ status: faults.size > 0 ? 422 : 200, title, isTest: link.mode === 'test', body })
}

/**
 * It has the focus when the page opens: people who cannot see it would otherwise begin at the top of the page, and not hear of the
 * faults.
 */
function summary(faults: Faults): Html | null {
  if (faults.size === 0) return null
  return html`<div class="faults" role="alert" tabindex="-1" autofocus>
<h2>Nothing is saved yet. Please correct these fields:</h2>
<ul>
${[...faults].map(
  ([name, words]) => html`<li><a href="#${name}">${words}</a></li>
`,
)}</ul>
</div>`
}

function personFields(shown: FormShown): Html {
  const dobHint = shown.hasDob
    ? 'We already have your date of birth. Leave these fields empty to keep it.'
    : 'For example 27 3 1985. Fill in all three fields, or none.'
  return html`<div class="row">
${input(shown, 'first_name', 'First name', 'given-name')}
${input(shown, 'last_name', 'Last name', 'family-name', { isOptional: true })}
</div>
${input(shown, 'email', 'E-mail address', 'email', { type: 'email' })}
${input(shown, 'phone', 'Phone', 'tel', { type: 'tel', isOptional: true, hint: 'Include the country code, such as +4915112345678.' })}
${countries(shown, 'country', 'Country you live in', 'country')}
<fieldset aria-describedby="dob-hint">
<legend>Date of birth <span class="optional">(optional)</span></legend>
<p class="hint" id="dob-hint">${dobHint}</p>
<div class="date">
${input(shown, 'dob_day', 'Day', 'bday-day', { inputMode: 'numeric' })}
${input(shown, 'dob_month', 'Month', 'bday-month', { inputMode: 'numeric' })}
${input(shown, 'dob_year', 'Year', 'bday-year', { inputMode: 'numeric' })}
</div>
</fieldset>`
}

function addressFields(shown: FormShown): Html {
  return html`<fieldset aria-describedby="address-hint">
<legend>Address <span class="optional">(optional)</span></legend>
<p class="hint" id="address-hint">This address is used for bills and for deliveries. Fill it in, or leave all of it empty. If you fill it in, only the fields that are marked as optional can be empty.</p>
${input(shown, 'address_line1', 'Street and number', 'address-line1')}
${input(shown, 'address_line2', 'Second address line', 'address-line2', { isOptional: true })}
<div class="row">
${input(shown, 'address_postal_code', 'Postal code', 'postal-code', { isOptional: true })}
${input(shown, 'address_city', 'Town or city', 'address-level2')}
</div>
${input(shown, 'address_state', 'State or region', 'address-level1', { isOptional: true })}
${countries(shown, 'address_country', 'Country of this address', 'country')}
</fieldset>`
}

type InputLooks = { type?: string; inputMode?: string; isOptional?: boolean; hint?: string }

function input(
  { values, faults }: FormShown,
  name: FieldName,
  label: string,
  autocomplete: string,
  { type = 'text', inputMode, isOptional = false, hint }: InputLooks = {},
): Html {
  const fault = faults.get(name)
  return html`<div class="field">
<label for="${name}">${label}${isOptional ? html` <span class="optional">(optional)</span>` : null}</label>
${hint ? html`<p class="hint" id="${name}-hint">${hint}</p>` : null}
<input id="${name}" name="${name}" type="${type}" value="${values[name]}" autocomplete="${autocomplete}"${
    inputMode ? html` inputmode="${inputMode}"` : null
  }${linked(name, fault, hint !== undefined)}>
${faultLine(name, fault)}</div>`
}

function countries(
  { values, faults }: FormShown,
  name: FieldName,
  label: string,
  autocomplete: string,
): Html {
  const fault = faults.get(name)
  return html`<div class="field">
<label for="${name}">${label}</label>
<select id="${name}" name="${name}" autocomplete="${autocomplete}"${linked(name, fault, false)}>
<option value="">Choose</option>
${countryOptions(values[name])}</select>
${faultLine(name, fault)}</div>`
}

/** Connects a field with its hint and fault, for people who listen to the page. */
function linked(name: FieldName, fault: string | undefined, hasHint: boolean): Html | null {
  const ids = [...(hasHint ? [`${name}-hint`] : []), ...(fault === undefined ? [] : [`${name}-fault`])]
  if (ids.length === 0) return null
  return html`${fault === undefined ? null : html` aria-invalid="true"`} aria-describedby="${ids.join(' ')}"`
}

function faultLine(name: FieldName, fault: string | undefined): Html | null {
  return fault === undefined
    ? null
    : html`<p class="fault" id="${name}-fault">${fault}</p>
`
}

let named: readonly { code: string; name: string }[] | undefined

function countryOptions(chosen: string): Html[] {
  named ??= namedCountries()
  return named.map(
    ({
      code,
      name,
    }) => html`<option value="${code}"${code === chosen ? html` selected` : null}>${name}</option>
`,
  )
}

function namedCountries(): { code: string; name: string }[] {
  const names = new Intl.DisplayNames(['en'], { type: 'region' })
  return countryCodes()
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .sort((a, b) => a.name.localeCompare(b.name, 'en'))
}
