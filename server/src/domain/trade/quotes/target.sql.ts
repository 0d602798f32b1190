import type { Mode } from '../../../contract/context.ts'
import { type Fragment, statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { correlate, sql } from '../../../platform/database/fragment.ts'
import { accountById } from '../../accounts/api-keys/reads.sql.ts'
import type { Item } from '../../selling/catalog/public.ts'
import { publishedItem, publishedItemOfVariant, publishedItems } from '../../selling/catalog/reads.sql.ts'
import type { MerchantRecord, SetupFacts } from '../../selling/merchant/public.ts'
import { merchantOfSlug, merchantRecord } from '../../selling/merchant/reads.sql.ts'
import { orderDestinations, quoteResponder } from '../../webhooks/destinations/reads.sql.ts'

/** A merchant, the item that it is asked about, and the destination that answers for it. */
export type TargetRow = Pick<
  MerchantRecord,
  | 'account_id'
  | 'mode'
  | 'name'
  | 'slug'
  | 'domain'
  | 'domain_verified_at'
  | 'verification_token'
  | 'mcc'
  | 'mcc_confirmed'
  | 'country'
  | 'country_confirmed'
  | 'currency'
> & {
  /** The designated responder, while it is enabled and its endpoint has confirmed. */
  responder_id: Id<'dest'> | null
} & (TargetItem | { [Column in keyof TargetItem]: null })

/** A published item, as far as it concerns a quote. */
export type TargetItem = Pick<Item, 'title' | 'url' | 'item_type' | 'variants' | 'required_inputs'> & {
  item_id: Item['id']
}

const columns = `m.account_id, m.mode, m.name, m.slug, m.domain, m.domain_verified_at, m.verification_token, m.mcc, m.mcc_confirmed, m.country,
  m.country_confirmed, m.currency, d.id as responder_id, i.id as item_id, i.title, i.url, i.item_type, i.variants, i.required_inputs`

// guard responder-has-confirmed: a merchant that has not confirmed its endpoint is not asked for a price
const responder = sql`select id from ${correlate(quoteResponder, { account_id: 'm.account_id', mode: 'm.mode' })} one
  where one.confirmed_at is not null`

function targetOf<Params extends object>(item: Fragment<Item, Params>): Fragment<TargetRow, Params> {
  const merchant = correlate(merchantRecord, { account_id: 'i.account_id', mode: 'i.mode' })
  return sql`select ${columns} from ${item} i cross join lateral ${merchant} m left join lateral ${responder} d on true`
}

/** A published item of any merchant, by its id alone. */
export const selectTargetOfItem = statement<TargetRow, { mode: Mode; id: string }>(
  'select_quote_target_of_item',
  targetOf(publishedItem),
)

/** The same by one of its variants: `variant` is `[{"id": "var_…"}]`. */
export const selectTargetOfVariant = statement<TargetRow, { mode: Mode; variant: string }>(
  'select_quote_target_of_variant',
  targetOf(publishedItemOfVariant),
)

/** A merchant without an item. */
export const selectTargetOfSlug = statement<TargetRow, { mode: Mode; slug: string }>(
  'select_quote_target_of_slug',
  sql`select ${columns} from ${merchantOfSlug} m left join lateral ${responder} d on true
   cross join (select null::text as id, null::text as title, null::text as url, null::text as item_type, null::jsonb as variants,
     null::jsonb as required_inputs) i`,
)

/** What must be complete before strangers may name a merchant of live mode. */
export const selectSetupFacts = statement<SetupFacts, { account_id: Id<'acct'>; mode: Mode }>(
  'select_merchant_setup',
  sql`select a.created_at as account_created_at,
     (select count(*)::int from (select 1 from ${publishedItems} i limit 1) as first_one) as published_items,
     (select count(*)::int from ${orderDestinations} d where d.confirmed_at is not null) as order_destinations,
     (select count(*)::int from ${quoteResponder} d where d.confirmed_at is not null) as quote_responders
   from ${accountById} a`,
)
