import { userInfo } from 'node:os'
import { type Command, InvalidArgumentError } from 'commander'

const nameMax = 64

/** For each command that changes something: who stands in the audit for it. */
export function asSomebody(command: Command): Command {
  return command.option(
    '--as <name>',
    'your name for the audit (default: your user name on this system)',
    operatorName,
  )
}

/** Names of people, as they are written; what a terminal would not show is none. */
export function operatorName(given: string): string {
  const name = given.trim()
  if (name !== '' && name.length <= nameMax && !/[\p{C}\p{Zl}\p{Zp}]/u.test(name)) return name
  throw new InvalidArgumentError(`It must be a name of 1 to ${nameMax} visible characters.`)
}

/** The user of this system; in containers there may be nobody by that id, who has a number then. */
export function systemUser(): string {
  try {
    return operatorName(userInfo().username)
  } catch {
    return `uid ${process.geteuid?.() ?? 'unknown'}`
  }
}
