import type { ShopRequest } from '../../channels/browser/shopping-words.ts'
import { isListOfBrands } from '../reading/card-brands.ts'
import { isOfSignIn } from '../reading/choices-of.ts'
import { assignFields } from '../reading/field-of.ts'
import { cleanText } from '../reading/json-ld.ts'
import type { Control, PageSnapshot } from '../reading/page-snapshot.ts'
import { isWrittenAt, saysFor } from '../reading/second-look.ts'
import type { Field } from '../reading/words/shop-words.ts'
import { answeredEntries, requestAt } from './answered-fields.ts'
import { askedBy } from './ask-field.ts'
import { buyerEntries, type Entry, isFirstChoice } from './buyer-fields.ts'
import { isNeutral } from './buyer-values.ts'
import { ofCards } from './card-fields.ts'
import { controlOf, noteConfirmed, unconfirmed } from './confirm-names.ts'
import {
  isGoodsAddressKnown,
  isStanding,
  isWithoutNumberNow,
  keyOf,
  saidIn,
  typeEntries,
} from './fill-fields.ts'
import type { Standing } from './page-script.ts'
import { digitsOf, plain } from './same-value.ts'
import type { ShopTask, Typed } from './shop-task.ts'
import { wronglyShown } from './shown-address.ts'
import { isGoodsAddressMissing, streetWithoutRest } from './whole-address.ts'

/** What keeps a step from being left: the field, and what is wrong with it. */
type Difference = {
  readonly label: string
  readonly what: string
  /** What may be typed once more; null where that would not help. */
  readonly again: { readonly entry: Entry; readonly text: string } | null
  /** What its buyer lacks, and could be asked; null: nobody can mend it. */
  readonly lacking?: Control | null
  /** It was named by a reader of pages, and nobody else says so. */
  readonly isNamed?: true
}

/** Why a step is not left. `lacking`: what is required, where nothing else is wrong. */
export type Unproven = {
  readonly page: PageSnapshot
  readonly why: string
  readonly lacking: readonly Control[]
}

/** `form`: what is sent when the step is left; null for fields that are in no form. */
type Leaving = { readonly form: number | null; readonly isReview?: boolean }

/**
 * Reads back what stands in the fields of a step just before it is left, and what the page shows of the buyer. A difference is repaired
 * once. Null: all of it is as it was meant; else a sentence that names the field.
 */
export async function readBack(task: ShopTask, leaving: Leaving): Promise<Unproven | null> {
  const { tab } = task
  for (let tries = 0; ; tries++) {
    const page = await tab.read()
    const standing = await tab.standing()
    const [first, ...others] = differencesOf(task, page, { standing, ...leaving })
    if (first === undefined) return null
    const open = [first, ...others].flatMap(({ again }) => again ?? [])
    if (tries > 0 || open.length === 0 || open.length <= others.length) {
      const named = [first, ...others].flatMap((one) => (one.isNamed && one.lacking ? [one.lacking] : []))
      return unprovenBy(await withoutNames(task, { page, standing, named }), [first, ...others])
    }
    await typeEntries(task, standing, open)
  }
}

/** What was named wrongly, as far as anybody can tell, is asked from a person like what was never named. */
async function withoutNames(
  { tab, typed }: ShopTask,
  { page, standing, named }: { page: PageSnapshot; standing: Standing; named: readonly Control[] },
): Promise<PageSnapshot> {
  for (const control of named) {
    tab.names.forget(page, control)
    typed.delete(keyOf(standing, control))
  }
  return named.length === 0 ? page : tab.read()
}

/** The same where nobody can be asked any more. */
export async function proveStep(task: ShopTask, leaving: Leaving): Promise<string | null> {
  return (await readBack(task, leaving))?.why ?? null
}

function unprovenBy(page: PageSnapshot, differences: readonly Difference[]): Unproven {
  const wrong = differences.find(({ lacking }) => !lacking) ?? differences[0]
  const lacking = differences.flatMap((one) => one.lacking ?? [])
  return {
    page,
    why: `${wrong?.label} at ${new URL(page.url).hostname} ${wrong?.what}`,
    lacking: lacking.length === differences.length ? lacking : [],
  }
}

