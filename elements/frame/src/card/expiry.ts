import { digitsIn, type Edit, type Edited } from './digits.ts'

type Expiry = { readonly month: number; readonly year: number }

const separator = ' / '

/** `01/2027`, `01/27`, `0127`, `1 / 27`, `012027` and `2027-01` are January 2027. Null: no month of a year. */
export function readExpiry(text: string): Expiry | null {
  const [one = '', other, ...more] = text
    .normalize('NFKC')
    .split(/[^\p{Nd}]+/u)
    .filter((part) => part !== '')
    .map(digitsIn)
  if (more.length > 0) return null
  if (other !== undefined) return one.length === 4 ? expiryOf(other, one) : expiryOf(one, other)
  return one.length === 3 ? expiryOf(one.slice(0, 1), one.slice(1)) : expiryOf(one.slice(0, 2), one.slice(2))
}

function expiryOf(monthText: string, yearText: string): Expiry | null {
  const month = Number(monthText)
  if (!/^\d{1,2}$/.test(monthText) || month < 1 || month > 12 || !/^(?:\d{2}|\d{4})$/.test(yearText))
    return null
  return { month, year: yearText.length === 2 ? 2000 + Number(yearText) : Number(yearText) }
}

function expiryText({ month, year }: Expiry): string {
  return `${String(month).padStart(2, '0')}${separator}${String(year % 100).padStart(2, '0')}`
}

/** A card is good to the end of its month, wherever on earth that ends. */
export function hasExpired({ month, year }: Expiry, now: Date): boolean {
  const last = Date.UTC(year, month, 1) + 12 * 3_600_000
  return now.getTime() >= last
}

/** Puts the separator where a person would. What is pasted or filled in as a whole becomes `MM / YY`. */
export function editExpiry({ text, caret, before, isDeletion }: Edit): Edited {
  if (isDeletion)
    return { text: before.endsWith(separator) && text === before.trimEnd() ? text.slice(0, -2) : text, caret }
  if (caret < text.length) return { text, caret }
  const isWhole = text.length > before.length + 1
  const found = isWhole ? readExpiry(text) : null
  const typed = found === null ? typedExpiry(text) : expiryText(found)
  return { text: typed, caret: typed.length }
}

function typedExpiry(text: string): string {
  const [, month = '', mark = '', rest = ''] =
    /^(\d{1,2})(\D*)(.*)$/.exec(text.normalize('NFKC').trimStart()) ?? []
  const year = digitsIn(rest).slice(0, 4)
  // From 2 on there is no second digit of a month.
  if (/^[2-9]$/.test(month) || (month === '1' && mark.trim() !== '')) return `0${month}${separator}${year}`
  if (/^[2-9]\d$/.test(month) || /^1[3-9]$/.test(month))
    return `0${month.charAt(0)}${separator}${month.charAt(1)}${year}`
  return month.length === 2 ? `${month}${separator}${year}` : month
}
