import { defineIds } from '../../../contract/ids.ts'
import { bind } from '../../../contract/port.ts'
import { defineProblems, type ProblemFacts } from '../../../contract/problem-codes.ts'
import { part } from '../../../platform/database/combine-reads.ts'
import { defineSlice } from '../../../platform/slices/slice.ts'
import { CredentialTickets } from '../intents/public.ts'
import { beginCredentialTicket } from './begin-ticket.ts'
import { keptTickets } from './kept-tickets.ts'
import { sealCredentialTicket } from './seal-ticket.ts'
import { selectOwnTickets, sweepTickets } from './tickets.sql.ts'

/** What the ids of this slice name. */
const ids = defineIds({
  ticket: { names: 'a ticket of a sign-in at a merchant' },
})

declare module '../../../core/id.ts' {
  interface IdPrefixes extends Record<keyof typeof ids, string> {}
}

/** What is refused here, beyond what every operation may refuse. */
const problems = defineProblems({
  ticket_not_sealed: {
    status: 409,
    retryable: false,
    message:
      'The vault does not take what was sealed: its key is gone, or something else was sealed in this ticket. Begin another ticket.',
  },
})

declare module '../../../contract/problem-codes.ts' {
  interface Problems extends Record<keyof typeof problems, ProblemFacts> {}
}

export const credentialTickets = defineSlice({
  name: 'buying/credential-tickets',
  about:
    'Takes what people type for sign-ins at merchants, sealed, to the vault, and lets a purchase use it once.',
  needs: ['buying/intents'],
  tables: ['credential_tickets'],
  ids,
  problems,
  operations: [beginCredentialTicket, sealCredentialTicket],
  sweeps: [sweepTickets],
  ownIds: part(selectOwnTickets, []),
  binds: [bind(CredentialTickets, keptTickets)],
})
