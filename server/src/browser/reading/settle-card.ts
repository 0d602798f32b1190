import { dateOfOptions, signalsOf } from './field-signals.ts'
import type { Control } from './page-snapshot.ts'
import { type Assigned, isNumeric, isUnknownText, type Settling } from './settling.ts'
import type { Field } from './words/shop-words.ts'

/** Unnamed fields right after a card's number: five or seven characters for the date, three or four for the code. */
export function settleCard(settling: Settling): void {
  const { controls, result } = settling
  const texts = controls.filter(({ kind }) => kind === 'text')
  const isSaid = (field: Field) => texts.some(({ ref }) => result.get(ref) === field)
  const isDated = isSaid('card_expiry') || controls.some(({ ref }) => result.get(ref) === 'card_expiry_month')
  let number = texts.findIndex(({ ref }) => result.get(ref) === 'card_number')
  if (number < 0) {
    number = texts.findIndex(
      (control) =>
        isUnknownText(control, settling) &&
        (control.maxLength ?? 0) >= 16 &&
        (control.maxLength ?? 0) <= 23 &&
        isNumeric(control),
    )
    const found = texts[number]
    if (found === undefined || !(isDated || isSaid('card_code'))) return
    result.set(found.ref, 'card_number')
  }
  for (const control of texts.slice(number + 1, number + 4)) {
    if (!isUnknownText(control, settling)) continue
    const length = control.maxLength ?? 0
    if ((length === 5 || length === 7) && !isDated && !isSaid('card_expiry'))
      result.set(control.ref, 'card_expiry')
    else if ((length === 3 || length === 4) && !isSaid('card_code')) result.set(control.ref, 'card_code')
  }
}

/**
 * Lists of months and years are a card's expiry only beside its number. Where there are several, a card's beginning says so at one of its
 * two lists; where nothing says it, the time that ends later is the expiry.
 */
export function settleExpiry(controls: readonly Control[], result: Assigned): void {
  const pairs = datePairs(controls)
  const isOfCard = controls.some(
    ({ ref }) => result.get(ref) === 'card_number' || result.get(ref) === 'card_code',
  )
  const isOfPerson = controls.some(({ ref }) => persons.has(result.get(ref) ?? 'search'))
  for (const pair of pairs) for (const { ref } of pair) result.delete(ref)
  if (isOfPerson && !isOfCard) return
  const open = pairs.filter((pair) => pair.every((one) => !isOfBeginning(one)))
  const last = Math.max(...open.map(lastYear))
  const latest = open.length === 1 ? open : open.filter((pair) => lastYear(pair) === last)
  const [expiry] = latest
  if (latest.length !== 1 || expiry === undefined) return
  for (const control of expiry) result.set(control.ref, dateOfOptions(control.options) ?? 'card_expiry_month')
}

const persons: ReadonlySet<Field> = new Set([
  'first_name',
  'last_name',
  'full_name',
  'line1',
  'street',
  'city',
])

/** A list of months with the list of years that follows it, or one of them alone. */
function datePairs(controls: readonly Control[]): Control[][] {
  const pairs: Control[][] = []
  let open: Control | null = null
  for (const control of controls) {
    const kind = control.kind === 'select' ? dateOfOptions(control.options) : null
    if (kind === null) continue
    if (kind === 'card_expiry_year' && open !== null) {
      pairs.push([open, control])
      open = null
      continue
    }
    if (open !== null) pairs.push([open])
    open = kind === 'card_expiry_month' ? control : null
    if (open === null) pairs.push([control])
  }
  return open === null ? pairs : [...pairs, [open]]
}

function isOfBeginning(control: Control): boolean {
  return signalsOf(control, '').scores.size === 0
}

function lastYear(pair: readonly Control[]): number {
  const numbers = pair.flatMap(({ options }) => options.map(({ text }) => Number(text.trim()) || 0))
  return Math.max(0, ...numbers.filter((number) => number > 12))
}
