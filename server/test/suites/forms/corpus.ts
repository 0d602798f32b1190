import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** What belongs into a control. `nothing`: no part of the buyer does, and it stays as it is. */
const meanings = [
  'first',
  'last',
  'whole',
  'email',
  'phone',
  'national',
  'afterCode',
  'dial',
  'tel1',
  'tel2',
  'tel3',
  'line1',
  'line2',
  'street',
  'number',
  'house',
  'bareNumber',
  'addition',
  'city',
  'state',
  'zip',
  'zip1',
  'zip2',
  'zip5',
  'country',
  'neutral',
  'press',
  'agree',
  'same',
  'elsewhere',
  'nothing',
  'card',
  'expiry',
  'expMonth',
  'expYear',
  'cvc',
  'holder',
] as const
type Meaning = (typeof meanings)[number]

type Option = { readonly value: string; readonly text: string }

/** A control of the corpus: what a shop writes at it, and what is right for it. */
export type CorpusControl = {
  readonly meaning: Meaning
  /** It is for the address of who pays, and another one of the form for that of the goods. */
  readonly isOfBill: boolean
  readonly isRequired: boolean
  readonly label: string
  readonly name: string
  readonly id: string
  readonly autocomplete: string
  readonly kind: 'text' | 'select' | 'checkbox' | 'radio'
  readonly type: string
  readonly maxLength: number | null
  readonly pattern: string
  readonly inputMode: string
  readonly placeholder: string
  readonly group: string
  readonly title: string
  readonly isChosen: boolean
  readonly options: readonly Option[]
  /** The value of the option that is shown at first; empty for the first one. */
  readonly preset: string
  /** It is shown only while the box that says so is checked (`elsewhere`), or is not (`apart`). */
  readonly when: 'always' | 'elsewhere' | 'apart'
  /** Which form of the page it is in. */
  readonly form: number
}

export type CorpusForm = {
  readonly id: string
  readonly system: string
  readonly language: string
  readonly controls: readonly CorpusControl[]
  /** What the button of each form says. */
  readonly buttons: readonly string[]
}

const folder = join(import.meta.dirname, '../../../../sandbox/forms')

function readData<T>(name: string): T {
  return JSON.parse(readFileSync(join(folder, name), 'utf8')) as T // data of the tree
}

type Lists = {
  readonly options: Readonly<Record<string, string>>
  /** What a country is called in the languages of the corpus, and a state by its code. */
  readonly countries: Readonly<Record<string, readonly string[]>>
  readonly states: Readonly<Record<string, string>>
  readonly dialCodes: Readonly<Record<string, string>>
}

export const lists = readData<Lists>('lists.json')

const dataOnly = new Set(['lists.json', 'buyers.json'])

export function readCorpus(): CorpusForm[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json') && !dataOnly.has(name))
    .sort()
    .flatMap((name) => readData<WrittenForm[]>(name))
    .map(readForm)
}

type WrittenForm = {
  readonly id: string
  readonly system: string
  readonly language: string
  readonly controls: readonly string[]
}

/** A line for each control; `---` between two forms of a page, and `button: …` for what one of them says on its button. */
function readForm({ controls: lines, ...about }: WrittenForm): CorpusForm {
  const controls: CorpusControl[] = []
  const buttons = ['Continue']
  for (const line of lines) {
    if (line === '---') buttons.push('Continue')
    else if (line.startsWith('button: ')) buttons[buttons.length - 1] = line.slice('button: '.length)
    else controls.push(readControl(line, `${about.id}: ${line}`, buttons.length - 1))
  }
  return { ...about, controls, buttons }
}

