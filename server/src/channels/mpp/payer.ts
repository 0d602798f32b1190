import { createHash } from 'node:crypto'
import type { Mode } from '../../contract/context.ts'
import { resultBytesMax } from '../../domain/buying/cart-results/port.ts'
import type { PlaceRequest } from '../../domain/buying/channels/port.ts'
import type { Call } from '../../domain/buying/rails/port.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import { readToolCall } from '../../protocols/mpp/tool-payments.ts'
import { type OfferReference, readReference } from './offer-reference.ts'
import { type PaidRequest, paidRequest } from './paid-request.ts'
import { ownMethod, type PayingMethod, processorMethod, stripeMethod } from './paying-method.ts'
import type { SentPayment } from './payments.ts'
import { type SiteAnswer, sendRequest } from './send-request.ts'
import { asAnswer } from './tool-answer.ts'

/** An answer without a price has no business to be larger. */
const priceBytesMax = 65_536

/** What servers of tools want to be told. */
const ofTools = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-06-18' }

/** How requests leave this process: to ask for their price, and paid. */
export class Payer {
  readonly #egress: Egress
  readonly #tokenModes: readonly Mode[]
  readonly now: () => Date

  /** `tokenModes`: where the rail has shared payment tokens issued. */
  constructor(options: { egress: Egress; tokenModes: readonly Mode[]; now: () => Date }) {
    this.#egress = options.egress
    this.#tokenModes = options.tokenModes
    this.now = options.now
  }

  /** The ways in which it can pay, the first one first. */
  methodsIn(mode: Mode): readonly PayingMethod[] {
    const processor = mode === 'test' ? [processorMethod] : []
    return [ownMethod, ...processor, ...(this.#tokenModes.includes(mode) ? [stripeMethod] : [])]
  }

  askPrice(request: PaidRequest, call: Call): Promise<SiteAnswer> {
    const methods = this.methodsIn(call.mode).map(({ name }) => `${name}/charge`)
    const headers = { 'accept-payment': methods.join(', ') }
    return this.#send(request, { ...call, headers, bytesMax: priceBytesMax })
  }

  pay(request: PaidRequest, payment: SentPayment, call: Call): Promise<SiteAnswer> {
    const headers = {
      ...payment.headers,
      // A merchant that knows such keys answers a repeated request as it has answered the first one.
      ...(request.method === 'GET' ? {} : { 'idempotency-key': hashed(payment) }),
    }
    const paid = payment.body === null ? request : { ...request, body: payment.body }
    return this.#send(paid, { ...call, headers, bytesMax: resultBytesMax })
  }

  async #send(request: PaidRequest, how: Parameters<typeof sendRequest>[2]): Promise<SiteAnswer> {
    if (request.method !== 'POST' || readToolCall(request.body) === null)
      return sendRequest(this.#egress, request, how)
    return asAnswer(
      await sendRequest(this.#egress, request, { ...how, headers: { ...how.headers, ...ofTools } }),
    )
  }
}

/** An order as it was approved: the request as it leaves, and what its offer keeps. */
export type Approved = {
  readonly sent: PlaceRequest
  readonly request: PaidRequest
  readonly reference: OfferReference
}

export function approvedOf(sent: PlaceRequest): Approved {
  const [item] = sent.items
  if (!item) throw new Error('an order of nothing')
  return { sent, request: paidRequest(item, sent.site), reference: readReference(sent.offer.reference) }
}

/** The payment holds a secret and names the order, so its hash is a key that nobody can guess, and the same for the same payment. */
function hashed({ headers, body }: SentPayment): string {
  return createHash('sha256')
    .update(JSON.stringify(headers))
    .update(body ?? '')
    .digest('base64url')
}
