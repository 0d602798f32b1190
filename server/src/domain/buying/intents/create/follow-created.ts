import type { Follower } from '../../../../platform/events/follower.ts'
import { insertTerms } from '../read/search-intents.sql.ts'

/** Writes the terms by which a purchase is found once ten thousand later ones exist: until then a search reads its own text. */
export const followCreated: Follower = {
  name: 'purchase_terms',
  types: ['purchase_intent.created'],
  isPatient: true,
  follow(tx, events) {
    tx.write(
      insertTerms({
        account_ids: events.map(({ tenant }) => tenant.accountId),
        modes: events.map(({ tenant }) => tenant.mode),
        intent_ids: events.map(({ aggregateId }) => aggregateId),
      }),
    )
  },
}