/** `first* | First name | firstname#input-firstname | given-name | max: 32`: meaning, label, name and id, token, and what else there is. */
function readControl(line: string, where: string, form: number): CorpusControl {
  const [right = '', label = '', names = '', autocomplete = '', ...more] = line.split(/\s*\|\s*/u)
  const [, prefix, meaning, star] = /^(bill\.)?(\w+)(\*?)$/u.exec(right) ?? []
  const known = meanings.find((one) => one === meaning)
  if (known === undefined) throw new Error(`no meaning: ${where}`)
  const [name = '', id = ''] = names.split('#')
  const said = new Map(more.map((part) => splitAt(part)))
  const options = said.has('options') ? optionsOf(said.get('options') ?? '') : []
  const max = said.get('max')
  return {
    meaning: known,
    isOfBill: prefix !== undefined,
    isRequired: star === '*',
    label,
    name,
    id,
    autocomplete,
    kind: options.length > 0 ? 'select' : kindOf(said.get('kind')),
    type: said.get('type') ?? 'text',
    maxLength: max === undefined ? null : Number(max),
    pattern: said.get('pattern') ?? '',
    inputMode: said.get('mode') ?? '',
    placeholder: said.get('placeholder') ?? '',
    group: said.get('group') ?? '',
    title: said.get('near') ?? '',
    isChosen: said.has('chosen') && options.length === 0,
    options,
    preset: said.get('chosen') ?? '',
    when: said.get('when') === 'elsewhere' ? 'elsewhere' : said.get('when') === 'apart' ? 'apart' : 'always',
    form,
  }
}

function splitAt(part: string): [string, string] {
  const at = part.indexOf(':')
  return at < 0 ? [part.trim(), ''] : [part.slice(0, at).trim(), part.slice(at + 1).trim()]
}

function kindOf(text: string | undefined): CorpusControl['kind'] {
  return text === 'checkbox' || text === 'radio' ? text : 'text'
}

/** `=Choose; US=United States; states`: a value and its text, a text alone, or the name of a list. */
function optionsOf(text: string): Option[] {
  return text.split(/\s*;\s*/u).flatMap((one) => {
    const list = lists.options[one]
    if (list !== undefined) return optionsOf(list)
    const at = one.indexOf('=')
    return at < 0
      ? [{ value: one, text: one }]
      : [{ value: one.slice(0, at).trim(), text: one.slice(at + 1).trim() }]
  })
}

type Address = {
  readonly line1: string
  readonly line2?: string
  /** The line as people shorten it, and without what may stand in a second one. */
  readonly short?: readonly string[]
  readonly city: string
  readonly state?: string
  readonly zip?: string
  readonly country: string
  readonly street: string
  /** Whole, as it may be written; without its addition; the addition. */
  readonly number: readonly string[]
  readonly bareNumber?: string
  readonly addition?: string
  /** What stands in the first line, and belongs into a second one where the number has a field of its own. */
  readonly unit?: string
  /** Where the house has a name and no number. */
  readonly house?: string
}

/** Somebody who buys, with each part of names and addresses as it belongs into a field of its own: written down by hand. */
export type Buyer = Address & {
  readonly id: string
  readonly first: string
  readonly last?: string
  readonly whole?: string
  readonly email: string
  /** The address of mail as fields take it, where that is another. */
  readonly mail?: string
  /** With `+`, as it is dialed at home, and without what is dialed before it there. */
  readonly phone: readonly [e164: string, national: string, significant: string] | null
  /** Where the bill goes, if not to where the goods go. */
  readonly bill?: Address
}

export const corpusBuyers = readData<readonly Buyer[]>('buyers.json')

export function wholeName({ whole, first, last }: Buyer): string {
  return whole ?? `${first} ${last ?? ''}`.trim()
}

/** The address that a control is about. Where a form asks for one alone, the goods go there, whatever it is called. */
export function addressOf(buyer: Buyer, { isOfBill }: CorpusControl, form: CorpusForm): Address {
  // Where a box says whether the goods go elsewhere, the shop asks for the other address next.
  const isApart = form.controls.some(
    ({ isOfBill: isBilled, meaning }) =>
      meaning === 'same' || meaning === 'elsewhere' || (!isBilled && /^(?:line1|street)$/u.test(meaning)),
  )
  return isOfBill && isApart ? (buyer.bill ?? buyer) : buyer
}
