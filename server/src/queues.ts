/** A table whose rows are work. */
export type Queue = {
  readonly kind: string
  readonly table: string
  /** Where not every worker has the means for every row: the row's mode and way of buying, as SQL; empty where it needs neither. */
  readonly mode?: string
  readonly channel?: string
  /** The column that names what an operator knows it by, where that is not the row itself. */
  readonly of?: string
}

/** All work that there is: what waits, what nobody serves and what fails is looked for here. */
export const queues: readonly Queue[] = [
  {
    kind: 'intents',
    table: 'purchase_intents',
    mode: `case when status = 'awaiting_approval' then '' else mode::text end`,
  },
  { kind: 'carts', table: 'carts', mode: 'mode::text', channel: 'channel', of: 'intent_id' },
  { kind: 'orders', table: 'orders' },
  { kind: 'refunds', table: 'order_refunds', mode: 'mode::text', of: 'order_id' },
  { kind: 'quotes', table: 'quotes' },
  { kind: 'catalog_imports', table: 'catalog_imports' },
  { kind: 'deliveries', table: 'deliveries', of: 'aggregate_id' },
  { kind: 'promotions', table: 'promotions' },
  { kind: 'promotion_redemptions', table: 'promotion_redemptions', of: 'promotion_id' },
  { kind: 'onboarding_links', table: 'onboarding_links' },
  { kind: 'integration_checks', table: 'integration_checks', of: 'destination_id' },
  { kind: 'domain_verifications', table: 'domain_verifications' },
]

/** One `select` for each queue, together. */
export function ofAllQueues(select: (queue: Queue) => string): string {
  return queues.map(select).join('\n     union all ')
}
