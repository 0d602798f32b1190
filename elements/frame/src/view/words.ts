import type { Language } from '../locales/choose-locale.ts'
import type { Sentences } from '../locales/sentences.ts'

/** What is said, and in which mode. */
export type Words = {
  readonly language: Language
  readonly dir: 'ltr' | 'rtl'
  readonly sentences: Sentences
  readonly isTest: boolean
}
