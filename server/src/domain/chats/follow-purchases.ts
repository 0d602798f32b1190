import type { Follower } from '../../platform/events/follower.ts'
import { deleteChatsOfProfiles } from './chats.sql.ts'
import { wakeRuns } from './runs.sql.ts'

/** Chats that wait for a purchase go on when a person is needed, and when it is over. */
export const wakeWaitingChats: Follower = {
  name: 'chats',
  types: [
    'purchase_intent.awaiting_merchant_auth',
    'purchase_intent.reapproval_required',
    'purchase_intent.declined',
    'purchase_intent.cancelled',
    'purchase_intent.succeeded',
    'purchase_intent.failed',
    'purchase_intent.reconciled',
    'cart.input_required',
  ],
  isPatient: true,
  follow(tx, events) {
    tx.write(
      wakeRuns({
        account_ids: events.map(({ tenant }) => tenant.accountId),
        modes: events.map(({ tenant }) => tenant.mode),
        intent_ids: events.map(({ aggregateId }) => aggregateId),
        now: tx.now,
      }),
    )
    tx.wake('chats')
  },
}

/** With its profile, everything that was said in its chats is deleted. */
export const deleteWithProfile: Follower = {
  name: 'chats-of-profiles',
  types: ['profile.archived'],
  isPatient: true,
  follow(tx, events) {
    tx.write(
      deleteChatsOfProfiles({
        account_ids: events.map(({ tenant }) => tenant.accountId),
        modes: events.map(({ tenant }) => tenant.mode),
        profile_ids: events.map(({ aggregateId }) => aggregateId),
      }),
    )
  },
}
