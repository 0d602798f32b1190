import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import { sql } from '../../../platform/database/fragment.ts'
import { byAge, type Sweep, type Swept } from '../../../platform/retention/sweep.ts'
import { itemVariants } from '../../selling/catalog/reads.sql.ts'

export const insertAttribution = statement<
  never,
  {
    mode: Mode
    id: Buffer
    item_ids: readonly string[]
    merchant_ids: readonly string[]
    /** Of products that are not published here. */
    variant_keys: readonly Buffer[]
    now: Date
  }
>(
  'insert_attribution',
  `/* tenantless: what was shown is of many merchants */
   insert into attributions (mode, id, item_ids, merchant_ids, variant_keys, created_at)
   values ($mode, $id, $item_ids, $merchant_ids, $variant_keys, $now)`,
)

/** What became of a line, by its place. `unknown`: the answer is no longer kept. */
type LineOutcome = {
  place: number
  outcome: 'confirmed' | 'duplicate' | 'not_shown' | 'unknown'
}

/** Counts each product, or exact variant, of an answer once. Of equal lines the first is counted. */
export const insertImpressions = statement<
  LineOutcome,
  {
    places: readonly number[]
    modes: readonly string[]
    attribution_ids: readonly Buffer[]
    item_ids: readonly string[]
    variant_ids: readonly string[]
    variant_keys: readonly Buffer[]
    now: Date
  }
>(
  'insert_impressions',
  sql`with /* tenantless: the signed ids say which answers */ line as (
     select one.*, a.id is not null as is_kept,
       array_position(a.item_ids, one.item_id) is not null and (one.variant_id = ''
         or one.variant_key = any(a.variant_keys) or exists (select from ${itemVariants} v
         where v.account_id = a.merchant_ids[array_position(a.item_ids, one.item_id)] and v.mode = one.mode and v.id = one.item_id
           and v.variants @> jsonb_build_array(jsonb_build_object('id', one.variant_id)))) as was_shown
     from unnest($places::int[], $modes::mode[], $attribution_ids::bytea[], $item_ids::text[], $variant_ids::text[], $variant_keys::bytea[])
       as one (place, mode, attribution_id, item_id, variant_id, variant_key)
     left join attributions a on a.mode = one.mode and a.id = one.attribution_id
   ), counted as (
     insert into impressions (mode, attribution_id, item_id, variant_id, created_at)
     select distinct mode, attribution_id, item_id, variant_id, $now::timestamptz from line where was_shown order by 1, 2, 3, 4
     on conflict do nothing returning mode, attribution_id, item_id, variant_id
   )
   select l.place, case when not l.is_kept then 'unknown' when not l.was_shown then 'not_shown'
       when c.item_id is not null and l.place = min(l.place) over (partition by l.mode, l.attribution_id, l.item_id, l.variant_id)
         then 'confirmed' else 'duplicate' end as outcome
   from line l
   left join counted c on c.mode = l.mode and c.attribution_id = l.attribution_id and c.item_id = l.item_id and c.variant_id = l.variant_id
   order by l.place`,
)

/** What a token says is compared with what its answer has shown: `attribution_id` null means that the token is none of ours. */
export const insertAttributedOrder = statement<
  never,
  {
    account_id: string
    mode: Mode
    order_id: string
    attribution_id: Buffer | null
    is_over: boolean
    now: Date
  }
>(
  'insert_attributed_order',
  `insert into attributed_orders (account_id, mode, order_id, attribution_id, standing, created_at)
   select $account_id, $mode, $order_id, $attribution_id::bytea,
     case when $attribution_id::bytea is null then 'invalid'
       when $is_over or a.id is null then 'expired'
       when $account_id = any(a.merchant_ids) then 'counted'
       else 'other_merchant' end, $now
   from (values (1)) as one
   left join attributions a on a.mode = $mode and a.id = $attribution_id::bytea
   on conflict (account_id, mode, order_id) do nothing`,
)

const deleteOldAttributions = statement<Swept, { before: Date; limit: number }>(
  'sweep_attributions',
  `/* tenantless: a sweep is of every account */
   with old as (
     select mode, id from attributions where created_at < $before order by created_at limit $limit for update skip locked
   ), gone as (
     delete from attributions a using old o where a.mode = o.mode and a.id = o.id returning a.created_at
   )
   select count(*)::int as rows, min(created_at) as oldest from gone`,
)

/** What searches have shown, with the impressions that were counted for it. */
export const sweepAttributions: Sweep = {
  name: 'attributions',
  removes: 'what searches have shown, with its impressions',
  keeps: 'attributionDays',
  batches: (pools, before) => byAge(pools, (limit) => deleteOldAttributions({ before, limit })),
}
