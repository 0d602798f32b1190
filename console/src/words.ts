import { createContext, useContext } from 'react'
import { en, type Words } from './locales/en.ts'

type Spoken = { readonly language: string; readonly words: Words }

const english: Spoken = { language: 'en', words: en }

/** The words of the first of the browser's languages that there are words in; English comes with the page. */
export async function loadWords(preferred: readonly string[]): Promise<Spoken> {
  const wanted = preferred
    .map((each) => each.toLowerCase().split('-')[0])
    .find((each) => each === 'de' || each === 'en')
  if (wanted !== 'de') return english
  try {
    return { language: 'de', words: (await import('./locales/de.ts')).de }
  } catch {
    // A page in another language is better than none.
    return english
  }
}

export const SpokenContext = createContext<Spoken>(english)

export function useWords(): Words {
  return useContext(SpokenContext).words
}

export function useLanguage(): string {
  return useContext(SpokenContext).language
}
