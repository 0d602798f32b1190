import type { ProfileId } from '../../../contract/ids.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { aggregate, type Tenanted } from '../../../platform/aggregate/aggregate.ts'
import { sql } from '../../../platform/database/fragment.ts'
import type { Sweep } from '../../../platform/retention/sweep.ts'
import { sweepByTime } from '../../../platform/retention/sweep-by-time.ts'
import { intentsOfProfile, signInOfIntent } from '../intents/reads.sql.ts'
import type { TicketRow } from './ticket.ts'

const tickets = aggregate<TicketRow>()({
  table: 'credential_tickets',
  columns:
    'account_id, mode, id, intent_id, cart_id, host, kind, status, sealed_hash, created_at, expires_at',
  key: ['id'],
  fixed: ['intent_id', 'cart_id', 'host', 'kind', 'expires_at'],
})

export const insertTicket = tickets.insert('insert_credential_ticket')
export const selectTicket = tickets.select('select_credential_ticket')
export const lockTicket = tickets.lock('lock_credential_ticket', 'for update')
export const updateTicket = tickets.update('update_credential_ticket')

/** For what a purchase waits at a merchant, and how many tickets of it could still be used. */
export const selectSignIn = statement<
  { type: string; host: string; cart_id: Id<'cart'>; live: number },
  Tenanted & { purchase_intent_id: string }
>(
  'select_sign_in_of_intent',
  sql`select s.type, s.host, s.cart_id,
     (select count(*)::int from credential_tickets t
      where t.account_id = $account_id and t.mode = $mode and t.intent_id = $purchase_intent_id
        and t.status in ('unsealed', 'open') and t.expires_at > prokura_now()) as live
   from (${signInOfIntent}) s`,
)

/** Which of the ids are tickets of purchases of the profile. */
export const selectOwnTickets = statement<
  { id: string },
  Tenanted & { profile_id: ProfileId; ids: string[] }
>(
  'select_own_credential_tickets',
  // guard own-tickets: what one person has typed does nothing for the purchase of another
  sql`select id from credential_tickets
   where account_id = $account_id and mode = $mode and id = any($ids::text[]) and intent_id in (${intentsOfProfile})`,
)

export const sweepTickets: Sweep = sweepByTime({
  table: 'credential_tickets',
  since: 'expires_at',
  key: 'id',
  removes: 'tickets of sign-ins at merchants',
})
