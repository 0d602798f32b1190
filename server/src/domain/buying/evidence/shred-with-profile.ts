import type { Follower } from '../../../platform/events/follower.ts'
import { shredEvidenceOfProfiles } from './evidence.sql.ts'

/** Nobody reads pictures of the purchases of an archived profile any more, so they are deleted. */
export const shredWithProfile: Follower = {
  name: 'evidence',
  types: ['profile.archived'],
  isPatient: true,
  follow(tx, events) {
    tx.write(
      shredEvidenceOfProfiles({
        account_ids: events.map(({ tenant }) => tenant.accountId),
        modes: events.map(({ tenant }) => tenant.mode),
        profile_ids: events.map(({ aggregateId }) => aggregateId),
      }),
    )
  },
}
