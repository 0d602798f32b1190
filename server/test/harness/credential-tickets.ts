import { randomBytes } from 'node:crypto'
import { everyOperation } from '../../src/composition.ts'
import type { Operation } from '../../src/contract/operation.ts'
import { statement } from '../../src/contract/statement.ts'
import type {
  CredentialTicket,
  CredentialTickets,
} from '../../src/domain/buying/intents/decide/credential-tickets.ts'
import { retryPurchaseIntent } from '../../src/domain/buying/intents/retry/retry-purchase-intent.ts'
import type { TicketSealed } from '../../src/platform/vault-client/vault-words.ts'
import type { Buyer, Buying, Purchase } from './buying.ts'
import { sealTicket } from './seal-ticket.ts'

type Found = {
  intent_id: string
  cart_id: string
  host: string
  ended: 'used' | 'destroyed' | null
  is_over: boolean
}
type Key = { account_id: string; mode: string; id: string }

const lockTicket = statement<Found, Key & { now: Date }>(
  'lock_test_ticket',
  `select intent_id, cart_id, host, ended, expires_at <= $now as is_over from test_tickets
   where account_id = $account_id and mode = $mode and id = $id for update`,
)

const endTicket = statement<{ id: string }, Key & { how: string }>(
  'end_test_ticket',
  `update test_tickets set ended = $how where account_id = $account_id and mode = $mode and id = $id and ended is null returning id`,
)

/** As a component that mints tickets keeps them: rows that are locked and written in the transaction of the purchase. */
const rows: CredentialTickets = {
  async lock({ tenant, tx, now }, id) {
    const key = { account_id: tenant.accountId, mode: tenant.mode, id }
    const found = await tx.maybe(lockTicket({ ...key, now }))
    return found === null ? null : ticketOf(found)
  },
  async end({ tenant, tx }, id, how) {
    const ended = await tx.rows(endTicket({ account_id: tenant.accountId, mode: tenant.mode, id, how }))
    if (ended.length !== 1) throw new Error('a ticket has come to its end twice')
  },
}

function ticketOf({ intent_id, cart_id, host, ended, is_over }: Found): CredentialTicket {
  const state = ended ?? (is_over ? 'expired' : 'open')
  return { intentId: intent_id, cartId: cart_id, host, state }
}

/** The product, with somebody who makes tickets. */
export const operationsWithTickets: readonly Operation[] = everyOperation.map((operation) =>
  operation.id === 'v1_retry_purchase_intent' ? retryPurchaseIntent(rows) : operation,
)

export async function openTickets({ sql, pages }: Pick<Buying, 'sql' | 'pages'>) {
  await sql(
    `create table test_tickets (account_id text, mode text, id text, intent_id text, cart_id text, host text, expires_at timestamptz,
       ended text, primary key (account_id, mode, id))`,
  )
  await sql('grant all on test_tickets to public')
  return {
    /** What a person types into the component for the first cart of a purchase, sealed in their own browser. */
    async mint(
      buyer: Buyer,
      intent: Purchase,
      secret: object,
      {
        host = String((intent.next_action as { merchant_domain: string }).merchant_domain),
        livesMs = 540_000,
      } = {},
    ): Promise<string> {
      const id = `ticket_${randomBytes(12).toString('hex')}`
      const [cart] = intent.carts
      const expiresAt = new Date(Date.now() + livesMs)
      const tenant = { accountId: buyer.account.accountId, mode: 'test' } as const
      const facts = { tenant, ticket: id, intent: intent.id, host, expiresAt }
      if (pages) {
        const key = await pages.vault.sealingKey()
        if (key === null) throw new Error('the vault shows no key')
        const sealed = await sealTicket(key, facts, secret)
        const kept: TicketSealed = await pages.vault.sealTicket({ ...facts, cart: cart?.id ?? '', ...sealed })
        if (kept.kind !== 'sealed') throw new Error(`the vault keeps no ticket: ${kept.kind}`)
      }
      await sql(
        `insert into test_tickets values ($1, 'test', $2, $3, $4, $5, prokura_now() + make_interval(secs => $6::float8), null)`,
        [tenant.accountId, id, intent.id, cart?.id, host, livesMs / 1000],
      )
      return id
    },
    async stateOf(id: string): Promise<string | null> {
      const [row] = await sql<{ ended: string | null }>('select ended from test_tickets where id = $1', [id])
      return row?.ended ?? null
    },
  }
}
