import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { OurMove } from '../../buying/rails/public.ts'

type AtRail = { readonly mode: Mode; readonly rail: string }
type Named = AtRail & { readonly keys: readonly string[]; readonly references: readonly string[] }
type Period = AtRail & { readonly from: Date; readonly until: Date }

/** Whatever it was paid with: the charge is of our account, under the key of the sale. */
const captures = `select 'capture' as kind, s.id || ':charge' as key, s.id as subject, s.hold_reference as reference,
     case when s.state = 'captured' then 'done' when s.state = 'capturing' and s.may_have_left then 'under_way' else 'not_done' end as state,
     s.captured_amount as amount, s.currency
   from sales s where s.mode = $mode and coalesce(s.rail, $rail) = $rail`

/** A sale that is captured changes no more. */
export const selectSettledSales = statement<OurMove, Period>(
  'select_settled_sales',
  `/* tenantless: a rail moves money for every account_id; the operator compares all of it */
   ${captures} and s.state = 'captured' and s.updated_at >= $from and s.updated_at < $until`,
)

export const selectNamedSales = statement<OurMove, Named>(
  'select_named_sales',
  `/* tenantless: a rail names what it moves by keys, whatever their account_id */
   ${captures} and (s.id = any (select split_part(key, ':', 1) from unnest($keys::text[]) as key) or s.hold_reference = any ($references::text[]))`,
)
