import { statement } from '../../contract/statement.ts'

/** Everything that workers do, as the operator knows it, and where its rows are. */
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

/* tenantless: the operator's overview counts across every account_id and mode */
export const countWork = statement<
  { kind: string; status: string; counted: number; overdue: number },
  Record<never, never>
>(
  'status_count_work',
  Object.entries(tables)
    .map(
      ([kind, table]) => `select '${kind}' as kind, status, count(*)::int as counted,
     count(*) filter (where due_at < prokura_now() - interval '60 seconds')::int as overdue
   from ${table} group by status`,
    )
    .join(' union all ')
    .concat(' order by kind, status'),
)
