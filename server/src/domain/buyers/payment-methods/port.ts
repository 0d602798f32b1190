import { definePort } from '../../../contract/port.ts'
import type { VaultClient } from '../../../platform/vault-client/vault-client.ts'

/** The vault, as far as payment methods need it: what card a token is, and that nobody has it any more. */
export type CardVault = Pick<VaultClient, 'describe' | 'shred'>

export const CardVault = definePort<CardVault>('card vault')

/** For a process without a vault: no token is one of a card. */
export const noVault: CardVault = {
  describe: async () => ({ kind: 'none' }),
  shred: async () => ({ kind: 'gone' }),
}

/** As long as the vault is waited for. */
export const vaultBudgetMs = 4_000
