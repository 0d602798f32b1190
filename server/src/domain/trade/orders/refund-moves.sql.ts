import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'

/** A refund as the payment rail knows it: its id is the key. */
type MovedRefund = {
  readonly kind: 'refund'
  readonly key: string
  readonly subject: string
  readonly reference: string | null
  readonly state: 'done' | 'under_way' | 'not_done'
  readonly amount: bigint
  readonly currency: string
}

type AtRail = { readonly mode: Mode; readonly rail: string }
type Named = AtRail & { readonly keys: readonly string[]; readonly references: readonly string[] }
type Period = AtRail & { readonly from: Date; readonly until: Date }

const refunds = `select 'refund' as kind, r.id as key, r.order_id || ' ' || r.id as subject, r.reference,
     case when r.status = 'succeeded' then 'done' when r.status = 'pending' and r.may_have_left then 'under_way' else 'not_done' end as state,
     r.amount, r.currency
   from order_refunds r where r.mode = $mode and coalesce(r.rail, $rail) = $rail`

export const selectSettledRefunds = statement<MovedRefund, Period>(
  'select_settled_refunds',
  `/* tenantless: a rail moves money for every account_id; the operator compares all of it */
   ${refunds} and r.status = 'succeeded' and r.settled_at >= $from and r.settled_at < $until`,
)

export const selectNamedRefunds = statement<MovedRefund, Named>(
  'select_named_refunds',
  `/* tenantless: a rail names what it moves by keys, whatever their account_id */
   ${refunds} and (r.id = any ($keys::text[]) or r.reference = any ($references::text[]))`,
)
