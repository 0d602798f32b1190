import { withVerbs as withEnglishVerbs } from './english.ts'
import { withVerbs } from './french.ts'
import { type Entry, fold, type Lexicon, longestAt, nearest, type Tag } from './lexicon.ts'
import { germanNumber, kanjiNumber, kanjiNumeral, numberOf } from './numbers.ts'
import { gluedVerb } from './spanish/glued-verb.ts'
import { type Token, tokensOf } from './tokens.ts'
import type { Price } from './understood.ts'

/** A phrase of the text and what it is to the grammar. */
export type Unit = {
  readonly tag: Tag
  readonly value: string
  readonly text: string
  readonly start: number
  readonly end: number
  readonly price?: Price
}

/** Distinct words of one message that are compared with the tables for typing errors: a person has not more that matter. */
const doubtfulMax = 200

export function unitsOf(text: string, lexicon: Lexicon): Unit[] {
  if (lexicon.language === 'ja') return japaneseUnits(text, lexicon)
  const units = spacedUnits(text, lexicon)
  if (lexicon.language === 'en') return [...withEnglishVerbs(units)]
  return lexicon.language === 'fr' ? withVerbs(units) : units
}

function spacedUnits(text: string, lexicon: Lexicon): Unit[] {
  const tokens = tokensOf(text, lexicon)
  const keys = tokens.map((token) => (token.kind === 'mark' ? '\n' : unstretched(token.key, lexicon)))
  const doubtful = new Map<string, Entry | null>()
  const units: Unit[] = []
  for (let at = 0; at < tokens.length; ) {
    const token = tokens[at] as Token
    const found = lookUp(tokens, keys, at, lexicon)
    const last = tokens[at + (found?.length ?? 1) - 1] as Token
    const span = { text: text.slice(token.start, last.end), start: token.start, end: last.end }
    if (found) units.push({ ...span, ...found.entry })
    else if (token.kind === 'mark') units.push({ ...span, tag: 'mark', value: token.text })
    else if (token.kind === 'number') units.push({ ...span, tag: 'number', value: numberOf(token.text) })
    else units.push({ ...span, ...guess(token, lexicon, doubtful) })
    at += found?.length ?? 1
  }
  return units
}

/** "holaaa", "pleeease": letters that are drawn out. */
function unstretched(key: string, { vocabulary }: Lexicon): string {
  if (vocabulary.has(key) || !/(\p{L})\1{2,}/u.test(key)) return key
  const once = key.replace(/(\p{L})\1{2,}/gu, '$1')
  return vocabulary.has(once) ? once : key.replace(/(\p{L})\1{2,}/gu, '$1$1')
}

function lookUp(tokens: readonly Token[], keys: readonly string[], at: number, lexicon: Lexicon) {
  const token = tokens[at] as Token
  const exact = lexicon.root.next.get(`=${token.text.toLowerCase()}`)?.entry
  const found = longestAt(lexicon, keys, at)
  if (exact && (found?.length ?? 0) < 2) return { entry: exact, length: 1 }
  return found
}

function guess(token: Token, lexicon: Lexicon, doubtful: Map<string, Entry | null>): Entry {
  const content: Entry = { tag: 'content', value: '' }
  if (lexicon.language === 'de') {
    const value = germanNumber(token.key)
    if (value !== null) return { tag: 'number', value: String(value) }
  }
  const known = doubtful.get(token.key)
  if (known !== undefined || doubtful.size >= doubtfulMax) return known ?? content
  const entry =
    (lexicon.language === 'es' ? gluedVerb(token.key, lexicon) : null) ?? nearest(lexicon, token.key)
  doubtful.set(token.key, entry)
  return entry ?? content
}

