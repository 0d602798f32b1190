import { domainToASCII } from 'node:url'
import type { ParcelField, PlannedBuyer } from './plan.ts'

type Cells = Readonly<Partial<Record<ParcelField, string>>>

/** What of a parcel is not as it has to be, by the columns that the book has. */
export function parcelFaults(cells: Cells, buyer: PlannedBuyer): string[] {
  const said = buyer.parcel ?? {}
  const isStreetSaid = said.street !== undefined || said.number !== undefined
  return Object.entries(cells).flatMap(([column, cell]) => {
    const field = column as ParcelField // the book's cells have these names alone
    if (!isStreetSaid && ofStreet.has(field)) return field === 'street' ? streetFaults(cells, buyer) : []
    const wanted = [said[field] ?? usual(field, buyer)].flat()
    return wanted.some((text) => isSame(field, cell, text)) ? [] : [faultOf(field, cell, wanted)]
  })
}

const ofStreet: ReadonlySet<ParcelField> = new Set(['street', 'number', 'line2'])

function faultOf(field: ParcelField, cell: string, wanted: readonly string[]): string {
  return `the ${field} is “${cell}”, and has to be ${wanted.map((text) => `“${text}”`).join(' or ')}`
}

/** What follows from the profile where the plan does not say it. */
function usual(field: ParcelField, { profile, answers = {} }: PlannedBuyer): string | string[] {
  const [address] = profile.addresses ?? []
  const answered = Object.values(answers)
  switch (field) {
    case 'name':
      return address?.recipient_name ?? [profile.first_name, profile.last_name ?? ''].join(' ')
    case 'email':
      return profile.email
    case 'phone':
      return profile.phone ?? ['', ...answered]
    case 'country':
      return countryNames(address?.country ?? '')
    case 'state':
    case 'postal_code':
      return address?.[field] ?? ['', ...answered]
    case 'city':
      return address?.city ?? ''
    case 'street':
      return address?.line1 ?? ''
    case 'line2':
      return address?.line2 ?? ''
    case 'number':
      return ''
    default:
      return field satisfies never
  }
}

function countryNames(code: string): string[] {
  const name = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' }).of(code)
  return name === undefined ? [code] : [code, name]
}

/** Shops part an address in many ways; together the parts have to say all of it, and nothing else. */
function streetFaults({ street = '', number, line2 = '' }: Cells, { profile }: PlannedBuyer): string[] {
  const [address] = profile.addresses ?? []
  const wanted = [address?.line1, address?.line2].filter((line) => line).join(' ')
  const shown = [street, number, line2].filter((part) => part).join(' | ')
  const orders =
    number === undefined
      ? [[street]]
      : [
          [street, number],
          [number, street],
        ]
  const isWhole = orders.some((parts) => plain([...parts, line2].join(' ')) === plain(wanted))
  const isParted =
    /\p{L}/u.test(street) && (number === undefined || /\p{N}/u.test(number) === /\p{N}/u.test(wanted))
  return isWhole && isParted ? [] : [`the street is “${shown}”, and has to be “${wanted}”`]
}

function isSame(field: ParcelField, cell: string, wanted: string): boolean {
  switch (field) {
    case 'postal_code':
      return plain(cell).replaceAll(' ', '') === plain(wanted).replaceAll(' ', '')
    case 'phone':
      return isSamePhone(cell, wanted)
    case 'email':
      return mailbox(cell) === mailbox(wanted)
    default:
      return plain(cell) === plain(wanted)
  }
}

/** Letters and digits, however they are set apart. */
export function plain(text: string): string {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  ).join(' ')
}

const dialDigitsMax = 3
const phoneDigitsMin = 6

/** The same number without its dial code is the same where it goes; with a digit less it is another one. */
function isSamePhone(cell: string, wanted: string): boolean {
  const [shown, whole] = [cell, wanted].map((text) => text.replaceAll(/\D/gu, ''))
  if (shown === undefined || whole === undefined || shown === whole) return shown === whole
  const national = shown.replace(/^0+/u, '')
  const dialDigits = whole.length - national.length
  return national.length >= phoneDigitsMin && dialDigits <= dialDigitsMax && whole.endsWith(national)
}

function mailbox(address: string): string {
  const at = address.lastIndexOf('@')
  return `${address.slice(0, at)}@${domainToASCII(address.slice(at + 1)) || address.slice(at + 1)}`
    .trim()
    .toLowerCase()
}
