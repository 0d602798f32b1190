import { type OperationFacts, takesIdempotencyKey } from './operation.ts'
import { factsOf, type ProblemCatalog, type ProblemCode } from './problem-codes.ts'

/**
 * Every code that an operation can be refused with, by status: those that it names, and those that follow from how it is called.
 * Documents print them; suites check every answer against them.
 */
export function refusalsOf(operation: OperationFacts, problems: ProblemCatalog): Map<number, ProblemCode[]> {
  const codes = new Set<ProblemCode>([
    'bad_request',
    ...credentialCodes(operation),
    ...operation.problems,
    ...Object.values(operation.conflicts),
    ...(operation.method === 'GET' ? [] : (['payload_too_large', 'unsupported_media_type'] as const)),
    ...(operation.method === 'GET' ? [] : (['conflict'] as const)),
    ...(takesIdempotencyKey(operation) ? (['idempotency_key_conflict'] as const) : []),
    ...(operation.streams || operation.downloads.length > 0 ? (['not_acceptable'] as const) : []),
    'rate_limited',
    'internal_error',
    'busy',
    'unavailable',
  ])
  const byStatus = new Map<number, ProblemCode[]>()
  for (const code of [...codes].sort()) {
    const { status } = factsOf(problems, code)
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return byStatus
}

function credentialCodes({ auth }: OperationFacts): ProblemCode[] {
  if (auth === 'none') return []
  return [
    'unauthorized',
    'insufficient_scope',
    'publishable_key_not_allowed',
    ...(auth === 'optional' ? (['origin_not_allowed', 'capability_missing'] as const) : []),
    ...(auth === 'signed' ? (['signature_invalid', 'response_not_authorized'] as const) : []),
  ]
}
