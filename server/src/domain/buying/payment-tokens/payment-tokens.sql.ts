import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { aggregate, type Tenanted } from '../../../platform/aggregate/aggregate.ts'
import { correlate, sql } from '../../../platform/database/fragment.ts'
import { findableMerchant, merchantsNamed } from '../../selling/merchant/reads.sql.ts'
import { holdOfFirstAttempt } from '../execution/reads.sql.ts'
import { standingOfCart } from '../intents/reads.sql.ts'
import type { StandingToken, TokenRow } from './payment-token.ts'

const tokens = aggregate<TokenRow>()({
  table: 'payment_tokens',
  columns: `account_id, mode, id, intent_id, cart_id, merchant_account_id, merchant_slug, merchant_domain, amount, currency,
    binding_kind, binding_id, token_hash, prefix, expires_at, order_id, seq, created_at, updated_at`,
  key: ['id'],
})

export const insertToken = tokens.insert('insert_payment_token')

/** A token with what it stands for: its credential, once the rail has issued it. */
export type FoundToken = StandingToken & {
  credential_reference: string | null
  credential_rail: string | null
  acceptor: string
  profile_id: string
  agent_id: Id<'agent'> | null
}

const cart = correlate(standingOfCart, {
  account_id: 't.account_id',
  mode: 't.mode',
  cart_id: 't.cart_id',
})
const hold = correlate(holdOfFirstAttempt, {
  account_id: 't.account_id',
  mode: 't.mode',
  cart_id: 't.cart_id',
})
/** A token is of one attempt: its cart is never tried again. */
const standing = sql<
  FoundToken,
  [string, typeof cart, typeof hold]
>`/* tenantless: whose, the statement around it says */
   select ${tokens.columnsOf('t')}, c.cart_status, c.failure_code, c.is_handed_out, c.acceptor, c.profile_id, c.agent_id,
    h.claimed_at is not null as is_claimed, h.reference as credential_reference, h.rail as credential_rail
   from payment_tokens t
   cross join lateral ${cart} c
   left join lateral ${hold} h on true`

export const selectToken = statement<FoundToken, Tenanted & { id: string }>(
  'select_payment_token',
  `${standing.text} where t.account_id = $account_id and t.mode = $mode and t.id = $id`,
)

export const openTokenDoor = statement<FoundToken, { mode: Mode; hash: Buffer }>(
  'open_payment_token',
  `/* tenantless: the door from a payment token to its purchase */
   ${standing.text} where t.token_hash = $hash and t.mode = $mode`,
)

/** Of several orders that use the token at once, one is the first. */
export const lockToken = statement<{ order_id: string | null; seq: number }, Tenanted & { id: string }>(
  'lock_payment_token',
  `select order_id, seq from payment_tokens where account_id = $account_id and mode = $mode and id = $id for update`,
)

export const claimTokenRow = statement<
  never,
  Tenanted & { id: string; order_id: string; seq: number; updated_at: Date }
>(
  'claim_payment_token',
  `update payment_tokens set order_id = $order_id, seq = $seq, updated_at = $updated_at
   where account_id = $account_id and mode = $mode and id = $id`,
)

export const selectOrderOfCart = statement<{ order_id: string | null }, Tenanted & { intent_id: string }>(
  'select_order_of_token',
  `select order_id from payment_tokens where account_id = $account_id and mode = $mode and intent_id = $intent_id`,
)

const named = correlate(findableMerchant, { account_id: 'n.account_id' })

/** The merchants that this name names and that may be found. */
export const selectNamedMerchant = statement<
  { account_id: Id<'acct'>; name: string; slug: string | null; domain: string | null },
  {
    mode: Mode
    viewer: Id<'acct'>
    ids: readonly string[]
    slugs: readonly string[]
    domains: readonly string[]
  }
>(
  'select_merchant_of_token',
  sql`select /* tenantless: a public name of a merchant */ m.account_id, m.name, m.slug, m.domain
   from ${merchantsNamed} n cross join lateral ${named} m`,
)
