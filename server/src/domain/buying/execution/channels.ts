import type { Mode, Tenant } from '../../../contract/context.ts'
import { definePort } from '../../../contract/port.ts'
import type { lookAtHost, PlaceOfItem } from '../../discovery/registry/public.ts'
import type { LoadedCart } from '../intents/public.ts'
import type { CountMovements } from './movements/read-feed.ts'
import { nativeTerms } from './native/native.ts'
import { handedOverBy, isHandedOver, type OrderOfToken } from './place/handed-over.ts'
import type { BuyingChannel, ChannelTerms, CredentialForm } from './port.ts'
import type { GrantCard } from './rail/card-grant.ts'
import type { RailAndCircuit, Rails } from './rail/rails.ts'

/**
 * A way of buying that the product has. `channel` null: this process was not given what the channel needs; another process may have it.
 */
type RegisteredChannel = ChannelTerms & { readonly channel: BuyingChannel | null }

/** What the composition provides: the payment rails, and the ways of buying at merchants elsewhere. */
type ProcessMeans = {
  readonly rails: Rails
  readonly channels: readonly RegisteredChannel[]
  /** Asks the vault for permission to type a card; null: this process has no vault. */
  readonly grantCard?: GrantCard | null
  readonly countMovements?: CountMovements
}

/** Bound by processes that run purchases. */
export const PurchaseMeans = definePort<ProcessMeans>('purchase means')

/** Looks through the network at a site that nobody knows. */
export type LookAtHost = (
  place: PlaceOfItem,
  at: { readonly mode: Mode; readonly now: Date },
) => ReturnType<typeof lookAtHost>

/**
 * The same, and what other slices know: without `orderOfToken` no cart is bought by a token, and without `lookAt` live mode buys at sites of
 * its registry alone.
 */
export type ExecutionDeps = ProcessMeans & {
  readonly orderOfToken?: OrderOfToken
  readonly lookAt?: LookAtHost
}

/** How a cart is bought: by rows of our own inside a transaction, by a credential that its merchant charges, or by calls of a channel. */
type Way = Pick<ChannelTerms, 'payment' | 'hasStrangers'> &
  (
    | { readonly kind: 'native'; readonly form?: null }
    /** A merchant of ours charges the credential: no call is made, and the rail says what became of it. */
    | { readonly kind: 'handed_over'; readonly orderOf: OrderOfToken; readonly form?: null }
    | {
        readonly kind: 'outbound'
        readonly channel: BuyingChannel
        readonly form: CredentialForm | null
        readonly longestCallMs: number
      }
  )

/** What a cart is bought with: the rail, its circuit, and the way of buying. */
export type Means = RailAndCircuit & { readonly way: Way }

type Routed = Pick<LoadedCart, 'channel' | 'merchant_account_id'>

/** For each cart, the way of buying and the rail that this process has for it. */
export type Channels = {
  /** Null: this process lacks the means, which says nothing about the cart. Another process may have them. */
  meansFor(tenant: Tenant, cart: Routed): Means | null
  readonly rails: Rails
  readonly grantCard: GrantCard | null
  readonly lookAt: LookAtHost | null
  readonly countMovements: CountMovements
  /**
   * Whether the product has this way of buying, whichever means a process has. A cart without one can never be bought, which is known as
   * soon as it is made.
   */
  canEverBuy(mode: Mode, cart: Routed): boolean
  /** Of these ways, the carts of merchants of ours alone: at other merchants this process cannot buy by them. */
  readonly ofOurs: readonly LoadedCart['channel'][]
  /** The carts that this process has the means for. */
  readonly served: readonly { readonly mode: Mode; readonly channel: LoadedCart['channel'] }[]
}

type KnownWay = { readonly terms: ChannelTerms; readonly way: Way | null }

export function createChannels({
  rails,
  channels,
  orderOfToken,
  grantCard,
  lookAt,
  countMovements,
}: ExecutionDeps): Channels {
  const { payment, hasStrangers } = nativeTerms
  const known: readonly KnownWay[] = [
    { terms: nativeTerms, way: { kind: 'native', payment, hasStrangers } },
    ...channels.map((one) => ({ terms: one, way: wayOf(one) })),
  ]
  const handedOver: Way | null = orderOfToken
    ? { kind: 'handed_over', payment: 'credential', hasStrangers: false, orderOf: orderOfToken }
    : null
  const find = (mode: Mode, { channel }: Routed) =>
    known.find(({ terms }) => terms.name === channel && terms.modes.includes(mode)) ?? null
  return {
    meansFor(tenant, cart) {
      const way = isHandedOver(cart) ? handedOver : find(tenant.mode, cart)?.way
      const paid = rails.of(tenant)
      return way && paid ? { way, ...paid } : null
    },
    rails,
    grantCard: grantCard ?? null,
    lookAt: lookAt ?? null,
    countMovements: countMovements ?? (() => undefined),
    canEverBuy: (mode, cart) => isHandedOver(cart) || find(mode, cart) !== null,
    ofOurs: handedOverBy.filter(
      (name) => !known.some(({ terms, way }) => terms.name === name && way !== null),
    ),
    served: rails.modes.flatMap((mode) => {
      const open = known.filter(({ terms, way }) => way !== null && terms.modes.includes(mode))
      const byToken = handedOver === null ? [] : handedOverBy
      const names = new Set([...open.map(({ terms }) => terms.name), ...byToken])
      return [...names].map((channel) => ({ mode, channel }))
    }),
  }
}

function wayOf({ channel, form, payment, hasStrangers, longestCallMs }: RegisteredChannel): Way | null {
  return channel && { kind: 'outbound', channel, form: form ?? null, payment, hasStrangers, longestCallMs }
}
