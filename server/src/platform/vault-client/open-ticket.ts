import { join } from 'node:path'
import { askDoor } from './ask-door.ts'
import { type OpenedTicket, type OpenTicketRequest, vaultDoors } from './vault-words.ts'

const answerMs = 3_000

/**
 * Opens a ticket, for the process that types it. It is asked once and never again by itself: after a lost answer the ticket is used up.
 * `folder` is the folder of the vault's doors.
 */
export async function openTicket(folder: string, request: OpenTicketRequest): Promise<OpenedTicket> {
  const socket = join(folder, vaultDoors.browser)
  const said = await askDoor(socket, { path: '/open_ticket', body: request, timeoutMs: answerMs })
  switch (said.kind) {
    case 'answer':
      return said.value as OpenedTicket // the vault is a part of this program
    case 'not_sent':
      return { kind: 'unavailable' }
    case 'lost':
      return { kind: 'lost' }
    default:
      return said satisfies never
  }
}
