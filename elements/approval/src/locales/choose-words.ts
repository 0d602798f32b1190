import { chooseLocale } from '../../../frame/src/locales/choose-locale.ts'
import type { Words } from '../../../frame/src/view/words.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import { nl } from './nl.ts'
import { pt } from './pt.ts'
import type { Sentences } from './sentences.ts'

const pageLocales: Readonly<Record<string, Sentences>> = { en, de, fr, es, it, nl, pt, ja }

/** The words of the page, and in `card` those of the card form. */
export type PageWords = Sentences & { readonly card: Words }

/** By the browser's languages. Where the first is written from right to left, so is the page, in English. */
export function chooseWords(languages: readonly string[], isTest: boolean): PageWords {
  const first = chooseLocale(languages[0] ?? null, languages)
  const chosen = first.dir === 'rtl' ? first : chooseLocale(null, languages)
  return { ...(pageLocales[chosen.language] ?? en), card: { ...chosen, isTest } }
}
