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
    const words = ` ${tokensOf(title.slice(0, 300)).join(' ')} `
    const at =
      words.trim() === '' ? [] : texts.flatMap(({ plain }, place) => (plain.includes(words) ? [place] : []))
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
  const [first = '', ...rest] = own
  const bare = withoutTitle(first, about.title)
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

function withoutTitle(line: string, title: string): string {
  const at = line.toLowerCase().indexOf(title.toLowerCase())
  return at < 0 ? line : `${line.slice(0, at)} ${line.slice(at + title.length)}`
}

/** `× 2`, `2 x`, `Qty: 2`. */
function quantityIn(line: string, language: string): number | null {
  const times = /(?:^|[\s(])[x×✕]\s?(\d{1,4})(?![\d.,])|(?:^|\s)(\d{1,4})\s?[x×✕](?=\s|$)(?!\s*\d)/iu.exec(
    line,
  )
  const number = times?.[1] ?? times?.[2]
  if (number !== undefined) return Number(number)
  const tokens = tokensOf(line.slice(0, 200))
  const word = findWords('states', line.slice(0, 200), language).find(({ key }) => key === 'quantity')
  if (word === undefined) return null
  const next = tokens[word.start + word.length] ?? ''
  const before = tokens[word.start - 1] ?? ''
  const said = [next, before].find((token) => /^\d{1,4}$/u.test(token))
  return said === undefined ? null : Number(said)
}

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
