import type { OperationFacts } from '../../contract/operation.ts'
import type { Principal } from '../../platform/calls/principal.ts'
import type { Exchange } from './exchange.ts'

/** The fields of a request's line in the log. */
export type RequestLine = {
  request_id: string
  method: string
  /** The template, never the path: paths contain what people typed. */
  route: string
  operation: string | null
  status: number
  code: string | null
  duration_ms: number
  /** The part of that time in which the caller waited for something to happen. */
  waited_ms?: number
  /** The caller's address, behind our proxies. */
  client: string
  account_id: string | null
  mode: string | null
  actor_id: string | null
  /** Which secret of the actor was used. */
  key_id: string | null
}

/** In the order in which they are written. */
export const requestFields = [
  'request_id',
  'method',
  'route',
  'duration_ms',
  'client',
  'operation',
  'status',
  'code',
  'waited_ms',
  'account_id',
  'mode',
  'actor_id',
  'key_id',
] as const satisfies readonly (keyof RequestLine)[]

type Logged = {
  readonly status: number
  readonly code: string | null
  /** Null where the caller was refused. */
  readonly principal: Principal | null
  readonly waitedMs?: number | undefined
}

export function lineOf(
  exchange: Exchange,
  operation: Pick<OperationFacts, 'id' | 'path'>,
  answer: Logged,
): RequestLine {
  return {
    ...lineBase(exchange, operation.path),
    operation: operation.id,
    status: answer.status,
    code: answer.code,
    ...(answer.waitedMs === undefined ? {} : { waited_ms: rounded(answer.waitedMs) }),
    account_id: answer.principal?.tenant.accountId ?? null,
    mode: answer.principal?.tenant.mode ?? null,
    actor_id: answer.principal?.actor.id ?? null,
    key_id: answer.principal?.keyId ?? null,
  }
}

/** The line of a request that reached no operation. */
export function plainLineOf(
  exchange: Exchange,
  answer: { route: string; status: number; code: string | null },
): RequestLine {
  const { route, status, code } = answer
  const nobody = { account_id: null, mode: null, actor_id: null, key_id: null }
  return { ...lineBase(exchange, route), operation: null, status, code, ...nobody }
}

function lineBase({ id, request, client, startedAtMs }: Exchange, route: string) {
  return {
    request_id: id,
    method: request.method ?? '',
    route,
    duration_ms: rounded(performance.now() - startedAtMs),
    client,
  }
}

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100
}
