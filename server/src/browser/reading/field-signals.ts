import { isDialList } from './dial-codes.ts'
import { isExplained, isOfSomethingElse } from './other-meanings.ts'
import type { Control } from './page-snapshot.ts'
import type { Field } from './words/shop-words.ts'
import { findWords, isKnownLanguage, type Match, tokensOf } from './words/words.ts'

type Signals = {
  /** How much speaks for each field. */
  readonly scores: ReadonlyMap<Field, number>
  /** Nothing is written at it that could be read: its place may say what it is for. */
  readonly isSilent: boolean
  /** It is understood, and is for something that no buyer has. */
  readonly isOther: boolean
}

/** What speaks for each field of one control: signals that browsers' own autofill uses, the strongest first. */
export function signalsOf(control: Control, language: string): Signals {
  const scores = new Map<Field, number>()
  const isKnown = { scores, isSilent: false, isOther: false }
  const isOther = { ...isKnown, isOther: true }
  const add = (field: Field | 'other' | null, score: number) => {
    if (field !== null && field !== 'other' && mayBe(control, field))
      scores.set(field, (scores.get(field) ?? 0) + score)
  }
  const token = fieldOfAutocomplete(control.autocomplete)
  if (token === 'other') return isOther
  add(token, 1_000)
  // A security code may be typed as a password is: what its label says counts more.
  add(fieldOfType(control), control.type === 'password' ? 100 : 300)
  if (control.kind === 'checkbox' || control.kind === 'radio') {
    add(consentOf(control, language), 150)
    return isKnown
  }
  const options = fieldOfOptions(control, language)
  const texts = textsOf(control)
  const said = texts.map(({ text, order }) => ({ text, field: readField(text, language, order) }))
  if (token !== null && isLineToken(control.autocomplete)) {
    // Lines are counted where a form has other parts of an address as well: what is written there says which.
    const [first] = said.filter(({ field }) => field !== null)
    if (first?.field != null && first.field !== 'other' && partsOfLines.has(first.field)) scores.delete(token)
  }
  // What a person reads says what is meant; names are those of programs, and the best of several hints counts.
  if (options === 'other' || saysOther(said.map(({ field }) => field))) return isOther
  add(options, 400)
  const meant = said.find(({ field }) => field !== null)?.field ?? null
  // Where what is read is for another, what a program calls it is no second best.
  for (const [at, { text, weight }] of texts.entries())
    if (isKin(meant, said[at]?.field ?? null))
      add(said[at]?.field ?? null, said[at]?.field === 'city' && isPartOfCity(text) ? weight - 5 : weight)
  add(fieldOfShape(control.placeholder), 60)
  add(control.type === 'tel' ? 'phone' : null, 12)
  // In a language that is known, words that are not understood mean something that is not known.
  const isMute = !/\p{L}{2}/u.test(control.label + control.near + control.placeholder)
  return { scores, isSilent: isMute || !isKnownLanguage(language), isOther: false }
}

type Text = { readonly text: string; readonly order: 'first' | 'last'; readonly weight: number }

/** What is written at a control, the strongest first. */
function textsOf({ label, placeholder, near, name, id }: Control): Text[] {
  return [
    { text: label, order: 'first', weight: 140 },
    { text: near, order: 'first', weight: 50 },
    { text: placeholder, order: 'first', weight: 60 },
    { text: splitName(name), order: 'last', weight: 55 },
    { text: id === name ? '' : splitName(id).replace(/^\s*id /u, ''), order: 'last', weight: 45 },
  ]
}

function isLineToken(autocomplete: string): boolean {
  return /(?:^|\s)address-line[123]$/u.test(autocomplete.trim())
}

const partsOfLines: ReadonlySet<Field> = new Set(['street', 'house_number', 'house_addition', 'line2'])

/** The first text that says anything says something else; or a name does, where what is read is no more than `number`. */
function saysOther(said: readonly (Field | 'other' | null)[]): boolean {
  const first = said.find((field) => field !== null)
  if (first === 'other') return true
  return first !== undefined && first !== null && named.has(first) && said.includes('other')
}

const named: ReadonlySet<Field> = new Set(['house_number', 'card_number', 'card_code'])

/** Parts of one thing: `Address` may be written at each of its lines. */
const kin: readonly ReadonlySet<Field | 'other'>[] = [
  new Set(['line1', 'line2', 'street', 'house_number', 'house_addition']),
  new Set(['full_name', 'first_name', 'last_name']),
  new Set(['card_expiry', 'card_expiry_month', 'card_expiry_year']),
]

