import { chooseLocale } from '../../../frame/src/locales/choose-locale.ts'
import { formWords } from '../../../frame/src/locales/form-words.ts'
import { loadWords, type WordFiles } from '../../../frame/src/locales/load-words.ts'
import type { Words } from '../../../frame/src/view/words.ts'
import { en } from './en.ts'
import type { Sentences } from './sentences.ts'

/** The words of the page, and in `card` those of the card form. */
export type PageWords = Sentences & { readonly card: Words }

type Texts = { readonly page: Sentences; readonly card: Words['sentences'] }

const { files } = formWords
const pageWords: WordFiles<Texts> = {
  en: { page: en, card: formWords.en },
  files: {
    de: async () => ({ page: (await import('./de.ts')).de, card: await files.de() }),
    fr: async () => ({ page: (await import('./fr.ts')).fr, card: await files.fr() }),
    es: async () => ({ page: (await import('./es.ts')).es, card: await files.es() }),
    it: async () => ({ page: (await import('./it.ts')).it, card: await files.it() }),
    nl: async () => ({ page: (await import('./nl.ts')).nl, card: await files.nl() }),
    pt: async () => ({ page: (await import('./pt.ts')).pt, card: await files.pt() }),
    ja: async () => ({ page: (await import('./ja.ts')).ja, card: await files.ja() }),
  },
}

/** By the browser's languages. Where the first is written from right to left, so is the page, in English. */
export async function loadPageWords(preferred: readonly string[]): Promise<(isTest: boolean) => PageWords> {
  const first = chooseLocale(preferred[0] ?? null, preferred)
  const { language, dir } = first.dir === 'rtl' ? first : chooseLocale(null, preferred)
  const loaded = await loadWords(language, pageWords)
  const card = { language: loaded.language, dir, sentences: loaded.texts.card }
  return (isTest) => ({ ...loaded.texts.page, card: { ...card, isTest } })
}
