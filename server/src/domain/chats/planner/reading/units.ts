import { withVerbs as withEnglishVerbs } from './english/verbs.ts'
import { withVerbs } from './french/verbs.ts'
import { japaneseUnits } from './japanese/units.ts'
import { type Entry, type Lexicon, longestAt, nearest } from './lexicon.ts'
import { germanNumber, numberOf } from './numbers.ts'
import { gluedVerb } from './spanish/glued-verb.ts'
import { type Token, tokensOf } from './tokens.ts'
import type { Unit } from './unit.ts'

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
