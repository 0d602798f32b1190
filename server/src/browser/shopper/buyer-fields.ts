import type { ShopAddress, ShopRequest } from '../../channels/browser/shopping-words.ts'
import { isOfSignIn } from '../reading/choices-of.ts'
import { chooseOption, type WantedOption } from '../reading/choose-option.ts'
import { assignFields, partsOfValues } from '../reading/field-of.ts'
import { purposeOf } from '../reading/field-signals.ts'
import type { Control, PageSnapshot } from '../reading/page-snapshot.ts'
import { saysFor } from '../reading/second-look.ts'
import type { Field } from '../reading/words/shop-words.ts'
import { findWords } from '../reading/words/words.ts'
import { isNeutral, valuesFor } from './buyer-values.ts'

/** What is typed into a field, or which option of a list is chosen. */
export type Entry = {
  readonly control: Control
  readonly field: Field
  readonly text: string
  /** The same in other forms, for a field that does not take the first one. */
  readonly others: readonly string[]
}

/** What a page asks about the buyer. Fields of a form for a password are those of somebody else. */
export function buyerEntries(page: PageSnapshot, request: ShopRequest): Entry[] {
  const fields = assignFields(page)
  return page.controls.flatMap((control) => {
    const field = fields.get(control.ref)
    if (field === undefined || control.isDisabled || !typed.has(control.kind)) return []
    if (isOfSignIn(page, control)) return []
    // Where a second reading says something else, nothing is guessed.
    if (saysFor(control, field) === false) return []
    return entryOf(page, request, { control, field }) ?? []
  })
}

const typed: ReadonlySet<Control['kind']> = new Set(['text', 'select'])

function entryOf(
  page: PageSnapshot,
  request: ShopRequest,
  { control, field }: { control: Control; field: Field },
): Entry | null {
  const fields = assignFields(page)
  const purpose = purposeOf(control)
  const beside = page.controls.filter(
    (other) => other.form === control.form && purposeOf(other) === purpose && !other.isDisabled,
  )
  const find = (...wanted: Field[]) =>
    beside.find(({ ref, kind }) => kind === 'text' && wanted.includes(fields.get(ref) ?? 'search'))
  const second = find('line2')
  const [text, ...others] = valuesFor(field, {
    request,
    address: addressFor(control, request),
    control,
    has: (wanted) => beside.some(({ ref }) => fields.get(ref) === wanted),
    rooms: {
      first: (control.ref === second?.ref ? null : find('line1', 'street')?.maxLength) ?? null,
      second: second === undefined ? 0 : second.maxLength,
    },
    part: partsOfValues(page).get(control.ref) ?? null,
    language: page.language,
  })
  return text === undefined ? null : { control, field, text, others }
}

/** One field as somebody else has named it; null where the buyer has nothing for it, or it is no field for words. */
export function entryFor(
  page: PageSnapshot,
  request: ShopRequest,
  named: { control: Control; field: Field },
): Entry | null {
  return typed.has(named.control.kind) ? entryOf(page, request, named) : null
}

function addressFor(control: Control, { buyer, fulfillment }: ShopRequest): ShopAddress | null {
  const { shipTo, billTo } = buyer
  if (purposeOf(control) === 'billing' || fulfillment.method === 'digital') return billTo ?? shipTo
  return shipTo ?? billTo
}

/** What a list shows before anything is chosen: `Select a state`, `—`. */
export function isFirstChoice(text: string): boolean {
  return /^[\s\p{P}\p{S}]*$|^[\s\p{P}]*(?:please |bitte |veuillez |por favor,? )?(?:select|choose|pick|w[äa]hl|ausw[äa]hl|choisi|s[ée]lection|selecc|elija|elige|selezion|scegli|kies|selecteer|escolha|wybierz|v[äa]lj|選択)/iu.test(
    text,
  )
}

/** Of the choices of a salutation that a page insists on, the one that says nothing of whether somebody is a man or a woman. */
export function neutralSalutations(page: PageSnapshot): Control[] {
  const groups = Map.groupBy(
    page.controls.filter(({ kind, isDisabled }) => kind === 'radio' && !isDisabled),
    ({ form, name, group }) => `${form} ${name || group}`,
  )
  return [...groups.values()].flatMap((radios) => {
    const about = `${radios[0]?.group} . ${radios[0]?.name.replaceAll(/[^\p{L}\p{N}]+/gu, ' ')}`
    const isAsked = findWords('fields', about.slice(0, 300), page.language).some(
      ({ key }) => key === 'salutation',
    )
    if (!isAsked || !radios.some(({ isRequired }) => isRequired) || radios.some(({ isChecked }) => isChecked))
      return []
    return radios.find(({ label, near }) => isNeutral(label || near)) ?? []
  })
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
