import { randomUUID } from 'node:crypto'
import type { BuyingChannel, ChannelDeclaration } from '../../domain/buying/channels/port.ts'
import type { LookerDeclaration } from '../../domain/buying/looks/port.ts'
import type { Egress, SandboxNames } from '../../platform/egress/egress.ts'
import type { MessageSigner } from '../../protocols/ucp/sign-message.ts'
import { createBusinesses } from './businesses.ts'
import { createExchange } from './exchange.ts'
import { createUcpLooker } from './look.ts'
import { type Means, makeOffer } from './make-offer.ts'
import { askAboutCheckout, closeCheckout, completeCheckout } from './settle-checkout.ts'

type UcpParts = {
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
  open: (given) => {
    const options = optionsOf(given)
    return options && createUcpChannel(options)
  },
} as const satisfies ChannelDeclaration<UcpParts>

/** What they sell and what it costs, before anything is bought. */
export const ucpLooks = {
  name: 'ucp',
  modes: ['test', 'live'],
  open: (given) => {
    const options = optionsOf(given)
    return options && createUcpLooker(meansOf(options))
  },
} as const satisfies LookerDeclaration<UcpParts>

function optionsOf({ egress, publicUrl, signer, sandboxNames }: UcpParts): Options | null {
  if (publicUrl === undefined) return null
  // Handlers whose credentials a rail of ours issues. No rail of live mode issues any yet.
  const payable = { test: sandboxNames === null ? [] : ['test.pay.processor_token'], live: [] }
  return { egress, publicUrl, signer, payable }
}

type Options = {
  egress: Egress
  publicUrl: string
  signer: () => Promise<MessageSigner>
  /** By mode, the names of the payment handlers that can be paid with. */
  payable: Readonly<Record<'test' | 'live', readonly string[]>>
  newRequestId?: () => string
}

export function createUcpChannel(options: Options): BuyingChannel {
  const means = meansOf(options)
  return {
    offer: (request, call) => makeOffer(means, request, call),
    place: (request, call) => completeCheckout(means, request, call),
    ask: (sent, call) => askAboutCheckout(means, sent, call),
    close: (sent, call) => closeCheckout(means, sent, call),
  }
}

function meansOf(options: Options): Means {
  const { newRequestId = randomUUID } = options
  return {
    ...options,
    newRequestId,
    businesses: createBusinesses(options.egress),
    exchange: createExchange({ ...options, newRequestId }),
  }
}
