import type { Language } from './choose-locale.ts'

/** The texts of a page of ours: English is in its code, and each other language in a file that is loaded when somebody reads it. */
export type WordFiles<Texts> = {
  readonly en: Texts
  readonly files: Readonly<Record<Exclude<Language, 'en'>, () => Promise<Texts>>>
}

/** So long a form may wait for its words. */
const wordsMs = 2_000

/** The texts of a language; English where its file does not come, or not in time: a form in another language is better than none. */
export async function loadWords<Texts>(
  language: Language,
  { en, files }: WordFiles<Texts>,
): Promise<{ readonly language: Language; readonly texts: Texts }> {
  const english = { language: 'en', texts: en } as const
  if (language === 'en') return english
  let late: ReturnType<typeof setTimeout> | undefined
  const inTime = new Promise<typeof english>((resolve) => {
    late = setTimeout(() => resolve(english), wordsMs)
  })
  const loaded = files[language]().then(
    (texts) => ({ language, texts }),
    () => english,
  )
  const first = await Promise.race([loaded, inTime])
  clearTimeout(late)
  return first
}
