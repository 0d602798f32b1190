import type { Call, NotNow } from '../../domain/buying/execution/rail/port.ts'
import type { ChargeRequest } from '../../protocols/mpp/charge-request.ts'

/** What is paid, with what. */
type Payment = {
  /** The key of the order. */
  readonly key: string
  /** The credential of the rail, which is good for this merchant, once, up to its limit. */
  readonly credential: string
  readonly charge: ChargeRequest
  readonly expiresAt: Date
}

/** What a challenge is answered with; or why there is nothing to answer it with, and then nothing has been paid. */
type Payload =
  | { readonly kind: 'payload'; readonly payload: Readonly<Record<string, string>> }
  | { readonly kind: 'declined'; readonly declineCode: string | null }
  | { readonly kind: 'unavailable' }
  | NotNow

/** A method of the protocol by which we can pay. */
export type PayingMethod = {
  readonly name: string
  /** Whether it can pay what is asked for in this mode. */
  takes(charge: ChargeRequest, mode: Call['mode']): boolean
  /** The same payment has the same payload, however often it is asked for. */
  payloadOf(payment: Payment, call: Call): Payload | Promise<Payload>
}

/** The credential of our rail is itself what pays. */
export const vaultMethod: PayingMethod = {
  name: 'vault',
  takes({ recipient, details }, mode) {
    const isTest = details.testMode ?? mode === 'test'
    return recipient !== null && isTest === (mode === 'test')
  },
  payloadOf: ({ credential }) => ({ kind: 'payload', payload: { token: credential } }),
}

/** The same, in the words of the payment network of test mode: its merchants need not know us. */
export const processorMethod: PayingMethod = {
  name: 'processor',
  takes: ({ recipient }, mode) => mode === 'test' && recipient !== null,
  payloadOf: vaultMethod.payloadOf,
}

/** The part of Stripe that grants the seller of a network a token for what a credential of ours is good for. */
export interface SharedTokenIssuer {
  /** The same key is answered with the same token. */
  issue(
    input: {
      readonly key: string
      readonly credential: string
      readonly networkId: string
      readonly amount: bigint
      readonly currency: string
      readonly expiresAt: Date
    },
    call: Call,
  ): Promise<
    | { readonly kind: 'issued'; readonly token: string }
    | { readonly kind: 'declined'; readonly declineCode: string | null }
    | { readonly kind: 'unavailable' }
    | NotNow
  >
}

/** Pays with a shared payment token. */
export function stripeMethod(issuer: SharedTokenIssuer): PayingMethod {
  return {
    name: 'stripe',
    takes: ({ details }) => networkOf(details) !== null,
    async payloadOf({ key, credential, charge, expiresAt }, call) {
      const networkId = networkOf(charge.details)
      if (networkId === null) throw new Error('a token for a seller without a name')
      const { amount, currency, externalId } = charge
      const input = { key: `${key}:token`, credential, networkId, amount, currency, expiresAt }
      const issued = await issuer.issue(input, call)
      if (issued.kind !== 'issued') return issued
      const named = externalId === null ? {} : { externalId }
      return { kind: 'payload', payload: { spt: issued.token, ...named } }
    },
  }
}

function networkOf({ networkId }: ChargeRequest['details']): string | null {
  return typeof networkId === 'string' && /^[\w-]{1,255}$/.test(networkId) ? networkId : null
}
