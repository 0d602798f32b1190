import { randomUUID } from 'node:crypto'
import type { BuyingChannel, ChannelDeclaration } from '../../domain/buying/execution/port.ts'
import type { Egress, SandboxNames } from '../../platform/egress/egress.ts'
import type { MessageSigner } from '../../protocols/ucp/sign-message.ts'
import { createBusinesses } from './businesses.ts'
import { createExchange } from './exchange.ts'
import { makeOffer } from './make-offer.ts'
import { askAboutCheckout, closeCheckout, completeCheckout } from './settle-checkout.ts'

type Given = {
  readonly egress: Egress
  /** Where our own profile is; without it, nobody can be called. */
  readonly publicUrl?: string
  readonly signer: () => Promise<MessageSigner>
  readonly sandboxNames: SandboxNames | null
}

/** Businesses elsewhere that speak UCP. They charge a token that the rail has issued for them. */
export const ucpChannel = {
  name: 'ucp',
  modes: ['test', 'live'],
  payment: 'credential',
  form: 'token',
  hasStrangers: true,
  longestCallMs: 20_000,
  open: ({ egress, publicUrl, signer, sandboxNames }) =>
    publicUrl === undefined
      ? null
      : createUcpChannel({
          egress,
          publicUrl,
          signer,
          // Handlers whose credentials a rail of ours issues. No rail of live mode issues any yet.
          payable: { test: sandboxNames === null ? [] : ['test.pay.processor_token'], live: [] },
        }),
} as const satisfies ChannelDeclaration<Given>

export function createUcpChannel(options: {
  egress: Egress
  publicUrl: string
  signer: () => Promise<MessageSigner>
  /** By mode, the names of the payment handlers that can be paid with. */
  payable: Readonly<Record<'test' | 'live', readonly string[]>>
  newRequestId?: () => string
}): BuyingChannel {
  const { newRequestId = randomUUID } = options
  const means = {
    ...options,
    newRequestId,
    businesses: createBusinesses(options.egress),
    exchange: createExchange({ ...options, newRequestId }),
  }
  return {
    offer: (request, call) => makeOffer(means, request, call),
    place: (request, call) => completeCheckout(means, request, call),
    ask: (sent, call) => askAboutCheckout(means, sent, call),
    close: (sent, call) => closeCheckout(means, sent, call),
  }
}
