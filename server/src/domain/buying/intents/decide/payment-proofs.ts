import type { CallContext } from '../../../../contract/context.ts'
import { definePort } from '../../../../contract/port.ts'
import type { VaultClient } from '../../../../platform/vault-client/vault-client.ts'

/** Which proof of which purchase a component has passed on. */
type ShownProof = { readonly token: string; readonly intentId: string }

/** What a person has proven to a component, for one card and one purchase at the cap that they were shown. */
export type UsedProof =
  | {
      readonly kind: 'proven'
      readonly method: 'otp' | 'passkey' | 'popup'
      readonly paymentMethodId: string
      readonly amount: bigint
    }
  /** No proof of this account was ever made under it, or it is too old. */
  | { readonly kind: 'none' }
  | { readonly kind: 'used' }
  | { readonly kind: 'wrong_intent' }

type ProofContext = Pick<CallContext, 'tenant' | 'tx' | 'now' | 'sealer'>

/** Whoever has people prove that a card is theirs keeps the proofs; a purchase only uses them up, in the transaction that approves it. */
export interface PaymentProofs {
  use(ctx: ProofContext, shown: ShownProof): Promise<UsedProof>
  /** Whether the token of a security code approves something for the first time. */
  useCode(ctx: ProofContext, shown: ShownProof): Promise<boolean>
}

export const PaymentProofs = definePort<PaymentProofs>('payment proofs')

/** The vault, as far as an approval needs it: what it tells of a code that a person has typed. */
export type TypedCodes = Pick<VaultClient, 'takeCode'>

export const TypedCodes = definePort<TypedCodes>('typed security codes')

/** For a process without a vault: nobody can have typed a code. */
export const noTypedCodes: TypedCodes = { takeCode: async () => ({ kind: 'none' }) }

/** As long as the vault is waited for. */
export const typedCodesBudgetMs = 4_000
