import type { Mode, Tenant } from '../../../contract/context.ts'
import { definePort } from '../../../contract/port.ts'
import type { lookAtHost, PlaceOfItem } from '../../discovery/registry/public.ts'
import type { BuyingChannel, ChannelTerms, Way } from '../channels/public.ts'
import type { LoadedCart } from '../intents/public.ts'
import { nativeTerms } from '../native/public.ts'
import type { CountMovements } from '../rail-movements/public.ts'
import type { Rails } from '../rails/public.ts'
import type { GrantCard } from './card-grant.ts'
import type { Means } from './cart-state.ts'
import { handedOverBy, isHandedOver, type OrderOfToken } from './place/handed-over.ts'

/**
 * A way of buying that the product has. `channel` null: this process was not given what the channel needs; another process may have it.
 */
type RegisteredChannel = ChannelTerms & { readonly channel: BuyingChannel | null }

/** What the composition provides besides rails: the ways of buying at merchants elsewhere. */
type ProcessMeans = {
  readonly channels: readonly RegisteredChannel[]
  /** Asks the vault for permission to type a card; null: this process has no vault. */
  readonly grantCard?: GrantCard | null
}

/** Bound by processes that run purchases. */
export const PurchaseMeans = definePort<ProcessMeans>('purchase means')

/** Looks through the network at a site that nobody knows. */
export type LookAtHost = (
  place: PlaceOfItem,
  at: { readonly mode: Mode; readonly now: Date },
) => ReturnType<typeof lookAtHost>

/**
 * The same, the payment rails, and what other slices know: without `orderOfToken` no cart is bought by a token, and without `lookAt` live mode buys at sites of
 * its registry alone.
 */
export type ExecutionDeps = ProcessMeans & {
  readonly rails: Rails
  readonly countMovements?: CountMovements
  readonly orderOfToken?: OrderOfToken
  readonly lookAt?: LookAtHost
}

type Routed = Pick<LoadedCart, 'channel' | 'merchant_account_id'>

/** For each cart, the way of buying and the rail that this process has for it. */
export type Channels = {
  /** What this process has for the carts of a tenant. */
  meansFor(tenant: Tenant, leaseMs: number): Means
  /** The channel of this name, in a process that has it. */
  channelOf(mode: Mode, name: LoadedCart['channel']): BuyingChannel
  readonly rails: Rails
  readonly orderOfToken: OrderOfToken | null
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

type Known = { readonly terms: ChannelTerms; readonly way: Way; readonly channel: BuyingChannel | null }

export function createChannels({
  rails,
  channels,
  orderOfToken,
  grantCard,
  lookAt,
  countMovements,
}: ExecutionDeps): Channels {
  const known: readonly Known[] = [
    { terms: nativeTerms, way: wayBy(nativeTerms, 'native'), channel: null },
    ...channels.map((one) => ({ terms: one, way: wayBy(one, 'outbound'), channel: one.channel })),
  ]
  const isOpen = ({ way, channel }: Known) => way.kind === 'native' || channel !== null
  const inMode = (mode: Mode) => known.filter(({ terms }) => terms.modes.includes(mode))
  const means = new Map(
    (['test', 'live'] as const).map((mode) => [
      mode,
      waysIn(inMode(mode), { isOpen, isByToken: orderOfToken !== undefined }),
    ]),
  )
  const none = { ways: {}, handedOver: null, offered: [] }
  return {
    meansFor(tenant, leaseMs) {
      const { offered, ...here } = means.get(tenant.mode) ?? none
      const rail = rails.of(tenant)?.name ?? null
      const how = rail === null ? { ways: {}, handedOver: null } : here
      const asksByCall = rails.namesAskedByCall(tenant)
      const prefunded = rails.namesPrefunded(tenant)
      const [cardless, wallets] = [rails.namesCardless(tenant), rails.wallets(tenant)]
      const named = { rails: rails.names(tenant), asksByCall, prefunded, cardless, wallets }
      return { ...how, offered, rail, ...named, leaseMs }
    },
    channelOf(mode, name) {
      const found = inMode(mode).find(({ terms }) => terms.name === name)?.channel
      if (!found) throw new Error(`this worker has no channel ${name}`)
      return found
    },
    rails,
    orderOfToken: orderOfToken ?? null,
    grantCard: grantCard ?? null,
    lookAt: lookAt ?? null,
    countMovements: countMovements ?? (() => undefined),
    canEverBuy: (mode, cart) =>
      isHandedOver(cart) || inMode(mode).some(({ terms }) => terms.name === cart.channel),
    ofOurs: handedOverBy.filter((name) => !known.some((one) => one.terms.name === name && isOpen(one))),
    served: rails.modes.flatMap((mode) => {
      const byToken = orderOfToken ? handedOverBy : []
      const names = inMode(mode)
        .filter(isOpen)
        .map(({ terms }) => terms.name)
      return [...new Set([...names, ...byToken])].map((channel) => ({ mode, channel }))
    }),
  }
}

function waysIn(
  known: readonly Known[],
  { isOpen, isByToken }: { isOpen: (one: Known) => boolean; isByToken: boolean },
): Pick<Means, 'ways' | 'handedOver' | 'offered'> {
  return {
    ways: Object.fromEntries(known.filter(isOpen).map(({ terms, way }) => [terms.name, way])),
    handedOver: isByToken
      ? { kind: 'handed_over', payment: 'credential', hasStrangers: false, form: null, longestCallMs: 0 }
      : null,
    offered: known.map(({ terms }) => terms.name),
  }
}

function wayBy({ payment, hasStrangers, form, longestCallMs }: ChannelTerms, kind: Way['kind']): Way {
  return { kind, payment, hasStrangers, form: form ?? null, longestCallMs }
}
