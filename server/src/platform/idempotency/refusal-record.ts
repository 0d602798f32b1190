import { Problem } from '../../contract/problem.ts'
import { type ProblemCode, problemCodes } from '../../contract/problem-codes.ts'
import { isObject } from '../../schema/schema-node.ts'

/**
 * A refusal as the row of its idempotency key keeps it. It is the body that REST answers: the version before replays a row as it stands,
 * and runs beside this one.
 */
export function refusalRecord(problem: Problem, requestId: string) {
  const { code, message, options } = problem
  const { retryable } = problemCodes[code]
  return {
    detail: {
      code,
      message,
      param: options.param ?? null,
      request_id: requestId,
      retryable,
      ...options.extra,
    },
  }
}

type Kept = { readonly problem: Problem; readonly requestId: string }

/** The refusal of a row; null: what it keeps is none. */
export function readRefusal(body: string, headers: Record<string, string> | null): Kept | null {
  const kept: unknown = JSON.parse(body)
  const detail = isObject(kept) ? kept.detail : undefined
  if (!isObject(detail) || !isCode(detail.code)) return null
  const { code, message, param, request_id, retryable: _, ...extra } = detail
  const problem = new Problem(detail.code, {
    message: String(message),
    ...(typeof param === 'string' ? { param } : {}),
    ...(headers ? { headers } : {}),
    extra,
  })
  return { problem, requestId: String(request_id) }
}

function isCode(code: unknown): code is ProblemCode {
  return typeof code === 'string' && Object.hasOwn(problemCodes, code)
}
