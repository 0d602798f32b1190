import { expect, test } from 'vitest'
import { events } from '../../../composition.ts'
import type { FollowTransaction, RelayedEvent } from '../../../platform/events/follower.ts'
import { followDeliveries } from './follow-deliveries.ts'

const event: RelayedEvent = {
  id: 'evt_1',
  type: 'purchase_intent.created',
  tenant: { accountId: 'acct_1', mode: 'test' },
  aggregateId: 'pi_1',
  sequence: 1,
  cartId: null,
  actor: { type: 'system', id: 'test' },
  requestId: 'req_1',
  object: '{}',
  recipientAccountId: null,
  envelope: null,
  createdAt: new Date(0),
  isHeard: false,
  isDelivered: false,
}

/** How many statements the follower awaits for an event. */
async function asked(about: Partial<RelayedEvent>): Promise<number> {
  let count = 0
  const tx: FollowTransaction = {
    rows: async () => {
      count += 1
      return []
    },
    maybe: async () => null,
    write: () => undefined,
    wake: () => undefined,
    now: new Date(0),
    newId: (prefix) => `${prefix}_1`,
  }
  await followDeliveries(events).follow(tx, [{ ...event, ...about }])
  return count
}

test('an event without a possible listener costs the database nothing more', async () => {
  expect(await asked({})).toBe(0)
  expect(await asked({ isHeard: true })).toBe(1)
  expect(await asked({ isHeard: true, type: 'profile.created' })).toBe(0)
  expect(await asked({ recipientAccountId: 'acct_2', type: 'order.requested' })).toBe(1)
  expect(await asked({ recipientAccountId: 'acct_1', type: 'destination.test', isHeard: true })).toBe(0)
})
