import type { Outcome } from '../../calls/call.ts'
import { toldError } from '../told-error.ts'

/** Why the page's button came to nothing, as the page hears it. */
export class NotAuthorized extends Error {
  readonly code: string
  /** What of it the person has to read; null: it is marked where it is. */
  readonly outcome: Outcome<unknown> | null
  /** The card was not added, rather than not proven. */
  readonly isNotAdded: boolean

  constructor(
    code: string,
    message: string,
    outcome: Outcome<unknown> | null = null,
    { isNotAdded = false } = {},
  ) {
    super(message)
    this.code = code
    this.outcome = outcome
    this.isNotAdded = isNotAdded
  }
}

export function doneOf<T>(outcome: Outcome<T>): T {
  if (outcome.kind === 'done') return outcome.value
  throw refused(outcome, outcome)
}

/** The same, where its field says it already. */
export function refused(
  outcome: Outcome<unknown>,
  shown: Outcome<unknown> | null = null,
  about = {},
): NotAuthorized {
  const { code, message } = toldError(outcome) ?? { code: 'unavailable', message: 'It did not work.' }
  return new NotAuthorized(code, message, shown, about)
}

export function incomplete(): NotAuthorized {
  return new NotAuthorized(
    'incomplete',
    'The person has not filled in everything: what is missing is marked.',
  )
}
