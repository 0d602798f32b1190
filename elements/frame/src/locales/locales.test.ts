import { expect, test, vi } from 'vitest'
import { chooseLocale, languages } from './choose-locale.ts'
import { en } from './en.ts'
import { formWords } from './form-words.ts'
import { loadWords } from './load-words.ts'

/** Every sentence by its path, with what stands in its place for texts made of parts. */
function sentencesOf(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value === 'function') return [[path, value('Visa', '4242')]]
  return Object.entries(value as object).flatMap(([name, part]) => sentencesOf(part, `${path}.${name}`))
}

test('each language says everything, and in its own words', async () => {
  const english = new Map(sentencesOf(en))
  for (const name of languages) {
    const { language, texts } = await loadWords(name, formWords)
    expect(language).toBe(name)
    const said = sentencesOf(texts)
    expect(said.map(([path]) => path)).toEqual([...english.keys()])
    expect(said.filter(([, text]) => text.trim() === '')).toEqual([])
    const same = said.filter(([path, text]) => english.get(path) === text)
    if (name !== 'en') expect([name, same]).toEqual([name, []])
  }
})

test('a page chooses, else the browser, else it is English', () => {
  const languageOf = (...given: Parameters<typeof chooseLocale>) => chooseLocale(...given).language
  expect(languageOf('de-AT', ['fr'])).toBe('de')
  expect(languageOf('PT_br', ['fr'])).toBe('pt')
  expect(languageOf(null, ['sv', 'nl-BE'])).toBe('nl')
  expect(languageOf('sv', ['nl'])).toBe('en')
  expect(languageOf('constructor', [])).toBe('en')
  expect(chooseLocale('ar-EG', [])).toMatchObject({ language: 'en', dir: 'rtl' })
  expect(chooseLocale('ja', []).dir).toBe('ltr')
})

test('a language that does not come, or too late, gives English', async () => {
  const never = new Promise<never>(() => undefined)
  const broken = {
    ...formWords.files,
    de: () => Promise.reject(new TypeError('Failed to fetch')),
    fr: () => never,
  }
  const words = { en, files: broken }
  expect(await loadWords('de', words)).toEqual({ language: 'en', texts: en })
  // Other files of this process go on with timers of their own.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const waiting = loadWords('fr', words)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await waiting).toEqual({ language: 'en', texts: en })
  } finally {
    vi.useRealTimers()
  }
})
