import { statement } from '../../contract/statement.ts'

/**
 * A constraint that is checked at the commit would not show which follower broke it. From here on each statement is checked by itself.
 */
export const checkAtOnce = statement<never, Record<never, never>>(
  'relay_check_at_once',
  'set constraints all immediate',
)

/** For the rest of the transaction: a follower that waits or works longer than this has failed. */
export const boundStatements = statement<never, { statement_ms: string; lock_ms: string }>(
  'relay_bound_statements',
  `select set_config('statement_timeout', $statement_ms, true), set_config('lock_timeout', $lock_ms, true)`,
)
