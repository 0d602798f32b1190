import type { Operation } from '../../contract/operation.ts'
import { callerSignalOnUse } from '../../platform/calls/caller-signal.ts'
import type { Call } from '../../platform/calls/dispatch.ts'
import type { Answered, Refused } from '../../platform/calls/outcome.ts'
import type { Principal } from '../../platform/calls/principal.ts'
import { parseJson } from '../../schema/strict-json.ts'
import { countedAddress } from './client-address.ts'
import type { Dialect, WireAnswer } from './dialect.ts'
import type { Exchange } from './exchange.ts'
import { readRawBody } from './read-raw-body.ts'
import { lineOf } from './request-line.ts'
import type { Http, SurfaceContext } from './surface.ts'

/** How a surface words what came of a call. */
export type JsonDialect = {
  readonly refusal: Dialect
  readonly answer: (outcome: Answered | Refused) => WireAnswer
}

/** What a request shows of its caller. */
export type ShownCaller = {
  readonly exchange: Exchange
  readonly address: string
  /** Parsed, and not checked yet. */
  readonly body: unknown
}

/** Who calls, and what their credentials say of the path. */
export type JsonCaller = { readonly principal: Principal; readonly path: Readonly<Record<string, string>> }

type Serving = Pick<SurfaceContext, 'dispatch' | 'draining' | 'onRequest'> & {
  dialect: JsonDialect
  callerOf(operation: Operation, shown: ShownCaller): JsonCaller | Promise<JsonCaller>
  /** Told of each call that came to an outcome. */
  onOutcome?(operation: Operation, shown: ShownCaller, outcome: Answered | Refused): void
}

/** Serves an operation of our own pages: a small body of JSON, and an answer of JSON that is neither a stream nor a file. */
export async function serveJson(
  operation: Operation,
  exchange: Exchange,
  http: Http,
  serving: Serving,
): Promise<void> {
  const address = countedAddress(exchange.client)
  let raw: Uint8Array
  let caller: JsonCaller
  let parsed: ReturnType<typeof parseJson> | null
  let shown: ShownCaller
  try {
    raw = await readRawBody(http, exchange)
    parsed = raw.length === 0 ? null : parseJson(raw)
    shown = { exchange, address, body: parsed?.ok ? parsed.value : undefined }
    caller = await serving.callerOf(operation, shown)
  } catch (error) {
    return http.edge.refuse(exchange, error, { operation })
  }
  const { principal } = caller
  const said = Object.entries(caller.path).filter(([name]) => operation.path.includes(`{${name}}`))
  const path = { ...exchange.path, ...Object.fromEntries(said) }
  const call = callOf({ exchange, address, raw, parsed, path, draining: serving.draining })
  const outcome = await serving.dispatch(principal, operation, call)
  if (outcome.kind !== 'answered' && outcome.kind !== 'refused')
    throw new Error(`${operation.id} answers in a form that no page of ours reads`)
  serving.onOutcome?.(operation, shown, outcome)
  const { status, code, ...answer } = serving.dialect.answer(outcome)
  serving.onRequest(lineOf(exchange, operation, { status, code, principal, waitedMs: outcome.waitedMs }))
  http.edge.write(exchange, { status, ...answer })
}

type Received = {
  exchange: Exchange
  address: string
  raw: Uint8Array
  parsed: ReturnType<typeof parseJson> | null
  path: Call['path']
  draining: AbortSignal
}

function callOf({ exchange, address, raw, parsed, path, draining }: Received): Call {
  return {
    requestId: exchange.id,
    address,
    signal: callerSignalOnUse(exchange.response, draining),
    acceptsStream: false,
    accepts: null,
    path,
    query: exchange.query,
    headers: exchange.request.headers,
    body: parsed?.ok ? parsed.value : undefined,
    bodyError: parsed && !parsed.ok ? parsed.error : null,
    rawBody: raw,
    coerce: true,
  }
}
