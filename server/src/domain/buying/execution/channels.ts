import type { Mode, Tenant } from '../../../contract/context.ts'
import { definePort } from '../../../contract/port.ts'
import type { CartRow } from '../intents/public.ts'
import { nativeTerms } from './native/native.ts'
import type { BuyingChannel, ChannelTerms } from './port.ts'
import type { RailAndCircuit, Rails } from './rails.ts'

/** A way of buying that the product has. `channel` null: this process was not given what it needs; another one may have been. */
export type RegisteredChannel = ChannelTerms & { readonly channel: BuyingChannel | null }

/** What the composition brings: the payment rails, and the ways of buying at merchants elsewhere. */
export type ExecutionDeps = {
  readonly rails: Rails
  readonly channels: readonly RegisteredChannel[]
}

/** Bound by processes that run purchases. */
export const PurchaseMeans = definePort<ExecutionDeps>('purchase means')

/** How a cart is bought: by rows of our own inside a transaction, or by calls of a channel. */
export type Way = Pick<ChannelTerms, 'payment'> &
  ({ readonly kind: 'native' } | { readonly kind: 'outbound'; readonly channel: BuyingChannel })

/** What a cart is bought with. */
export type Means = RailAndCircuit & { readonly way: Way }

/** Where a cart is bought, and with what it is paid, by this process. */
export type Channels = {
  /** Null: this process lacks something, which says nothing about the cart. Another one may have it. */
  meansFor(tenant: Tenant, cart: Pick<CartRow, 'channel'>): Means | null
  rail(tenant: Tenant): RailAndCircuit | null
  /**
   * Whether the product has this way of buying, whatever a process was given. A cart without one will never be bought by anybody, which is
   * known as soon as it is made.
   */
  canEverBuy(mode: Mode, cart: Pick<CartRow, 'channel'>): boolean
  /** What this process has the means for. */
  readonly served: readonly { readonly mode: Mode; readonly channel: CartRow['channel'] }[]
}

type KnownWay = { readonly terms: ChannelTerms; readonly way: Way | null }

export function createChannels({ rails, channels }: ExecutionDeps): Channels {
  const { payment } = nativeTerms
  const known: readonly KnownWay[] = [
    { terms: nativeTerms, way: { kind: 'native', payment } },
    ...channels.map((one) => ({ terms: one, way: wayOf(one) })),
  ]
  const find = (mode: Mode, name: CartRow['channel']) =>
    known.find(({ terms }) => terms.name === name && terms.modes.includes(mode)) ?? null
  return {
    meansFor(tenant, cart) {
      const way = find(tenant.mode, cart.channel)?.way
      const paid = rails.of(tenant)
      return way && paid ? { way, ...paid } : null
    },
    rail: (tenant) => rails.of(tenant),
    canEverBuy: (mode, cart) => find(mode, cart.channel) !== null,
    served: rails.modes.flatMap((mode) =>
      known
        .filter(({ terms, way }) => way !== null && terms.modes.includes(mode))
        .map(({ terms }) => ({ mode, channel: terms.name })),
    ),
  }
}

function wayOf({ payment, channel }: RegisteredChannel): Way | null {
  return channel && { kind: 'outbound', payment, channel }
}
