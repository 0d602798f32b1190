import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import { nl } from './nl.ts'
import { pt } from './pt.ts'
import type { Sentences } from './sentences.ts'

export const locales: Readonly<Record<string, Sentences>> = { en, de, fr, es, it, nl, pt, ja }

/** Languages that are written from right to left: a page in one of them is laid out that way, with English words. */
const rightToLeft: readonly string[] = ['ar', 'dv', 'fa', 'he', 'ks', 'ku', 'ps', 'sd', 'ug', 'ur', 'yi']

export type ChosenLocale = {
  readonly language: string
  readonly dir: 'ltr' | 'rtl'
  readonly sentences: Sentences
}

/** The page's choice, else the first of the browser's languages that there are texts for, else English. */
export function chooseLocale(asked: string | null, preferred: readonly string[]): ChosenLocale {
  const wanted = (asked === null ? preferred : [asked]).map(
    (locale) => locale.toLowerCase().split(/[-_]/)[0] ?? '',
  )
  const language = wanted.find((name) => Object.hasOwn(locales, name)) ?? 'en'
  const dir = asked !== null && rightToLeft.includes(wanted[0] ?? '') ? 'rtl' : 'ltr'
  return { language, dir, sentences: locales[language] ?? en }
}
