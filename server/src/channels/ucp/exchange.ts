import type { Call } from '../../domain/buying/rails/port.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import type { EgressResponse } from '../../platform/egress/exchange.ts'
import { EgressFault } from '../../platform/egress/fault.ts'
import { parseRetryAfter } from '../../platform/egress/retry-after.ts'
import { type CheckoutCall, checkoutRequest } from '../../protocols/ucp/checkout-request.ts'
import { type CheckoutAnswer, readCheckoutAnswer } from '../../protocols/ucp/read-checkout.ts'
import { type MessageSigner, signMessage } from '../../protocols/ucp/sign-message.ts'
import { isSigned, verifyMessage } from '../../protocols/ucp/verify-message.ts'
import type { Business } from './businesses.ts'

/** What is certain after a call. `not_sent`: not one byte left. `lost`: it may have arrived, and its answer cannot be relied on. */
export type Exchanged =
  | Exclude<CheckoutAnswer, { kind: 'failed' | 'busy' }>
  | { readonly kind: 'busy'; readonly retryAfterSeconds: number | null }
  | { readonly kind: 'not_sent'; readonly retryable: boolean }
  | { readonly kind: 'lost' }

/** One call about a checkout: signed with our key, and checked where the business signs. */
export type Exchange = (business: Business, request: CheckoutCall, call: Call) => Promise<Exchanged>

const bytesMax = 1_048_576

export function createExchange({
  egress,
  publicUrl,
  signer,
  newRequestId,
}: {
  egress: Egress
  publicUrl: string
  signer: () => Promise<MessageSigner>
  newRequestId: () => string
}): Exchange {
  return async (business, request, call) => {
    const said = checkoutRequest(business.endpoint, request, { publicUrl, requestId: newRequestId() })
    const body = Buffer.from(said.body ?? '')
    const message = {
      kind: 'request',
      method: said.method,
      url: said.url,
      headers: said.headers,
      body,
    } as const
    const signature = signMessage(message, await signer(), { now: new Date() })
    try {
      const answer = await egress.request({
        url: said.url,
        method: said.method,
        headers: { ...said.headers, ...signature },
        ...(said.body === null ? {} : { body }),
        mode: call.mode,
        timeoutMs: call.timeoutMs,
        maxResponseBytes: bytesMax,
      })
      if (!isTheirs(answer, business)) return { kind: 'lost' }
      const contentType = textOf(answer.headers['content-type'])
      const read = readCheckoutAnswer(business.endpoint, { ...answer, contentType })
      if (read.kind === 'failed') return { kind: 'lost' }
      if (read.kind !== 'busy') return read
      const retryAfter = parseRetryAfter(textOf(answer.headers['retry-after']), Date.now())
      return { kind: 'busy', retryAfterSeconds: retryAfter }
    } catch (error) {
      if (!(error instanceof EgressFault)) throw error
      return error.stage === 'before' ? { kind: 'not_sent', retryable: error.retryable } : { kind: 'lost' }
    }
  }
}

/** A business may leave its answers unsigned. A signature that does not verify is somebody else's, or of another answer. */
function isTheirs({ status, headers, body }: EgressResponse, { keys }: Business): boolean {
  const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, textOf(value)]))
  const message = { kind: 'response', status, headers: named, body } as const
  return !isSigned(message) || verifyMessage(message, keys, new Date()).kind === 'verified'
}

function textOf(value: string | string[] | undefined): string {
  return Array.isArray(value) ? value.join(', ') : (value ?? '')
}
