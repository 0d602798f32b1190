import { assignFields } from './field-of.ts'
import { cleanText } from './json-ld.ts'
import type { Control, PageSnapshot } from './page-snapshot.ts'
import type { Field } from './words/shop-words.ts'

/** What a page insists on, and nobody but a person can answer. `label` is a stranger's text: cleaned and short. */
type Question = {
  readonly name: string
  readonly label: string
  readonly kind: 'text' | 'choice' | 'date' | 'number'
  /** Of a choice, as the page writes them. */
  readonly options?: readonly { readonly value: string; readonly label: string }[]
  readonly max_length?: number
}

/** `barred`: the label of something that is asked for, and that nobody is ever asked here; null: nothing is. */
type Questions = { readonly questions: readonly Question[]; readonly barred: string | null }

const labelMax = 80
const optionsMax = 100

/**
 * The questions of one form: its controls that are required, empty and not among those that the buyer has a value for. Secrets of a sign-in, of
 * a bank or of a card are never asked.
 */
export function questionsOf(
  page: PageSnapshot,
  { form, filled }: { form: number | null; filled: ReadonlySet<number> },
): Questions {
  const open = page.controls.filter(
    (control) => control.form === form && isOpen(page, control) && !filled.has(control.ref),
  )
  const fields = assignFields(page)
  const secret = open.find((control) => isSecret(control, fields.get(control.ref)))
  const asked = open.filter(
    (control, at) => !isSecret(control, fields.get(control.ref)) && isFirstOfGroup(open, control, at),
  )
  return {
    questions: asked.map((control, at) => questionOf(page, control, { field: fields.get(control.ref), at })),
    barred: secret === undefined ? null : labelOf(secret),
  }
}

function isOpen({ controls }: PageSnapshot, control: Control): boolean {
  const { kind, isRequired, isDisabled, isEmpty, options } = control
  if (!isRequired || isDisabled) return false
  if (kind === 'text') return isEmpty
  if (kind === 'select') return (options.find(({ isSelected }) => isSelected)?.value ?? '') === ''
  return kind === 'radio' && !controls.some((one) => isOneOf(one, control) && one.isChecked)
}

function isOneOf(one: Control, { form, name }: Control): boolean {
  return one.kind === 'radio' && one.form === form && one.name === name
}

/** The buttons of one choice are one question. */
function isFirstOfGroup(open: readonly Control[], control: Control, at: number): boolean {
  return control.kind !== 'radio' || open.findIndex((one) => isOneOf(one, control)) === at
}

const secretFields: ReadonlySet<Field> = new Set([
  'password',
  'one_time_code',
  'card_number',
  'card_expiry',
  'card_expiry_month',
  'card_expiry_year',
  'card_code',
  'card_holder',
])

/** Words of what opens an account or moves money, in the languages of shops. */
const secretWords =
  /\bpin\b|pincode bank|\btan\b|passwor|passwort|kennwort|mot de passe|contrase|wachtwoord|\bsenha\b|\bhas[lł]o\b|l[oö]senord|パスワード|暗証|passphrase|\biban\b|routing number|account number|kontonummer|sort code|\bbic\b|\bswift\b|security (?:question|answer|code)|sicherheitsfrage|maiden name|secret|geheim|\bcv[cv2]\b|card number|kartennummer|\bcrypto|seed phrase|private key|online banking|internet banking|one.time|\botp\b/iu

function isSecret(
  { type, autocomplete, label, near, placeholder, group, name, id }: Control,
  field?: Field,
): boolean {
  if (type === 'password' || (field !== undefined && secretFields.has(field))) return true
  if (/(?:^|\s)(?:cc-|(?:current|new)-password|one-time-code)/u.test(autocomplete)) return true
  const names = `${name} ${id}`.replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
  return [label, near, placeholder, group, names].some((text) => secretWords.test(text.slice(0, 300)))
}

function questionOf(
  page: PageSnapshot,
  control: Control,
  { field, at }: { field: Field | undefined; at: number },
): Question {
  const asked = { name: field ?? nameOf(control, at), label: labelOf(control) }
  if (control.kind === 'select')
    return {
      ...asked,
      kind: 'choice',
      options: control.options.filter(isChoice).slice(0, optionsMax).map(optionOf),
    }
  if (control.kind === 'radio') {
    const choices = page.controls.filter((one) => isOneOf(one, control) && !one.isDisabled)
    const options = choices
      .slice(0, optionsMax)
      .map((one) => ({ value: String(one.ref), label: labelOf(one) }))
    return { name: asked.name, label: short(control.group) || asked.label, kind: 'choice', options }
  }
  const kind = control.type === 'date' ? 'date' : control.type === 'number' ? 'number' : 'text'
  return { ...asked, kind, ...(control.maxLength === null ? {} : { max_length: control.maxLength }) }
}

function isChoice({ value, text, isDisabled }: Control['options'][number]): boolean {
  return !isDisabled && value !== '' && /[\p{L}\p{N}]/u.test(text)
}

function optionOf({ value, text }: Control['options'][number]) {
  return { value, label: short(text) }
}

/** By what the page calls it, so that an answer finds it when the page is drawn anew. */
function nameOf({ name, id }: Control, at: number): string {
  return short(name || id).replaceAll(/[^\p{L}\p{N}]+/gu, '_') || `field_${at + 1}`
}

function labelOf({ label, placeholder, near, name }: Control): string {
  return short(label || placeholder || near || name).replace(/\s*[:*]+\s*$/u, '')
}

function short(text: string): string {
  return cleanText(text, labelMax) ?? ''
}
