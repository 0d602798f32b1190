import type { Follower } from '../../../platform/events/follower.ts'
import { deleteAnswersOfProfiles } from './shop-answers.sql.ts'

/** Nothing is bought for an archived profile any more, so no shop is told anything about it. */
export const deleteWithProfile: Follower = {
  name: 'shop_answers',
  types: ['profile.archived'],
  isPatient: true,
  follow(tx, events) {
    tx.write(
      deleteAnswersOfProfiles({
        account_ids: events.map(({ tenant }) => tenant.accountId),
        modes: events.map(({ tenant }) => tenant.mode),
        profile_ids: events.map(({ aggregateId }) => aggregateId),
      }),
    )
  },
}
