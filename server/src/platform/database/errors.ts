/** The SQLSTATE of a database error, or null. */
export function sqlState(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return null
  return /^[0-9A-Z]{5}$/.test(error.code) ? error.code : null
}

/** Nothing was written and the same transaction may succeed: a deadlock's victim, a serialization failure, a lock wait too long. */
export function isRetryable(error: unknown): boolean {
  const state = sqlState(error)
  return state === '40P01' || state === '40001' || state === '55P03'
}

/** The name of the unique constraint or index that a statement ran into, or null. */
export function violatedConstraint(error: unknown): string | null {
  if (sqlState(error) !== '23505') return null
  return error instanceof Error && 'constraint' in error && typeof error.constraint === 'string'
    ? error.constraint
    : null
}
