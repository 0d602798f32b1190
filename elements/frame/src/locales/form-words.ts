import { en } from './en.ts'
import type { WordFiles } from './load-words.ts'
import type { Sentences } from './sentences.ts'

/** What a form says, in each language. */
export const formWords: WordFiles<Sentences> = {
  en,
  files: {
    de: async () => (await import('./de.ts')).de,
    fr: async () => (await import('./fr.ts')).fr,
    es: async () => (await import('./es.ts')).es,
    it: async () => (await import('./it.ts')).it,
    nl: async () => (await import('./nl.ts')).nl,
    pt: async () => (await import('./pt.ts')).pt,
    ja: async () => (await import('./ja.ts')).ja,
  },
}
