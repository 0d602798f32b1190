import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { aggregate, type Tenanted } from '../../../platform/aggregate/aggregate.ts'
import { combineReads, part } from '../../../platform/database/combine-reads.ts'
import { correlate, sql } from '../../../platform/database/fragment.ts'
import { eventsOfAggregate } from '../../../platform/events/reads.sql.ts'
import { claimStatement } from '../../../platform/work/lease.sql.ts'
import type { Claimed } from '../../../platform/work/lease.ts'
import { type QuoteRow, quoteTimes } from './quote.ts'

type Key = Tenanted & { id: string }
type MerchantKey = { merchant_account_id: Id<'acct'>; mode: Mode; id: string }

/** Whom it asks, and for what, never changes. */
const quotes = aggregate<QuoteRow>()({
  table: 'quotes',
  columns: `account_id, mode, id, merchant_account_id, merchant_name, merchant_slug, merchant_domain, merchant_currency,
    merchant_identity, catalog_item_id, catalog_variant_id, item_type, items, quantity, profile_id, address_id, ship_to,
    price_proposal, inputs, note, metadata, status, offers, required_inputs, message, round, requested_event_id, destination_id,
    requested_at, deadline_at, responded_at, responded_by_type, responded_by_id, failure, expires_at, accepted_offer_id,
    purchase_intent_id, cancelled_at, due_at, seq, created_at, updated_at`,
  key: ['id'],
  json: [
    'merchant_identity',
    'items',
    'ship_to',
    'price_proposal',
    'inputs',
    'metadata',
    'offers',
    'required_inputs',
  ],
  fixed: [
    'merchant_account_id',
    'catalog_item_id',
    'catalog_variant_id',
    'item_type',
    'quantity',
    'profile_id',
    'address_id',
    'metadata',
  ],
})
const { columns } = quotes

export const insertQuote = quotes.insert('insert_quote')
export const selectQuote = quotes.select('select_quote')
/** Of two decisions about a quote, the second sees the first. */
export const lockQuote = quotes.lock('lock_quote', 'for no key update')
export const updateQuote = quotes.update('update_quote', { endsLease: true })

/** Which of the ids are quotes for the profile. */
export const selectOwnQuotes = statement<
  { id: string },
  Omit<Key, 'id'> & { profile_id: string; ids: string[] }
>(
  'select_own_quotes',
  // guard own-quotes-among-ids: an agent of one customer sees the rows of that customer
  `select id from quotes
   where account_id = $account_id and mode = $mode and profile_id = $profile_id and id = any($ids::text[])`,
)

const answeredQuote = statement<QuoteRow, Key>(
  'answered_quote',
  `select ${columns} from quotes where account_id = $account_id and mode = $mode and id = $id and status <> 'pending'`,
)

/**
 * A waiting call reads this again and again: no row until the quote has been answered. It returns JSON, because with each read the server
 * describes every column to the driver, which costs more than the rest.
 */
export const selectAnsweredQuote = combineReads('select_answered_quote', {
  quotes: part(answeredQuote, quoteTimes),
})

/**
 * `lockQuote` for what was decided from the quote as it was read without a lock: it ends the transaction as one that cannot be serialized
 * quote has changed by now. So it can travel with the commit.
 */
export const lockQuoteForShare = statement<never, Key & { seq: number }>(
  'hold_quote_as_read',
  `with held as (
     select seq from quotes where account_id = $account_id and mode = $mode and id = $id for no key update)
   select refuse_stale_decision() where not exists (select from held where seq = $seq)`,
)

/** The merchant's lock on a quote that another account owns. */
export const lockMerchantQuote = statement<QuoteRow, MerchantKey>(
  'lock_merchant_quote',
  `select ${columns} from quotes where merchant_account_id = $merchant_account_id and mode = $mode and id = $id for no key update`,
)

/** The destination and the event that a quote waits for; no row where it waits for none. */
export const selectAwaitedAnswer = statement<
  { destination_id: string; requested_event_id: string },
  MerchantKey
>(
  'select_awaited_answer',
  `select destination_id, requested_event_id from quotes
   where merchant_account_id = $merchant_account_id and mode = $mode and id = $id and status = 'pending'`,
)

/** In the order of their ids, so that two transactions that want several wait for each other. */
export const lockRequestedQuotes = statement<
  QuoteRow,
  { account_ids: readonly string[]; modes: readonly string[]; ids: readonly string[] }
>(
  'lock_requested_quotes',
  `/* tenantless: each is named by its own key */
   select ${columns} from quotes
   where (account_id, mode, id) in (
     select * from unnest($account_ids::text[], $modes::mode[], $ids::text[]) as wanted (account_id, mode, id))
   order by id for no key update`,
)

type ListFilter = Omit<Key, 'id'> & { profile_id: string | null }

// Planned with its values: a filter that is null is not applied.
// guard own-quotes: an agent of one customer sees the rows of that customer
const filter = `account_id = $account_id and mode = $mode and ($profile_id::text is null or profile_id = $profile_id)`

export const selectQuotes = statement<QuoteRow, ListFilter & { limit: number; offset: number }>(
  '',
  `select ${columns} from quotes where ${filter} order by id desc limit $limit + 1 offset $offset`,
)

export const countQuotes = statement<{ counted: number }, ListFilter & { cap: number }>(
  '',
  `select count(*)::int as counted
   from (select 1 from quotes where ${filter} limit $cap + 1) as first_ones`,
)

export type AnswerRow = { round: number; digest: Buffer }

/** Run it after `lockMerchantQuote`: the accepted answer to one request, or to the last one where none is named. */
export const selectAnswer = statement<AnswerRow, MerchantKey & { event_id: string | null }>(
  'select_quote_answer',
  `select a.round, a.digest from quotes q
   join quote_answers a on a.account_id = q.account_id and a.mode = q.mode and a.quote_id = q.id
   where q.merchant_account_id = $merchant_account_id and q.mode = $mode and q.id = $id
     and a.event_id = coalesce($event_id, q.requested_event_id)`,
)

export const insertAnswer = statement<
  never,
  {
    account_id: string
    mode: Mode
    quote_id: string
    event_id: string
    round: number
    digest: Buffer
    actor_type: string
    actor_id: string | null
    now: Date
  }
>(
  'insert_quote_answer',
  `insert into quote_answers (account_id, mode, quote_id, event_id, round, digest, actor_type, actor_id, answered_at)
   values ($account_id, $mode, $quote_id, $event_id, $round, $digest, $actor_type, $actor_id, $now)`,
)

export type ClaimedQuote = Claimed & { id: Id<'quo'> }

/** Quotes whose time is over: offers that end, and requests that were not answered. */
export const claimDueQuotes = claimStatement<ClaimedQuote>('quotes')

/** For the worker that claimed it, as long as its lease is the last one and its time is still over. */
export const lockDueQuote = statement<QuoteRow, Key & { lease_token: bigint }>(
  'lock_due_quote',
  `select ${columns} from quotes
   where account_id = $account_id and mode = $mode and id = $id and lease_token = $lease_token and due_at <= prokura_now()
   for no key update`,
)

/** Whether an event is one of the requests for this quote. */
export const selectRequest = statement<
  { id: string },
  { account_id: Id<'acct'>; mode: Mode; quote_id: string; event_id: string }
>(
  'select_quote_request',
  sql`select e.id from ${correlate(eventsOfAggregate, { aggregate_id: '$quote_id' })} e
   where e.id = $event_id and e.type = 'quote.requested'`,
)