const digits = /\d+(?:[.,]\d+)*/uy
const latin = /[\p{Script=Latin}\p{M}\d]+(?:[.&+' -][\p{Script=Latin}\p{M}\d]+)*/uy
const punctuation = /[\n,;:!?.()…、。「」・!?]+/uy
const symbol = /[€$£¥₩₹%+&#/]|👍|👎/uy

/** Japanese has no spaces: the longest phrase of the tables at each place, and what stands between them is content. */
function japaneseUnits(text: string, lexicon: Lexicon): Unit[] {
  const keys = [...fold(text, 'ja')].map((char) => (char === '\n' ? '\n' : char))
  const source = [...text]
  // Folding keeps the number of letters but for a few capitals, after which places would be wrong.
  if (keys.length !== source.length) return japaneseUnits(text.replace(/[İ]/g, 'I').toLowerCase(), lexicon)
  const plain = source.join('')
  const offsets = offsetsOf(source)
  const units: Unit[] = []
  let run: number | null = null
  const closeRun = (end: number) => {
    if (run !== null) units.push(unitAt(plain, offsets, run, end, { tag: 'content', value: '' }))
    run = null
  }
  for (let at = 0; at < keys.length; ) {
    const piece = pieceAt({ plain, keys, offsets, at, lexicon, isInRun: run !== null, last: units.at(-1) })
    if (piece === null) {
      if (/\s/u.test(source[at] ?? '')) closeRun(at)
      else run ??= at
      at += 1
      continue
    }
    closeRun(at)
    units.push(unitAt(plain, offsets, at, at + piece.length, piece.entry))
    at += piece.length
  }
  closeRun(keys.length)
  return units
}

type Place = {
  readonly plain: string
  readonly keys: readonly string[]
  readonly offsets: readonly number[]
  readonly at: number
  readonly lexicon: Lexicon
  readonly isInRun: boolean
  readonly last: Unit | undefined
}

function pieceAt(place: Place): { entry: Entry; length: number } | null {
  const { plain, keys, offsets, at, lexicon, isInRun } = place
  const found = longestAt(lexicon, keys, at, (each) => !isInsideWord(each, place))
  const offset = offsets[at] ?? 0
  const match = (pattern: RegExp) => {
    pattern.lastIndex = offset
    return pattern.exec(plain)?.[0] ?? null
  }
  const number = kanjiNumeral(plain, offset)
  if (number !== null && (found?.length ?? 0) <= number.length) {
    const next = longestAt(lexicon, keys, at + number.length)?.entry.tag
    const isCounted = next === 'currency' || next === 'piece' || next === 'nth' || next === 'maxafter'
    if (/^\d/.test(number) || isCounted) {
      return { entry: { tag: 'number', value: kanjiNumber(number) }, length: number.length }
    }
  }
  if (found) return found
  const word = isInRun ? null : match(latin)
  if (word !== null && !/^\d+$/.test(word)) {
    const end = /^(.*?) \d/.exec(word)?.[1] ?? word
    return { entry: { tag: 'content', value: '' }, length: [...end].length }
  }
  const amount = match(digits)
  if (amount !== null)
    return { entry: { tag: 'number', value: numberOf(amount) }, length: [...amount].length }
  const mark = match(punctuation) ?? match(symbol)
  return mark === null ? null : { entry: { tag: 'mark', value: mark }, length: [...mark].length }
}

/** One syllable is a particle only where a word has ended before it: `は` stands in `はさみ` too, and `かな` in `静かな`. */
function isInsideWord(
  found: { entry: Entry; length: number },
  { keys, at, isInRun, last, lexicon }: Place,
): boolean {
  const key = keys.slice(at, at + found.length).join('')
  const [previous, next] = [keys[at - 1] ?? '', keys[at + found.length] ?? '']
  // `はい` is "yes" where something begins: after a noun it is the particle and what follows.
  if (
    /^(?:はい|いや|いえ|ええ|うん|よう|ども)$/u.test(key) &&
    (isInRun || /[\p{L}]/u.test(previous)) &&
    !isManner(last)
  )
    return true
  // `使わなかった` has an ending that is written as `買った` is in syllables.
  if (/^かっ/u.test(key) && /[\u3041-\u3096]/u.test(previous)) return true
  // A Latin letter is a unit or a size, and no part of a Latin word.
  if (/[a-z]$/.test(key) && /[a-z]/.test(next)) return true
  const isShort =
    found.length < 4 && ['yes', 'no', 'greet'].includes(found.entry.tag) && /^[\u3041-\u3096]+$/u.test(key)
  if (isShort && /\p{L}/u.test(next) && !longestAt(lexicon, keys, at + found.length)) return true
  const isName = found.entry.tag === 'product' || found.entry.tag === 'merchant'
  if (/^[\u30a1-\u30ff]+$/u.test(key) && !isName && /[\u30a1-\u30ff]/u.test(previous + next)) return true
  if (
    /^[\u3400-\u9fff]$/u.test(key) &&
    isOption(found.entry) &&
    /[\u3400-\u9fff]/u.test(next + (isInRun ? previous : ''))
  )
    return true
  if (found.length > 2 || !/^[\u3041-\u3096]+$/u.test(key) || key === 'を') return false
  const before = keys[at - 1] ?? ''
  if (isInRun) {
    const isEnding =
      /^(?:か|な|い|く|し|き|り|た|て|る|れ|う|え|さ|わ|ん|かな|ない|いい|して|くて|って)$/u.test(key)
    if (isEnding && /[\p{L}ー]/u.test(next)) return true
    return found.length === 1 && /[\u3041-\u3096]/u.test(before)
  }
  return found.length === 1 && (last === undefined || last.tag === 'mark' || /\s/u.test(before))
}

function isManner(unit: Unit | undefined): boolean {
  return unit !== undefined && ['greet', 'thank', 'yes', 'no', 'oops', 'filler', 'mark'].includes(unit.tag)
}

function isOption({ tag }: Entry): boolean {
  return tag === 'whom' || tag === 'color' || tag === 'material' || tag === 'size'
}

function offsetsOf(source: readonly string[]): number[] {
  let offset = 0
  return source.map((char) => {
    const here = offset
    offset += char.length
    return here
  })
}

function unitAt(plain: string, offsets: readonly number[], from: number, to: number, entry: Entry): Unit {
  const start = offsets[from] ?? plain.length
  const end = offsets[to] ?? plain.length
  return { ...entry, text: plain.slice(start, end), start, end }
}
