import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { correlate, sql } from '../../../platform/database/fragment.ts'
import { accountById } from '../../accounts/api-keys/reads.sql.ts'
import { publishedItems } from '../../selling/catalog/reads.sql.ts'
import type { ReadinessFacts } from '../../selling/merchant/public.ts'
import { domainVerification } from '../../selling/merchant/reads.sql.ts'
import { payoutAccount } from '../../selling/payouts/reads.sql.ts'
import { ordersOfMerchant } from '../../trade/orders/reads.sql.ts'
import { destinationNow, orderDestinations, quoteResponder } from '../../webhooks/destinations/reads.sql.ts'
import { lastCheckOf } from '../integration-checks/reads.sql.ts'

const lastCheck = correlate(lastCheckOf, { kind: 'wanted.kind', status: 'ended.status' })
const itsDestination = correlate(destinationNow, {
  account_id: 'c.account_id',
  mode: 'c.mode',
  destination_id: 'c.destination_id',
})

/** Everything that the merchant record shows besides its own row, in one read. */
export const selectReadinessFacts = statement<ReadinessFacts, { account_id: Id<'acct'>; mode: Mode }>(
  'select_merchant_readiness',
  sql`select a.created_at as account_created_at,
     (select count(*)::int from (select 1 from ${publishedItems} i limit 1) as first_one) as published_items,
     (select count(*)::int from ${orderDestinations} d where d.confirmed_at is not null) as order_destinations,
     (select count(*)::int from ${quoteResponder} d where d.confirmed_at is not null) as quote_responders,
     (select to_jsonb(v) from ${domainVerification} v) as verification,
     (select to_jsonb(p) from ${payoutAccount} p) as payout_account,
     (select coalesce(jsonb_agg(jsonb_build_object('kind', c.kind, 'status', c.status, 'finished_at', c.finished_at,
         'order_id', c.order_id, 'settings', c.settings, 'settings_now', now.settings_now) order by c.id desc), '[]'::jsonb)
      from (values ('order'), ('quote')) as wanted (kind)
      cross join (values ('passed'), ('failed')) as ended (status)
      cross join lateral ${lastCheck} c
      cross join lateral ${itsDestination} now) as checks,
     (select d.id from ${orderDestinations} d order by d.id desc limit 1) as order_destination_id,
     (select d.id from ${quoteResponder} d) as responder_id,
     (select o.id from ${ordersOfMerchant} o order by o.id desc limit 1) as last_order_id,
     (select jsonb_build_object('id', i.id, 'url', i.url, 'price', i.variants -> 0 -> 'price',
         'currency', i.variants -> 0 -> 'currency')
      from ${publishedItems} i order by i.id limit 1) as item
   from ${accountById} a`,
)
