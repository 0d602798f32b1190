import type { Call } from '../../domain/buying/rails/port.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import { EgressFault } from '../../platform/egress/fault.ts'
import type { Challenge } from '../../protocols/mpp/challenge.ts'
import type { PaidRequest } from './paid-request.ts'

/**
 * `answer`: the whole of it. `too_large`: only its status is known. `not_sent`: not one byte left. `lost`: it may have arrived.
 */
export type SiteAnswer =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers: Readonly<Record<string, string | string[] | undefined>>
      readonly body: Buffer
      /** Those of a tool, which has no headers. */
      readonly challenges?: readonly Challenge[]
    }
  | { readonly kind: 'too_large'; readonly status: number }
  | { readonly kind: 'not_sent'; readonly retryable: boolean }
  | { readonly kind: 'lost' }

export async function sendRequest(
  egress: Egress,
  { url, method, contentType, body }: PaidRequest,
  { headers, bytesMax, mode, timeoutMs }: Call & { headers: Record<string, string>; bytesMax: number },
): Promise<SiteAnswer> {
  try {
    const answer = await egress.request({
      url: url.href,
      method,
      headers: {
        accept: '*/*',
        ...(contentType === null ? {} : { 'content-type': contentType }),
        ...headers,
      },
      ...(body === null ? {} : { body }),
      mode,
      timeoutMs,
      maxResponseBytes: bytesMax,
    })
    return { kind: 'answer', ...answer }
  } catch (error) {
    if (!(error instanceof EgressFault)) throw error
    const { stage, code, status, retryable } = error
    if (stage === 'before') return { kind: 'not_sent', retryable }
    return code === 'too_large' && status !== undefined ? { kind: 'too_large', status } : { kind: 'lost' }
  }
}

export function headerOf(
  { headers }: Pick<Extract<SiteAnswer, { kind: 'answer' }>, 'headers'>,
  name: string,
): string | undefined {
  const value = headers[name]
  return typeof value === 'string' ? value : value?.[0]
}

/** Several requests share the time of one call. */
export function within({ mode, timeoutMs }: Call): () => Call {
  const endsAt = performance.now() + timeoutMs
  return () => ({ mode, timeoutMs: Math.max(1, Math.ceil(endsAt - performance.now())) })
}