function isKin(one: Field | 'other' | null, other: Field | 'other' | null): boolean {
  return one === null || other === null || one === other || kin.some((set) => set.has(one) && set.has(other))
}

/** A suburb is the city where nothing else is. */
function isPartOfCity(text: string): boolean {
  return /\b(?:suburb|locality|localidad|localidade|localita|localite|gemeinde|municipality|municipio)\b/iu.test(
    text,
  )
}

export type Purpose = 'shipping' | 'billing' | null

/**
 * What the address of each control of a form is for. What stands between two parts of one address is a part of it, and where one address
 * alone is asked for, what one of its parts says holds for all.
 */
export function purposesOf(controls: readonly Control[]): ReadonlyMap<number, Purpose> {
  const own = controls.map(purposeOf)
  const said = new Set(own.filter((purpose) => purpose !== null))
  const [only = null] = said
  const rest = saysTwice(controls, own) ? others[only ?? 'billing'] : only
  return new Map(
    controls.map(({ ref }, at) => {
      const before = own.slice(0, at).findLast((purpose) => purpose !== null)
      const after = own.slice(at + 1).find((purpose) => purpose !== null)
      if (own[at] === null && said.size === 1) return [ref, before === after ? only : rest]
      return [ref, own[at] ?? (before === after ? (before ?? null) : null)]
    }),
  )
}

const others = { billing: 'shipping', shipping: 'billing' } as const

/** Of two addresses of one form often the second alone says what it is for: what it asks for is asked for before, too. */
function saysTwice(controls: readonly Control[], own: readonly Purpose[]): boolean {
  const labels = controls.map(({ kind, label, placeholder }) =>
    kind === 'text' || kind === 'select' ? tokensOf(label || placeholder).join(' ') : '',
  )
  const named = new Set(labels.filter((label, at) => label !== '' && own[at] !== null))
  return labels.filter((label, at) => own[at] === null && named.has(label)).length >= repeatsMin
}

const repeatsMin = 3

/** What an address is for: where the goods go, or who pays. Null where nothing says, and where it is both. */
export function purposeOf(control: Control): Purpose {
  const hint = control.autocomplete.toLowerCase().split(/\s+/u)
  if (hint.includes('shipping')) return 'shipping'
  if (hint.includes('billing')) return 'billing'
  for (const text of [`${splitName(control.name)} ${splitName(control.id)}`, control.label, control.group]) {
    const plain = tokensOf(text).join(' ')
    const [isBilling, isShipping] = [billing.test(plain), shipping.test(plain)]
    if (isBilling !== isShipping) return isBilling ? 'billing' : 'shipping'
  }
  return null
}

const billing =
  /(?:^| )(?:bill(?:ing|to)?|rechnung\w*|factur\w+|fattura\w*|fatur\w+|cobranca|rozlicz\w+|faktur\w*|請 求|payment (?:address|(?:first|last)?name|(?:first|last) name|company|street|city|town|post\w*|zip\w*|country|zone|region|state|county|line)|zahlungsadresse|adresse de paiement|direccion de pago|indirizzo di pagamento|betaaladres|endereco de pagamento|adres platnosci|betalningsadress)(?: |$)/u
const shipping =
  /(?:^| )(?:ship(?:ping|to)?|deliver\w*|versand\w*|liefer\w*|livraison|envio|entrega|spedizione|consegna|verzend\w*|bezorg\w*|aflever\w*|dostaw\w*|wysylk\w*|leverans\w*|frakt\w*|配 送|お 届)(?: |$)/u

/** `shippingAddress[postCode]` → `shipping Address post Code`. */
export function splitName(name: string): string {
  return name
    .slice(0, 200)
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
}

const autocompletes: Readonly<Record<string, Field | 'other'>> = {
  email: 'email',
  name: 'full_name',
  'given-name': 'first_name',
  'family-name': 'last_name',
  organization: 'company',
  'honorific-prefix': 'salutation',
  tel: 'phone',
  'tel-country-code': 'dial_code',
  'tel-national': 'phone',
  'tel-area-code': 'phone',
  'tel-local': 'phone',
  'tel-local-prefix': 'phone',
  'tel-local-suffix': 'phone',
  'tel-extension': 'other',
  'additional-name': 'other',
  'honorific-suffix': 'other',
  'organization-title': 'other',
  nickname: 'other',
  sex: 'other',
  url: 'other',
  impp: 'other',
  language: 'other',
  'cc-type': 'other',
  'cc-additional-name': 'other',
  'transaction-amount': 'other',
  'bday-day': 'other',
  'bday-month': 'other',
  'bday-year': 'other',
  'street-address': 'line1',
  'address-line1': 'line1',
  'address-line2': 'line2',
  'postal-code': 'postal_code',
  'address-level2': 'city',
  'address-level1': 'state',
  country: 'country',
  'country-name': 'country',
  'cc-number': 'card_number',
  'cc-exp': 'card_expiry',
  'cc-exp-month': 'card_expiry_month',
  'cc-exp-year': 'card_expiry_year',
  'cc-csc': 'card_code',
  'cc-name': 'card_holder',
  'current-password': 'password',
  'new-password': 'password',
  'one-time-code': 'one_time_code',
  bday: 'date_of_birth',
}

