import { createHash } from 'node:crypto'
import Type, { type Static } from 'typebox'
import type { CallContext } from '../../../contract/context.ts'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, IdParam } from '../../../contract/schemas.ts'
import { TicketVault, ticketBudgetMs } from './port.ts'
import { CredentialTicket, factsOf, renderTicket, type TicketRow } from './ticket.ts'
import { lockTicket, selectTicket, updateTicket } from './tickets.sql.ts'

function Bytes(lengthMax: number, description: string) {
  return Type.String({ minLength: 1, maxLength: lengthMax, pattern: '^[A-Za-z0-9_-]+$', description })
}

const Sealed = Closed({
  key: Type.String({ minLength: 1, maxLength: 64, description: 'The key that it was sealed to.' }),
  enc: Bytes(64, 'The encapsulated key of HPKE, as base64url.'),
  ciphertext: Bytes(8_192, 'What was sealed, as base64url.'),
})
type Sealed = Static<typeof Sealed>

export const sealCredentialTicket = defineOperation({
  id: 'elements_seal_credential_ticket',
  method: 'POST',
  path: '/v1/purchase_intents/{purchase_intent_id}/credential_tickets/{credential_ticket_id}/seal',
  auth: 'secret',
  scope: 'purchase_intents:write',
  surfaces: ['elements'],
  forBound: 'served',
  tag: 'Elements',
  summary: 'Leave what the person has typed, sealed',
  description:
    'It goes to the memory of the vault, and is kept nowhere else. The same bytes can be sent again.',
  params: Closed({
    purchase_intent_id: IdParam('The purchase intent.', 'pi'),
    credential_ticket_id: IdParam('The ticket.', 'ticket'),
  }),
  body: Sealed,
  responses: { 200: CredentialTicket },
  problems: ['not_found', 'ticket_used', 'ticket_not_sealed'],
  outside: { ports: [TicketVault], budgetMs: ticketBudgetMs },
  async handle(ctx, { path, body }) {
    const { accountId: account_id, mode } = ctx.tenant
    const key = { account_id, mode, id: path.credential_ticket_id }
    const hash = hashOf(body)
    const found = assertSealable(ctx, await ctx.reads.maybe(selectTicket(key)), { path, hash })
    if (found.status === 'unsealed') await leaveWithVault(ctx, found, body)
    const row = assertSealable(ctx, await ctx.tx.maybe(lockTicket(key)), { path, hash })
    const sealed: TicketRow = { ...row, status: 'open', sealed_hash: hash }
    if (row.status === 'unsealed') ctx.tx.write(updateTicket(sealed))
    return reply(200, renderTicket(sealed))
  },
})

/** The ticket, which is of this purchase and has nothing else in it; of what was used or is too old, the bytes are not looked at. */
function assertSealable(
  ctx: CallContext,
  row: TicketRow | null,
  { path, hash }: { path: { purchase_intent_id: string }; hash: Buffer },
): TicketRow {
  // guard sealed-for-its-purchase: a component fills in no ticket of another purchase
  if (row?.intent_id !== path.purchase_intent_id)
    throw new Problem('not_found', { param: 'credential_ticket_id' })
  if (row.status === 'used' || row.status === 'destroyed' || row.expires_at <= ctx.now)
    throw new Problem('ticket_used')
  // guard sealed-once: what somebody has sealed is not replaced
  if (row.sealed_hash !== null && !row.sealed_hash.equals(hash)) throw new Problem('ticket_not_sealed')
  return row
}

async function leaveWithVault(ctx: CallContext, row: TicketRow, { key, enc, ciphertext }: Sealed) {
  const said = await ctx.port(TicketVault).sealTicket({
    ...factsOf(row),
    cart: row.cart_id,
    key,
    enc: Buffer.from(enc, 'base64url'),
    ciphertext: Buffer.from(ciphertext, 'base64url'),
  })
  switch (said.kind) {
    case 'sealed':
      return
    case 'refused':
      throw new Problem('ticket_not_sealed')
    case 'away':
      throw new Problem('unavailable', { headers: { 'retry-after': '1' } })
    default:
      said satisfies never
  }
}

function hashOf({ key, enc, ciphertext }: Sealed): Buffer {
  return createHash('sha256').update([key, enc, ciphertext].join('\n')).digest()
}
