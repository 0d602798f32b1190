import type { PageSnapshot } from './page-snapshot.ts'
import { findWords, isKnownLanguage } from './words/words.ts'

/** So many names of each kind say which language a page is in. */
const lookedAt = 40

/**
 * The language that a page names, unless hardly any of its words are of that one or English: themes of shops say English and are translated.
 * Then it names none.
 */
export function spokenOn({ language, actions, controls, rows }: Omit<PageSnapshot, 'text'>): string {
  if (!isKnownLanguage(language)) return language
  const texts = [
    ...actions.slice(0, lookedAt).map(({ name }) => ['actions', name] as const),
    ...controls.slice(0, lookedAt).map(({ label }) => ['fields', label] as const),
    ...rows.slice(0, lookedAt).map(({ label }) => ['totals', label] as const),
  ]
  const known = (spoken: string) =>
    texts.filter(([kind, text]) => findWords(kind, text.slice(0, 100), spoken).length > 0).length
  return known(language) * 3 < known('') ? '' : language
}
