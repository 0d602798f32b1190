import type { IdSource } from '../../core/id.ts'
import type { Call } from './dispatch.ts'

/** What is asked from inside the process: the arguments as values, as a tool has them. */
type Asked = Partial<Pick<Call, 'path' | 'query' | 'body' | 'requestId'>> & {
  readonly idempotencyKey?: string
  /** Aborts when nobody waits for the answer any more. */
  readonly signal?: AbortSignal
}

/** A call that came over no connection. */
export function innerCall(newId: IdSource, asked: Asked): Call {
  const { path = {}, query = {}, body, requestId = newId('req', Date.now()), idempotencyKey, signal } = asked
  const waiting = signal ?? new AbortController().signal
  return {
    path,
    query,
    headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
    body,
    bodyError: null,
    rawBody: new Uint8Array(),
    coerce: false,
    requestId,
    address: 'inside',
    signal: () => waiting,
    acceptsStream: false,
    accepts: null,
  }
}
