import type { StoredFacts } from './judge-journal.ts'
import { queryStored } from './query-stored.ts'
import type { OpenPurchase } from './responsibility.ts'

/** The stored objects of the wishes of one seed. */
export async function readStored(
  url: string,
  seed: number,
): Promise<Pick<StoredFacts, 'purchases' | 'profiles'>> {
  const made = await queryStored<{ id: string; reference: string; events: string[] }>(
    url,
    `select i.id, i.reference_id as reference, array_agg(e.type order by e.sequence) as events
     from purchase_intents i
     join events e on e.account_id = i.account_id and e.mode = i.mode and e.aggregate_id = i.id
     where i.reference_id like $1 group by i.account_id, i.mode, i.id`,
    [`wish-${seed}-%`],
  )
  const profiles = await queryStored<{ id: string }>(url, 'select id from profiles')
  return {
    purchases: Map.groupBy(made, ({ reference }) => reference),
    profiles: new Set(profiles.map(({ id }) => id)),
  }
}

const overStatuses = ['succeeded', 'failed', 'cancelled', 'declined']

/** Purchases of the wishes that are not over, and the database's time. */
export async function readOpen(url: string, seed: number): Promise<{ open: OpenPurchase[]; now: Date }> {
  const rows = await queryStored<{ now: Date; purchase: OpenPurchase | null }>(
    url,
    `select prokura_now() as now, (select json_build_object(
       'id', i.id, 'status', i.status, 'due_at', i.due_at, 'lease_until', i.lease_until,
       'approval_expires_at', i.approval_expires_at,
       'carts', coalesce((select json_agg(json_build_object('id', c.id, 'status', c.status, 'stage', c.stage, 'due_at', c.due_at,
         'lease_until', c.lease_until,
         'token_expires_at', (select t.expires_at from payment_tokens t
           where t.account_id = c.account_id and t.mode = c.mode and t.cart_id = c.id and t.order_id is null),
         'effects', coalesce((select json_agg(json_build_object('step', f.step, 'state', f.state, 'heard', f.heard) order by f.sent_at)
           from effects f where f.account_id = c.account_id and f.mode = c.mode and f.cart_id = c.id), '[]'),
         'order', (select json_build_object('id', o.id, 'status', o.status,
           'deliveries', coalesce((select json_agg(json_build_object('status', v.status, 'attempt_count', v.attempt_count,
             'due_at', v.due_at))
             from deliveries v where v.aggregate_id = o.id and v.event_type = 'order.requested' and v.due_at is not null), '[]'))
           from orders o where o.account_id = c.account_id and o.mode = c.mode and o.id = c.order_row_id)
       ) order by c.position) from carts c where c.account_id = i.account_id and c.mode = i.mode and c.intent_id = i.id), '[]'))
     ) as purchase
     from (select 1) one
     left join purchase_intents i on i.reference_id like $1 and i.status <> all ($2::text[])`,
    [`wish-${seed}-%`, overStatuses],
  )
  const [first] = rows
  if (!first) throw new Error('the database tells no time')
  return { now: first.now, open: rows.flatMap(({ purchase }) => (purchase?.id ? [withDates(purchase)] : [])) }
}

/** JSON has no dates. */
function withDates(value: OpenPurchase): OpenPurchase {
  return JSON.parse(JSON.stringify(value), (name: string, member: unknown) =>
    /_at$|_until$/.test(name) && typeof member === 'string' ? new Date(member) : member,
  )
}

/** Everything that is stored of one purchase, to find out what went wrong. */
export async function readEvidence(url: string, id: string): Promise<object> {
  const of = (text: string) => queryStored(url, text, [id])
  return {
    intent: await of('select * from purchase_intents where id = $1'),
    carts: await of('select * from carts where intent_id = $1 order by position'),
    effects: await of('select * from effects where intent_id = $1 order by sent_at'),
    authorizations: await of('select * from authorizations where intent_id = $1'),
    orders: await of(
      'select * from orders where id in (select order_row_id from carts where intent_id = $1)',
    ),
    deliveries: await of(
      'select * from deliveries where aggregate_id = $1 or aggregate_id in (select order_row_id from carts where intent_id = $1)',
    ),
    attempts: await of(
      `select a.* from delivery_attempts a join deliveries v on v.account_id = a.account_id and v.mode = a.mode and v.id = a.delivery_id
       where v.aggregate_id in (select order_row_id from carts where intent_id = $1) order by a.at`,
    ),
    events: await of(
      `select id, type, aggregate_id, sequence, cart_id, created_at from events
       where aggregate_id = $1 or aggregate_id in (select order_row_id from carts where intent_id = $1) order by created_at, sequence`,
    ),
    outbox: await of(
      `select * from outbox where aggregate_id = $1 or aggregate_id in (select order_row_id from carts where intent_id = $1)`,
    ),
  }
}
