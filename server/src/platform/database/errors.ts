/** The SQLSTATE of a database error, or null. */
export function sqlState(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null
  return /^[0-9A-Z]{5}$/.test(error.code) ? error.code : null
}

/** Nothing was written, and the same work goes another way if it is done again. */
export class GoesAnotherWay extends Error {
  override readonly name = 'GoesAnotherWay'
}

/**
 * Nothing was written and the same transaction may succeed: the victim of a deadlock, a serialization failure, a lock that was waited for
 * too long, a plan that a migration has made stale.
 */
export function isRetryable(error: unknown): boolean {
  if (error instanceof GoesAnotherWay) return true
  const state = sqlState(error)
  return state === '40P01' || state === '40001' || state === '55P03' || isStalePlan(error)
}

/**
 * A migration changed the type of a column, or the columns that `*` stands for: PostgreSQL refuses every statement that was prepared
 * before, on that connection for ever.
 */
export function isStalePlan(error: unknown): boolean {
  if (sqlState(error) !== '0A000' || !(error instanceof Error)) return false
  // The words of the message depend on the server's language.
  return 'routine' in error && error.routine === 'RevalidateCachedQuery'
}

/**
 * The statement was cancelled when its time was over: nothing was done, and the connection is still good. A commit that waits for a
 * replica is never undone by it.
 */
export function isOutOfTime(error: unknown): boolean {
  return sqlState(error) === '57014'
}

const connectionLost =
  /^(?:Connection terminated|Client (?:was closed|has encountered)|timeout exceeded when trying to connect|Cannot use a pool after)/

/** The database cannot be reached, or accepts nothing at the moment. This says nothing about the statement itself. */
export function isDatabaseAway(error: unknown): boolean {
  const state = sqlState(error)
  // Class 08: the connection; 53: a resource is used up; 57P: the server is stopping; 58: its system.
  if (state !== null) return /^(?:08|53|57P|58)/.test(state)
  if (!(error instanceof Error)) return false
  const call = 'syscall' in error ? error.syscall : null
  return call === 'connect' || call === 'read' || call === 'write' || connectionLost.test(error.message)
}

/** The name of the unique constraint or index that a statement ran into, or null. */
export function violatedConstraint(error: unknown): string | null {
  if (sqlState(error) !== '23505') return null
  return error instanceof Error && 'constraint' in error && typeof error.constraint === 'string'
    ? error.constraint
    : null
}
