import { isRecord } from '../../platform/egress/peer-json.ts'
import type { CheckoutEndpoint } from '../../protocols/ucp/checkout-request.ts'
import { clientReleases } from '../../protocols/ucp/releases.ts'

/** Where an offer is found again: a checkout at a business, and the handler that it is paid through. */
export type OfferReference = {
  readonly endpoint: CheckoutEndpoint
  readonly checkoutId: string
  readonly handlerId: string
}

export function writeReference({ endpoint, checkoutId, handlerId }: OfferReference): string {
  return JSON.stringify({ ...endpoint, checkout: checkoutId, handler: handlerId })
}

/** Null: it is no reference of ours, and nothing was placed by it. */
export function readReference(text: string | null): OfferReference | null {
  const said: unknown = text === null ? null : JSON.parse(text)
  if (!isRecord(said)) return null
  const { endpoint, transport, checkout, handler } = said
  const release = clientReleases.find((one) => one === said.release)
  if (typeof endpoint !== 'string' || typeof checkout !== 'string' || typeof handler !== 'string' || !release)
    return null
  return {
    endpoint: { endpoint, transport: transport === 'mcp' ? 'mcp' : 'rest', release },
    checkoutId: checkout,
    handlerId: handler,
  }
}
