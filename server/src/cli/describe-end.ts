import { Problem } from '../contract/problem.ts'
import { visibleText } from '../core/visible-text.ts'
import { ConfigError } from '../platform/config/config.ts'
import { FileTrouble, troubleOf } from '../platform/files/file-trouble.ts'
import { CommandFailure } from './failure.ts'

/** The text for a command's standard error when it ends with an error: a sentence for people, and a stack for a bug. */
export function describeEnd(thrown: unknown): string {
  // A file that the system refuses is for a person to correct, whichever command it stopped. It is not a bug.
  const error = troubleOf(thrown)
  if (!(error instanceof Error)) return visibleText(String(error))
  return visibleText(isForPeople(error) ? error.message : (error.stack ?? error.message))
}

function isForPeople(error: Error): boolean {
  return [CommandFailure, ConfigError, FileTrouble, Problem].some((kind) => error instanceof kind)
}
