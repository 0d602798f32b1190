import { isBarcode, issuedAs } from './card-brands.ts'
import { type DigitGroup, digitRuns, list, mark } from './digit-groups.ts'

/**
 * Whether a text very probably contains a payment card number: digits of any script with a known brand's prefix and length that pass the
 * Luhn check, however they are spaced. It is used to refuse card data in free text, where it would be copied into events and exports;
 * identifiers and barcodes are exempt because some of them pass by chance.
 */
export function looksLikeCardNumber(text: string): boolean {
  if (text.length < digitsMin) return false
  const words = new CardWords(text)
  for (const run of digitRuns(text)) {
    if (runHoldsCardNumber(run, text, words)) return true
  }
  return false
}

const digitsMin = 12
const digitsMax = 19

/** Tries every stretch of whole groups, so that "4111 1111 1111 1111 12" with an expiry month after it is still found. */
function runHoldsCardNumber(run: readonly DigitGroup[], text: string, words: CardWords): boolean {
  const all = run.map(({ digits }) => digits).join('')
  if (all.length < digitsMin) return false
  const isLuhn = luhnOf(all)
  let from = 0
  for (let first = 0; first < run.length; first++) {
    const firstSix = Number(all.slice(from, from + 6))
    let to = from
    for (let last = first; last < run.length; last++) {
      to += run[last]?.digits.length ?? 0
      if (to - from > digitsMax) break
      const as = to - from < digitsMin ? null : issuedAs(firstSix, to - from)
      if (as === null || !isLuhn(from, to)) continue
      const number = { digits: all.slice(from, to), groups: run.slice(first, last + 1) }
      // guard barcodes-are-none: a barcode in a text is not refused as a card number
      if (isBarcode(number.digits) || isInUuid(number.groups, text)) continue
      // guard short-ones-beside-a-word: a short card number beside a word that says so is seen
      if ((as === 'usual' && isWrittenLikeOne(number, text)) || words.areBeside(number.groups)) return true
    }
    from += run[first]?.digits.length ?? 0
  }
  return false
}

/** Returns a check for any stretch of the digits, from sums that are computed once: a text may hold a hundred thousand stretches. */
function luhnOf(digits: string): (from: number, to: number) => boolean {
  // The sums up to each place, with the digits at even places doubled, and with those at odd places.
  const evenDoubled = new Int32Array(digits.length + 1)
  const oddDoubled = new Int32Array(digits.length + 1)
  for (let at = 0; at < digits.length; at++) {
    const digit = digits.charCodeAt(at) - 0x30
    const doubled = digit > 4 ? digit * 2 - 9 : digit * 2
    const isEven = at % 2 === 0
    evenDoubled[at + 1] = (evenDoubled[at] ?? 0) + (isEven ? doubled : digit)
    oddDoubled[at + 1] = (oddDoubled[at] ?? 0) + (isEven ? digit : doubled)
  }
  return (from, to) => {
    const sums = to % 2 === 0 ? evenDoubled : oddDoubled
    return ((sums[to] ?? 0) - (sums[from] ?? 0)) % 10 === 0
  }
}

const uuid =
  /(?<![0-9a-z])[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}(?![0-9a-z])/gi
const uuidLength = 36

/** One UUID in 2,400 has the digits of a card number in it. Nobody writes a card number as part of one. */
function isInUuid(groups: readonly DigitGroup[], text: string): boolean {
  const from = groups.at(0)?.from ?? 0
  const to = groups.at(-1)?.to ?? 0
  const start = Math.max(0, to - uuidLength - 1)
  const around = text.slice(start, from + uuidLength + 1)
  return [...around.matchAll(uuid)].some(
    ({ index }) => start + index <= from && to <= start + index + uuidLength,
  )
}

type Written = { digits: string; groups: readonly DigitGroup[] }

/** Without a word for cards nearby: digits that are written like phone numbers or lists of sizes, prices or dates do not count. */
function isWrittenLikeOne({ digits, groups }: Written, text: string): boolean {
  // guard phones-are-none: a phone number in a note is not refused as a card number
  if (isPhone(digits, groups, text) || isAscending(groups)) return false
  const between = groups.slice(1).reduce((kinds, group) => kinds | group.between, 0)
  if ((between & list) !== 0) return false
  // guard card-numbers-with-marks: a card number with dots, slashes or underscores in it is seen
  return (between & mark) === 0 || isGroupedLikeOne(groups)
}

/** In groups of four or more, or digit by digit. */
function isGroupedLikeOne(groups: readonly DigitGroup[]): boolean {
  return (
    groups.slice(0, -1).every(({ digits }) => digits.length >= 4) ||
    groups.every(({ digits }) => digits.length === 1)
  )
}

const phoneDigitsMax = 15

function isPhone(digits: string, [first]: readonly DigitGroup[], text: string): boolean {
  if (first === undefined || digits.length > phoneDigitsMax) return false
  return text[first.from - 1] === '+' || text.slice(first.from - 2, first.from) === '+('
}

/** Sizes from small to large. Among card numbers in groups of two or three, one in thousands ascends. */
function isAscending(groups: readonly DigitGroup[]): boolean {
  if (groups.length < 4) return false
  return groups.every(({ digits }, at) => {
    const before = groups[at - 1]
    return digits.length > 1 && digits.length < 4 && (before === undefined || digits > before.digits)
  })
}

const besideMax = 40

/** Words that mark a number as a card's, in the languages of many shops. */
const cardWord = new RegExp(
  `(?<!\\p{L})(?:${[
    '(?:credit|debit|kredit|debet|debiet|bank)?[ -]?(?:cards?|karte|karten|kaart|kort|karta)(?:[ -]?(?:n(?:o|r|um|umber|ummer)?))?',
    'carte|cartes|tarjeta|tarjetas|cart[aã]o|cart[oõ]es|carta|karty|kartu|kortti|kártya|thẻ',
    'карт[аыуеой]+|мир|كارت|بطاقة|כרטיס',
    'pan|cc|ccn|cvc2?|cvv2?|cvn|csc|cid|cvd|visa|master ?card|maestro|amex|mir|elo|diners|discover|unionpay|jcb',
    'exp(?:iry|ires|iration|\\.)?|valid|g[uü]ltig|vence|vencimiento|validade|scadenza|срок',
  ].join('|')})(?!\\p{L})|カード|卡|카드`,
  'giu',
)

class CardWords {
  readonly #text: string
  #places: number[] | undefined

  constructor(text: string) {
    this.#text = text
  }

  /** Searched once, when the first number might be a card's. */
  areBeside(groups: readonly DigitGroup[]): boolean {
    this.#places ??= [...this.#text.matchAll(cardWord)].map(({ index }) => index)
    const from = (groups.at(0)?.from ?? 0) - besideMax
    const to = (groups.at(-1)?.to ?? 0) + besideMax
    const places = this.#places
    let low = 0
    let high = places.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((places[middle] ?? 0) < from) low = middle + 1
      else high = middle
    }
    return low < places.length && (places[low] ?? 0) <= to
  }
}
