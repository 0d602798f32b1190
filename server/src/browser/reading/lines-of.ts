import { assignFields } from './field-of.ts'
import { readAmounts } from './money-text.ts'
import type { PageSnapshot } from './page-snapshot.ts'
import { findWords, tokensOf } from './words/words.ts'

export type ShownLine = {
  readonly title: string
  readonly isShown: boolean
  /** Null where the page does not show it as text or as a choice. */
  readonly quantity: number | null
  /** Of all of one kind of goods; null where it is not clear which of several amounts it is. */
  readonly amount: bigint | null
}

/** The goods of a cart or a summary, as far as they are shown, one for each title. */
export function linesOf(
  snapshot: PageSnapshot,
  titles: readonly string[],
  currency: string | null = null,
): ShownLine[] {
  const texts = textsOf(snapshot)
  const chosen = chosenQuantities(snapshot)
  return titles.map((title, index) => {
    const words = wordsOf(title)
    const longer = titles.map(wordsOf).filter((other) => other !== words && other.includes(words))
    const isAt = ({ plain }: Text) => longer.reduce(withoutWords, plain).includes(words)
    const at = words.trim() === '' ? [] : texts.flatMap((text, place) => (isAt(text) ? [place] : []))
    // The line that says most: a title alone stands in the menu and in recommendations too.
    const read = at
      .slice(0, 20)
      .map((place) => readLine(texts, place, { titles, currency, language: snapshot.language, title }))
    const best = read.find(({ quantity, amount }) => quantity !== null && amount !== null)
    const quantity = best?.quantity ?? read.find((one) => one.quantity !== null)?.quantity ?? null
    return {
      title,
      isShown: at.length > 0,
      quantity: quantity ?? (chosen.length === titles.length ? (chosen[index] ?? null) : null),
      amount: best?.amount ?? read.find((one) => one.amount !== null)?.amount ?? null,
    }
  })
}

function wordsOf(title: string): string {
  return ` ${tokensOf(title.slice(0, 300)).join(' ')} `
}

/** Without a longer title that begins or ends like the one that is looked for: `Kettle 2` is no `Kettle`. */
function withoutWords(plain: string, words: string): string {
  return plain.replaceAll(words, ' \u2003 ')
}

type Text = { readonly line: string; readonly plain: string }

function textsOf({ rows, text }: PageSnapshot): Text[] {
  const lines = [
    ...rows.slice(0, 400).map(({ label, value }) => `${label.slice(0, 300)} \u2003 ${value.slice(0, 200)}`),
    ...text.split('\n', 2_000).filter((line) => line.trim() !== '' && line.length <= 400),
  ]
  return lines.map((line) => ({ line, plain: ` ${tokensOf(line).join(' ')} ` }))
}

function readLine(
  texts: readonly Text[],
  place: number,
  about: { titles: readonly string[]; title: string; currency: string | null; language: string },
): { quantity: number | null; amount: bigint | null } {
  const others = about.titles
    .filter((title) => title !== about.title)
    .map((title) => ` ${tokensOf(title).join(' ')} `)
  const following = texts.slice(place + 1, place + 6)
  const end = following.findIndex(
    ({ plain, line }) => others.some((other) => plain.includes(other)) || isSummary(line, about.language),
  )
  const own = [texts[place], ...(end < 0 ? following : following.slice(0, end))].flatMap(
    (text) => text?.line ?? [],
  )
  // A title can have numbers of its own, and stands there more than once: as a link, and below its picture.
  const [bare = '', ...rest] = own.map((line) => withoutTitle(line, about.title))
  const inLine = quantityIn(bare, about.language)
  const quantity =
    inLine ?? rest.map((line) => quantityIn(line, about.language)).find((one) => one !== null) ?? null
  const amounts = readAmounts(bare, about).map(({ amount }) => amount)
  const below =
    amounts.length > 0
      ? amounts
      : rest.flatMap((line) => readAmounts(line, about).map(({ amount }) => amount))
  return { quantity, amount: lineAmount(below, quantity) }
}

function isSummary(line: string, language: string): boolean {
  return findWords('totals', line.slice(0, 200), language).some(
    ({ key }) => key === 'subtotal' || key === 'total',
  )
}

/** Word by word: pages write the same title with other spaces, dashes, and cases. */
export function withoutTitle(line: string, title: string): string {
  const wanted = tokensOf(title.slice(0, 300))
  const words = [...line.matchAll(wordPattern)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    tokens: tokensOf(match[0]),
  }))
  for (const [first, { start }] of words.entries()) {
    let known = 0
    for (const { tokens, end } of words.slice(first)) {
      if (!tokens.every((token, index) => token === wanted[known + index])) break
      known += tokens.length
      if (known === wanted.length)
        return `${line.slice(0, start)} \u2003 ${withoutTitle(line.slice(end), title)}`
    }
  }
  return line
}

/** The letters of a word with their marks, a number, or one Japanese character. */
const wordPattern = /[\u3040-\u30ff\u3400-\u9fff]|\p{N}+|[[\p{L}\p{M}]--[\u3040-\u30ff\u3400-\u9fff]]+/gv

/** `× 2`, `2 x`, `Qty: 2`. */
function quantityIn(line: string, language: string): number | null {
  const times = timesIn(line)
  if (times !== null) return times
  const tokens = tokensOf(line.slice(0, 200))
  const word = findWords('states', line.slice(0, 200), language).find(({ key }) => key === 'quantity')
  if (word === undefined) return null
  const next = tokens[word.start + word.length] ?? ''
  const before = tokens[word.start - 1] ?? ''
  const said = [next, before].find((token) => /^\d{1,4}$/u.test(token))
  return said === undefined ? null : Number(said)
}

/** The last one counts: what stands before it is still a name, such as `Series X 1 TB × 2`. */
function timesIn(line: string): number | null {
  const marks = [...line.matchAll(timesPattern)].filter(
    // `20 x 30` is a measure. `$20 x 3` is a price, as often as there are goods.
    ({ index, groups }) => groups?.after === undefined || !/(?:^|\s)\d{1,4}\s?$/u.test(line.slice(0, index)),
  )
  const said = marks.at(-1)?.groups
  const number = said?.after ?? said?.before
  return number === undefined ? null : Number(number)
}

const timesPattern =
  /(?:^|[\s(])[x×✕]\s?(?<after>\d{1,4})(?![\d.,])|(?:^|\s)(?<before>\d{1,4})\s?[x×✕](?=\s|$)(?!\s*\d)/giu

/** One amount is the line's; of two the larger, if it is the smaller one as many times as there are goods. */
function lineAmount(amounts: readonly bigint[], quantity: number | null): bigint | null {
  const all = [...new Set(amounts)].sort((a, b) => (a < b ? -1 : 1))
  const [small, large] = all
  if (all.length === 1) return small ?? null
  if (all.length !== 2 || small === undefined || large === undefined || quantity === null) return null
  return small * BigInt(quantity) === large ? large : null
}

function chosenQuantities(snapshot: PageSnapshot): number[] {
  const fields = assignFields(snapshot)
  return snapshot.controls
    .filter(({ kind, ref }) => kind === 'select' && fields.get(ref) === 'quantity')
    .flatMap(({ options }) => {
      const text = options.find(({ isSelected }) => isSelected)?.text.trim() ?? ''
      return /^\d{1,4}$/u.test(text) ? [Number(text)] : []
    })
}
