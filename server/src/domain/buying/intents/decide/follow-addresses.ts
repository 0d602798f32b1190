import type { Follower } from '../../../../platform/events/follower.ts'
import { wakeAwaitingAddress, wakeMax, wakeTenantAwaitingAddress } from './awaited-addresses.sql.ts'

/** When a profile gets an address, purchases that wait for one become due; and so they do at the end of a freeze. */
export const followAddresses: Follower = {
  name: 'awaited_addresses',
  types: ['profile.updated', 'control.unfrozen'],
  follow(tx, events) {
    const named = events
      .filter(({ type, object }) => type === 'control.unfrozen' || hasAddress(object))
      .map(({ type, tenant, aggregateId }) => ({
        ...tenant,
        profileId: type === 'control.unfrozen' ? null : aggregateId,
      }))
    for (const [wake, those] of [
      [wakeAwaitingAddress, named.filter(({ profileId }) => profileId !== null)],
      [wakeTenantAwaitingAddress, named.filter(({ profileId }) => profileId === null)],
    ] as const) {
      if (those.length === 0) continue
      tx.write(
        wake({
          account_ids: those.map(({ accountId }) => accountId),
          modes: those.map(({ mode }) => mode),
          profile_ids: those.map(({ profileId }) => profileId),
          limit: wakeMax,
        }),
      )
    }
    if (named.length > 0) tx.wake('intents')
  },
}

function hasAddress(profile: string): boolean {
  const { addresses } = JSON.parse(profile) as { addresses: unknown[] } // as `renderProfile` wrote it
  return addresses.length > 0
}
