import type { ShopAddress, ShopRequest } from '../../channels/browser/shopping-words.ts'
import { countryNamed } from '../reading/choose-option.ts'
import type { PageSnapshot } from '../reading/page-snapshot.ts'
import { plainStreet } from './fit-street.ts'
import { splitStreet } from './split-address.ts'

type ShownPart = 'name' | 'street' | 'postal_code' | 'country'

/** How far around the street an address is written. */
const linesBefore = 5
const linesAfter = 6

/**
 * Where a page shows who gets the goods, and where: the first part that it shows otherwise than it was meant. Null: it shows all of it, or
 * shows no address of the buyer at all.
 */
export function wronglyShown({ text, language }: PageSnapshot, { buyer }: ShopRequest): ShownPart | null {
  const addresses = [buyer.shipTo, buyer.billTo].filter((address) => address !== null)
  const lines = text.split('\n').slice(0, 2_000)
  const plains = lines.map(plainStreet)
  for (const [at, line] of plains.entries()) {
    const own = addresses.filter((address) => beginsHere(line, address))
    if (own.length === 0) continue
    const around = {
      plain: plains.slice(Math.max(0, at - linesBefore), at + linesAfter).join(' '),
      raw: lines.slice(Math.max(0, at - 1), at + linesAfter),
      language,
    }
    const wrongs = own
      .filter((address) => isAddress(around, address))
      .map((address) => wrongIn(around, address))
    const [wrong] = wrongs
    if (wrong !== undefined && !wrongs.includes(null)) return wrong
  }
  return null
}

type Around = { readonly plain: string; readonly raw: readonly string[]; readonly language: string }

/** The street is written here, or what has become of it: its number or the beginning of its name. */
function beginsHere(line: string, address: ShopAddress): boolean {
  const mark = markOf(address)
  if (mark.length < 2) return false
  if (hasWord(line, mark)) return true
  const words = line.split(' ')
  const { number } = splitStreet(address.line1, address.country)
  const isCut = words.some((word) => word.length > 2 && mark.startsWith(word))
  return isCut && words.includes(plainStreet(number).split(' ')[0] ?? '')
}

/** The word by which a street is known: the longest of its name. */
function markOf({ line1, country }: ShopAddress): string {
  const words = plainStreet(splitStreet(line1, country).street).split(' ')
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest), '')
}

function hasWord(text: string, word: string): boolean {
  // Chinese and Japanese have no spaces between words.
  return /\p{sc=Han}|\p{sc=Hira}|\p{sc=Kana}/u.test(word)
    ? text.includes(word)
    : ` ${text} `.includes(` ${word} `)
}

/** A street alone may be a title or a sentence: an address has its city, or the code of it. */
function isAddress({ plain }: Around, { city, postalCode }: ShopAddress): boolean {
  return hasAll(plain, city) || (postalCode !== null && bare(plain).includes(bare(postalCode)))
}

function wrongIn(around: Around, address: ShopAddress): ShownPart | null {
  const { plain } = around
  const name = tokens(address.recipientName)
  const shown = name.filter((word) => hasWord(plain, word))
  if (shown.length > 0 && shown.length < name.length) return 'name'
  if (!hasStreet(plain, address.line1)) return 'street'
  const { postalCode } = address
  if (postalCode !== null && !bare(plain).includes(bare(postalCode)) && hasOtherCode(around, address))
    return 'postal_code'
  return isElsewhere(around, address) ? 'country' : null
}

/** All its words and its number, in whatever order. */
function hasStreet(plain: string, line: string): boolean {
  return bare(plain).includes(bare(plainStreet(line))) || hasAll(plain, line)
}

function hasAll(plain: string, text: string): boolean {
  return tokens(text).every((word) => hasWord(plain, word))
}

/** Beside the city stands a number that is no part of the address. */
function hasOtherCode({ raw }: Around, { city, line1, line2 }: ShopAddress): boolean {
  const known = new Set(tokens(`${line1} ${line2 ?? ''}`))
  return raw
    .map(plainStreet)
    .filter((line) => hasAll(line, city))
    .some((line) => line.split(' ').some((word) => /\d/u.test(word) && !known.has(word)))
}

/** A line of the address is the name of another country. */
function isElsewhere({ raw, language }: Around, { country, city, state }: ShopAddress): boolean {
  return raw
    .flatMap((line) => line.split(','))
    .map((part) => part.trim())
    .filter((part) => part !== '' && part.length <= 60 && part !== city && part !== state)
    .some((part) => {
      const named = countryNamed(part, language)
      return named !== null && named !== country
    })
}

function tokens(text: string): string[] {
  return plainStreet(text)
    .split(' ')
    .filter((word) => word !== '')
}

function bare(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '')
}
