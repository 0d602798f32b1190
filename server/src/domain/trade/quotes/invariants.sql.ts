import { statement } from '../../../contract/statement.ts'
import type { Invariant, InvariantRow } from '../../../platform/audit/invariants.ts'

type Nothing = Record<never, never>

const checkAnswers = statement<InvariantRow, Nothing>(
  'invariant_quote_answers',
  `/* tenantless: invariants hold for everybody */
   select count(*) as checked, (array_agg(q.id) filter (where
       (q.responded_at is not null) <> (a.event_id is not null)
       or (a.event_id is not null and (a.actor_type <> q.responded_by_type or a.actor_id <> q.responded_by_id
         or a.round <> q.round or e.actor_type <> a.actor_type or e.actor_id <> a.actor_id))))[1:100] as violations
   from quotes q
   left join quote_answers a on a.account_id = q.account_id and a.mode = q.mode and a.quote_id = q.id
     and a.event_id = q.requested_event_id and q.status <> 'requires_input'
   left join lateral (
     select actor_type, actor_id from events e
     where e.account_id = q.account_id and e.mode = q.mode and e.aggregate_id = q.id
       and e.type in ('quote.quoted', 'quote.declined')
     order by e.sequence desc limit 1
   ) e on true
   where q.status <> 'requires_input'`,
)

const checkAsked = statement<InvariantRow, Nothing>(
  'invariant_quote_requests',
  `/* tenantless: invariants hold for everybody */
   select count(*) as checked, (array_agg(id) filter (where deliveries <> 1 or not is_theirs))[1:100] as violations
   from (
     select e.id, count(v.id) as deliveries, coalesce(bool_and(v.account_id = q.merchant_account_id), false) as is_theirs
     from events e
     join quotes q on q.account_id = e.account_id and q.mode = e.mode and q.id = e.aggregate_id
     left join deliveries v on v.event_account_id = e.account_id and v.mode = e.mode and v.event_id = e.id
       and v.account_id = e.recipient_account_id and exists (
         -- The merchant's own: a buyer may have one in the same account.
         select from destinations d where d.account_id = v.account_id and d.mode = v.mode and d.id = v.destination_id)
     where e.type = 'quote.requested'
     group by e.account_id, e.mode, e.id
   ) as asked`,
)

const checkOrdered = statement<InvariantRow, Nothing>(
  'invariant_quote_purchases',
  `/* tenantless: invariants hold for everybody */
   select count(*) as checked, (array_agg(q.id) filter (where
       p.id is null or offer is null or (offer ->> 'expires_at')::timestamptz <= p.created_at
       or p.max_allowed_amount > (offer ->> 'total_amount')::bigint
       or p.items -> 0 ->> 'quote_id' is distinct from q.id))[1:100] as violations
   from quotes q
   left join purchase_intents p on p.account_id = q.account_id and p.mode = q.mode and p.id = q.purchase_intent_id
   left join lateral (
     select offer from jsonb_array_elements(q.offers) as offer where offer ->> 'id' = q.accepted_offer_id
   ) taken on true
   where q.status = 'ordered'`,
)

const checkEnds = statement<InvariantRow, Nothing>(
  'invariant_quote_ends',
  `/* tenantless: invariants hold for everybody */
   select count(*) as checked,
     (array_agg(id) filter (where due_at < prokura_now() - interval '60 seconds'))[1:100] as violations
   from quotes where status in ('pending', 'quoted')`,
)

const checkModes = statement<InvariantRow, Nothing>(
  'invariant_quote_modes',
  `/* tenantless: invariants hold for everybody */
   select count(*) as checked, (array_agg(q.id) filter (where i.id is null))[1:100] as violations
   from quotes q
   left join catalog_items i on i.account_id = q.merchant_account_id and i.mode = q.mode and i.id = q.catalog_item_id
   where q.catalog_item_id is not null`,
)

export const quoteInvariants: readonly Invariant[] = [
  {
    id: 'E2-quotes',
    title:
      'An answered quote has exactly one accepted answer to its last request, from the responder that it names',
    statement: checkAnswers({}),
  },
  {
    id: 'E1-quotes',
    title: 'Every request for a quote went to exactly one destination, of the merchant that the quote names',
    statement: checkAsked({}),
  },
  {
    id: 'M11-quotes',
    title: 'A quote is ordered by one purchase, at the price of an offer that it made in time',
    statement: checkOrdered({}),
  },
  {
    id: 'W2-quotes',
    title: 'No quote waits for its merchant, or stays valid, past its deadline',
    needsWorkers: true,
    statement: checkEnds({}),
  },
  {
    id: 'M10-quotes',
    title: "The item of a quote belongs to the quote's merchant and mode",
    statement: checkModes({}),
  },
]
