import type { Spoken } from '../understood.ts'

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
export function titled(query: string, { shown }: Spoken): string {
  const words = query.split(' ')
  const all = shown.flatMap(wordsOf)
  const isTitled = (word: string) =>
    wordsOf(word).some((one) => one.length > 2 && all.some((other) => isSame(one, other)))
  const first = words.findIndex(isTitled)
  return first < 0 ? query : words.slice(first, words.findLastIndex(isTitled) + 1).join(' ')
}

/** A name alone that only one title has: "the Bosch" without its article. */
export function isTitle(query: string, { shown }: Spoken): boolean {
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
