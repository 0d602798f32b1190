/** The SQLSTATE of a database error, or null. */
export function sqlState(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null
  return /^[0-9A-Z]{5}$/.test(error.code) ? error.code : null
}

/**
 * Nothing was written and the same transaction may succeed: a deadlock's victim, a serialization failure, a lock wait too long, a plan
 * that a migration has overtaken.
 */
export function isRetryable(error: unknown): boolean {
  const state = sqlState(error)
  return state === '40P01' || state === '40001' || state === '55P03' || isStalePlan(error)
}

/**
 * A migration gave a column another type, or a table a column that `*` stands for: PostgreSQL refuses every statement that was prepared
 * before, on that connection for ever.
 */
export function isStalePlan(error: unknown): boolean {
  if (sqlState(error) !== '0A000' || !(error instanceof Error)) return false
  // Its words follow the server's language.
  return 'routine' in error && error.routine === 'RevalidateCachedQuery'
}

/**
 * The statement was cancelled when its time was over: nothing was done, and the connection is as good as before. A commit that waits
 * for a replica is never undone by it.
 */
export function isOutOfTime(error: unknown): boolean {
  return sqlState(error) === '57014'
}

const connectionLost =
  /^(?:Connection terminated|Client (?:was closed|has encountered)|timeout exceeded when trying to connect|Cannot use a pool after)/

/** The database cannot be reached, or takes nothing at the moment. Says nothing about what was asked of it. */
export function isDatabaseAway(error: unknown): boolean {
  const state = sqlState(error)
  // Class 08 is the connection, 53 a resource that has run out, 57P the server going away, 58 its system.
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
