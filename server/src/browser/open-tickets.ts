import type { Log } from '../platform/logs/logs.ts'
import { openTicket } from '../platform/vault-client/browser-door.ts'
import type { TicketSecret } from '../platform/vault-client/vault-words.ts'
import type { Visit } from './shopper/visit.ts'

type TicketOptions = {
  readonly visit: Visit
  readonly cart: string
  readonly vaultDoors: string | null
  readonly log: Log
}

/** Opens tickets of one cart at the vault, each once. Nothing is repeated. */
export function ticketOpener({
  visit,
  cart,
  vaultDoors,
  log,
}: TicketOptions): (ticket: string, origin: string) => Promise<TicketSecret | null> {
  return async (ticket, origin) => {
    if (vaultDoors === null || visit.signal.aborted || !visit.mayTakePassword(origin)) return null
    const opened = await openTicket(vaultDoors, { ticket, cart, origin })
    if (opened.kind === 'secret') return visit.signal.aborted ? null : opened.secret
    log.warn({ cart, origin, vault: opened.kind }, 'browser: the vault opened no ticket')
    return null
  }
}
