import type { Testimony, ToldCart, ToldPurchase } from '../../harness/witness.ts'
import { eachOf } from '../suite.ts'
import { listenerSlug, type Trade } from './open-trade.ts'
import { queryStored } from './query-stored.ts'
import { readSales, type SalesFacts } from './read-sales.ts'
import { readStrangers, type StrangersFacts } from './read-strangers.ts'

/** Quotes, orders, refunds and promotions as the product shows them, and the events that buyers got. */
export type TradeFacts = {
  quotes: readonly ToldQuote[]
  /** Purchases at a quoted price. */
  quoted: readonly { id: string; quote: string; status: string; actual_amount: number }[]
  orders: readonly ToldOrder[]
  several: readonly SeveralFacts[]
  promotion: { cap: number; discount: number; uses: number; given: number; items: readonly string[] }
  sales: SalesFacts
  strangers: StrangersFacts
  listener: ListenerFacts
}

/** A purchase from several merchants, and all that is stored of each attempt of its carts. */
export type SeveralFacts = {
  purchase: Omit<ToldPurchase, 'carts'> & {
    partial: boolean
    carts: readonly (ToldCart & { attempt_number: number })[]
  }
  /** Every hold that is known. */
  holds: readonly { cart: string; attempt: number; status: string }[]
  orders: readonly { cart: string; attempt: number; id: string }[]
}

export type ToldQuote = {
  id: string
  status: string
  metadata: Readonly<Record<string, string>>
  offers: readonly { id: string; total_amount: number }[]
  accepted_offer_id: string | null
  purchase_intent_id: string | null
}

export type ToldOrder = {
  id: string
  /** The reference of its purchase at the processor. */
  name: string
  status: string
  payment_status: string
  total_amount: number
  line_items: readonly { catalog_item_id: string | null; amount: number }[]
  totals: readonly { type: string; amount: number }[]
  fulfillments: readonly { tracking_number: string | null }[]
  adjustments: readonly { type: string; amount: number; reason: string | null }[]
  refunds: readonly { id: string; amount: number; status: string; reason: string | null }[]
}

/** The events that a buyer was owed, the deliveries to it, and what its backend remembers, in order of arrival. */
export type ListenerFacts = {
  owed: readonly { id: string; type: string; aggregate: string; sequence: number }[]
  /** `attempts`: the status of each; null: no answer. */
  deliveries: readonly { event: string; status: string; attempts: readonly (number | null)[] }[]
  heard: readonly { event: string; status: number }[]
}

type Place = { seed: number; url: string; trade: Trade }

/** The ids are read from the database, so that unanswered objects are included. The objects are read over the public interface. */
export async function readTrade(
  { seed, url, trade }: Place,
  log: Testimony['merchant'],
): Promise<TradeFacts> {
  const wishes = `wish-${seed}-%`
  const quoteIds = await queryStored<{ id: string }>(
    url,
    `select id from quotes where metadata ->> 'wish' like $1 order by id`,
    [wishes],
  )
  const orderIds = await queryStored<{ id: string; name: string }>(
    url,
    `select o.id, i.id || '/' || o.cart_id as name from orders o
     join purchase_intents i on i.account_id = o.account_id and i.mode = o.mode and i.id = o.purchase_intent_id
     where i.reference_id like $1 and o.channel = 'native' order by o.id`,
    [wishes],
  )
  const quoted = await queryStored<TradeFacts['quoted'][number]>(
    url,
    `select id, items -> 0 ->> 'quote_id' as quote, status, actual_amount::float as actual_amount from purchase_intents
     where items -> 0 ->> 'quote_id' is not null order by id`,
  )
  const quotes: ToldQuote[] = []
  // The contract's own shapes.
  await eachOf(quoteIds, 16, async ({ id }) => {
    quotes.push((await trade.get(`/v1/quotes/${id}`)) as ToldQuote)
  })
  const orders: ToldOrder[] = []
  await eachOf(orderIds, 16, async ({ id, name }) => {
    orders.push({ ...((await trade.get(`/v1/orders/${id}`)) as ToldOrder), name })
  })
  const several = await readSeveral(url, wishes, trade.get)
  const { usage } = (await trade.get(`/v1/promotions/${trade.promotion.id}`)) as {
    usage: { uses: number; discount_amount: number }
  }
  const { cap, discount } = trade.promotion
  return {
    quotes,
    quoted,
    orders,
    several,
    promotion: { cap, discount, uses: usage.uses, given: usage.discount_amount, items: trade.promotedItems },
    sales: await readSales(url),
    strangers: await readStrangers({ ...trade.strangers, url, wishes }, trade.get),
    listener: await readListener(url, trade.listener, log),
  }
}

