import type { Follower } from '../../../../platform/events/follower.ts'
import { eraseAnswersOfProfiles } from '../writes.sql.ts'

/** What an archived profile has told shops goes with it, also where it was told for one cart alone. */
export const eraseAnswers: Follower = {
  name: 'cart_answers',
  types: ['profile.archived'],
  isPatient: true,
  follow(tx, events) {
    tx.write(
      eraseAnswersOfProfiles({
        account_ids: events.map(({ tenant }) => tenant.accountId),
        modes: events.map(({ tenant }) => tenant.mode),
        profile_ids: events.map(({ aggregateId }) => aggregateId),
      }),
    )
  },
}