function fieldOfAutocomplete(autocomplete: string): Field | 'other' | null {
  const tokens = autocomplete.toLowerCase().trim().split(/\s+/u)
  const last = tokens.filter((token) => token !== 'webauthn').at(-1) ?? ''
  return Object.hasOwn(autocompletes, last) ? (autocompletes[last] ?? null) : null
}

function fieldOfType({ type, kind }: Control): Field | null {
  if (kind !== 'text') return null
  return type === 'email' ? 'email' : type === 'password' ? 'password' : type === 'search' ? 'search' : null
}

/** Fields that a control of each kind can have. */
const consents: ReadonlySet<Field> = new Set([
  'newsletter',
  'terms_consent',
  'marketing_consent',
  'save_card',
  'create_account',
  'billing_same',
  'ship_elsewhere',
  'bill_elsewhere',
])
const ofSelects: ReadonlySet<Field> = new Set([
  'salutation',
  'dial_code',
  'country',
  'state',
  'city',
  'card_expiry_month',
  'card_expiry_year',
  'quantity',
  'date_of_birth',
])

/** Fields that only take a figure. */
const ofNumbers: ReadonlySet<Field> = new Set([
  'quantity',
  'house_number',
  'phone',
  'postal_code',
  'card_number',
  'card_expiry_month',
  'card_expiry_year',
  'card_code',
  'one_time_code',
])
const ofDates = new Set(['date', 'datetime-local', 'month', 'week', 'time'])
const ofNothing = new Set(['url', 'color', 'range'])

/** Whether a control is of a kind that such a thing is put into. */
export function mayBe({ kind, type }: Control, field: Field): boolean {
  if (type === 'number') return kind === 'text' && ofNumbers.has(field)
  if (ofDates.has(type)) return field === 'date_of_birth' || (type === 'month' && field === 'card_expiry')
  if (ofNothing.has(type)) return false
  if (kind === 'checkbox') return consents.has(field)
  if (kind === 'radio') return field === 'billing_same'
  if (kind === 'select') return ofSelects.has(field)
  if (kind === 'list') return field === 'country' || field === 'state'
  if (kind === 'file') return false
  if (field === 'salutation') return false
  if (consents.has(field)) return field === 'newsletter'
  // A security code may be typed as a password; nothing else is.
  if (type === 'password') return field === 'password' || field === 'card_code' || field === 'one_time_code'
  return type !== 'email' || field === 'email' || field === 'newsletter'
}

/**
 * What a text says, in its whole phrase; `other`: something that the buyer has no value for. In a label of several languages the first
 * thing counts, in `address_city` the last.
 */
function readField(text: string, language: string, order: 'first' | 'last'): Field | 'other' | null {
  const short = text.slice(0, 300)
  const matches = findWords('fields', short, language)
  const sure = matches.filter((match) => !isGeneral(match))
  const used = sure.length > 0 ? sure : matches
  const longest = Math.max(0, ...used.map(({ length }) => length))
  const best = used.filter(({ length }) => length === longest).at(order === 'first' ? 0 : -1)
  if (best === undefined) return null
  // `shippingAddress.landmark`: which address it is, and not what of it.
  if (order === 'last' && best.key === 'line1' && !endsWith(short, best)) return null
  if (isOfSomethingElse(tokensOf(short), best, order === 'last')) return 'other'
  // `Name of your dog` is no name of the buyer, and `Sponsor card number` none of a card.
  const isWhole = wholly.has(best.key) || (namesOfPeople.has(best.key) && isBareName(tokensOf(short), best))
  if (isWhole && (best.length === 1 || best.key === 'card_number') && order === 'first')
    return isExplained(short, best) ? best.key : 'other'
  return best.key
}

/** In the names of programs nothing of an address follows it but which line it is. */
function endsWith(text: string, { start, length }: Match<Field | 'other'>): boolean {
  return tokensOf(text)
    .slice(start + length)
    .every((word) => /^(?:\p{N}+|input|field|text|id|line|street|address|value|s)$/u.test(word))
}

