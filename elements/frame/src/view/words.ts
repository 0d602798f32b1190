import type { ChosenLocale } from '../locales/choose-locale.ts'

/** What every view needs to speak. */
export type Words = ChosenLocale & {
  /** Whoever sees the form in test mode is a developer, and reads the server's own sentences too. */
  readonly isTest: boolean
}
