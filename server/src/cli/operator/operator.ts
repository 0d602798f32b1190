import { userInfo } from 'node:os'
import { type Command, InvalidArgumentError } from 'commander'

const nameMax = 64

/** Adds to each command that changes something the option that names its operator, for the audit. */
export function asSomebody(command: Command): Command {
  return command.option(
    '--as <name>',
    'your name for the audit (default: your user name on this system)',
    operatorName,
  )
}

/** The name of a person, as it is written; text that a terminal would not show is refused. */
function operatorName(given: string): string {
  const name = given.trim()
  if (name !== '' && name.length <= nameMax && !/[\p{C}\p{Zl}\p{Zp}]/u.test(name)) return name
  throw new InvalidArgumentError(`It must be a name of 1 to ${nameMax} visible characters.`)
}

/** The user of this system; in a container the id may have no name, and then the number is the name. */
export function systemUser(): string {
  try {
    return operatorName(userInfo().username)
  } catch {
    return `uid ${process.geteuid?.() ?? 'unknown'}`
  }
}