/** Words that mean a name of any kind, and the first or the last one only where another stands beside it. */
function isBareName(words: readonly string[], { start, length }: Match<Field | 'other'>): boolean {
  return length === 1 && bareNames.has(words[start] ?? '')
}

const namesOfPeople: ReadonlySet<Field | 'other'> = new Set(['first_name', 'last_name'])
const bareNames = new Set(['nome', 'nombre', 'nom', 'nombres', 'naam', 'namn'])

const wholly: ReadonlySet<Field | 'other'> = new Set(['house_number', 'full_name', 'card_number', 'line1'])

/** One word that is a part of many names: `address`, `name`, `number`. */
function isGeneral({ key, length }: Match<Field | 'other'>): boolean {
  return length === 1 && general.has(key)
}

const general: ReadonlySet<Field | 'other'> = new Set([
  'line1',
  'full_name',
  'house_number',
  'company',
  'newsletter',
  'order_notes',
  'state',
  'card_expiry_month',
  'card_expiry_year',
])

/** What a box agrees to. A box that agrees to advertisements and to terms agrees to advertisements. */
function consentOf(control: Control, language: string): Field | null {
  const text = [control.label, control.label === '' ? control.near : '', splitName(control.name)].join(' . ')
  const found = findWords('fields', text.slice(0, 1_000), language).map(({ key }) => key)
  return byGravity.find((field) => found.includes(field)) ?? null
}

const byGravity = [
  'save_card',
  'create_account',
  'billing_same',
  'ship_elsewhere',
  'bill_elsewhere',
  'newsletter',
  'marketing_consent',
  'terms_consent',
] as const satisfies readonly Field[]

function fieldOfShape(placeholder: string): Field | null {
  const text = placeholder.trim().toLowerCase()
  if (/^[\dx•*·#][\dx•*·# -]{10,22}$/u.test(text) && text.replace(/[ -]/gu, '').length >= 13)
    return 'card_number'
  if (/^(?:mm|m m) ?[/|-] ?(?:yy|jj|aa|rr|åå|yyyy|jjjj|aaaa|rrrr)$/u.test(text)) return 'card_expiry'
  if (/^(?:dd|tt|jj|gg)[./-]mm[./-](?:yyyy|jjjj|aaaa|rrrr)$/u.test(text)) return 'date_of_birth'
  if (/^\S+@\S+\.\S+$/u.test(text)) return 'email'
  return /^\+\d[\d ()x-]{5,}$/u.test(text) ? 'phone' : null
}

/** What a select offers: months, years from about this one on, dial codes. `other`: the beginning of a card's time. */
function fieldOfOptions(control: Control, language: string): Field | 'other' | null {
  const { kind, options, autocomplete } = control
  if (kind !== 'select') return null
  if (isDialList(options)) return 'dial_code'
  const field = dateOfOptions(options)
  if (field === null || autocomplete.startsWith('cc-exp')) return field
  const around = [control.label, control.group, control.near, splitName(control.name), splitName(control.id)]
  return around.some((text) => beginnings.test(tokensOf(text).join(' '))) ||
    around.some((text) =>
      findWords('fields', text.slice(0, 200), language).some(({ key }) => key === 'date_of_birth'),
    )
    ? 'other'
    : field
}

const beginnings =
  /(?:^| )(?:from|start|starts|since|issued?|ab|beginn|debut|depuis|desde|inicio|emision|dal|inizio|vanaf|partir|od|fran|birth|bday|dob|geburt\w*|naissance|nacimiento|nascita|geboorte\w*|nascimento|urodzenia|fodelse\w*)(?: |$)/u

export function dateOfOptions(options: Control['options']): Field | null {
  if (options.length < 4 || options.length > 40) return null
  const numbers = options
    .map(({ text, value }) => (/^\d{1,4}$/u.test(text.trim()) ? text.trim() : value.trim()))
    .filter((text) => /^\d{1,4}$/u.test(text))
    .map(Number)
  if (numbers.length < options.length - 1) return null
  const [first = 0, last = 0] = [Math.min(...numbers), Math.max(...numbers)]
  if (first === 1 && last === 12 && numbers.length === 12) return 'card_expiry_month'
  const isYears =
    (first > 2010 && last < 2100) ||
    (first > 10 && last < 99 && options.every(({ text }) => /\d\d$/u.test(text.trim()) || text.trim() === ''))
  return isYears && last - first === numbers.length - 1 ? 'card_expiry_year' : null
}
