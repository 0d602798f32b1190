import { statement } from '../../../contract/statement.ts'

/** Everything that workers do, under the operator's names, and the tables of its rows. */
const tables = {
  purchase_intents: 'purchase_intents',
  carts: 'carts',
  orders: 'orders',
  refunds: 'order_refunds',
  quotes: 'quotes',
  deliveries: 'deliveries',
  integration_checks: 'integration_checks',
  domain_verifications: 'domain_verifications',
}

/** A delivery that was given up before anything was sent, such as a test in favor of a later one, has failed at nothing. */
const statusOf: Readonly<Record<string, string>> = {
  deliveries: `case when status = 'exhausted' and attempt_count = 0 then 'never sent' else status end`,
}

/** Calls that the payment rail or a shop turns away, by purpose and reason; overdue after an hour. */
const putOffCalls = ` union all
   select 'calls_put_off', step || ': ' || (put_off->>'reason'), count(*)::int,
     count(*) filter (where (put_off->>'since')::timestamptz < prokura_now() - interval '1 hour')::int
   from (
     select e.step, e.put_off from carts c
     join effects e on e.account_id = c.account_id and e.mode = c.mode and e.cart_id = c.id
     where c.due_at is not null and e.put_off is not null
       and (e.state in ('unsent', 'sent', 'unknown') or e.state = 'refused' and e.step in ('void', 'revoke'))
     union all select 'order_refund', put_off from order_refunds where due_at is not null and put_off is not null
     union all select 'sale_' || call, put_off from sales where due_at is not null and put_off is not null) as put_off_calls
   group by 2`

/* tenantless: the operator's overview counts across every account_id and mode */
export const countWork = statement<
  { kind: string; status: string; counted: number; overdue: number },
  Record<never, never>
>(
  'status_count_work',
  Object.entries(tables)
    .map(
      ([
        kind,
        table,
      ]) => `select '${kind}' as kind, ${statusOf[kind] ?? 'status'} as status, count(*)::int as counted,
     count(*) filter (where due_at < prokura_now() - interval '60 seconds')::int as overdue
   from ${table} group by 2`,
    )
    .join(' union all ')
    .concat(putOffCalls)
    .concat(' order by kind, status'),
)
