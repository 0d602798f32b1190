import type { Follower } from '../../../platform/events/follower.ts'
import { insertTerms } from './search-intents.sql.ts'

/** Notes what a purchase is found by once ten thousand others have come after it: until then its own text is looked through. */
export const followCreated: Follower = {
  name: 'purchase_terms',
  types: ['purchase_intent.created'],
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
