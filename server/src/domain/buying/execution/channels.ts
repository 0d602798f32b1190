import type { Mode } from '../../../contract/context.ts'
import { definePort } from '../../../contract/port.ts'
import type { CartRow } from '../intents/public.ts'
import { nativeChannel } from './native/native.ts'
import type { InnerChannel, OuterChannel, PaymentRail } from './port.ts'
import type { RailCircuit } from './rail-circuit.ts'

/** What the composition brings: the rails of both modes, and the ways of buying that are somebody else's servers. */
export type ExecutionDeps = {
  readonly rails: { readonly test: PaymentRail | null; readonly live: PaymentRail | null }
  /** The circuit breakers that stand before these rails. */
  readonly circuits?: { readonly test?: RailCircuit; readonly live?: RailCircuit }
  /** Test mode only. */
  readonly simulated: OuterChannel | null
}

/** Bound by processes that run purchases. */
export const PurchaseMeans = definePort<ExecutionDeps>('purchase means')

type Channel = CartRow['channel']
type FoundChannel = { kind: 'inner'; channel: InnerChannel } | { kind: 'outer'; channel: OuterChannel }

/** What a cart is bought with. */
export type ChannelAndRail = { readonly channel: FoundChannel; readonly rail: PaymentRail }

/** Where a cart is bought, and with what it is paid, by this process. */
export type Channels = {
  of(cart: CartRow): FoundChannel | null
  rail(mode: Mode): PaymentRail | null
  circuit?(mode: Mode): RailCircuit | null
}

export function createChannels({ rails, circuits, simulated }: ExecutionDeps): Channels {
  return {
    of(cart) {
      switch (cart.channel) {
        case 'native':
          return { kind: 'inner', channel: nativeChannel }
        case 'simulated':
          return simulated && { kind: 'outer', channel: simulated }
        case 'ucp':
        case 'mpp':
        case 'browser':
          return null
        default:
          return cart.channel satisfies never
      }
    },
    rail: (mode) => rails[mode],
    circuit: (mode) => circuits?.[mode] ?? null,
  }
}

/** Null: this process lacks something, which says nothing about the cart. Another one may have it. */
export function channelAndRailFor(channels: Channels, mode: Mode, cart: CartRow): ChannelAndRail | null {
  const channel = channels.of(cart)
  const rail = channels.rail(mode)
  return channel && rail && { channel, rail }
}

/**
 * The ways of buying that the product has, whatever a process was given. Where a cart has none of them, nobody will ever buy it, and
 * that is known as soon as it is made.
 */
const ways: Readonly<Record<Mode, readonly Channel[]>> = { test: ['native', 'simulated'], live: ['native'] }

export function canEverBuy(mode: Mode, { channel }: Pick<CartRow, 'channel'>): boolean {
  return ways[mode].includes(channel)
}

/** What this process has the means for. */
export function servedBy({ rails, simulated }: ExecutionDeps): { mode: Mode; channel: Channel }[] {
  const modes: readonly Mode[] = ['test', 'live']
  return modes.flatMap((mode) =>
    ways[mode]
      .filter((channel) => rails[mode] !== null && (channel !== 'simulated' || simulated !== null))
      .map((channel) => ({ mode, channel })),
  )
}
