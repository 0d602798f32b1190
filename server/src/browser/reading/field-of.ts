import { type Purpose, purposesOf, signalsOf } from './field-signals.ts'
import { namesOn, sameAs } from './named-fields.ts'
import type { Control, PageSnapshot } from './page-snapshot.ts'
import { settleCard, settleExpiry } from './settle-card.ts'
import { type Assigned, isShapeOfPostalCode, isShort, isUnknownText, type Settling } from './settling.ts'
import type { Field } from './words/shop-words.ts'
import { findWords, tokensOf } from './words/words.ts'

/** What each control is for, by its `ref`. In one form no two controls are for the same, but what is repeated: an address to repeat, boxes. */
export function assignFields(snapshot: PageSnapshot): ReadonlyMap<number, Field> {
  const known = assigned.get(snapshot)
  if (known !== undefined) return known
  const result = new Map<number, Field>()
  const aims = new Map<number, Purpose>()
  for (const controls of formsOf(snapshot)) {
    for (const [ref, purpose] of purposesOf(controls)) aims.set(ref, purpose)
    const form = assignForm(controls, snapshot, aims)
    for (const [ref, field] of form) result.set(ref, field)
  }
  purposes.set(snapshot, aims)
  assigned.set(snapshot, result)
  return result
}

/** A snapshot does not change, and is asked about each of its controls. */
const assigned = new WeakMap<PageSnapshot, ReadonlyMap<number, Field>>()

/** Whether a control is for the address of the goods or for that of who pays, by its `ref`; null where nothing tells these apart. */
export function addressPurposes(snapshot: PageSnapshot): ReadonlyMap<number, Purpose> {
  assignFields(snapshot)
  return purposes.get(snapshot) ?? new Map()
}

const purposes = new WeakMap<PageSnapshot, ReadonlyMap<number, Purpose>>()

function formsOf({ controls }: PageSnapshot): Control[][] {
  const forms = new Map<string, Control[]>()
  for (const control of controls) {
    const key = `${control.form} ${control.isInDialog}`
    forms.set(key, [...(forms.get(key) ?? []), control])
  }
  return [...forms.values()]
}

/** One value in several boxes: `415 | 555 | 0132`. */
export type Part = { readonly index: number; readonly all: readonly Control[] }

/** The boxes of a page that take a part of a value each, by their `ref`. */
export function partsOfValues(snapshot: PageSnapshot): ReadonlyMap<number, Part> {
  assignFields(snapshot)
  return splits.get(snapshot) ?? new Map()
}

const splits = new WeakMap<PageSnapshot, Map<number, Part>>()

function assignForm(
  controls: readonly Control[],
  snapshot: PageSnapshot,
  aims: ReadonlyMap<number, Purpose>,
): Assigned {
  const result: Assigned = new Map()
  const taken = new Set<string>()
  const signals = controls.map((control) => signalsOf(control, snapshot.language))
  const claims = controls
    .flatMap((control, order) =>
      [...(signals[order]?.scores ?? [])].map(([field, score]) => ({ control, field, score, order })),
    )
    .sort((a, b) => b.score - a.score || a.order - b.order)
  for (const { control, field, score } of claims) {
    const key = `${field} ${aims.get(control.ref)}`
    const mayRepeat = repeated.has(field) && score >= 100
    if (result.has(control.ref) || (taken.has(key) && !mayRepeat)) continue
    result.set(control.ref, field)
    taken.add(key)
  }
  for (const [ref, field] of namesOn(snapshot)) {
    if (!controls.some((one) => one.ref === ref) || result.has(ref)) continue
    const same = sameAs(field)
    const isSaid = [...result].some(
      ([other, one]) => same.includes(one) && !areTwo(aims.get(ref) ?? null, aims.get(other) ?? null),
    )
    // guard one-meaning-once-by-a-reader: what the rules have found a field for has no second one
    if (isSaid) continue
    result.set(ref, field)
  }
  settleNewsletter(controls, result, snapshot)
  const silent = new Set(controls.filter((_, at) => signals[at]?.isSilent).map(({ ref }) => ref))
  for (const part of partsOf(controls, aims)) {
    const about = { controls: part, result, silent }
    settleNames(part, result)
    settleStreet(about)
    settleBetween(about)
    settleSplits(about, snapshot)
    settleCard(about)
  }
  settleExpiry(controls, result)
  return result
}

