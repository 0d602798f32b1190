import type { CallContext } from '../../contract/context.ts'
import type { Operation } from '../../contract/operation.ts'
import type { ValidationProblem } from '../../contract/problem.ts'
import type { Pools } from '../database/pool.ts'
import { type RawSections, textOnly } from './arguments.ts'
import type { Principal } from './principal.ts'
import { shareOf } from './reads.ts'

type Known = {
  operation: Operation
  call: Pick<RawSections, 'path' | 'headers'>
  principal: Principal
  now: Date
  reads: CallContext['reads']
}

/**
 * What an operation does when this request turns out to be invalid; for nearly all operations, nothing. A request whose path is invalid
 * names no object for which this could be remembered.
 */
export function rememberInvalid(
  { pools }: { pools: Pools },
  { operation, call, principal, now, reads }: Known,
): ((problem: ValidationProblem) => Promise<void>) | null {
  const { onInvalid } = operation
  if (!onInvalid) return null
  const { tenant, actor } = principal
  const commitNow: CallContext['commitNow'] = async (statement) =>
    (await pools.single(statement, shareOf(principal))).rows
  const request = { path: call.path, headers: textOnly(call.headers), tenant, actor, now, reads, commitNow }
  return async ({ issues }) => {
    if (issues.every(({ loc: [section] }) => section !== 'path')) await onInvalid(request)
  }
}
