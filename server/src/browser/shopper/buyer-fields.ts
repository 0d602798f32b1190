import type { ShopAddress, ShopRequest } from '../../channels/browser/shopping-words.ts'
import { chooseOption, type WantedOption } from '../reading/choose-option.ts'
import { assignFields } from '../reading/field-of.ts'
import { purposeOf } from '../reading/field-signals.ts'
import type { Control, PageSnapshot } from '../reading/page-snapshot.ts'
import { findState } from '../reading/states.ts'
import type { Field } from '../reading/words/shop-words.ts'
import { splitName, splitStreet } from './split-address.ts'

/** What is typed into a field, or which option of a list is chosen. */
export type Entry = { readonly control: Control; readonly text: string }

/** What a page asks about the buyer and is not answered yet. Fields of a form for a password are those of somebody else. */
export function buyerEntries(page: PageSnapshot, request: ShopRequest): Entry[] {
  const fields = assignFields(page)
  const has = (form: Control['form'], field: Field) =>
    page.controls.some((control) => control.form === form && fields.get(control.ref) === field)
  return page.controls.flatMap((control) => {
    const field = fields.get(control.ref)
    if (field === undefined || control.isDisabled || has(control.form, 'password')) return []
    const isSplit = has(control.form, 'house_number')
    const text = textFor(field, { request, address: addressFor(control, request), control, isSplit })
    return text === null || !isOpen(control, text) ? [] : [{ control, text }]
  })
}

/** One field as somebody else has named it; null where the buyer has nothing for it, or it is no field for words. */
export function entryFor(
  request: ShopRequest,
  { control, field }: { control: Control; field: Field },
): Entry | null {
  if (control.kind !== 'text' && control.kind !== 'select') return null
  const isSplit = field === 'street' || field === 'house_number'
  const text = textFor(field, { request, address: addressFor(control, request), control, isSplit })
  if (text === null || text === '') return null
  if (control.kind === 'text') return { control, text }
  // Only for states and countries it is known which option means them.
  return control.options.some(({ value, isDisabled }) => value === text && !isDisabled)
    ? { control, text }
    : null
}

function isOpen(control: Control, text: string): boolean {
  if (control.kind === 'text') return control.isEmpty && text !== ''
  return (
    control.kind === 'select' &&
    !control.options.some(({ value, isSelected }) => isSelected && value === text)
  )
}

function addressFor(control: Control, { buyer, fulfillment }: ShopRequest): ShopAddress | null {
  const { shipTo, billTo } = buyer
  if (purposeOf(control) === 'billing' || fulfillment.method === 'digital') return billTo ?? shipTo
  return shipTo ?? billTo
}

type About = {
  readonly request: ShopRequest
  readonly address: ShopAddress | null
  readonly control: Control
  /** The number of the house has a field of its own. */
  readonly isSplit: boolean
}

function textFor(field: Field, { request, address, control, isSplit }: About): string | null {
  const { buyer } = request
  const name = address?.recipientName ?? buyer.name
  switch (field) {
    case 'email':
      return buyer.email
    case 'phone':
      return buyer.phone
    case 'full_name':
      return name
    case 'first_name':
      return splitName(name).first
    case 'last_name':
      return splitName(name).last
    case 'line1':
    case 'street':
      return address === null ? null : isSplit ? splitStreet(address.line1).street : address.line1
    case 'house_number':
      return address === null ? null : splitStreet(address.line1).number
    case 'line2':
      return address?.line2 ?? null
    case 'city':
      return address?.city ?? null
    case 'postal_code':
      return address?.postalCode ?? null
    case 'state':
      return stateFor(control, address)
    case 'country':
      return countryFor(control, address)
    default:
      return null
  }
}

/** A list says how it names states; a field takes the code where it has no room for more. */
function stateFor(control: Control, address: ShopAddress | null): string | null {
  if (address === null || address.state === null) return null
  const { state, country } = address
  if (control.kind === 'select')
    return chooseOption(control, { state: { code: state, name: state, country } })
  return findState(country, state)?.code ?? state
}

function countryFor(control: Control, address: ShopAddress | null): string | null {
  if (address === null) return null
  if (control.kind === 'select') return chooseOption(control, { country: { code: address.country } })
  return new Intl.DisplayNames(['en'], { type: 'region' }).of(address.country) ?? address.country
}

/** Lists that a script draws, and that show something else than the address says. */
export function listEntries(
  page: PageSnapshot,
  request: ShopRequest,
): { readonly control: Control; readonly wanted: WantedOption }[] {
  const fields = assignFields(page)
  return page.controls.flatMap((control) => {
    const address = addressFor(control, request)
    if (control.kind !== 'list' || control.isDisabled || address === null) return []
    const wanted = wantedIn(fields.get(control.ref), address)
    return wanted === null || chooseOption(control, wanted) !== null ? [] : [{ control, wanted }]
  })
}

function wantedIn(field: Field | undefined, { country, state }: ShopAddress): WantedOption | null {
  if (field === 'country') return { country: { code: country } }
  return field === 'state' && state !== null ? { state: { code: state, name: state, country } } : null
}

/** Boxes without which the page does not go on: consent to the terms, and what it marks as required itself. Nothing else is checked. */
export function neededBoxes(page: PageSnapshot, request: ShopRequest): Control[] {
  const fields = assignFields(page)
  return page.controls.filter((control) => {
    if (control.kind !== 'checkbox' || control.isDisabled) return false
    const field = fields.get(control.ref)
    if (field === 'billing_same') return control.isChecked !== isBilledWhereShipped(request)
    if (control.isChecked || (field !== undefined && unasked.has(field))) return false
    return field === 'terms_consent' || control.isRequired
  })
}

/** What no buyer has asked for. */
export const unasked: ReadonlySet<Field> = new Set([
  'newsletter',
  'marketing_consent',
  'save_card',
  'create_account',
])

function isBilledWhereShipped({ buyer: { shipTo, billTo } }: ShopRequest): boolean {
  if (shipTo === null || billTo === null) return true
  return JSON.stringify(Object.entries(shipTo).sort()) === JSON.stringify(Object.entries(billTo).sort())
}