/** Two addresses; where nothing says which one a field is for, it is for neither alone. */
function areTwo(one: Purpose, other: Purpose): boolean {
  return one !== null && other !== null && one !== other
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
function partsOf(controls: readonly Control[], aims: ReadonlyMap<number, Purpose>): Control[][] {
  const parts = new Map<Purpose, Control[]>()
  for (const control of controls) {
    const purpose = aims.get(control.ref) ?? null
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

/** `Name` beside a last name is the first one; `First and last name` is both wherever it stands. */
function settleNames(controls: readonly Control[], result: Assigned): void {
  const find = (field: Field) => controls.find(({ ref }) => result.get(ref) === field)
  const full = find('full_name')
  if (full === undefined || tokensOf(full.label || full.placeholder || full.near).length > 2) return
  if (find('last_name') !== undefined && find('first_name') === undefined) result.set(full.ref, 'first_name')
  else if (find('first_name') !== undefined && find('last_name') === undefined)
    result.set(full.ref, 'last_name')
}

/** A street without a field for its number has the number in it; a line beside a number is the street. */
function settleStreet(settling: Settling): void {
  const { controls, result } = settling
  const find = (field: Field) => controls.find(({ ref }) => result.get(ref) === field)
  const [line, street, said] = [find('line1'), find('street'), find('house_number')]
  const number = said !== undefined && isBeside(controls, said, [line, street]) ? said : undefined
  // A number far from any street is another number.
  if (said !== number && said !== undefined) result.delete(said.ref)
  if (number === undefined && street === undefined && line !== undefined) {
    // `Street / No.` is written once, before both.
    const next = controls[controls.indexOf(line) + 1]
    const isBoth = /\p{L}\s*\/\s*(?:\p{L}|\p{N})/u.test(line.label)
    if (isBoth && next !== undefined && isUnknownText(next, settling) && isNamedNumber(next)) {
      result.set(line.ref, 'street')
      result.set(next.ref, 'house_number')
    }
  } else if (number === undefined && street !== undefined && line === undefined) {
    const next = controls[controls.indexOf(street) + 1]
    const isNumber =
      next !== undefined && isUnknownText(next, settling) && isShort(next, 8) && !isShapeOfPostalCode(next)
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

function isNamedNumber(control: Control): boolean {
  return isShort(control, 8) || /(?:nr|no|num|nummer|number|numero)\]?$/iu.test(control.name || control.id)
}

/** In the same address, with at most another field in between. */
function isBeside(
  controls: readonly Control[],
  number: Control,
  streets: readonly (Control | undefined)[],
): boolean {
  return streets.some(
    (street) => street !== undefined && Math.abs(controls.indexOf(street) - controls.indexOf(number)) <= 2,
  )
}

/** What stands unnamed between the street and the city, or right after the city. */
function settleBetween(settling: Settling): void {
  const { controls, result } = settling
  const at = (...fields: Field[]) =>
    controls.findLastIndex(({ ref }) => fields.includes(result.get(ref) ?? 'search'))
  const street = at('line1', 'line2', 'street', 'house_number')
  const city = at('city')
  const has = (field: Field) => at(field) >= 0
  if (street >= 0 && city > street && !has('postal_code')) {
    const between = controls.slice(street + 1, city).filter((control) => isUnknownText(control, settling))
    const code = between.find(isShapeOfPostalCode) ?? (between.length === 1 ? between[0] : undefined)
    if (code !== undefined) result.set(code.ref, 'postal_code')
  }
  if (street >= 0 && city < 0 && has('postal_code')) {
    const code = at('postal_code')
    const around = [controls[code + 1], controls[code - 1]].filter((control) => control !== undefined)
    const found = around.find((control) => isUnknownText(control, settling) && !isShort(control, 12))
    if (found !== undefined) result.set(found.ref, 'city')
  }
  if (city >= 0) {
    const after = controls.slice(city + 1, city + 4).filter((control) => isUnknownText(control, settling))
    const state = after.find(({ maxLength }) => maxLength === 2)
    if (state !== undefined && !has('state')) result.set(state.ref, 'state')
    const code = after.find((control) => control !== state && isShapeOfPostalCode(control))
    if (code !== undefined && !controls.some(({ ref }) => result.get(ref) === 'postal_code'))
      result.set(code.ref, 'postal_code')
  }
}

/** A phone number or a postal code in several short boxes side by side, of which often the first alone has a name. */
function settleSplits(settling: Settling, snapshot: PageSnapshot): void {
  const { controls, result } = settling
  for (const field of ['phone', 'postal_code'] as const) {
    const first = controls.findIndex(
      (control) => result.get(control.ref) === field && (isShort(control, 5) || isPartOfPhone(control)),
    )
    const beginning = controls[first]
    if (beginning === undefined) continue
    const all = [beginning]
    for (const next of controls.slice(first + 1)) {
      const isMore =
        isPartOfPhone(next) || (isShort(next, 5) && next.kind === 'text' && isUnnamedPart(next, beginning))
      if (!isMore || (result.has(next.ref) && result.get(next.ref) !== field)) break
      all.push(next)
    }
    if (all.length < 2) continue
    const known = splits.get(snapshot) ?? new Map<number, Part>()
    splits.set(snapshot, known)
    all.forEach((control, index) => {
      result.set(control.ref, field)
      known.set(control.ref, { index, all })
    })
  }
}

function isPartOfPhone({ autocomplete }: Control): boolean {
  return /(?:^|\s)tel-(?:area-code|local|local-prefix|local-suffix)$/u.test(autocomplete)
}

/** It has no name of its own, or the same one with another number: `tel1`, `tel2`. */
function isUnnamedPart(next: Control, first: Control): boolean {
  const plain = ({ name }: Control) => name.replaceAll(/\d+/gu, '').toLowerCase()
  return next.label === '' || next.label === first.label || (next.name !== '' && plain(next) === plain(first))
}
