import { CommandFailure } from '../failure.ts'

const charactersMax = 255

/** Line breaks, commands for a terminal, and characters that turn the direction of writing: a name with them looks like another name. */
const misleading = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u
/** Spaces and joiners alone are invisible. */
const visible = /[^\p{C}\p{Z}]/u

/** The name of an account as it is stored, wherever it is given. */
export function nameOfAccount(given: string): string {
  const name = given.trim()
  const { length } = [...name]
  if (!visible.test(name) || length > charactersMax)
    throw new CommandFailure(
      `The name of an account must have 1 to ${charactersMax} characters, and this one has ${visible.test(name) ? length : 'none that can be seen'}.`,
    )
  if (misleading.test(name))
    throw new CommandFailure(
      'The name of an account must have no line breaks, no control characters, and no characters that change the direction of writing.',
    )
  return name
}
