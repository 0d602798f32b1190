import type { Invariant } from '../../../platform/audit/invariants.ts'

/** The invariants of rate cards at every commit. */
export const rateCardInvariants: readonly Invariant[] = [
  {
    id: 'F2',
    title: 'Rate cards name only markets and locations of their own merchant and mode',
    statement: {
      name: '',
      text: `select /* tenantless: an audit of everything */ count(*) as checked,
         (array_agg(c.id) filter (
           where exists (
             select from unnest(c.market_ids) as named (id) where not exists (
               select from markets m where m.account_id = c.account_id and m.mode = c.mode and m.id = named.id
             )
           ) or exists (
             select from unnest(c.location_ids) as named (id) where not exists (
               select from business_locations l where l.account_id = c.account_id and l.mode = c.mode and l.id = named.id
             )
           )
         ))[1:100] as violations
       from rate_cards c`,
      values: [],
    },
  },
]
