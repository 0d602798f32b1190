import { type Guard, guardsOf } from './guard.ts'

const relay = 'src/platform/events/relay.test.ts'
const chainedAlone = 'src/platform/events/chained-alone.test.ts'
const lateFollowers = 'src/platform/events/late-followers.test.ts'
const followerMisdeeds = 'src/platform/events/follower-misdeeds.test.ts'
const lateTakeover = 'src/platform/events/late-followers-takeover.test.ts'
const atOnce = 'src/domain/webhooks/destinations/deliver-at-once.http.test.ts'
const followerTrust = 'src/platform/events/follower-trust.test.ts'
const transaction = 'src/platform/database/transaction.test.ts'
const migrate = 'src/platform/database/migrate.test.ts'

/** What follows events, and the transactions and migrations under it. */
export const followingGuards: readonly Guard[] = [
  ...guardsOf('src/platform/events/relay.sql.ts', [relay], {
    'relay-epoch': {
      keeps: 'a relay that was taken over writes nothing',
      find: 'where shard = $shard and epoch = $epoch for share',
      replace: 'where shard = $shard and $epoch::bigint is not null for share',
    },
    'chained-takes-all': {
      keeps: 'events that another relay has taken are not chained twice',
      find: 'found.rows = cardinality($firsts::int[]) and ',
      replace: '',
      killers: [chainedAlone],
    },
    'chained-at-the-end': {
      keeps: 'events leave the outbox only with their chain',
      find: 'and (select count(*) from locked) = (select count(*) from batch)',
      replace: '',
      killers: [chainedAlone],
    },
  }),
  ...guardsOf('src/platform/events/relay-batch.ts', [relay], {
    'relay-takes-all': {
      keeps: 'the rows that follow an event are written once',
      find: 'if (taken?.taken !== rows.length) throw',
      replace: 'if (taken === null) throw',
    },
  }),
  ...guardsOf('src/platform/events/shard-relay.ts', [lateFollowers], {
    'late-events-keep-their-order': {
      keeps: 'later events do not overtake those that wait for a follower',
      find: 'isTrusted(name) || keys.has(',
      replace: 'isTrusted(name) || new Set<string>().has(',
      only: 'once the follower works again',
    },
    'a-split-batch-goes-on': {
      keeps: 'a follower that fails does not hold up the others',
      after: "result: 'split' })",
      find: 'return null',
      replace: 'throw error',
      only: 'fails for 4 s',
    },
    'session-endings-are-somebodys': {
      keeps: 'a follower that ends the session does not hold up the others',
      find: 'const endingsMax = 3',
      replace: 'const endingsMax = 3000',
      killers: [followerMisdeeds],
      only: 'ends the session',
    },
  }),
  ...guardsOf('src/platform/events/backlog.sql.ts', [lateFollowers], {
    'late-epoch': {
      keeps: 'a relay that lost its shard while it caught up writes nothing',
      after: "'relay_take_backlog'",
      find: 'where shard = $shard and epoch = $epoch for share',
      replace: 'where shard = $shard and $epoch::bigint is not null for share',
      killers: [lateTakeover],
      only: 'nobody has caught up yet',
    },
    'behind-waits-for-its-head': {
      keeps: 'events behind one that fails wait as long as it does',
      find: 'and b.aggregate_id = $aggregate_id and b.sequence >= $sequence',
      replace: 'and b.aggregate_id = $aggregate_id and b.sequence < 0',
      only: 'tries follow later',
    },
    'parked-after-hours': {
      keeps: 'an event that has failed for hours is named as parked',
      find: 'then coalesce(b.parked_at, $now::timestamptz) else b.parked_at end',
      replace: 'then b.parked_at else b.parked_at end',
      only: 'tries follow later',
    },
  }),
  ...guardsOf('src/platform/events/late-followers.ts', [lateTakeover], {
    'late-in-sequence': {
      keeps: 'late events of an aggregate come in sequence',
      find: 'if (!(await this.#alone(follower, row))) break',
      replace: 'if (!(await this.#alone(follower, row))) continue',
      only: 'fails half of the time',
    },
  }),
  ...guardsOf('src/platform/events/outbox.sql.ts', [atOnce], {
    'known-version': {
      keeps: 'deliveries are made at once only by subscriptions that still hold',
      find: 'where coalesce(v.version, 0) <> k.version',
      replace: 'where false',
    },
    'behind-the-outbox': {
      keeps: 'a delivery is not made before that of an earlier event of the same object',
      find: 'and not o.is_delivered',
      replace: 'and false',
      only: 'waits for the relay',
    },
    'behind-the-backlog': {
      keeps: 'a delivery is not made before that of an earlier event that the follower failed at',
      find: 'where b.shard = p.shard and b.follower = $acted',
      replace: 'where false and b.follower = $acted',
      only: 'is behind with',
    },
  }),
  ...guardsOf('src/domain/webhooks/destinations/follow-deliveries.ts', [atOnce], {
    'confirmed-at-once': {
      keeps: 'an endpoint that has not confirmed gets nothing at once',
      find: 'if (destinations.some(({ isConfirmed }) => !isConfirmed)) return null',
      replace: '',
      only: 'has not confirmed',
    },
    'few-at-once': {
      keeps: 'nobody waits for more than sixteen deliveries',
      find: 'if (matches.length > atOnceMax) return null',
      replace: '',
      only: 'more deliveries than',
    },
  }),
  ...guardsOf('src/domain/webhooks/destinations/known-subscriptions.sql.ts', [atOnce], {
    'kept-then-delivered': {
      keeps: 'deliveries are inserted only where the outbox says that they are',
      find: 'and kept.is_delivered`',
      replace: '`',
      only: 'after the subscriptions were read',
    },
  }),
  ...guardsOf('src/platform/events/relay-batch.ts', [lateFollowers], {
    'left-behind-is-written': {
      keeps: 'an event that a follower failed at is not lost',
      find: 'if (sharing.leftBehind.length > 0) transaction.write',
      replace: 'if (sharing.leftBehind.length < 0) transaction.write',
      only: 'fails for 4 s',
    },
    'late-takes-all': {
      keeps: 'rows that follow an event late are written once',
      find: 'if (taken.length !== events.length) throw',
      replace: 'if (taken === undefined) throw',
      killers: [lateTakeover],
      only: 'held up while it caught up',
    },
    'checked-at-once': {
      keeps: 'a constraint that is checked at the commit fails only the follower that broke it',
      after: 'sharing: Sharing,\n): Promise<void> {',
      find: 'transaction.write(checkAtOnce({}))',
      replace: '',
      killers: [followerMisdeeds],
      only: 'checked at the commit',
    },
  }),
  ...guardsOf('src/platform/events/follower-trust.ts', [followerTrust], {
    'follower-or-event': {
      keeps: 'a follower that fails at everything costs the others nothing',
      find: 'const aggregatesMax = 3',
      replace: 'const aggregatesMax = 3000',
    },
  }),
  ...guardsOf('src/platform/audit/chain-events.ts', [lateTakeover], {
    'chain-has-a-row-to-lock': {
      keeps: 'two relays that begin a chain at once do not both write its first entry',
      find: 'if (heads.length < tenants.length)',
      replace: 'if (heads.length > tenants.length)',
      only: 'two relays at once',
    },
  }),
  ...guardsOf('src/platform/database/transaction.ts', [transaction], {
    'commit-is-a-commit': {
      keeps: 'a transaction that was rolled back does not answer as if it had happened',
      find: "if (command !== 'COMMIT') throw",
      replace: "if (command === '') throw",
    },
    'a-failed-attempt-is-undone': {
      keeps: 'a failed attempt undoes its own writes and no others',
      find: "await rows(savepoint('undo'))",
      replace: "await rows(savepoint('release'))",
    },
  }),
  ...guardsOf('src/platform/database/migration-files.ts', [migrate], {
    'migrations-do-not-change': {
      keeps: 'a migration that was applied is never another one',
      find: 'if (!ours || ours.checksum === one.checksum || (ours.isBaseline && ours.name !== one.name)) continue',
      replace: 'continue',
      only: 'text has changed',
    },
  }),
]
