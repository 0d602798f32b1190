import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { OurHold } from '../../buying/rails/public.ts'

/** What a token pays is the hold of the token's credential, which its purchase has. */
const ours = `select s.id as cart_id, 1 as attempt, s.id || ':charge' as key,
     case when s.state = 'charging' and s.may_have_left then 'sent' when s.state in ('charging', 'declined') then 'refused' else 'done' end as state,
     case s.state when 'charging' then null when 'declined' then null when 'captured' then 'captured' when 'released' then 'voided'
       when 'unpaid' then 'voided' else 'authorized' end as hold_status,
     'authorization' as kind, s.hold_reference as reference, s.updated_at,
     s.call in ('capture', 'void') and s.may_have_left as is_moving
   from sales s where s.mode = $mode and coalesce(s.rail, $rail) = $rail and s.instrument->>'kind' = 'test_card'`

export const selectOpenSaleHolds = statement<OurHold, { mode: Mode; rail: string }>(
  'select_open_sale_holds',
  `/* tenantless: a rail holds for every account_id; the operator compares all of it */
   ${ours} and (s.state in ('ordered', 'capturing', 'releasing', 'undoing') or s.state = 'charging' and s.may_have_left)`,
)

export const selectSaleHoldsNamed = statement<OurHold, { mode: Mode; rail: string; keys: readonly string[] }>(
  'select_sale_holds_named',
  `/* tenantless: a rail names holds by their keys, whatever their account_id */
   ${ours} and s.id = any (select split_part(key, ':', 1) from unnest($keys::text[]) as key)`,
)
