import type { TicketVault } from '../../src/domain/buying/credential-tickets/port.ts'
import { SealedTickets } from '../../src/vault/sealed-tickets.ts'

/** The part of the vault that takes tickets, in this process. */
export type MemoryTickets = TicketVault & {
  /** From here on it answers nothing, or everything again. */
  away: boolean
  /** As after its end and a new start: keys and tickets are gone. */
  restart(): void
  /** Another one is asked from here on. */
  use(other: TicketVault): void
}

export function createMemoryTickets(): MemoryTickets {
  let kept = new SealedTickets()
  let other: TicketVault | null = null
  return {
    away: false,
    restart() {
      kept.close()
      kept = new SealedTickets()
    },
    use(vault) {
      other = vault
    },
    async sealingKey() {
      if (this.away) return null
      return other === null ? kept.sealingKey() : other.sealingKey()
    },
    async sealTicket(ticket) {
      if (this.away) return { kind: 'away' }
      return other === null ? { kind: kept.keep(ticket) ? 'sealed' : 'refused' } : other.sealTicket(ticket)
    },
  }
}
