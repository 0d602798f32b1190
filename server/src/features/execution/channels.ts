import type { Mode } from '../../contract/context.ts'
import type { CartRow } from '../purchase-intents/public.ts'
import { nativeChannel } from './native.ts'
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

/** Where a cart is bought, and with what it is paid. */
export type Channels = {
  of(
    cart: CartRow,
  ): { kind: 'inner'; channel: InnerChannel } | { kind: 'outer'; channel: OuterChannel } | null
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
