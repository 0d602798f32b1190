import type { Mode, Tenant } from '../../../contract/context.ts'
import { definePort } from '../../../contract/port.ts'
import type { PaymentRail } from './port.ts'
import type { RailCircuit } from './rail-circuit.ts'

/** A payment rail, and the circuit breaker before it. */
export type RailAndCircuit = { readonly rail: PaymentRail; readonly circuit: RailCircuit | null }

/** Which payment rail moves the money of an account in a mode. */
export type Rails = {
  /** The modes in which this process can reach a rail. In other modes it claims nothing that needs a rail. */
  readonly modes: readonly Mode[]
  /** Null: this process has none for the account and mode. */
  of(tenant: Tenant): RailAndCircuit | null
  /** The rails of shared tokens: they charge what other payment networks have issued to merchants here, and nothing else. */
  readonly shared: Pick<Rails, 'modes' | 'of'>
}

/** Bound by processes that move money. */
export const PaymentRails = definePort<Rails>('payment rails')

/** Begins the name of a capture that a rail of shared tokens has made: it is refunded there. */
const ofShared = 'shared:'

/** How an order names the capture of a shared token. */
export function nameSharedCapture(reference: string): string {
  return ofShared + reference
}

/** The rail that has made a capture, and how it calls it; null: this process has no such rail. */
export function railOfCapture(
  rails: Rails,
  tenant: Tenant,
  name: string,
): (RailAndCircuit & { readonly reference: string }) | null {
  const isShared = name.startsWith(ofShared)
  const paid = isShared ? rails.shared.of(tenant) : rails.of(tenant)
  return paid && { ...paid, reference: isShared ? name.slice(ofShared.length) : name }
}

type OfModes = Readonly<Partial<Record<Mode, RailAndCircuit>>>

/** One rail for all accounts of a mode, and one for shared tokens. */
export function railsByMode(rails: OfModes, shared: OfModes = {}): Rails {
  return { ...byMode(rails), shared: byMode(shared) }
}

function byMode(rails: OfModes): Rails['shared'] {
  const modes: readonly Mode[] = ['test', 'live']
  return {
    modes: modes.filter((mode) => rails[mode] !== undefined),
    of: ({ mode }) => rails[mode] ?? null,
  }
}
