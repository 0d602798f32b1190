import type { AskedWord } from './listings.sql.ts'

/** The words of a query as the index takes them, and what was added to them. */
export type Asked = {
  /** Null where no word of the query says anything. */
  readonly tsquery: string | null
  /** The words that were searched for besides one of the query. */
  readonly corrected: readonly { readonly word: string; readonly instead: readonly string[] }[]
}

const insteadMax = 4

/**
 * Every word must be found: as it is written, by its stem, in one of the close spellings that were read for it, or, where nothing published
 * has it, as the beginning of a word.
 */
export function askedOf(words: readonly AskedWord[]): Asked {
  const telling = words.filter(({ stems, is_known }) => stems.length > 0 || is_known)
  const asked = telling.filter(({ stems }) => stems.length > 0)
  // A query of nothing but small words means these words.
  const used = asked.length > 0 ? asked : telling
  if (used.length === 0) return { tsquery: null, corrected: [] }
  const alternatives = used.map((one) => ({ ...one, instead: closest(one.word, one.near) }))
  return {
    tsquery: alternatives
      .map(({ word, stems, is_known, instead }) => {
        const exact = [word, ...stems, ...instead].map(lexeme)
        const begun = !is_known && word.length >= 3 ? [`${lexeme(word)}:*`] : []
        return `(${[...new Set([...exact, ...begun])].join(' | ')})`
      })
      .join(' & '),
    corrected: alternatives.flatMap(({ word, instead }) => (instead.length > 0 ? [{ word, instead }] : [])),
  }
}

function closest(word: string, near: readonly string[]): string[] {
  const most = word.length < 4 ? 0 : word.length < 8 ? 1 : 2
  return near
    .map((one) => ({ one, edits: editsBetween(word, one) }))
    .filter(({ edits }) => edits > 0 && edits <= most)
    .sort((a, b) => a.edits - b.edits || (a.one < b.one ? -1 : 1))
    .slice(0, insteadMax)
    .map(({ one }) => one)
}

/** How many letters must be added, removed, replaced or exchanged with their neighbor to make one word the other. */
function editsBetween(a: string, b: string): number {
  const [left, right] = [[...a], [...b]]
  let before: number[] = []
  let last = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 1; i <= left.length; i++) {
    const row = [i]
    for (let j = 1; j <= right.length; j++) {
      const isSame = left[i - 1] === right[j - 1]
      let least = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (isSame ? 0 : 1))
      const isExchanged = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]
      if (isExchanged) least = Math.min(least, at(before, j - 2) + 1)
      row.push(least)
    }
    before = last
    last = row
  }
  return at(last, right.length)
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY
}

function lexeme(word: string): string {
  return `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
}
