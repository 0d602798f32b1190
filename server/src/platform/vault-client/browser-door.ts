import { join } from 'node:path'
import { askDoor } from './ask-door.ts'
import {
  type OpenedTicket,
  type OpenTicketRequest,
  type Redeemed,
  type RedeemRequest,
  vaultDoors,
} from './vault-words.ts'

/** As long as the vault may ask a rail for a lost security code, and a little more. */
const redeemMs = 6_000
const openMs = 3_000

/** Fetches the card of a grant, for the process that types it. `folder` is the folder of the vault's doors. */
export function redeemGrant(folder: string, request: RedeemRequest): Promise<Redeemed> {
  return askOnce<Redeemed>(folder, { path: '/redeem_grant', body: request, timeoutMs: redeemMs })
}

/** Opens a ticket, for the process that types it. `folder` is the folder of the vault's doors. */
export function openTicket(folder: string, request: OpenTicketRequest): Promise<OpenedTicket> {
  return askOnce<OpenedTicket>(folder, { path: '/open_ticket', body: request, timeoutMs: openMs })
}

type Unanswered = { readonly kind: 'unavailable' } | { readonly kind: 'lost' }

/** What is given once is asked for once: after a lost answer it may be used up. */
async function askOnce<Answer>(
  folder: string,
  question: Parameters<typeof askDoor>[1],
): Promise<Answer | Unanswered> {
  const said = await askDoor(join(folder, vaultDoors.browser), question)
  switch (said.kind) {
    case 'answer':
      return said.value as Answer // the vault is a part of this program
    case 'not_sent':
      return { kind: 'unavailable' }
    case 'lost':
      return said
    default:
      return said satisfies never
  }
}
