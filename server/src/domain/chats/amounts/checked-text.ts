import { type Amount, unknownAmounts } from './amounts.ts'

export const usualNotice = '[A sentence was left out: it named an amount that nothing in this chat has.]'

/**
 * A text without the sentences that name amounts which are none of those known: a notice stands for each row of them. `replaced` counts the
 * sentences.
 */
export function checkedText(
  text: string,
  known: readonly Amount[],
  notice: string = usualNotice,
): { readonly text: string; readonly replaced: number } {
  const unknown = unknownAmounts(text, known)
  if (unknown.length === 0) return { text, replaced: 0 }
  // The point of "Fr. 12" ends no sentence.
  const ends = sentenceEnds(text, unknown)
  let checked = ''
  let replaced = 0
  let wasReplaced = false
  let next = 0
  for (let start = 0, index = 0; index < ends.length; index++) {
    const end = ends[index] ?? text.length
    const sentence = text.slice(start, end)
    // One that ends before this sentence was in an earlier one.
    while ((unknown[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next++
    const isUnknown = (unknown[next]?.start ?? Number.POSITIVE_INFINITY) < end
    if (!isUnknown) checked += sentence
    else {
      const words = sentence.trimEnd()
      checked += `${wasReplaced ? '' : notice}${sentence.slice(words.length)}`
      replaced++
    }
    wasReplaced = isUnknown
    start = end
  }
  return { text: checked, replaced }
}

type Span = { readonly start: number; readonly end: number }

/** Sentences with what stands between them and the next; a line is one as well. The point of "Fr. 12" ends none. */
export function sentenceEnds(text: string, unbroken: readonly Span[]): readonly number[] {
  const ends: number[] = []
  let next = 0
  for (const { index, 0: found } of text.matchAll(endOfSentence)) {
    const at = index + found.length
    while ((unbroken[next]?.end ?? Number.POSITIVE_INFINITY) <= at) next++
    if (at <= (unbroken[next]?.start ?? at)) ends.push(at)
  }
  return ends.at(-1) === text.length ? ends : [...ends, text.length]
}

// Each row of points is tried once, from its first.
const endOfSentence = /(?:(?<![.!?…])[.!?…]+["')\]»”’*_]*(?=\s)|[。！？]+[」』)]*)[^\S\n]*\n*|\n+/g
