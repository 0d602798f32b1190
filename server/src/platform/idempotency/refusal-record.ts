import { meaningOf, Problem } from '../../contract/problem.ts'
import { isProblemCode, type ProblemCatalog } from '../../contract/problem-codes.ts'
import { isObject } from '../../schema/schema-node.ts'

/**
 * A refusal as the row of its idempotency key keeps it. It is the body of the REST answer: the previous version replays a row unchanged,
 * and runs beside this one.
 */
export function refusalRecord(
  problem: Problem,
  { requestId, problems }: { requestId: string; problems: ProblemCatalog },
) {
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
  return { status, body: { detail }, headers: options.headers ?? {} }
}

type Kept = { readonly problem: Problem; readonly requestId: string }

/** The refusal of a row; null: the row holds no refusal. */
export function readRefusal(
  stored: { body: string; headers: Record<string, string> | null },
  problems: ProblemCatalog,
): Kept | null {
  const { headers } = stored
  const kept: unknown = JSON.parse(stored.body)
  const detail = isObject(kept) ? kept.detail : undefined
  if (!isObject(detail) || !isProblemCode(problems, detail.code)) return null
  const { code, message, param, request_id, retryable: _, ...extra } = detail
  const problem = new Problem(detail.code, {
    message: String(message),
    ...(typeof param === 'string' ? { param } : {}),
    ...(headers ? { headers } : {}),
    extra,
  })
  return { problem, requestId: String(request_id) }
}
