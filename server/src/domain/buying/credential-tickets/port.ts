import { definePort } from '../../../contract/port.ts'
import type { VaultClient } from '../../../platform/vault-client/vault-client.ts'

/** The vault, as far as tickets need it: what is sealed to, and where it is left. Nothing comes back here. */
export type TicketVault = Pick<VaultClient, 'sealingKey' | 'sealTicket'>

export const TicketVault = definePort<TicketVault>('ticket vault')

/** For a process without a vault: nobody can seal anything. */
export const noTicketVault: TicketVault = {
  sealingKey: async () => null,
  sealTicket: async () => ({ kind: 'away' }),
}

/** As long as the vault is waited for. */
export const ticketBudgetMs = 4_000
