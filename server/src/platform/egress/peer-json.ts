import type { Egress } from './egress.ts'
import { EgressFault } from './fault.ts'
import { parseRetryAfter } from './retry-after.ts'

type PeerCall = {
  method: 'GET' | 'POST'
  url: string
  body?: unknown
  /** Sent in place of a body, as a form of the web. */
  form?: Readonly<Record<string, string>>
  /** Sent as `Idempotency-Key`. */
  key?: string
  headers?: Readonly<Record<string, string>>
  mode: 'test' | 'live'
  timeoutMs: number
}

/**
 * `answer`: the peer answered, with any status; the body of a 4xx may be unreadable, then `body` is empty. `not_sent`: not one byte left.
 * `lost`: the request may have arrived, and its answer did not arrive or cannot be read.
 */
export type PeerAnswer =
  | {
      kind: 'answer'
      status: number
      body: Readonly<Record<string, unknown>>
      retryAfterSeconds: number | null
    }
  | { kind: 'not_sent'; retryable: boolean }
  | { kind: 'lost' }

const maxResponseBytes = 1_048_576

/** One JSON exchange with a peer of our own configuration, by what is certain afterwards. */
export async function callPeer(egress: Egress, call: PeerCall): Promise<PeerAnswer> {
  try {
    const { status, headers, body } = await egress.request({
      url: call.url,
      method: call.method,
      headers: {
        ...call.headers,
        accept: 'application/json',
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(call.form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
        ...(call.key === undefined ? {} : { 'idempotency-key': call.key }),
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      ...(call.form === undefined ? {} : { body: new URLSearchParams(call.form).toString() }),
      mode: call.mode,
      timeoutMs: call.timeoutMs,
      maxResponseBytes,
      peer: true,
    })
    // A gateway's error page, or a server that failed midway, says nothing about what was done.
    if (status >= 500) return { kind: 'lost' }
    // A gateway refuses calls in words of its own; there the status alone is enough.
    const parsed = parseObject(body) ?? (status >= 400 ? {} : null)
    if (parsed === null) return { kind: 'lost' }
    const header = headers['retry-after']
    const retryAfterSeconds = parseRetryAfter(typeof header === 'string' ? header : undefined, Date.now())
    return { kind: 'answer', status, body: parsed, retryAfterSeconds }
  } catch (error) {
    if (!(error instanceof EgressFault)) throw error
    return error.stage === 'before' ? { kind: 'not_sent', retryable: error.retryable } : { kind: 'lost' }
  }
}

type TurnedAway = 'credentials' | 'permission' | 'misrouted' | 'busy'

/** Why a peer did nothing, where its status alone proves that; null for every other status. */
export function turnedAwayBy(status: number): TurnedAway | null {
  switch (status) {
    case 401:
      return 'credentials'
    case 403:
      return 'permission'
    case 404:
      return 'misrouted'
    case 408:
    case 425:
    case 429:
      return 'busy'
    default:
      return null
  }
}

function parseObject(body: Buffer): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'))
    return isRecord(parsed) ? parsed : null
  } catch {
    return null
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
