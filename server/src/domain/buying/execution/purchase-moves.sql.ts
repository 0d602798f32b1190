import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { OurMove } from '../rails/public.ts'

type AtRail = { readonly mode: Mode; readonly rail: string }
type Named = AtRail & { readonly keys: readonly string[]; readonly references: readonly string[] }
type Period = AtRail & { readonly from: Date; readonly until: Date }

/**
 * A capture is known by the key of its hold, which is written on the charge. Credentials are charged by others, under keys of theirs; what
 * stands behind an issued card is a hold of ours.
 */
const captures = `select 'capture' as kind, e.key, e.cart_id || ' ' || e.attempt as subject, coalesce(f.reference, a.reference) as reference,
     case when coalesce(f.status, a.status) in ('captured', 'refunded') then 'done' when c.state in ('sent', 'unknown') then 'under_way' else 'not_done' end as state,
     coalesce(f.captured_amount, a.captured_amount) as amount, coalesce(f.currency, a.currency) as currency
   from effects e
   left join authorizations a on a.account_id = e.account_id and a.mode = e.mode and a.cart_id = e.cart_id and a.attempt = e.attempt
     and e.request ->> 'behind' is null
   left join fundings f on f.account_id = e.account_id and f.mode = e.mode and f.cart_id = e.cart_id and f.attempt = e.attempt
     and e.request ->> 'behind' is not null
   left join effects c on c.account_id = e.account_id and c.mode = e.mode and c.cart_id = e.cart_id and c.attempt = e.attempt and c.step = 'capture'
   where e.mode = $mode and e.step = 'authorize' and coalesce(e.rail, $rail) = $rail and coalesce(f.reference, a.reference) is not null`

/**
 * What is given back without an order: the money of a capture that nothing was bought for, or what a shop has not kept of an issued card. Of
 * these there may be several, under a number each, and only the last one is in the journal: how much an earlier one was is not.
 */
const refunds = `select 'refund' as kind, e.base || case when n.number = 1 then '' else ':' || n.number end as key, e.subject,
     case when n.number = e.number then e.answer ->> 'reference' end as reference,
     case when n.number < e.number then 'done' when e.state = 'done' then 'done' when e.state in ('sent', 'unknown') then 'under_way' else 'not_done' end as state,
     case when n.number = e.number then coalesce((e.answer ->> 'amount')::bigint, 0) end as amount, e.request ->> 'currency' as currency
   from (
     select cart_id, cart_id || ':' || attempt || ':refund' as base, cart_id || ' ' || attempt as subject, number, state, answer, request, settled_at
     from effects where mode = $mode and step = 'refund' and coalesce(rail, $rail) = $rail) as e
   cross join lateral generate_series(1, e.number) as n (number)
   where true`

export const selectSettledMoves = statement<OurMove, Period>(
  'select_settled_moves',
  `/* tenantless: a rail moves money for every account_id; the operator compares all of it */
   ${captures} and coalesce(f.status, a.status) in ('captured', 'refunded')
     and coalesce(c.settled_at, f.updated_at, a.updated_at) >= $from and coalesce(c.settled_at, f.updated_at, a.updated_at) < $until
   union all
   ${refunds} and n.number = e.number and e.state = 'done' and e.settled_at >= $from and e.settled_at < $until`,
)

export const selectNamedMoves = statement<OurMove, Named>(
  'select_named_moves',
  `/* tenantless: a rail names what it moves by keys, whatever their account_id */
   with named as (select array(select split_part(key, ':', 1) from unnest($keys::text[]) as one (key)) as carts)
   ${captures} and (e.key = any ($keys::text[]) and e.cart_id = any ((select carts from named)::text[])
     or coalesce(f.reference, a.reference) = any ($references::text[]))
   union all
   ${refunds} and (e.cart_id = any ((select carts from named)::text[])
       and e.base || case when n.number = 1 then '' else ':' || n.number end = any ($keys::text[])
     or e.answer ->> 'reference' = any ($references::text[]))`,
)
