import Type from 'typebox'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, IdParam } from '../../../contract/schemas.ts'
import { TicketVault, ticketBudgetMs } from './port.ts'
import { infoOf, renderTicket, type TicketRow, ticketFields } from './ticket.ts'
import { insertTicket, selectSignIn } from './tickets.sql.ts'

/** How long a person's sign-in can wait to be used. */
const ticketMinutes = 10
/** Tickets of one purchase that could be used: enough for somebody who begins again and again, and no way to fill the vault. */
const liveMax = 20

export const beginCredentialTicket = defineOperation({
  id: 'elements_begin_credential_ticket',
  method: 'POST',
  path: '/v1/purchase_intents/{purchase_intent_id}/credential_tickets',
  auth: 'secret',
  scope: 'purchase_intents:write',
  // What a person types at a merchant is sealed in the component, and nowhere else.
  surfaces: ['elements'],
  forBound: 'served',
  tag: 'Elements',
  summary: 'Begin a ticket for the sign-in that a purchase waits for',
  description: 'Says what the component seals what the person types to.',
  params: Closed({ purchase_intent_id: IdParam('The purchase intent.', 'pi') }),
  body: Closed({}),
  bodyOptional: true,
  responses: {
    201: Closed({
      ...ticketFields,
      sealing_key: Closed({
        key: Type.String({ description: 'Which key it is.' }),
        public_key: Type.String({ description: 'The X25519 key, as base64url.' }),
      }),
      info: Type.String({ description: 'The `info` of the HPKE context, as base64url.' }),
    }),
  },
  problems: ['not_found', 'component_not_applicable', 'object_limit_reached'],
  outside: { ports: [TicketVault], budgetMs: ticketBudgetMs },
  async handle(ctx, { path: { purchase_intent_id } }) {
    const { accountId: account_id, mode } = ctx.tenant
    const found = await ctx.reads.maybe(selectSignIn({ account_id, mode, purchase_intent_id }))
    // guard ticket-at-a-wall: nobody is asked for a password that no merchant asks for
    if (found === null) throw new Problem('component_not_applicable', { extra: { component: null } })
    if (found.live >= liveMax) throw new Problem('object_limit_reached', { message: tooMany })
    const key = await ctx.port(TicketVault).sealingKey()
    if (key === null) throw new Problem('unavailable', { headers: { 'retry-after': '1' } })
    const row: TicketRow = {
      account_id,
      mode,
      id: ctx.newId('ticket'),
      intent_id: purchase_intent_id,
      cart_id: found.cart_id,
      host: found.host,
      kind: found.type === 'provide_input' ? 'code' : 'password',
      status: 'unsealed',
      sealed_hash: null,
      created_at: ctx.now,
      expires_at: new Date(ctx.now.getTime() + ticketMinutes * 60_000),
    }
    ctx.tx.write(insertTicket(row))
    return reply(201, {
      ...renderTicket(row),
      sealing_key: { key: key.key, public_key: key.publicKey },
      info: infoOf(row),
    })
  },
})

const tooMany =
  'The purchase has as many tickets as it may that nobody has used. The first of them end in some minutes.'
