import { expect, test } from 'vitest'
import { draftOf } from '../../../test/harness/any-draft.ts'
import type { Tenant } from '../../contract/context.ts'
import type { Id, IdPrefix } from '../../core/id.ts'
import { appendEvents, freezeEvents, shardOf } from './append-events.ts'
import { openAtOnce } from './at-once.ts'
import type { ActAtOnce, Follower } from './follower.ts'

const tenant: Tenant = { accountId: 'acct_1' as Id<'acct'>, mode: 'test' }
const nobody: ReturnType<ActAtOnce> = { known: [], write: null, into: [], wakes: 'deliveries' }
const follow = () => undefined
const hasty: Follower = { name: 'hasty', types: ['order.confirmed'], follow }
const patient: Follower = {
  name: 'patient',
  types: ['thing.made', 'order.confirmed'],
  isPatient: true,
  follow,
}

/** Which shards are told of events of these types, where the follower that acts at once answers so. */
function toldOf(types: readonly string[], acts: ReturnType<ActAtOnce>): readonly number[] {
  const deliveries: Follower = { name: 'deliveries', follow, atOnce: () => () => acts }
  const atOnce = openAtOnce([deliveries, hasty, patient], { read: async () => [] })
  const origin = {
    tenant,
    actor: { type: 'system', id: 'test' } as const,
    requestId: 'req_1',
    now: new Date(0),
    newId: <P extends IdPrefix>(prefix: P) => `${prefix}_1` as Id<P>,
  }
  const drafts = types.map((type, index) =>
    draftOf({ type, aggregateId: 'thing_1', sequence: index + 1, object: {} }),
  )
  return appendEvents(freezeEvents(drafts, origin), origin, atOnce).shards
}

test.each([
  { what: 'an event that nobody follows', types: ['thing.kept'], acts: nobody, isTold: false },
  { what: 'an event that only a patient follower wants', types: ['thing.made'], acts: nobody, isTold: false },
  {
    what: 'an event that another follower wants, too',
    types: ['order.confirmed'],
    acts: nobody,
    isTold: true,
  },
  {
    what: 'such an event behind others',
    types: ['thing.made', 'order.confirmed'],
    acts: nobody,
    isTold: true,
  },
  {
    what: 'an event whose deliveries the relay has to make',
    types: ['thing.made'],
    acts: null,
    isTold: true,
  },
])('of $what the relay is told at once: $isTold', ({ types, acts, isTold }) => {
  expect(toldOf(types, acts)).toEqual(isTold ? [shardOf(tenant)] : [])
})
