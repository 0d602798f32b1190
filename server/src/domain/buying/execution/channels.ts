import type { Mode, Tenant } from '../../../contract/context.ts'
import { definePort } from '../../../contract/port.ts'
import type { LoadedCart } from '../intents/public.ts'
import { nativeTerms } from './native/native.ts'
import type { BuyingChannel, ChannelTerms } from './port.ts'
import type { RailAndCircuit, Rails } from './rails.ts'

/**
 * A way of buying that the product has. `channel` null: this process was not given what the channel needs; another process may have it.
 */
type RegisteredChannel = ChannelTerms & { readonly channel: BuyingChannel | null }

/** What the composition provides: the payment rails, and the ways of buying at merchants elsewhere. */
export type ExecutionDeps = {
  readonly rails: Rails
  readonly channels: readonly RegisteredChannel[]
}

/** Bound by processes that run purchases. */
export const PurchaseMeans = definePort<ExecutionDeps>('purchase means')

/** How a cart is bought: by rows of our own inside a transaction, or by calls of a channel. */
type Way = Pick<ChannelTerms, 'payment'> &
  ({ readonly kind: 'native' } | { readonly kind: 'outbound'; readonly channel: BuyingChannel })

/** What a cart is bought with: the rail, its circuit, and the way of buying. */
export type Means = RailAndCircuit & { readonly way: Way }

/** For each cart, the way of buying and the rail that this process has for it. */
export type Channels = {
  /** Null: this process lacks the means, which says nothing about the cart. Another process may have them. */
  meansFor(tenant: Tenant, cart: Pick<LoadedCart, 'channel'>): Means | null
  rail(tenant: Tenant): RailAndCircuit | null
  /**
   * Whether the product has this way of buying, whichever means a process has. A cart without one can never be bought, which is known as
   * soon as it is made.
   */
  canEverBuy(mode: Mode, cart: Pick<LoadedCart, 'channel'>): boolean
  /** The carts that this process has the means for. */
  readonly served: readonly { readonly mode: Mode; readonly channel: LoadedCart['channel'] }[]
}

type KnownWay = { readonly terms: ChannelTerms; readonly way: Way | null }

export function createChannels({ rails, channels }: ExecutionDeps): Channels {
  const { payment } = nativeTerms
  const known: readonly KnownWay[] = [
    { terms: nativeTerms, way: { kind: 'native', payment } },
    ...channels.map((one) => ({ terms: one, way: wayOf(one) })),
  ]
  const find = (mode: Mode, name: LoadedCart['channel']) =>
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
