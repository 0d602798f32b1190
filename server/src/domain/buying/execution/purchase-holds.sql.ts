import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { OurHold } from '../rails/public.ts'

/**
 * What one rail holds. Rows from before rails had names are of the one that is asked. Tokens that another payment network has issued are left
 * out: the rail knows nothing of them. Behind an issued card stands a hold at the buyer's own.
 */
const ours = `select e.cart_id, e.attempt, e.key, e.state, coalesce(f.status, a.status) as hold_status,
     case when f.reference is null then a.kind else 'authorization' end as kind, coalesce(f.reference, a.reference) as reference,
     coalesce(f.updated_at, a.updated_at) as updated_at,
     exists (select 1 from effects o where o.account_id = e.account_id and o.mode = e.mode and o.cart_id = e.cart_id
       and o.attempt = e.attempt and o.step in ('capture', 'void', 'revoke') and o.state in ('sent', 'unknown')) as is_moving
   from effects e
   left join authorizations a on a.account_id = e.account_id and a.mode = e.mode and a.cart_id = e.cart_id and a.attempt = e.attempt
     and e.request ->> 'behind' is null
   left join fundings f on f.account_id = e.account_id and f.mode = e.mode and f.cart_id = e.cart_id and f.attempt = e.attempt
     and e.request ->> 'behind' is not null
   where e.mode = $mode and e.step in ('authorize', 'issue_credential') and coalesce(e.rail, $rail) = $rail and e.request -> 'offer' ->> 'seller' is null`

/** Every hold that is open, or may be open, by our rows. */
export const selectOpenHolds = statement<OurHold, { mode: Mode; rail: string }>(
  'select_open_holds',
  `/* tenantless: a rail holds for every account_id; the operator compares all of it */
   ${ours} and (a.status = 'authorized' or f.status = 'authorized' or e.state in ('sent', 'unknown'))`,
)

export const selectHoldsNamed = statement<OurHold, { mode: Mode; rail: string; keys: readonly string[] }>(
  'select_holds_named',
  `/* tenantless: a rail names holds by their keys, whatever their account_id */
   ${ours} and e.cart_id = any (array(select split_part(key, ':', 1) from unnest($keys::text[]) as named (key)))
     and e.key = any ($keys::text[])`,
)
