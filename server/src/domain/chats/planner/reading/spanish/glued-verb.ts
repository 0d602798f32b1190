import type { Entry, Lexicon, Tag } from '../lexicon.ts'

const verbs: ReadonlySet<Tag> = new Set([
  'search',
  'need',
  'show',
  'buy',
  'compare',
  'cancel',
  'return',
  'retry',
  'change',
  'help',
  'sorting',
] satisfies Tag[])
/** Longest first. Never `te` or `se` alone: `compraste` is past, and `comprarse` what others do. */
const pronouns = /(?:(?:me|te|se|nos|os)(?:los|las|lo|la)|los|las|lo|la|me|nos|os|les|le)$/

/** "Píllamelos", "buscándolas": a verb of the tables with its pronouns behind it. */
export function gluedVerb(key: string, lexicon: Lexicon): Entry | null {
  const glued = pronouns.exec(key)?.[0]
  const stem = glued === undefined ? '' : key.slice(0, -glued.length)
  if (stem.length < 3 || !/(?:[aeiou]r?|ndo|[aeo]n)$/.test(stem)) return null
  const entry = lexicon.root.next.get(stem)?.entry
  if (!entry || !verbs.has(entry.tag)) return null
  return { tag: entry.tag, value: entry.value || (/l[oa]s?$/.test(key) ? 'it' : '') }
}
