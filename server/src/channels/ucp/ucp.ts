import { randomUUID } from 'node:crypto'
import type { Mode } from '../../contract/context.ts'
import type { BuyingChannel, ChannelDeclaration } from '../../domain/buying/channels/port.ts'
import type { LookerDeclaration } from '../../domain/buying/looks/port.ts'
import type { Egress, SandboxNames } from '../../platform/egress/egress.ts'
import type { MessageSigner } from '../../protocols/ucp/sign-message.ts'
import { createBusinesses } from './businesses.ts'
import { createExchange } from './exchange.ts'
import { createUcpLooker } from './look.ts'
import { type Means, makeOffer } from './make-offer.ts'
import { type PayingHandler, processorHandler, stripeHandler } from './paying-handler.ts'
import { askAboutCheckout, closeCheckout, completeCheckout } from './settle-checkout.ts'

type UcpParts = {
  readonly egress: Egress
  /** Where our own profile is; without it, nobody can be called. */
  readonly publicUrl?: string
  readonly signer: () => Promise<MessageSigner>
  readonly sandboxNames: SandboxNames | null
  /** By mode, who issues shared payment tokens. */
  readonly tokenIssuers: Readonly<Partial<Record<Mode, object>>>
}

/** Businesses elsewhere that speak UCP. They charge a token that was issued for them. */
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

function optionsOf({ egress, publicUrl, signer, sandboxNames, tokenIssuers }: UcpParts): Options | null {
  if (publicUrl === undefined) return null
  const byToken = (mode: Mode) => (tokenIssuers[mode] === undefined ? [] : [stripeHandler])
  const payable = {
    test: [...(sandboxNames === null ? [] : [processorHandler]), ...byToken('test')],
    live: byToken('live'),
  }
  return { egress, publicUrl, signer, payable }
}

type Options = {
  egress: Egress
  publicUrl: string
  signer: () => Promise<MessageSigner>
  /** By mode, the payment handlers that can be paid with, the first one first. */
  payable: Readonly<Record<Mode, readonly PayingHandler[]>>
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
