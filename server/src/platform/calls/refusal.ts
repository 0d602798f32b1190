import { busy } from '../../contract/limit-refusals.ts'
import { Problem, type Refusal, ValidationProblem } from '../../contract/problem.ts'
import { isDatabaseAway, isOutOfTime, isRetryable } from '../database/errors.ts'

/**
 * The refusal that a caller gets for anything that was thrown. What no caller has caused is also reported to the operator of the service.
 */
export function refusalOf(error: unknown, onBug: (error: unknown) => void): Refusal {
  if (error instanceof Problem || error instanceof ValidationProblem) return error
  // guard out-of-time-is-busy: a call that runs out of time is refused as busy, with a time to come back
  if (isOutOfTime(error)) return busy()
  onBug(error)
  if (isDatabaseAway(error) || isRetryable(error))
    return new Problem('unavailable', { headers: { 'retry-after': '1' } })
  return new Problem('internal_error')
}
