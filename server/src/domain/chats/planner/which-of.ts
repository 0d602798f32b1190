import type { Frame } from './frame.ts'
import type { Spoken, Which } from './understood.ts'

/** Which of the things that were shown a part of a message points at. */
export function whichOf(frame: Frame, spoken: Spoken): Which | undefined {
  const { place, extreme, query, tags, units } = frame
  if (place !== null) return { by: 'place', place }
  const isOne = spoken.shown.length > 0 && tags.has('one') && tags.has('the')
  if (extreme !== null && (query === '' || isOne || matchesShown(query, spoken)))
    return { by: 'extreme', extreme }
  const isNamed =
    query !== '' &&
    !tags.has('a') &&
    (frame.isDefinite || pointsByName(frame) || isTitle(query, spoken)) &&
    matchesShown(query, spoken)
  if (isNamed) return { by: 'words', words: titled(query, spoken) }
  // "Is the pink one machine washable?"
  if (query !== '' && frame.isPointing && tags.has('the') && tags.has('one') && !tags.has('search'))
    return { by: 'options' }
  // "黒いやつ防水？" asks about what was shown.
  const asks = frame.language === 'ja' && frame.isPointing && spoken.shown.length > 0
  const isSought = tags.has('search') || tags.has('need') || tags.has('buy')
  if (query !== '' && !(asks && !isSought)) return undefined
  if (frame.isPointing) return { by: 'options' }
  const isThing =
    tags.has('it') ||
    units.some(({ value }) => value === 'it') ||
    tags.has('them') ||
    (isDangling(frame) && !tags.has('purchase'))
  return isThing ? { by: 'it' } : undefined
}

/** Whether a word of the query is a word of a title that was shown, with what languages add to words. */
export function matchesShown(query: string, { shown }: Spoken): boolean {
  const words = wordsOf(query).filter((word) => word.length > 2 || /[\u3040-\u9fff\d]/u.test(word))
  if (words.length === 0) return false
  return shown.some((title) => {
    const titled = wordsOf(title)
    const joined = titled.join(' ')
    return words.some((word) =>
      /[\u3040-\u9fff]/u.test(word) ? joined.includes(word) : titled.some((other) => isSame(word, other)),
    )
  })
}

/** "The battery of the Bosch": of the words, those from the first to the last that a title has. */
function titled(query: string, { shown }: Spoken): string {
  const words = query.split(' ')
  const all = shown.flatMap(wordsOf)
  const isTitled = (word: string) =>
    wordsOf(word).some((one) => one.length > 2 && all.some((other) => isSame(one, other)))
  const first = words.findIndex(isTitled)
  return first < 0 ? query : words.slice(first, words.findLastIndex(isTitled) + 1).join(' ')
}

/** A name alone that only one title has: "the Bosch" without its article. */
function isTitle(query: string, { shown }: Spoken): boolean {
  const words = wordsOf(query)
  const having = shown.filter((title) => {
    const titled = wordsOf(title)
    const joined = titled.join(' ')
    return words.every((word) =>
      /[\u3040-\u9fff]/u.test(word) ? joined.includes(word) : titled.some((other) => isSame(word, other)),
    )
  })
  return having.length === 1 && shown.length > 1
}

function pointsByName({ tags }: Frame): boolean {
  return tags.has('one')
}

function isSame(one: string, other: string): boolean {
  if (one === other) return true
  const length = Math.min(one.length, other.length)
  return (
    length >= 4 && one.slice(0, length) === other.slice(0, length) && Math.abs(one.length - other.length) <= 2
  )
}

function wordsOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .normalize('NFC')
      .replace(/(?<=[\u30a1-\u30fc\u3400-\u9fff])の(?=[\u30a1-\u30fc\u3400-\u9fff])/gu, ' ')
      .match(/[\p{L}\p{N}]+/gu)
      ?.slice(0, 50) ?? []
  )
}

/** An article that nothing follows is a pronoun: "kauf das", "je le prends", "lo quiero". */
function isDangling({ units }: Frame): boolean {
  const last = units.findLastIndex(({ tag }) => tag === 'the')
  if (last < 0) return false
  return !units
    .slice(last + 1)
    .some(({ tag }) =>
      ['content', 'product', 'color', 'size', 'material', 'place', 'extreme', 'one', 'cheaper'].includes(tag),
    )
}
