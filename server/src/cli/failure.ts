/** A command cannot go on, for a reason that a person can mend: the message says how. Printed without a stack, exit code 1. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
}
