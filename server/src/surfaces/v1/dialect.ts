import { meaningOf, type Problem, ValidationProblem } from '../../contract/problem.ts'
import type { ProblemCatalog } from '../../contract/problem-codes.ts'
import { visibleJson } from '../../core/visible-text.ts'
import type { Answered, Refused } from '../../platform/calls/outcome.ts'
import type { Dialect, WireAnswer } from '../http/dialect.ts'

/** What REST and tools say, with what the codes of the product mean. */
export type V1Dialect = {
  /** Everything of a refusal is under `detail`. `contract/problem-schemas.ts` describes it. */
  readonly refusal: Dialect
  /** What a call came to. */
  readonly answer: (outcome: Answered | Refused) => WireAnswer
}

export function v1Dialect(problems: ProblemCatalog): V1Dialect {
  const refusal: Dialect = (refused, requestId) =>
    refused instanceof ValidationProblem ? invalid(refused) : problemSaid(refused, { requestId, problems })
  return {
    refusal,
    answer: (outcome) => {
      const { isReplayed } = outcome
      if (outcome.kind === 'answered') {
        const { status, headers, body } = outcome
        return { status, headers: isReplayed ? { ...headers, ...replayed } : headers, body, code: null }
      }
      const said = refusal(outcome.refusal, outcome.requestId)
      return isReplayed ? { ...said, headers: { ...said.headers, ...replayed } } : said
    },
  }
}

const replayed = { 'idempotent-replayed': 'true' }

function invalid({ issues }: ValidationProblem): WireAnswer {
  return {
    status: 422,
    headers: {},
    body: visibleJson(JSON.stringify({ detail: issues })),
    code: 'validation_error',
  }
}

function problemSaid(
  problem: Problem,
  { requestId, problems }: { requestId: string; problems: ProblemCatalog },
): WireAnswer {
  const { code, options } = problem
  const { status, retryable, message } = meaningOf(problem, problems)
  const detail = {
    code,
    message,
    param: options.param ?? null,
    request_id: requestId,
    retryable,
    ...options.extra,
  }
  return {
    status,
    headers: status === 401 ? { ...challenge, ...options.headers } : { ...options.headers },
    body: visibleJson(JSON.stringify({ detail })),
    code,
  }
}

const challenge = { 'www-authenticate': 'Bearer' }
