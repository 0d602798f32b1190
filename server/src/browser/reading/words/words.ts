import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'
import type { ShopWords } from './shop-words.ts'
import { sv } from './sv.ts'

const languages: readonly ShopWords[] = [en, de, fr, es, it, nl, pt, pl, sv, ja]

type Category = Exclude<keyof ShopWords, 'language'>
type KeyOf<C extends Category> = keyof ShopWords[C] & string

/** Where a phrase stands in a text, counted in words. */
export type Match<K extends string> = { readonly key: K; readonly start: number; readonly length: number }

/**
 * The words of the page's own language, then English; those of all others only where the page names no language that is known: English `flat
 * rate` is no Italian `rate`. A language of its own layer counts before the next.
 */
function wordsFor(language: string): readonly (readonly ShopWords[])[] {
  const base = language.split('-')[0] ?? ''
  const own = languages.filter((words) => words.language === base && words !== en)
  const others = languages.filter((words) => words !== en && !own.includes(words))
  return [own, [en], isKnownLanguage(language) ? [] : others].filter((layer) => layer.length > 0)
}

/** What the first layer that knows any phrase of the text finds in it. */
export function findWords<C extends Category>(
  category: C,
  text: string,
  language: string,
): Match<KeyOf<C>>[] {
  const tokens = tokensOf(text)
  for (const layer of wordsFor(language)) {
    const found = matchesOf(indexOf(category, layer), tokens)
    if (found.length > 0) return found
  }
  return []
}

/** All that any layer finds, without what is inside a longer phrase. */
export function findAllWords<C extends Category>(category: C, text: string): Match<KeyOf<C>>[] {
  return matchesOf(indexOf(category, languages), tokensOf(text))
}

/** Whether there are words of a page's language. */
export function isKnownLanguage(language: string): boolean {
  const [base] = language.split('-')
  return languages.some((words) => words.language === base)
}

/** The words of a text: lower case, without accents. A Japanese character is a word of its own. */
export function tokensOf(text: string): string[] {
  return folded(text).match(tokenPattern) ?? []
}

const tokenPattern = /[\u3040-\u30ff\u3400-\u9fff]|\p{N}+|[\p{L}--[\u3040-\u30ff\u3400-\u9fff]]+/gv

function folded(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]+/gu, '')
    .normalize('NFC')
    .replace(/[ßøłæœđ]/gu, (letter) => plainLetters.get(letter) ?? letter)
}

const plainLetters = new Map([
  ['ß', 'ss'],
  ['ø', 'o'],
  ['ł', 'l'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['đ', 'd'],
])

/** Phrases by their first word. */
type Index<K extends string> = ReadonlyMap<string, readonly { readonly key: K; readonly words: string[] }[]>

const indexes = new Map<string, Index<string>>()

function indexOf<C extends Category>(category: C, layer: readonly ShopWords[]): Index<KeyOf<C>> {
  const name = `${category} ${layer.map(({ language }) => language).join(' ')}`
  const known = indexes.get(name)
  // The name begins with the category, whose keys these are.
  if (known !== undefined) return known as Index<KeyOf<C>>
  const index = new Map<string, { key: KeyOf<C>; words: string[] }[]>()
  // `Object.entries` forgets which keys an object has.
  for (const language of layer)
    for (const [key, phrases] of Object.entries(language[category]) as [KeyOf<C>, string][])
      for (const phrase of phrases.split('|')) add(index, key, tokensOf(phrase))
  indexes.set(name, index)
  return index
}

function add<K extends string>(index: Map<string, { key: K; words: string[] }[]>, key: K, words: string[]) {
  const [first] = words
  if (first === undefined) return
  const known = index.get(first)
  if (known) known.push({ key, words })
  else index.set(first, [{ key, words }])
}

function matchesOf<K extends string>(index: Index<K>, tokens: readonly string[]): Match<K>[] {
  const found: Match<K>[] = []
  tokens.forEach((token, start) => {
    for (const { key, words } of index.get(token) ?? [])
      if (words.every((word, offset) => tokens[start + offset] === word))
        found.push({ key, start, length: words.length })
  })
  return withoutInner(found)
}

/** Phrases come in the order of their beginnings, so what is around one begins at or before it, or right beside it. */
function withoutInner<K extends string>(found: readonly Match<K>[]): Match<K>[] {
  return found.filter(
    (one, index) =>
      !neighbors(found, index).some(
        (other) =>
          other.length > one.length &&
          other.start <= one.start &&
          other.start + other.length >= one.start + one.length,
      ),
  )
}

/** No phrase has more words than this, and few begin at the same one. */
const around = 24

function neighbors<T>(list: readonly T[], index: number): readonly T[] {
  return list.slice(Math.max(0, index - around), index + around)
}
