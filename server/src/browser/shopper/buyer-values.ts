import { domainToASCII } from 'node:url'
import type { ShopAddress, ShopRequest } from '../../channels/browser/shopping-words.ts'
import { namesOfRecipient, type PersonNames, wholeNameOf } from '../../core/person-names.ts'
import { chooseOption } from '../reading/choose-option.ts'
import { dialCodeIn, readPhone } from '../reading/dial-codes.ts'
import type { Part } from '../reading/field-of.ts'
import type { Control } from '../reading/page-snapshot.ts'
import { findState } from '../reading/states.ts'
import type { Field } from '../reading/words/shop-words.ts'
import { tokensOf } from '../reading/words/words.ts'
import { streetForms } from './fit-street.ts'
import { matches, phoneForms, phoneParts } from './phone-forms.ts'
import { type StreetParts, splitStreet } from './split-address.ts'

type About = {
  readonly request: ShopRequest
  readonly address: ShopAddress | null
  readonly control: Control
  /** Whether the same form asks for this as well, for the same address. */
  readonly has: (field: Field) => boolean
  /** Characters in the field for the street and in that for a second line: null for as many as are needed, 0 where there is no such field. */
  readonly rooms: { readonly first: number | null; readonly second: number | null }
  /** Null where the whole value goes into one box. */
  readonly part: Part | null
  readonly language: string
}

/**
 * What a control may be given, the best form first. Empty: the buyer has nothing for it, or nothing that fits. Nothing is cut, and nothing
 * is guessed.
 */
export function valuesFor(field: Field, about: About): readonly string[] {
  const { control } = about
  const texts = textsFor(field, about)
  if (control.kind !== 'text') return texts
  return texts.filter(
    (text) =>
      text !== '' &&
      (control.type !== 'number' || /^\d+$/u.test(text)) &&
      (control.maxLength === null || text.length <= control.maxLength) &&
      matches(text, control.pattern),
  )
}

function textsFor(field: Field, about: About): readonly string[] {
  const { request, address, control } = about
  const { buyer } = request
  switch (field) {
    case 'email':
      return [mailable(buyer.email)]
    case 'phone':
      return buyer.phone === null ? [] : phonesFor(buyer.phone, about)
    case 'dial_code':
      return buyer.phone === null ? [] : dialCodesFor(buyer.phone, about)
    case 'salutation':
      return neutralOption(control)
    case 'full_name':
    case 'first_name':
    case 'last_name':
      return namesFor(field, about)
    case 'city':
      return address === null ? [] : cityFor(control, address.city)
    case 'postal_code':
      return address?.postalCode == null ? [] : postalCodesFor(address.postalCode, about, address.country)
    case 'state':
      return address === null ? [] : statesFor(control, address)
    case 'country':
      return address === null ? [] : countriesFor(about, address.country)
    case 'line1':
    case 'street':
    case 'house_number':
    case 'house_addition':
    case 'line2':
      return address === null ? [] : streetFor(field, about, address)
    default:
      return []
  }
}

/** Fields for addresses of email take no letters beyond ASCII; the domain has a spelling without them. */
export function mailable(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = domainToASCII(email.slice(at + 1))
  return domain === '' ? email : `${email.slice(0, at)}@${domain}`
}

function phonesFor(phone: string, { control, address, request, has, part }: About): readonly string[] {
  const { shipTo, billTo } = request.buyer
  const country = (address ?? shipTo ?? billTo)?.country ?? null
  if (part !== null) {
    const lengths = part.all.map(({ maxLength }) => maxLength)
    const text = phoneParts(phone, country, lengths)?.[part.index]
    return text === undefined ? [] : [text]
  }
  return phoneForms(phone, country, {
    maxLength: control.maxLength,
    pattern: control.pattern,
    isNumber: control.type === 'number',
    isWithoutCode: /(?:^|\s)tel-(?:national|local)$/u.test(control.autocomplete),
    hasDialField: has('dial_code'),
  })
}

/** Of countries with the same code that of the address is chosen. */
function dialCodesFor(phone: string, { control, address }: About): readonly string[] {
  const number = readPhone(phone)
  if (number === null) return []
  if (control.kind !== 'select') return [`+${number.dialCode}`, number.dialCode]
  const same = control.options.filter(
    ({ text, value, isDisabled }) =>
      !isDisabled && (dialCodeIn(text) ?? value.replaceAll(/\D/gu, '')) === number.dialCode,
  )
  const own =
    address === null
      ? null
      : chooseOption({ options: same.map(withoutCode) }, { country: { code: address.country } })
  const found = own ?? same[0]?.value
  return found === undefined ? [] : [found]
}

function withoutCode(option: Control['options'][number]): Control['options'][number] {
  return { ...option, text: option.text.replaceAll(/\(?\+?\d[\d\s-]*\)?/gu, ' ').trim() }
}

const neutral = new Set(
  `keine angabe|divers|neutral|mx|other|prefer not to say|rather not say|not specified|unspecified|none|no title|not applicable|neutre|autre|non precise
  |ne pas preciser|non binaire|prefiero no decirlo|sin especificar|no especificar|otro|neutro|preferisco non specificare|non specificato|altro|geen
  |anders|neutraal|geen van beide|wil ik niet zeggen|zeg ik liever niet|prefiro nao dizer|prefiro nao informar|nao informar|outro
  |wole nie podawac|inne|vill inte ange|annat|その他|回答しない|指定なし|無回答|不明|ohne anrede|ohne|nonbinary|non binary|diverse`
    .split('|')
    .map((text) => tokensOf(text).join(' ')),
)

