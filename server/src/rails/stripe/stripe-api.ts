import type { Call } from '../../domain/buying/rails/port.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import { EgressFault } from '../../platform/egress/fault.ts'
import { isRecord } from '../../platform/egress/peer-json.ts'
import { parseRetryAfter } from '../../platform/egress/retry-after.ts'
import type { Secret } from '../../platform/secrets/secret.ts'

/** The first release of Stripe's API in which a seller can pay an intent with a token that was granted to it. */
const apiVersion = '2026-04-22.preview'
const maxResponseBytes = 1_048_576

/** Fields as Stripe's forms have them: `metadata[order]`. */
type Fields = Readonly<Record<string, string>>

/**
 * `answer`: Stripe answered and did not fail. `failed`: it answered that it failed itself; `isReplayed` says that it was the answer to an
 * earlier request with the same key, which Stripe repeats for 24 hours. `not_sent`: not one byte left. `lost`: no answer can be read.
 */
export type StripeAnswer =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly body: Readonly<Record<string, unknown>>
      readonly isReplayed: boolean
      readonly retryAfterSeconds: number | null
    }
  | { readonly kind: 'failed'; readonly isReplayed: boolean }
  | { readonly kind: 'not_sent'; readonly retryable: boolean }
  | { readonly kind: 'lost' }

export type StripeApi = {
  /** `key`: without it, the request is one that can be made any number of times. */
  post(
    path: string,
    request: { readonly key?: string; readonly fields?: Fields },
    call: Call,
  ): Promise<StripeAnswer>
  get(path: string, call: Call): Promise<StripeAnswer>
}

export function openStripeApi({
  url,
  secretKey,
  egress,
}: {
  url: string
  secretKey: Secret
  egress: Egress
}): StripeApi {
  const base = url.replace(/\/+$/, '')

  async function send(
    request: { method: 'GET' | 'POST'; path: string; key?: string; fields?: Fields },
    { mode, timeoutMs }: Call,
  ): Promise<StripeAnswer> {
    const { method, path, key, fields } = request
    try {
      const { status, headers, body } = await egress.request({
        url: base + path,
        method,
        headers: {
          accept: 'application/json',
          authorization: `Bearer ${secretKey.reveal()}`,
          'stripe-version': apiVersion,
          ...(method === 'POST' ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
          ...(key === undefined ? {} : { 'idempotency-key': key }),
        },
        ...(method === 'POST' ? { body: new URLSearchParams({ ...fields }).toString() } : {}),
        mode,
        timeoutMs,
        maxResponseBytes,
        peer: true,
      })
      const isReplayed = headers['idempotent-replayed'] === 'true'
      if (status >= 500) return { kind: 'failed', isReplayed }
      // Something before Stripe refuses requests in words of its own; there the status alone is enough.
      const parsed = parseObject(body) ?? (status >= 400 ? {} : null)
      if (parsed === null) return { kind: 'lost' }
      const header = headers['retry-after']
      const retryAfterSeconds = parseRetryAfter(typeof header === 'string' ? header : undefined, Date.now())
      return { kind: 'answer', status, body: parsed, isReplayed, retryAfterSeconds }
    } catch (error) {
      if (!(error instanceof EgressFault)) throw error
      return error.stage === 'before' ? { kind: 'not_sent', retryable: error.retryable } : { kind: 'lost' }
    }
  }

  return {
    post: (path, request, call) => send({ method: 'POST', path, ...request }, call),
    get: (path, call) => send({ method: 'GET', path }, call),
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

/** Several requests share the time of one call. */
export function within({ mode, timeoutMs }: Call): () => Call {
  const endsAt = performance.now() + timeoutMs
  return () => ({ mode, timeoutMs: Math.max(1, Math.ceil(endsAt - performance.now())) })
}
