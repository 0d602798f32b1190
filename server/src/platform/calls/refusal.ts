import { busy } from '../../contract/limits.ts'
import type { DownloadReply, StreamReply } from '../../contract/operation.ts'
import { Problem, ValidationProblem } from '../../contract/problem.ts'
import { isDatabaseAway, isOutOfTime, isRetryable } from '../database/errors.ts'

/** What goes back: the body as the bytes to send, or a stream, or a file. */
export type Sent = {
  status: number
  headers: Readonly<Record<string, string>>
  body: string
  /** The code of a refusal, for logs and metrics. */
  code: string | null
  stream?: StreamReply['stream']
  download?: DownloadReply
}

/** What is answered to everything that was thrown. */
export function refusal(error: unknown, requestId: string, onBug: (error: unknown) => void): Sent {
  if (error instanceof ValidationProblem) {
    return { status: 422, headers: {}, body: JSON.stringify(error.body()), code: 'validation_error' }
  }
  if (!(error instanceof Problem || isOutOfTime(error))) onBug(error)
  return sentProblem(problemOf(error), requestId)
}

export function sentProblem(problem: Problem, requestId: string): Sent {
  return {
    status: problem.status,
    headers: { ...problem.options.headers },
    body: JSON.stringify(problem.body(requestId)),
    code: problem.code,
  }
}

/** What a failure before, during or after an operation is to its caller. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (isOutOfTime(error)) return busy()
  if (isDatabaseAway(error) || isRetryable(error)) {
    return new Problem('unavailable', { headers: { 'retry-after': '1' } })
  }
  return new Problem('internal_error')
}