/** Whether an option says nothing of whether somebody is a man or a woman: from a name nobody can know. */
export function isNeutral(text: string): boolean {
  return neutral.has(tokensOf(text).join(' '))
}

function neutralOption({ options }: Control): readonly string[] {
  const found = options.find(({ text, value, isDisabled }) => !isDisabled && value !== '' && isNeutral(text))
  return found === undefined ? [] : [found.value]
}

function namesFor(
  field: 'full_name' | 'first_name' | 'last_name',
  { address, request }: About,
): readonly string[] {
  const { buyer } = request
  const names = address === null ? ownNames(request) : namesOfRecipient(address.recipientName, buyer)
  if (field === 'full_name')
    return [names === null ? (address?.recipientName ?? buyer.name) : wholeNameOf(names)]
  if (names === null) return []
  // Who has one name gives it twice: forms insist on two.
  return [field === 'first_name' ? names.first : (names.last ?? names.first)]
}

function ownNames({ buyer: { firstName, lastName } }: ShopRequest): PersonNames {
  return { first: firstName, last: lastName }
}

function cityFor(control: Control, city: string): readonly string[] {
  if (control.kind !== 'select') return [city]
  const plain = (text: string) => tokensOf(text).join(' ')
  const found = control.options.find(({ text, isDisabled }) => !isDisabled && plain(text) === plain(city))
  return found === undefined ? [] : [found.value]
}

/** Its space is a matter of taste; in boxes the first takes what is before it. */
function postalCodesFor(code: string, { part }: About, country: string): readonly string[] {
  const bare = code.replaceAll(/[\s-]/gu, '')
  // The last four digits of an American code name a side of a street, and few fields have room for them.
  const short = country === 'US' && /^\d{9}$/u.test(bare) ? [bare.slice(0, 5)] : []
  if (part === null) return [...new Set([code, ...short, bare])]
  const lengths = part.all.map(({ maxLength }) => maxLength ?? 0)
  if (lengths.reduce((sum, length) => sum + length, 0) !== bare.length) return []
  const start = lengths.slice(0, part.index).reduce((sum, length) => sum + length, 0)
  return [bare.slice(start, start + (lengths[part.index] ?? 0))]
}

/** A list says how it names states; a field takes the code where it has no room for more. */
function statesFor(control: Control, { state, country }: ShopAddress): readonly string[] {
  if (control.kind === 'select') {
    const found =
      state === null ? null : chooseOption(control, { state: { code: state, name: state, country } })
    return found === null ? [] : [found]
  }
  if (state === null) return []
  const known = findState(country, state)
  return [known?.code ?? state, ...(known === null ? [] : [known.name])]
}

function countriesFor({ control, language }: About, country: string): readonly string[] {
  if (control.kind === 'select') {
    const found = chooseOption(control, { country: { code: country } })
    return found === null ? [] : [found]
  }
  const spoken = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})*$/u.test(language) ? [language, 'en'] : ['en']
  const name = new Intl.DisplayNames(spoken, { type: 'region' }).of(country) ?? country
  return [name, country]
}

type StreetField = 'line1' | 'street' | 'house_number' | 'house_addition' | 'line2'

function streetFor(field: StreetField, about: About, address: ShopAddress): readonly string[] {
  const { has, rooms } = about
  const parts = splitStreet(address.line1, address.country)
  const isSplit = has('house_number') || field === 'house_number' || field === 'street'
  const named = isSplit && parts.number === '' ? namedHouse(address) : null
  const more = isSplit && parts.number !== '' ? [parts.unit] : []
  const second = [...more, named === null ? (address.line2 ?? '') : (named.line2 ?? '')]
    .filter((text) => text !== '')
    .join(', ')
  const whole = named?.street ?? (isSplit && parts.number !== '' ? parts.street : address.line1)
  const forms = streetForms({
    street: whole,
    unit: isSplit ? '' : parts.unit,
    second,
    firstRoom: rooms.first,
    secondRoom: rooms.second,
  })
  switch (field) {
    case 'line1':
    case 'street':
      return forms === null ? [] : [forms.street]
    case 'line2':
      return forms === null ? [] : [forms.second]
    case 'house_addition':
      return [parts.addition.replace(/^[\s/-]+/u, '')]
    case 'house_number':
      return numbersFor(about, parts, named?.number ?? null)
    default:
      return field satisfies never
  }
}

function numbersFor(
  { has, control }: About,
  { number, addition }: StreetParts,
  name: string | null,
): readonly string[] {
  if (number === '')
    return name !== null && /\bname\b/iu.test(`${control.label} ${control.placeholder}`) ? [name] : []
  if (has('house_addition')) return [number]
  return [number + addition, ...(/^\s/u.test(addition) ? [number + addition.trimStart()] : [])]
}

/** In Britain and Ireland a house may have a name instead: `The Old Mill, Mill Lane`, or each in a line of its own. */
function namedHouse({ line1, line2, country }: ShopAddress) {
  if (country !== 'GB' && country !== 'IE') return null
  const [name = '', ...rest] = line1.split(/\s*,\s*/u)
  if (rest.length > 0) return { number: name, street: rest.join(', '), line2 }
  return line2 === null ? null : { number: line1, street: line2, line2: null }
}
