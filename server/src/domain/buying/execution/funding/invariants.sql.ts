import { statement } from '../../../../contract/statement.ts'
import type { Invariant, InvariantRow } from '../../../../platform/audit/invariants.ts'

type None = Record<never, never>

/** Each funding with its card and its cart; `owed`: what the merchant has of the card, or may have, of a purchase that is bought. */
const behind = `select f.account_id, f.mode, f.cart_id, f.attempt, f.status, f.amount, f.captured_amount,
     f.captured_amount - f.returned_amount as kept, c.due_at is null and c.lease_until is null and c.outcome_known as rests,
     c.max_allowed_amount, f.currency <> c.currency as is_foreign, a.status as card, a.claimed_at,
     case when c.status = 'succeeded' and f.attempt = c.attempt_number then greatest(0, case a.status
       when 'captured' then a.captured_amount
       when 'authorized' then case when a.claimed_at is null then 0 else coalesce(a.claimed_amount, a.amount) end
       else 0 end - a.refunded_amount) else 0 end as owed
   from fundings f
   join carts c on c.account_id = f.account_id and c.mode = f.mode and c.id = f.cart_id
   left join authorizations a on a.account_id = f.account_id and a.mode = f.mode and a.cart_id = f.cart_id and a.attempt = f.attempt`

/** M2. Once its cart rests, a buyer has paid for an issued card what its merchant has taken of it and not given back, and never less. */
const checkPaid = statement<InvariantRow, None>(
  'invariant_paid_behind_cards',
  `/* tenantless: checks every tenant's rows, for the operator: account_id, mode */
   with behind as (${behind}),
   broken as (
     select cart_id || ' ' || attempt as id from behind
     where status = 'captured' and (kept < owed or rests and kept > owed)
       or captured_amount > max_allowed_amount or is_foreign
     order by 1 limit 100)
   select (select count(*) from fundings) as checked, (select array_agg(id) from broken) as violations`,
)

/** M6. Money behind a card that is still held is worked on, and a card that can be charged has it behind it. */
const checkHeld = statement<InvariantRow, None>(
  'invariant_held_behind_cards',
  `/* tenantless: checks every tenant's rows, for the operator: account_id, mode */
   with behind as (${behind}),
   broken as (
     select cart_id || ' ' || attempt as id from behind b
     where status = 'authorized' and rests
       or card = 'authorized' and claimed_at is null and status in ('voided', 'expired') and not exists (
         select 1 from effects e where e.account_id = b.account_id and e.mode = b.mode and e.cart_id = b.cart_id
           and e.attempt = b.attempt and e.step = 'revoke')
     order by 1 limit 100)
   select (select count(*) from fundings) as checked, (select array_agg(id) from broken) as violations`,
)

export const fundingInvariants: readonly Invariant[] = [
  {
    id: 'M2-behind',
    title:
      'What a buyer has paid for a card that was issued for them is what its merchant has taken and not given back',
    statement: checkPaid({}),
  },
  {
    id: 'M6-behind',
    title:
      'Money that is held behind an issued card belongs to a cart that a worker still works on, and no card can be charged without it',
    statement: checkHeld({}),
  },
]
