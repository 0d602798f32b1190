import { join } from 'node:path'
import { askDoor } from './ask-door.ts'
import { type Redeemed, type RedeemRequest, vaultDoors } from './vault-words.ts'

/** As long as the vault may ask a rail for a lost security code, and a little more. */
const answerMs = 6_000

/**
 * Fetches the card of a grant, for the process that types it. It is asked once and never again by itself: after a lost answer the grant
 * may be used up. `folder` is the folder of the vault's doors.
 */
export async function redeemGrant(folder: string, request: RedeemRequest): Promise<Redeemed> {
  const socket = join(folder, vaultDoors.browser)
  const said = await askDoor(socket, { path: '/redeem_grant', body: request, timeoutMs: answerMs })
  switch (said.kind) {
    case 'answer':
      return said.value as Redeemed // the vault is a part of this program
    case 'not_sent':
      return { kind: 'unavailable' }
    case 'lost':
      return { kind: 'lost' }
    default:
      return said satisfies never
  }
}
