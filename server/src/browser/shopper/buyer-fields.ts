import type { ShopAddress, ShopRequest } from '../../channels/browser/shopping-words.ts'
import { isOfSignIn } from '../reading/choices-of.ts'
import { chooseOption, type WantedOption } from '../reading/choose-option.ts'
import { addressPurposes, assignFields, partsOfValues } from '../reading/field-of.ts'
import { namesOn } from '../reading/named-fields.ts'
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
  /** It is a part of the address that the goods go to. */
  readonly isOfGoods: boolean
  /** A person has answered it for this field. */
  readonly isAnswer?: true
  /** A reader of pages alone says what the field is for. */
  readonly isNamed?: true
}

/** `isGoodsAddressKnown`: the shop has been given where the goods go, on an earlier page. */
type Known = { readonly isGoodsAddressKnown: boolean }
const nothingKnown: Known = { isGoodsAddressKnown: false }

/** What a page asks about the buyer. Fields of a form for a password are those of somebody else. */
export function buyerEntries(page: PageSnapshot, request: ShopRequest, known = nothingKnown): Entry[] {
  const fields = usedFields(page)
  return page.controls.flatMap((control) => {
    const field = fields.get(control.ref)
    if (field === undefined || isOfSignIn(page, control)) return []
    return entryOf(page, request, { control, field, known }) ?? []
  })
}

/** What may be filled in, by its `ref`. Where a second reading says something else, nothing is guessed: no part of an address is left for it. */
function usedFields(page: PageSnapshot): ReadonlyMap<number, Field> {
  const known = used.get(page)
  if (known !== undefined) return known
  const fields = assignFields(page)
  const result = new Map<number, Field>()
  for (const control of page.controls) {
    const field = fields.get(control.ref)
    if (
      field !== undefined &&
      !control.isDisabled &&
      typed.has(control.kind) &&
      saysFor(control, field) !== false
    )
      result.set(control.ref, field)
  }
  used.set(page, result)
  return result
}

const used = new WeakMap<PageSnapshot, ReadonlyMap<number, Field>>()

const typed: ReadonlySet<Control['kind']> = new Set(['text', 'select'])

function entryOf(
  page: PageSnapshot,
  request: ShopRequest,
  { control, field, known }: { control: Control; field: Field; known: Known },
): Entry | null {
  const fields = usedFields(page)
  const purposes = addressPurposes(page)
  const purpose = purposes.get(control.ref)
  const beside = page.controls.filter(
    (other) => other.form === control.form && purposes.get(other.ref) === purpose && !other.isDisabled,
  )
  const find = (...wanted: Field[]) =>
    beside.find(({ ref, kind }) => kind === 'text' && wanted.includes(fields.get(ref) ?? 'search'))
  const part = partsOfValues(page).get(control.ref) ?? null
  // A number of which one box stays empty is another number.
  if (part?.all.some(({ ref }) => !fields.has(ref)) === true) return null
  const second = find('line2')
  const address = addressFor(page, { control, known }, request)
  const [text, ...others] = valuesFor(field, {
    request,
    address,
    control,
    has: (wanted) => beside.some(({ ref }) => fields.get(ref) === wanted),
    rooms: {
      first: find('line1', 'street')?.maxLength ?? null,
      second: second === undefined ? 0 : second.maxLength,
    },
    part,
    language: page.language,
  })
  if (text === undefined) return null
  const isOfGoods = address === request.buyer.shipTo
  return { control, field, text, others, isOfGoods, ...(namesOn(page).has(control.ref) && { isNamed: true }) }
}

function addressFor(
  page: PageSnapshot,
  { control, known }: { control: Control; known: Known },
  request: ShopRequest,
): ShopAddress | null {
  const { shipTo, billTo } = request.buyer
  if (request.fulfillment.method === 'digital') return billTo ?? shipTo
  const isOfBill = addressPurposes(page).get(control.ref) === 'billing'
  const isApart =
    isBilledWhereShipped(request) || known.isGoodsAddressKnown || asksForGoods(page) || asksForTwo(page)
  // Where one address alone is asked for, the goods go there, whatever it is called.
  return isOfBill && isApart ? (billTo ?? shipTo) : (shipTo ?? billTo)
}

function asksForGoods(page: PageSnapshot): boolean {
  const fields = assignFields(page)
  const purposes = addressPurposes(page)
  return page.controls.some(
    ({ ref }) => ofStreets.has(fields.get(ref) ?? 'search') && purposes.get(ref) !== 'billing',
  )
}

/** What stands in a box, or is chosen, says so: where the goods go is asked for next. Otherwise they would go to this address. */
function asksForTwo(page: PageSnapshot): boolean {
  const fields = assignFields(page)
  const said = page.controls.flatMap(({ ref, kind, isChecked }) => {
    const field = fields.get(ref)
    if (field === undefined || !ofTwoAddresses.has(field)) return []
    if (kind === 'checkbox') return [field === 'billing_same' ? !isChecked : isChecked]
    return kind === 'radio' && isChecked ? [field !== 'billing_same'] : []
  })
  return said.length > 0 && said.every((isApart) => isApart)
}

const ofTwoAddresses: ReadonlySet<Field> = new Set(['billing_same', 'ship_elsewhere', 'bill_elsewhere'])

export const ofStreets: ReadonlySet<Field> = new Set(['line1', 'street'])

/** Whether the street that the goods go to is among what was typed. */
export function hasGoodsStreet(entries: readonly Entry[]): boolean {
  return entries.some(({ field, isOfGoods }) => isOfGoods && ofStreets.has(field))
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
  known: Known,
): { readonly control: Control; readonly wanted: WantedOption }[] {
  const fields = assignFields(page)
  return page.controls.flatMap((control) => {
    const address = addressFor(page, { control, known }, request)
    if (control.kind !== 'list' || control.isDisabled || address === null) return []
    const wanted = wantedIn(fields.get(control.ref), address)
    return wanted === null || chooseOption(control, wanted) !== null ? [] : [{ control, wanted }]
  })
}

function wantedIn(field: Field | undefined, { country, state }: ShopAddress): WantedOption | null {
  if (field === 'country') return { country: { code: country } }
  return field === 'state' && state !== null ? { state: { code: state, name: state, country } } : null
}

/** Boxes by which a page asks for one address or for two, where they say something else than the buyer has. */
export function addressBoxes(page: PageSnapshot, request: ShopRequest): Control[] {
  const fields = assignFields(page)
  const isOne = isBilledWhereShipped(request)
  return page.controls.filter(({ ref, kind, isDisabled, isChecked }) => {
    const field = fields.get(ref)
    if (kind !== 'checkbox' || isDisabled) return false
    if (field === 'billing_same') return isChecked !== isOne
    return (field === 'ship_elsewhere' || field === 'bill_elsewhere') && isChecked === isOne
  })
}

/** Boxes without which the page does not go on: consent to the terms, and what it marks as required itself. Nothing else is checked. */
export function neededBoxes(page: PageSnapshot): Control[] {
  const fields = assignFields(page)
  return page.controls.filter((control) => {
    if (control.kind !== 'checkbox' || control.isDisabled) return false
    const field = fields.get(control.ref)
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
  'billing_same',
  'ship_elsewhere',
  'bill_elsewhere',
])

export function isBilledWhereShipped({ buyer: { shipTo, billTo } }: ShopRequest): boolean {
  if (shipTo === null || billTo === null) return true
  return JSON.stringify(Object.entries(shipTo).sort()) === JSON.stringify(Object.entries(billTo).sort())
}
