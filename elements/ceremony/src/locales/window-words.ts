import type { WordFiles } from '../../../frame/src/locales/load-words.ts'
import { en } from './en.ts'
import type { WindowSentences } from './sentences.ts'

/** What the window says, in each language. */
export const windowWords: WordFiles<WindowSentences> = {
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