/** Purchases from three of our merchants or more. */
async function readSeveral(url: string, wishes: string, get: Trade['get']): Promise<SeveralFacts[]> {
  const rows = await queryStored<{ id: string } & Pick<SeveralFacts, 'holds' | 'orders'>>(
    url,
    `select i.id,
       coalesce((select json_agg(json_build_object('cart', a.cart_id, 'attempt', a.attempt, 'status', a.status))
         from authorizations a where a.account_id = i.account_id and a.mode = i.mode and a.intent_id = i.id), '[]') as holds,
       coalesce((select json_agg(json_build_object('cart', o.cart_id, 'attempt', o.attempt, 'id', o.id))
         from orders o where o.account_id = i.account_id and o.mode = i.mode and o.purchase_intent_id = i.id), '[]') as orders
     from purchase_intents i where i.reference_id like $1 and 2 < (select count(*) from carts c
       where c.account_id = i.account_id and c.mode = i.mode and c.intent_id = i.id and c.channel = 'native')
     order by i.id`,
    [wishes],
  )
  const several: SeveralFacts[] = []
  await eachOf(rows, 16, async ({ id, holds, orders }) => {
    // The contract's own shape.
    const purchase = (await get(`/v1/purchase_intents/${id}`)) as SeveralFacts['purchase']
    several.push({ purchase, holds, orders })
  })
  return several
}

async function readListener(
  url: string,
  destination: string,
  log: readonly { kind: string; merchant?: string; event_id?: string; status: number | string }[],
): Promise<ListenerFacts> {
  const owed = await queryStored<ListenerFacts['owed'][number]>(
    url,
    `select e.id, e.type, e.aggregate_id as aggregate, e.sequence from webhook_destinations d
     join events e on e.account_id = d.account_id and e.mode = d.mode and e.type = any (d.event_types) and e.created_at >= d.created_at
     where d.id = $1 order by e.aggregate_id, e.sequence`,
    [destination],
  )
  const deliveries = await queryStored<ListenerFacts['deliveries'][number]>(
    url,
    `select v.event_id as event, v.status, coalesce(array_agg(a.http_status order by a.position) filter (where a.position is not null), '{}')
       as attempts
     from deliveries v
     left join delivery_attempts a on a.account_id = v.account_id and a.mode = v.mode and a.delivery_id = v.id
     where v.destination_id = $1 and v.event_type <> 'destination.test' group by v.account_id, v.mode, v.id`,
    [destination],
  )
  // Test events to an endpoint are not owed to buyers.
  const tests = await queryStored<{ event: string }>(
    url,
    `select event_id as event from deliveries where destination_id = $1 and event_type = 'destination.test'`,
    [destination],
  )
  const asked = new Set(tests.map(({ event }) => event))
  const heard = log.flatMap(({ kind, merchant, event_id, status }) =>
    kind === 'delivery' && merchant === listenerSlug && event_id !== undefined && !asked.has(event_id)
      ? [{ event: event_id, status: Number(status) }]
      : [],
  )
  return { owed, deliveries, heard }
}

/** Work that is left: a worker's when it is due, or a listener's when its event is sent again. */
export type OpenWork = {
  who: 'worker' | 'listener'
  what: string
  due_at: Date | null
  lease_until: Date | null
}

/**
 * Refunds that no rail has answered, carts at strangers that have something left to do besides waiting for the shop's money, quotes that
 * should have ended, and events that the buyers have not got.
 */
export async function readOpenTrade(url: string, { listener }: Pick<Trade, 'listener'>): Promise<OpenWork[]> {
  return await queryStored<OpenWork>(
    url,
    `select 'worker' as who, id || ' of ' || order_id || ' is still ' || status as what, due_at, lease_until
     from order_refunds where status = 'pending'
     union all
     select 'worker', c.id || ' at a stranger is ' || c.status || ' in ' || coalesce(c.stage, 'no stage'), c.due_at, c.lease_until
     from carts c where c.channel in ('ucp', 'mpp', 'browser') and c.route is not null and c.status in ('succeeded', 'failed', 'cancelled')
       and (c.due_at is not null or c.lease_until > prokura_now())
       and not exists (select 1 from authorizations a where a.account_id = c.account_id and a.mode = c.mode and a.cart_id = c.id
         and a.status = 'authorized' and a.claimed_at is not null)
     union all
     select case when o.next_at > prokura_now() then 'listener' else 'worker' end, 'the sale of ' || s.order_id || ' is still ' || s.state,
       coalesce(o.next_at, s.due_at), s.lease_until
     from sales s left join lateral (
       select min(v.due_at) as next_at from deliveries v
       where s.state = 'ordered' and v.aggregate_id = s.order_id and v.event_type = 'order.requested' and v.attempt_count > 0
         and v.due_at is not null
     ) o on true
     where s.state not in ('captured', 'released', 'declined', 'unpaid')
     union all
     select 'worker', id || ' is still ' || status, due_at, null from quotes
     where status in ('pending', 'quoted') and due_at <= prokura_now()
     union all
     select 'worker', aggregate_id || ' has not been relayed from ' || first_sequence, prokura_now(), null from outbox
     union all
     select 'worker', event_id || ' waits for ' || follower, prokura_now(), null from follower_backlog
     union all
     select case when v.due_at > prokura_now() and q.lease_until is null then 'listener' else 'worker' end,
       'nobody has heard ' || v.event_id || ' (' || v.event_type || ')', v.due_at, q.lease_until
     from deliveries v left join due_deliveries q using (account_id, mode, destination_id, aggregate_id, sequence)
     where destination_id = $1 and v.status <> 'succeeded' and v.event_type <> 'destination.test'`,
    [listener],
  )
}
