/**
 * A command cannot continue, for a reason that a person can correct: the message says how. It is printed without a stack, and the exit
 * code is 1.
 */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure'
}