function differencesOf(
  task: ShopTask,
  page: PageSnapshot,
  { standing, form, isReview = false }: Leaving & { readonly standing: Standing },
): Difference[] {
  const known = { isGoodsAddressKnown: isGoodsAddressKnown(task, page, standing) }
  const request = requestAt(task, page)
  const own = buyerEntries(page, request, known)
  const entries = [...own, ...answeredEntries(task, page, own)]
  const found = page.controls.flatMap(
    (control) => differenceAt(task, page, { entries, control, standing, form }) ?? [],
  )
  const street = streetWithoutRest(task, { page, standing, form })
  if (street !== null)
    found.push({ label: labelOf(street), what: 'has no place for all of the address.', again: null })
  if (isReview && isGoodsAddressMissing(task))
    found.push({ label: 'The address of the goods', what: 'was not asked for.', again: null })
  if (isReview) found.push(...unconfirmedOn(task, page))
  const shown = isReview ? wronglyShown(page, task.request) : null
  return shown === null
    ? found
    : [...found, { label: shownLabels[shown], what: 'is shown otherwise than it was given.', again: null }]
}

function unconfirmedOn(task: ShopTask, page: PageSnapshot): Difference[] {
  noteConfirmed(task, page)
  return unconfirmed(task).map((entry) => ({
    label: labelOf(entry.control),
    what: 'was understood by a model alone, and the shop does not show what it has taken from there.',
    again: null,
    lacking: controlOf(page, entry) ?? null,
    isNamed: true,
  }))
}

const shownLabels = {
  name: 'The name',
  street: 'The street',
  postal_code: 'The postal code',
  country: 'The country',
} as const

type Stands = {
  readonly control: Control
  readonly said: string
  readonly typed: Typed
  readonly now: Entry | null
  readonly isOnlyMail: boolean
}

/** A text stands as it was typed; a list shows what is right by now: what is chosen in one changes another. */
function differenceOfTyped(
  request: ShopRequest,
  { control, said, typed, now, isOnlyMail }: Stands,
): Omit<Difference, 'label'> | null {
  // The page asks for something else than what a person has answered, or a reader has named.
  if ((typed.entry.isAnswer && !now?.isAnswer) || (typed.entry.isNamed && !now?.isNamed))
    return { what: 'asks for something else.', again: null }
  const entry = control.kind === 'select' ? now : typed.entry
  if (entry === null) return null
  const text = control.kind === 'select' ? entry.text : typed.text
  if (!isStanding(request, { control, field: entry.field, said, text }))
    return { what: 'does not keep what is typed into it.', again: { entry: { ...entry, control }, text } }
  // What is typed is a form of what the buyer has for this field: a page may have given it other room since.
  const isOther = now !== null && now.field !== entry.field && !isWithoutNumberNow(entry.field, now.field)
  const isOwn = now === null || isOther || [now.text, ...now.others].includes(text)
  if (control.kind === 'text' && !isOwn && now !== null)
    return { what: 'does not hold what belongs there.', again: { entry: now, text: now.text } }
  const says = saysFor(control, entry.field)
  // What is written there, and understood by nobody, may be anything.
  const isSaid = entry.isAnswer || entry.isNamed || (isOnlyMail && entry.field === 'email')
  const isUnsaid = !isSaid && says === null && control.kind === 'text' && isWrittenAt(control)
  return says === false || isUnsaid ? { what: 'asks for something else.', again: null } : null
}

/** A form that has one field for addresses of mail means the buyer's, in whatever words. */
function isOnlyOneOfMail({ controls }: PageSnapshot, { type, form }: Control): boolean {
  return type === 'email' && controls.filter((one) => one.type === 'email' && one.form === form).length === 1
}

type At = {
  readonly entries: readonly Entry[]
  readonly control: Control
  readonly standing: Standing
  readonly form: number | null
}

function differenceAt(
  task: ShopTask,
  page: PageSnapshot,
  { entries, control, standing, form }: At,
): Difference | null {
  const field = assignFields(page).get(control.ref)
  const label = labelOf(control)
  const typed = task.typed.get(keyOf(standing, control))
  const said = saidIn(control, standing)
  const now = entries.find((entry) => entry.control.ref === control.ref) ?? null
  if (typed !== undefined && said !== null) {
    const isOnlyMail = isOnlyOneOfMail(page, control)
    const wrong = differenceOfTyped(task.request, { control, said, typed, now, isOnlyMail })
    if (wrong !== null) return { label, ...wrong }
  } else if (control.kind === 'text' && said !== null && isStray(task.request, { control, field, said }))
    return { label, what: 'holds what belongs into another field.', again: null }
  if (control.form !== form || control.isDisabled || isOfCard(page, control)) return null
  if (isLeftOpen(page, control, said))
    return {
      label,
      what: whatIsOpen(page, control),
      again: null,
      // In a form for a password nothing of the buyer's is typed, so that what stands open there is nothing that the buyer lacks.
      lacking: isOfSignIn(page, control) ? null : control,
    }
  return now === null && isWrongChoice(control, field)
    ? {
        label,
        what: 'has no choice that is right for the buyer.',
        again: null,
        lacking: isLacked(task.request, field) ? control : null,
      }
    : null
}

