import { statement } from '../contract/statement.ts'

/* tenantless: the operator's overview counts across every account_id and mode */
export const countWork = statement<
  { kind: string; status: string; counted: number; overdue: number },
  Record<never, never>
>(
  'status_count_work',
  `select 'purchase_intents' as kind, status, count(*)::int as counted,
     count(*) filter (where due_at < prokura_now() - interval '60 seconds')::int as overdue
   from purchase_intents group by status
   union all
   select 'carts', status, count(*)::int, count(*) filter (where due_at < prokura_now() - interval '60 seconds')::int
   from carts group by status
   union all
   select 'orders', status, count(*)::int, count(*) filter (where due_at < prokura_now() - interval '60 seconds')::int
   from orders group by status
   union all
   select 'refunds', status, count(*)::int, count(*) filter (where due_at < prokura_now() - interval '60 seconds')::int
   from order_refunds group by status
   union all
   select 'quotes', status, count(*)::int, count(*) filter (where due_at < prokura_now() - interval '60 seconds')::int
   from quotes group by status
   union all
   select 'deliveries', status, count(*)::int, count(*) filter (where due_at < prokura_now() - interval '60 seconds')::int
   from deliveries group by status
   union all
   select 'integration_checks', status, count(*)::int,
     count(*) filter (where due_at < prokura_now() - interval '60 seconds')::int
   from integration_checks group by status
   union all
   select 'domain_verifications', status, count(*)::int,
     count(*) filter (where due_at < prokura_now() - interval '60 seconds')::int
   from domain_verifications group by status
   order by kind, status`,
)
