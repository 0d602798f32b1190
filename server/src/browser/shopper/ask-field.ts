import type { ShopField } from '../../channels/browser/shopping-words.ts'
import { deliveryOptions } from '../reading/delivery-options.ts'
import { assignFields } from '../reading/field-of.ts'
import { cleanText } from '../reading/json-ld.ts'
import type { Control, PageSnapshot } from '../reading/page-snapshot.ts'
import { paymentMethods } from '../reading/payment-methods.ts'
import { asksForCardNumber, saysFor } from '../reading/second-look.ts'
import { isSecretAsked } from '../reading/secret-words.ts'
import type { Field } from '../reading/words/shop-words.ts'
import { isFirstChoice } from './buyer-fields.ts'
import { secretFields } from './card-fields.ts'

const labelMax = 80
const textMax = 200
/** Longer lists than that of all countries are not asked about. */
const optionsMax = 300

/** What a control asks of its buyer; null: nobody is asked. `secret`: nobody ever is. */
type Asked = ShopField | 'secret' | null

/** What may be asked of what is known to be about the buyer; what else is asked is not known to be anything. */
const askable: ReadonlySet<Field> = new Set([
  'phone',
  'dial_code',
  'postal_code',
  'state',
  'salutation',
  'company',
  'last_name',
  'date_of_birth',
  'order_notes',
])

/** The same for the same control, whatever stands in it: an answer is typed only where this still asks for it. */
export function askedBy(page: PageSnapshot, control: Control): Asked {
  if (control.isDisabled) return null
  // guard secrets-are-never-asked: no person is asked for what pays, signs in, or proves who somebody is
  if (isSecretAsked(control) || asksForCardNumber(control)) return 'secret'
  const field = fieldOf(page, control)
  if (field !== null && secretFields.has(field)) return 'secret'
  if (field !== null && !askable.has(field)) return null
  if (isAboutTheSale(page, control)) return null
  const label = labelFor(page, control, field)
  if (label === null) return null
  const name = nameFor(field, label)
  const kind = kindOf(control)
  if (kind === null || name === '') return null
  if (kind !== 'choice') {
    const max_length = Math.min(control.maxLength ?? textMax, textMax)
    return { name, label, kind, ...(kind === 'text' ? { max_length } : {}) }
  }
  const options = choicesOf(page, control).map(({ label: one }) => one)
  const isTold =
    options.length > 0 && options.length <= optionsMax && new Set(options).size === options.length
  return isTold ? { name, label, kind, options } : null
}

/** What can be chosen there, in the words of the page, and what is selected or pressed for it. */
export function choicesOf(
  page: PageSnapshot,
  control: Control,
): { readonly label: string; readonly ref: number; readonly value: string | null }[] {
  if (control.kind === 'select')
    return control.options.flatMap(({ value, text, isDisabled }) => {
      const label = cleanText(text, labelMax)
      const isChoice = !isDisabled && value !== '' && label !== null && !isFirstChoice(text)
      return isChoice ? [{ label, ref: control.ref, value }] : []
    })
  return radiosWith(page, control).flatMap((radio) => {
    const label = cleanText(radio.label || radio.near, labelMax)
    return label === null ? [] : [{ label, ref: radio.ref, value: null }]
  })
}

function radiosWith({ controls }: PageSnapshot, { form, name, group }: Control): Control[] {
  return controls.filter(
    (one) =>
      one.kind === 'radio' &&
      !one.isDisabled &&
      one.form === form &&
      one.name === name &&
      one.group === group,
  )
}

/** What it is known to be for; null: two readings of it do not agree, or nothing is known. */
export function fieldOf(page: PageSnapshot, control: Control): Field | null {
  const field = assignFields(page).get(control.ref)
  return field === undefined || saysFor(control, field) === false ? null : field
}

/** How it is paid and how it comes is decided by others. */
function isAboutTheSale(page: PageSnapshot, { ref, kind }: Control): boolean {
  if (kind !== 'select' && kind !== 'radio') return false
  return [...paymentMethods(page), ...deliveryOptions(page, null)].some((one) => one.ref === ref)
}

/** A code of a country is a part of the phone that is asked for. */
function labelFor(page: PageSnapshot, control: Control, field: Field | null): string | null {
  if (field === 'dial_code') {
    const phone = page.controls.find(
      (one) => one.form === control.form && fieldOf(page, one) === 'phone' && one.kind === 'text',
    )
    return phone === undefined ? null : labelFor(page, phone, 'phone')
  }
  const own =
    control.kind === 'radio'
      ? control.group
      : control.label || control.placeholder || control.near || control.group
  const isPart = control.kind !== 'radio' && control.group !== '' && own !== control.group
  const said = cleanText(isPart && own.length < 20 ? `${control.group}: ${own}` : own, labelMax)
  return said?.replaceAll(/[\s:*]+$/gu, '') || null
}

/** By what is asked, not by the names of a program: those change with each page that some shops make. */
function nameFor(field: Field | null, label: string): string {
  if (field !== null) return field === 'dial_code' ? 'phone' : field
  const words =
    label
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  return words.join('_').slice(0, 60)
}

function kindOf({ kind, type }: Control): ShopField['kind'] | null {
  switch (kind) {
    case 'select':
    case 'radio':
      return 'choice'
    case 'text':
      return type === 'date' || type === 'number' ? type : isWords.has(type) ? 'text' : null
    case 'list':
    case 'checkbox':
    case 'file':
      return null
    default:
      return kind satisfies never
  }
}

const isWords: ReadonlySet<string> = new Set(['text', 'textarea', 'tel', 'search', 'url', 'email', ''])
