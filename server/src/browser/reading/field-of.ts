import { purposeOf, scoreFields } from './field-signals.ts'
import type { Control, PageSnapshot } from './page-snapshot.ts'
import type { Field } from './words/shop-words.ts'
import { findWords } from './words/words.ts'

/** What each control is for, by its `ref`. In one form no two controls are for the same, but what is repeated: an address to repeat, boxes. */
export function assignFields(snapshot: PageSnapshot): ReadonlyMap<number, Field> {
  const known = assigned.get(snapshot)
  if (known !== undefined) return known
  const result = new Map<number, Field>()
  for (const controls of formsOf(snapshot)) {
    const form = assignForm(controls, snapshot)
    for (const [ref, field] of form) result.set(ref, field)
  }
  assigned.set(snapshot, result)
  return result
}

/** A snapshot does not change, and is asked about each of its controls. */
const assigned = new WeakMap<PageSnapshot, ReadonlyMap<number, Field>>()

function formsOf({ controls }: PageSnapshot): Control[][] {
  const forms = new Map<string, Control[]>()
  for (const control of controls) {
    const key = `${control.form} ${control.isInDialog}`
    forms.set(key, [...(forms.get(key) ?? []), control])
  }
  return [...forms.values()]
}

type Assigned = Map<number, Field>

function assignForm(controls: readonly Control[], snapshot: PageSnapshot): Assigned {
  const result: Assigned = new Map()
  const taken = new Set<string>()
  const claims = controls
    .flatMap((control, order) =>
      [...scoreFields(control, snapshot.language)].map(([field, score]) => ({
        control,
        field,
        score,
        order,
      })),
    )
    .sort((a, b) => b.score - a.score || a.order - b.order)
  for (const { control, field, score } of claims) {
    const key = `${field} ${purposeOf(control)}`
    const mayRepeat = repeated.has(field) && score >= 100
    if (result.has(control.ref) || (taken.has(key) && !mayRepeat)) continue
    result.set(control.ref, field)
    taken.add(key)
  }
  settleNewsletter(controls, result, snapshot)
  for (const part of partsOf(controls)) {
    settleNames(part, result)
    settleStreet(part, result)
    settleBetween(part, result)
    settleCard(part, result)
  }
  return result
}

const repeated: ReadonlySet<Field> = new Set([
  'email',
  'password',
  'quantity',
  'newsletter',
  'terms_consent',
  'marketing_consent',
  'one_time_code',
  'search',
])

/** The addresses of a form, each for itself. */
function partsOf(controls: readonly Control[]): Control[][] {
  const parts = new Map<string | null, Control[]>()
  for (const control of controls) {
    const purpose = purposeOf(control)
    parts.set(purpose, [...(parts.get(purpose) ?? []), control])
  }
  return [...parts.values()]
}

/** An address of email that stands alone with a button that subscribes is not the buyer's. */
function settleNewsletter(controls: readonly Control[], result: Assigned, snapshot: PageSnapshot): void {
  const texts = controls.filter(({ kind }) => kind === 'text')
  const [only] = texts
  if (texts.length !== 1 || only === undefined || result.get(only.ref) !== 'email') return
  const around = [only.label, only.placeholder, only.near, only.group, only.name].join(' . ')
  const isSaid = findWords('fields', around, snapshot.language).some(({ key }) => key === 'newsletter')
  const subscribes = snapshot.actions.some(
    ({ form, name, isInDialog }) =>
      form === only.form &&
      isInDialog === only.isInDialog &&
      (form !== null || isInDialog) &&
      findWords('actions', name, snapshot.language).some(({ key }) => key === 'subscribe'),
  )
  if (isSaid || subscribes) result.set(only.ref, 'newsletter')
}

/** `Name` beside a last name is the first one. */
function settleNames(controls: readonly Control[], result: Assigned): void {
  const find = (field: Field) => controls.find(({ ref }) => result.get(ref) === field)
  const full = find('full_name')
  if (full === undefined) return
  if (find('last_name') !== undefined && find('first_name') === undefined) result.set(full.ref, 'first_name')
  else if (find('first_name') !== undefined && find('last_name') === undefined)
    result.set(full.ref, 'last_name')
}

