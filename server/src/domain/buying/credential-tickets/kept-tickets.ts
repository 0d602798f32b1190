import type { CredentialTicket, CredentialTickets } from '../intents/public.ts'
import type { TicketRow } from './ticket.ts'
import { lockTicket, updateTicket } from './tickets.sql.ts'

type Context = Parameters<CredentialTickets['lock']>[0]

/** The tickets that components have sealed, as purchases use them up. */
export const keptTickets: CredentialTickets = {
  async lock(ctx, id) {
    const row = await lock(ctx, id)
    // What nobody has sealed yet is no ticket.
    return row === null || row.status === 'unsealed' ? null : ticketOf(row, row.status, ctx.now)
  },
  async end(ctx, id, how) {
    const row = await lock(ctx, id)
    if (row?.status !== 'open') throw new Error('a ticket has come to its end twice')
    ctx.tx.write(updateTicket({ ...row, status: how }))
  },
}

function lock({ tenant, tx }: Context, id: string): Promise<TicketRow | null> {
  return tx.maybe(lockTicket({ account_id: tenant.accountId, mode: tenant.mode, id }))
}

function ticketOf(row: TicketRow, status: CredentialTicket['state'], now: Date): CredentialTicket {
  const { intent_id: intentId, cart_id: cartId, host, kind, expires_at } = row
  // guard tickets-end-with-their-time: what was typed minutes ago signs nobody in
  const state = status === 'open' && expires_at <= now ? 'expired' : status
  return { intentId, cartId, host, kind, state }
}
