import type { Mode, Tenant } from '../../../contract/context.ts'
import { definePort } from '../../../contract/port.ts'
import type { PaymentRail, WalletTerms } from './port.ts'
import type { RailCircuit } from './rail-circuit.ts'

/** A payment rail under the name of its declaration, and the circuit breaker before it. */
export type NamedRail = {
  readonly name: string
  readonly rail: PaymentRail
  readonly circuit: RailCircuit | null
  /** It remembers no keys: it is asked by the call as it was sent. */
  readonly isAskedByCall?: boolean
  /** Its cards spend a balance of the operator's. */
  readonly isPrefunded?: boolean
  /** It issues no cards here, as this installation is set. */
  readonly isCardless?: boolean
  /** It pays for buyers who have a wallet at it, and for nobody else. */
  readonly wallet?: WalletTerms | undefined
}

/** Which payment rail moves the money of an account in a mode. */
export type Rails = {
  /** The modes in which this process can reach a rail. In other modes it claims nothing that needs a rail. */
  readonly modes: readonly Mode[]
  /** The rail at which money is held for the first time; null: this process has none for the account and mode. */
  of(tenant: Tenant): NamedRail | null
  /**
   * The rail that a row names, of whichever kind; every call on what it holds goes there. Null: this process has not got it, and another
   * one may have. Rows from before rails had names have none: theirs is the rail of the mode.
   */
  named(tenant: Tenant, name: string | null): NamedRail | null
  /** The names of all rails, but for those of shared tokens, that this process can call. */
  names(tenant: Tenant): readonly string[]
  /** Those of them that remember no keys. */
  namesAskedByCall(tenant: Tenant): readonly string[]
  /** Those of them whose cards spend a balance of the operator's. */
  namesPrefunded(tenant: Tenant): readonly string[]
  /** Those of them that issue no cards. */
  namesCardless(tenant: Tenant): readonly string[]
  /** Those of them that pay for buyers with a wallet there, by their names. */
  wallets(tenant: Tenant): Readonly<Record<string, WalletTerms>>
  /** The rails of shared tokens: they charge what other payment networks have issued to merchants here, and nothing else. */
  readonly shared: Pick<Rails, 'modes' | 'of'>
}

/** Bound by processes that move money. */
export const PaymentRails = definePort<Rails>('payment rails')

/** The rails of a mode: the first one is where money is held from now on, the others still hold some, or are of wallets. */
type OfModes = Readonly<Partial<Record<Mode, readonly NamedRail[]>>>

/** The same rails for all accounts of a mode, and those for shared tokens. One that stands in both lists does both. */
export function railsByMode(rails: OfModes, shared: OfModes = {}): Rails {
  for (const mode of ['test', 'live'] as const)
    for (const listed of [rails[mode] ?? [], shared[mode] ?? []])
      if (new Set(listed.map(({ name }) => name)).size < listed.length)
        throw new Error(`two rails of ${mode} mode have one name`)
  return {
    ...byMode(rails),
    named(tenant, name) {
      if (name === null) return rails[tenant.mode]?.[0] ?? null
      const all = [...(rails[tenant.mode] ?? []), ...(shared[tenant.mode] ?? [])]
      return all.find((one) => one.name === name) ?? null
    },
    names: ({ mode }) => (rails[mode] ?? []).map(({ name }) => name),
    namesAskedByCall: ({ mode }) => namesOf(rails[mode], ({ isAskedByCall }) => isAskedByCall),
    namesPrefunded: ({ mode }) => namesOf(rails[mode], ({ isPrefunded }) => isPrefunded),
    namesCardless: ({ mode }) => namesOf(rails[mode], ({ isCardless }) => isCardless),
    wallets: ({ mode }) =>
      Object.fromEntries((rails[mode] ?? []).flatMap(({ name, wallet }) => (wallet ? [[name, wallet]] : []))),
    shared: byMode(shared),
  }
}

function namesOf(
  rails: readonly NamedRail[] = [],
  are: (rail: NamedRail) => boolean | undefined,
): readonly string[] {
  return rails.filter(are).map(({ name }) => name)
}

function byMode(rails: OfModes): Rails['shared'] {
  const modes: readonly Mode[] = ['test', 'live']
  return {
    modes: modes.filter((mode) => (rails[mode] ?? []).length > 0),
    of: ({ mode }) => rails[mode]?.[0] ?? null,
  }
}
