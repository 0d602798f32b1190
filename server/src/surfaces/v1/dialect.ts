import { type Problem, type Refusal, ValidationProblem } from '../../contract/problem.ts'
import { problemCodes } from '../../contract/problem-codes.ts'
import type { Answered, Refused } from '../../platform/calls/outcome.ts'
import type { Said } from '../http/dialect.ts'

/** A refusal as REST and tools say it: everything under `detail`. `contract/problem-schemas.ts` describes it. */
export function v1Refusal(refusal: Refusal, requestId: string): Said {
  return refusal instanceof ValidationProblem
    ? { status: 422, headers: {}, body: JSON.stringify({ detail: refusal.issues }), code: 'validation_error' }
    : {
        status: refusal.status,
        headers:
          refusal.status === 401
            ? { ...challenge, ...refusal.options.headers }
            : { ...refusal.options.headers },
        body: JSON.stringify({ detail: detailOf(refusal, requestId) }),
        code: refusal.code,
      }
}

const challenge = { 'www-authenticate': 'Bearer' }

function detailOf({ code, message, options }: Problem, requestId: string) {
  return {
    code,
    message,
    param: options.param ?? null,
    request_id: requestId,
    retryable: problemCodes[code].retryable,
    ...options.extra,
  }
}

const replayed = { 'idempotent-replayed': 'true' }

/** What a call came to, as REST and tools say it. */
export function v1Answer(outcome: Answered | Refused): Said {
  const { isReplayed } = outcome
  if (outcome.kind === 'answered') {
    const { status, headers, body } = outcome
    return { status, headers: isReplayed ? { ...headers, ...replayed } : headers, body, code: null }
  }
  const said = v1Refusal(outcome.refusal, outcome.requestId)
  return isReplayed ? { ...said, headers: { ...said.headers, ...replayed } } : said
}
