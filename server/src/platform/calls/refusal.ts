import { busy } from '../../contract/limits.ts'
import { Problem, type Refusal, ValidationProblem } from '../../contract/problem.ts'
import { isDatabaseAway, isOutOfTime, isRetryable } from '../database/errors.ts'

/** What everything that was thrown is to the caller. Whoever runs the service is told of what no caller has caused. */
export function refusalOf(error: unknown, onBug: (error: unknown) => void): Refusal {
  if (error instanceof Problem || error instanceof ValidationProblem) return error
  if (isOutOfTime(error)) return busy()
  onBug(error)
  if (isDatabaseAway(error) || isRetryable(error))
    return new Problem('unavailable', { headers: { 'retry-after': '1' } })
  return new Problem('internal_error')
}
