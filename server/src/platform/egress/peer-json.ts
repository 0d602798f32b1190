import type { Egress } from './egress.ts'
import { EgressFault } from './fault.ts'

export type PeerCall = {
  method: 'GET' | 'POST'
  url: string
  body?: unknown
  /** Sent as `Idempotency-Key`. */
  key?: string
  mode: 'test' | 'live'
  timeoutMs: number
}

/**
 * `answer`: the peer said something, whatever its status. `not_sent`: not a byte left. `lost`: it may have arrived, and its answer did
 * not come or cannot be read.
 */
export type PeerAnswer =
  | { kind: 'answer'; status: number; body: Readonly<Record<string, unknown>> }
  | { kind: 'not_sent'; retryable: boolean }
  | { kind: 'lost' }

const maxResponseBytes = 1_048_576

/** One JSON exchange with a peer of our own configuration, by what is known about it afterwards. */
export async function callPeer(egress: Egress, call: PeerCall): Promise<PeerAnswer> {
  try {
    const { status, body } = await egress.request({
      url: call.url,
      method: call.method,
      headers: {
        accept: 'application/json',
        ...(call.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(call.key === undefined ? {} : { 'idempotency-key': call.key }),
      },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      mode: call.mode,
      timeoutMs: call.timeoutMs,
      maxResponseBytes,
      peer: true,
    })
    // A gateway's error page and a server that failed midway say nothing about what was done.
    if (status >= 500) return { kind: 'lost' }
    const parsed = parseObject(body)
    return parsed === null ? { kind: 'lost' } : { kind: 'answer', status, body: parsed }
  } catch (error) {
    if (!(error instanceof EgressFault)) throw error
    return error.stage === 'before' ? { kind: 'not_sent', retryable: error.retryable } : { kind: 'lost' }
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
