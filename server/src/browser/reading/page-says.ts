import { cleanText } from './json-ld.ts'
import { readAmounts } from './money-text.ts'
import type { PageSnapshot } from './page-snapshot.ts'
import type { StateWord } from './words/shop-words.ts'
import { findWords, tokensOf } from './words/words.ts'

type Refusal = {
  readonly kind: RefusalKind
  /** The page's own sentence. It is shown to people and never acted on. */
  readonly sentence: string
}

const refusalKinds = [
  'payment_declined',
  'payment_failed',
  'sold_out',
  'price_changed',
  'undeliverable',
  'minimum_quantity',
  'session_expired',
  'code_refused',
] as const
export type RefusalKind = (typeof refusalKinds)[number]

/** What a page refuses, in its own words; of several the gravest. */
export function refusalOf(
  snapshot: PageSnapshot,
  kinds: readonly RefusalKind[] = refusalKinds,
): Refusal | null {
  const lines = [
    ...snapshot.headings.slice(0, 20).map((heading) => heading.slice(0, 400)),
    ...shortLines(snapshot.text),
  ]
  const found = new Map<StateWord, string>()
  for (const line of lines)
    for (const { key } of findWords('states', line, snapshot.language))
      if (!found.has(key)) found.set(key, sentenceWith(line, key, snapshot.language))
  for (const kind of kinds) {
    const sentence = cleanText(found.get(kind) ?? '', 200)
    if (sentence !== null) return { kind, sentence }
  }
  return null
}

/** In which sentence a page says this of itself; null where it does not. */
export function sentenceOf(snapshot: PageSnapshot, state: StateWord): string | null {
  for (const line of [...snapshot.headings.slice(0, 20), ...shortLines(snapshot.text)]) {
    const short = line.slice(0, 400)
    if (findWords('states', short, snapshot.language).some(({ key }) => key === state))
      return cleanText(sentenceWith(short, state, snapshot.language), 200)
  }
  return null
}

/** Paragraphs are about something; what happened stands in short lines. */
function shortLines(text: string): string[] {
  return text.split('\n', 4_000).filter((line) => line.length <= 400)
}

function sentenceWith(line: string, state: StateWord, language: string): string {
  const sentences = line.slice(0, 400).split(/(?<=[.!?。！？])\s*(?=\p{Lu}|\p{Lo}|$)/u)
  return (
    sentences.find((one) => findWords('states', one, language).some(({ key }) => key === state)) ?? line
  ).trim()
}

/** The number of the order that a page of confirmation names. */
export function orderNumberOf(snapshot: PageSnapshot): string | null {
  const { language } = snapshot
  for (const { label, value } of snapshot.rows.slice(0, 400)) {
    const length = orderWords(label, language)
    if (length === 0 || (length === 1 && tokensOf(label).length > 2)) continue
    const number = numbersIn(value)[0]
    if (number !== undefined) return number.text
  }
  for (const heading of snapshot.headings.slice(0, 10)) {
    const number = numberOfHeading(heading, language)
    if (number !== null) return number
  }
  const lines = [
    ...snapshot.headings.slice(0, 20).map((heading) => heading.slice(0, 400)),
    ...shortLines(snapshot.text),
  ]
  return firstOf(lines, language, (line, next, isPhrase) => {
    const marked = numbersIn(line).find(({ isMarked }) => isMarked)
    if (marked !== undefined) return marked.text
    if (!isPhrase) return null
    const own = numbersIn(line)
    if (own[0] !== undefined) return own[0].text
    return next.trim().length <= 40 && !/\s/u.test(next.trim()) ? (numbersIn(next)[0]?.text ?? null) : null
  })
}

/** `Order 100022: confirmation`: the number stands right behind the word that the heading begins with. */
function numberOfHeading(heading: string, language: string): string | null {
  const short = heading.slice(0, 200)
  const first = findWords('states', short, language).find(
    ({ key, start }) => key === 'order_number' && start === 0,
  )
  const [number] = numbersIn(short)
  if (first === undefined || number === undefined || number.text.length < 4) return null
  return tokensOf(short)[first.length] === tokensOf(number.text)[0] ? number.text : null
}

/** A page that says it more often than this is no confirmation. */
const linesWithWordsMax = 60

function firstOf(
  lines: readonly string[],
  language: string,
  read: (line: string, next: string, isPhrase: boolean) => string | null,
): string | null {
  let looked = 0
  for (const [index, line] of lines.entries()) {
    const length = orderWords(line, language)
    if (length === 0) continue
    looked += 1
    if (looked > linesWithWordsMax) return null
    const found = read(line, lines[index + 1] ?? '', length > 1 || isOneWord(line, language))
    if (found !== null) return found
  }
  return null
}

/** `Bestellnummer` is one word and as clear as two; `order` is not. */
function isOneWord(text: string, language: string): boolean {
  const line = text.slice(0, 400)
  const tokens = tokensOf(line)
  return findWords('states', line, language).some(({ key, start }) => {
    const word = tokens[start] ?? ''
    return (
      key === 'order_number' &&
      /(?:nummer|nr|numer|number|nummeret|ordernummer)$/u.test(word) &&
      word.length > 6
    )
  })
}

function orderWords(text: string, language: string): number {
  const found = findWords('states', text.slice(0, 400), language).filter(({ key }) => key === 'order_number')
  return Math.max(0, ...found.map(({ length }) => length))
}

/** What looks like a number of an order: with a digit, and no amount, date or year. */
function numbersIn(text: string): { text: string; isMarked: boolean }[] {
  const line = text.slice(0, 400)
  if (!/\d/u.test(line)) return []
  const amounts = readAmounts(line, { currency: null, language: '' }).map((amount) => amount.text)
  return (
    [
      ...line.matchAll(
        /(#\s?|№\s?|[nN][°º]\s?)?(?<![\p{L}\p{N}@.,-])([\p{L}\p{N}](?:[\p{L}\p{N}_/-]{0,38}[\p{L}\p{N}])?)(?![\p{L}\p{N}@]|[.,]\d)/gu,
      ),
    ]
      .map(([, mark, number = '']) => ({ text: number, isMarked: mark !== undefined }))
      .filter(({ text: number }) => /\d/u.test(number) && /^[\w/-]+$/u.test(number))
      // A young shop counts from 1.
      .filter(({ text: number, isMarked }) => isMarked || number.length > 2)
      .filter(
        ({ text: number, isMarked }) =>
          isMarked || !/^(?:19|20)\d\d$|^\d{1,4}[/-]\d{1,2}[/-]\d{1,4}$/u.test(number),
      )
      .filter(({ text: number }) => !amounts.some((amount) => amount.includes(number)))
  )
}
