import type { Mode, Tenant } from '../../../contract/context.ts'
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
}

/** One rail for all accounts of a mode. */
export function railsByMode(rails: Readonly<Partial<Record<Mode, RailAndCircuit>>>): Rails {
  const modes: readonly Mode[] = ['test', 'live']
  return {
    modes: modes.filter((mode) => rails[mode] !== undefined),
    of: ({ mode }) => rails[mode] ?? null,
  }
}