export function isOfCard(page: PageSnapshot, control: Control): boolean {
  const field = assignFields(page).get(control.ref)
  return (field !== undefined && ofCards.has(field)) || isListOfBrands(control)
}

/** Some things no purchase has, and nobody is asked for. */
function whatIsOpen(page: PageSnapshot, control: Control): string {
  return askedBy(page, control) === 'secret'
    ? 'asks for a secret.'
    : 'is required, and the purchase has nothing for it.'
}

function isLacked({ buyer }: ShopRequest, field: Field | undefined): boolean {
  return field === 'salutation' || (field === 'state' && buyer.shipTo?.state === null)
}

/** The label of a stranger, in the quotation marks of one. */
export function labelOf({ label, placeholder, near, name }: Control): string {
  const said = cleanText(label || placeholder || near || name, 80)?.replace(/\s*[:*]+\s*$/u, '')
  return said ? `“${said}”` : 'A field without a name'
}

/** Words of the buyer of at least so many characters are looked for where they do not belong. */
const strayMin = 5

/** Something of the buyer's stands in a field that is for something else, though nobody typed it there. */
function isStray(
  request: ShopRequest,
  { control, field, said }: { control: Control; field: Field | undefined; said: string },
): boolean {
  if (plain(said).length < strayMin || field === 'card_holder') return false
  const own = wordsOf(request).filter(([, text]) => text.length >= strayMin && isWord(said, text))
  // A second line is called an address, too, and a street that a page has copied there is told twice.
  if (field === 'line2' && own.length > 0 && own.every(([one]) => one === 'line1')) return true
  const verdicts = own.map(([one]) => saysFor(control, one))
  if (own.length === 0 || verdicts.includes(true)) return false
  return isWrittenAt(control) || !verdicts.includes(null)
}

function wordsOf({ buyer }: ShopRequest): [Field, string][] {
  const addresses = [buyer.shipTo, buyer.billTo].filter((address) => address !== null)
  const words: [Field, string | null][] = [
    ['email', buyer.email],
    ['phone', buyer.phone],
    ['full_name', buyer.name],
    ['first_name', buyer.firstName],
    ['last_name', buyer.lastName],
    ...addresses.flatMap((address): [Field, string | null][] => [
      ['full_name', address.recipientName],
      ['line1', address.line1],
      ['line2', address.line2],
      ['city', address.city],
      ['postal_code', address.postalCode],
    ]),
  ]
  return words.flatMap(([field, text]) => (text === null ? [] : [[field, text]]))
}

function isWord(said: string, text: string): boolean {
  // A page may have copied it while it was being typed.
  if (plain(text).startsWith(plain(said))) return true
  return /^\+\d+$/u.test(text) && digitsOf(said).length >= 7 && digitsOf(text).endsWith(digitsOf(said))
}

function isLeftOpen({ controls }: PageSnapshot, control: Control, said: string | null): boolean {
  if (!control.isRequired) return false
  switch (control.kind) {
    case 'text':
      return said === '' || (said === null && control.isEmpty)
    case 'select':
      return said === ''
    case 'radio':
      return !controls.some(
        (one) =>
          one.kind === 'radio' && one.form === control.form && one.name === control.name && one.isChecked,
      )
    case 'checkbox':
      return !control.isChecked
    case 'list':
      return control.isInvalid || isUnchosen(control)
    case 'file':
      return true
    default:
      return control.kind satisfies never
  }
}

/** What a drawn list shows is all that is known of it: what it is for, as long as nothing is chosen. */
function isUnchosen({ label, options: [shown] }: Control): boolean {
  const text = plain(shown?.text ?? '')
  return text === '' || text === plain(label.replace(/[\s:*]+$/u, '')) || isFirstChoice(shown?.text ?? '')
}

const chosen: ReadonlySet<Field> = new Set(['state', 'country', 'salutation', 'city'])

/** A list that shows something about the buyer which is not so, and offers nothing that is. */
function isWrongChoice({ kind, isRequired, options }: Control, field: Field | undefined): boolean {
  if (kind !== 'select' || field === undefined || !chosen.has(field)) return false
  if (field === 'salutation' && !isRequired) return false
  const shown = options.find(({ isSelected }) => isSelected)
  return shown !== undefined && shown.value !== '' && !isFirstChoice(shown.text) && !isNeutral(shown.text)
}
