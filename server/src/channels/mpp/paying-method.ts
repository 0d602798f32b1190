import type { Call } from '../../domain/buying/rails/port.ts'
import type { ChargeRequest } from '../../protocols/mpp/charge-request.ts'

/** A method of the protocol by which we can pay. */
export type PayingMethod = {
  readonly name: string
  /** Whether it can pay what is asked for in this mode. */
  takes(charge: ChargeRequest, mode: Call['mode']): boolean
  /** The seller that the credential is issued to, in the words of another payment network; null: our own rail issues it. */
  sellerOf(charge: ChargeRequest): string | null
  /** What a challenge is answered with: the credential of the order, and nothing that can differ. */
  payloadOf(credential: string, charge: ChargeRequest): Readonly<Record<string, string>>
}

/** The credential of our rail is itself what pays. The protocol has this method as `vault`. */
export const ownMethod: PayingMethod = {
  name: 'vault',
  // The rail of live mode hands out nothing that a merchant charges itself.
  takes: ({ recipient, details }, mode) =>
    mode === 'test' && recipient !== null && (details.testMode ?? true) === true,
  sellerOf: () => null,
  payloadOf: (token) => ({ token }),
}

/** The same, in the words of the payment network of test mode: its merchants need not know us. */
export const processorMethod: PayingMethod = {
  ...ownMethod,
  name: 'processor',
  takes: ({ recipient }, mode) => mode === 'test' && recipient !== null,
}

/** The credential is a shared payment token, which Stripe has issued to the seller that the challenge names. */
export const stripeMethod: PayingMethod = {
  name: 'stripe',
  takes: (charge) => networkOf(charge) !== null,
  sellerOf: networkOf,
  payloadOf: (spt, { externalId }) => ({ spt, ...(externalId === null ? {} : { externalId }) }),
}

function networkOf({ details: { networkId } }: ChargeRequest): string | null {
  return typeof networkId === 'string' && /^[\w-]{1,255}$/.test(networkId) ? networkId : null
}
