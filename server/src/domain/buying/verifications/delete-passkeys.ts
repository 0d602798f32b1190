import type { Follower } from '../../../platform/events/follower.ts'
import { deletePasskeysOf } from './verifications.sql.ts'

/** A passkey is its card's: nobody proves a card that was deleted, or one of an archived profile. */
export const deletePasskeys: Follower = {
  name: 'passkeys',
  types: ['payment_method.deleted', 'profile.archived'],
  isPatient: true,
  follow(tx, events) {
    // guard passkeys-go-with-their-card: what a person has made for a card does not outlive it
    tx.write(
      deletePasskeysOf({
        account_ids: events.map(({ tenant }) => tenant.accountId),
        modes: events.map(({ tenant }) => tenant.mode),
        ids: events.map(({ aggregateId }) => aggregateId),
      }),
    )
  },
}