/** A street without a field for its number has the number in it; a line beside a number is the street. */
function settleStreet(controls: readonly Control[], result: Assigned): void {
  const find = (field: Field) => controls.find(({ ref }) => result.get(ref) === field)
  const [line, street, number] = [find('line1'), find('street'), find('house_number')]
  if (number === undefined && street !== undefined && line === undefined) {
    const next = controls[controls.indexOf(street) + 1]
    const isNumber =
      next !== undefined && isUnknownText(next, result) && isShort(next, 8) && !isShapeOfPostalCode(next)
    if (isNumber) result.set(next.ref, 'house_number')
    else result.set(street.ref, 'line1')
  } else if (number !== undefined && line !== undefined && street === undefined)
    result.set(line.ref, 'street')
  else if (number === undefined && street !== undefined && line !== undefined) {
    // `Address` and `Street`: the second line of one address.
    const isFirst = controls.indexOf(street) < controls.indexOf(line)
    const hasSecond = find('line2') !== undefined
    if (isFirst) result.set(street.ref, 'line1')
    if (hasSecond) result.delete((isFirst ? line : street).ref)
    else result.set((isFirst ? line : street).ref, 'line2')
  }
}

/** What stands unnamed between the street and the city, or right after the city. */
function settleBetween(controls: readonly Control[], result: Assigned): void {
  const at = (...fields: Field[]) =>
    controls.findLastIndex(({ ref }) => fields.includes(result.get(ref) ?? 'search'))
  const street = at('line1', 'line2', 'street', 'house_number')
  const city = at('city')
  const has = (field: Field) => at(field) >= 0
  if (street >= 0 && city > street && !has('postal_code')) {
    const between = controls.slice(street + 1, city).filter((control) => isUnknownText(control, result))
    const code = between.find(isShapeOfPostalCode) ?? (between.length === 1 ? between[0] : undefined)
    if (code !== undefined) result.set(code.ref, 'postal_code')
  }
  if (street >= 0 && city < 0 && has('postal_code')) {
    const code = at('postal_code')
    const around = [controls[code + 1], controls[code - 1]].filter((control) => control !== undefined)
    const found = around.find((control) => isUnknownText(control, result) && !isShort(control, 12))
    if (found !== undefined) result.set(found.ref, 'city')
  }
  if (city >= 0) {
    const after = controls.slice(city + 1, city + 4).filter((control) => isUnknownText(control, result))
    const state = after.find(({ maxLength }) => maxLength === 2)
    if (state !== undefined && !has('state')) result.set(state.ref, 'state')
    const code = after.find((control) => control !== state && isShapeOfPostalCode(control))
    if (code !== undefined && !controls.some(({ ref }) => result.get(ref) === 'postal_code'))
      result.set(code.ref, 'postal_code')
  }
}

/** Unnamed fields right after a card's number: five or seven characters for the date, three or four for the code. */
function settleCard(controls: readonly Control[], result: Assigned): void {
  const texts = controls.filter(({ kind }) => kind === 'text')
  const isSaid = (field: Field) => texts.some(({ ref }) => result.get(ref) === field)
  const isDated = isSaid('card_expiry') || controls.some(({ ref }) => result.get(ref) === 'card_expiry_month')
  let number = texts.findIndex(({ ref }) => result.get(ref) === 'card_number')
  if (number < 0) {
    number = texts.findIndex(
      (control) =>
        isUnknownText(control, result) &&
        (control.maxLength ?? 0) >= 16 &&
        (control.maxLength ?? 0) <= 23 &&
        isNumeric(control),
    )
    const found = texts[number]
    if (found === undefined || !(isDated || isSaid('card_code'))) return
    result.set(found.ref, 'card_number')
  }
  for (const control of texts.slice(number + 1, number + 4)) {
    if (!isUnknownText(control, result)) continue
    const length = control.maxLength ?? 0
    if ((length === 5 || length === 7) && !isDated && !isSaid('card_expiry'))
      result.set(control.ref, 'card_expiry')
    else if ((length === 3 || length === 4) && !isSaid('card_code')) result.set(control.ref, 'card_code')
  }
}

/** A text of which nothing strong is known. */
function isUnknownText({ ref, kind, type }: Control, result: Assigned): boolean {
  return kind === 'text' && type !== 'email' && type !== 'password' && !result.has(ref)
}

function isShort({ maxLength }: Control, most: number): boolean {
  return maxLength !== null && maxLength > 0 && maxLength <= most
}

function isNumeric({ inputMode, type }: Control): boolean {
  return inputMode === 'numeric' || type === 'tel' || type === 'number'
}

function isShapeOfPostalCode(control: Control): boolean {
  const { maxLength } = control
  return maxLength !== null ? maxLength >= 4 && maxLength <= 10 : isNumeric(control)
}
