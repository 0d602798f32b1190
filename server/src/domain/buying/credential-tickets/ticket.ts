import Type, { type Static } from 'typebox'
import type { Mode } from '../../../contract/context.ts'
import { At, Closed, IdOf, Named, OneOf } from '../../../contract/schemas.ts'
import type { Id } from '../../../core/id.ts'
import { ticketInfo } from '../../../platform/vault-client/vault-words.ts'

/** A ticket as it is kept: whose it is and what for, and of what is in it a hash. */
export type TicketRow = {
  account_id: Id<'acct'>
  mode: Mode
  id: Id<'ticket'>
  intent_id: string
  cart_id: Id<'cart'>
  host: string
  kind: 'password' | 'code'
  status: 'unsealed' | 'open' | 'used' | 'destroyed'
  sealed_hash: Buffer | null
  created_at: Date
  expires_at: Date
}

export const ticketFields = {
  id: IdOf('ticket', 'The id of this object.'),
  object: Type.Literal('credential_ticket', { description: 'The type of this object.' }),
  host: Type.String({ description: 'The exact host that it is typed at.' }),
  cart_id: IdOf('cart', 'The cart that waits for it.'),
  kind: OneOf(['password', 'code'], { description: 'What the person types.' }),
  status: OneOf(['unsealed', 'open', 'used', 'destroyed'], {
    description: '`open`: it is sealed, and can be used once.',
  }),
  expires_at: At('Until when it can be used.'),
}

export const CredentialTicket = Named(
  'CredentialTicket',
  Closed(ticketFields, { description: 'What a person has typed for one sign-in, sealed.' }),
)

export function renderTicket(row: TicketRow): Static<typeof CredentialTicket> {
  const { id, host, cart_id, kind, status } = row
  return {
    id,
    object: 'credential_ticket',
    host,
    cart_id,
    kind,
    status,
    expires_at: row.expires_at.toISOString(),
  }
}

/** What a ticket is for, as the vault is told it. */
export function factsOf({ account_id, mode, id, intent_id, host, expires_at }: TicketRow) {
  return {
    tenant: { accountId: account_id, mode },
    ticket: id,
    intent: intent_id,
    host,
    expiresAt: expires_at,
  }
}

/** What it is sealed for. */
export function infoOf(row: TicketRow): string {
  return Buffer.from(ticketInfo(factsOf(row)), 'utf8').toString('base64url')
}
