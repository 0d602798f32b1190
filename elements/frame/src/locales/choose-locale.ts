/** Every language that there are texts in. */
export const languages = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'ja'] as const
export type Language = (typeof languages)[number]

/** Languages that are written from right to left: a page in one of them is laid out that way, with English words. */
const rightToLeft: readonly string[] = ['ar', 'dv', 'fa', 'he', 'ks', 'ku', 'ps', 'sd', 'ug', 'ur', 'yi']

type ChosenLocale = { readonly language: Language; readonly dir: 'ltr' | 'rtl' }

/** The page's choice, else the first of the browser's languages that there are texts for, else English. */
export function chooseLocale(asked: string | null, preferred: readonly string[]): ChosenLocale {
  const wanted = (asked === null ? preferred : [asked]).map(
    (locale) => locale.toLowerCase().split(/[-_]/)[0] ?? '',
  )
  const language = wanted.map((name) => languages.find((each) => each === name)).find(Boolean) ?? 'en'
  const dir = asked !== null && rightToLeft.includes(wanted[0] ?? '') ? 'rtl' : 'ltr'
  return { language, dir }
}
