import type { Language } from '../understood.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'
import { type Notice, noticeCodes, type Sentences } from './sentences.ts'

const all: Readonly<Record<Language, Sentences>> = { en, de, fr, es, ja }

export function sentencesIn(language: Language): Sentences {
  return all[language]
}

/** The sentence of a notice. */
export function noticeIn(language: Language, code: string): string {
  const known = noticeCodes.find((each): each is Notice => each === code)
  return all[language].notices[known ?? 'internal_error']
}
