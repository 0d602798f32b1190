import type { Invariant } from '../../../platform/audit/invariants.ts'

/** The invariants of markets at every commit. */
export const marketInvariants: readonly Invariant[] = [
  {
    id: 'F1',
    title: 'Every route of a market belongs to a market that is in use, at its priority',
    statement: {
      name: '',
      text: `select /* tenantless: an audit of everything */ count(*) as checked,
         (array_agg(r.market_id || ' in ' || r.country) filter (
           where m.status = 'archived' or m.priority <> r.priority
         ))[1:100] as violations
       from market_regions r
       join markets m on m.account_id = r.account_id and m.mode = r.mode and m.id = r.market_id`,
      values: [],
    },
  },
]
