import { type Listed, missedBeside, missedBy } from './guard.ts'

/** What follows events, and the transactions and migrations under it. */
export const followingGuards: readonly Listed[] = [
  ...missedBeside({
    'follower-or-event': ['const aggregatesMax = 3', 'const aggregatesMax = 3000'],
    'commit-is-a-commit': 'never',
    'a-failed-attempt-is-undone': ["await rows(savepoint('undo'))", "await rows(savepoint('release'))"],
  }),
  ...missedBy(['src/platform/events/relay.test.ts'], {
    'relay-epoch': ['epoch = $epoch', '$epoch::bigint is not null'],
    'relay-takes-all': 'never',
  }),
  ...missedBy(['src/platform/events/chained-alone.test.ts'], {
    'chained-takes-all': ['found.rows = cardinality($firsts::int[]) and '],
    'chained-at-the-end': ['and (select count(*) from locked) = (select count(*) from batch)'],
  }),
  ...missedBy(['src/platform/events/late-followers.test.ts'], {
    'late-events-keep-their-order': {
      how: ['keys', 'new Set<string>()'],
      only: 'once the follower works again',
    },
    'a-split-batch-goes-on': { how: ['return null', 'throw error'], only: 'fails for 4 s' },
    'behind-waits-for-its-head': { how: ['>= $sequence', '< 0'], only: 'tries follow later' },
    'parked-after-hours': {
      how: ['coalesce(b.parked_at, $now::timestamptz)', 'b.parked_at'],
      only: 'tries follow later',
    },
    'left-behind-is-written': { how: 'never', only: 'fails for 4 s' },
  }),
  ...missedBy(['src/platform/events/follower-misdeeds.test.ts'], {
    'session-endings-are-somebodys': {
      how: ['const endingsMax = 3', 'const endingsMax = 3000'],
      only: 'ends the session',
    },
    'checked-at-once': { how: 'gone', only: 'checked at the commit' },
  }),
  ...missedBy(['src/platform/events/late-followers-takeover.test.ts'], {
    'late-epoch': { how: ['epoch = $epoch', '$epoch::bigint is not null'], only: 'nobody has caught up yet' },
    'late-in-sequence': { how: ['break', 'continue'], only: 'fails half of the time' },
    'late-takes-all': { how: 'never', only: 'held up while it caught up' },
    'chain-has-a-row-to-lock': { how: 'never', only: 'two relays at once' },
  }),
  ...missedBy(['src/domain/webhooks/destinations/deliver-at-once.http.test.ts'], {
    'known-version': ['where coalesce(v.version, 0) <> k.version', 'where false'],
    'behind-the-outbox': { how: ['and not o.is_delivered', 'and false'], only: 'waits for the relay' },
    'behind-the-backlog': { how: ['b.shard = p.shard', 'false'], only: 'is behind with' },
    'confirmed-at-once': { how: 'gone', only: 'has not confirmed' },
    'few-at-once': { how: 'gone', only: 'more deliveries than' },
    'kept-then-delivered': {
      how: ['and kept.is_delivered`', '`'],
      only: 'after the subscriptions were read',
    },
  }),
  ...missedBy(['src/platform/database/migrate.test.ts'], {
    'migrations-do-not-change': {
      how: ['if (!ours || ours.checksum === one.checksum || (ours.isBaseline && ours.name !== one.name)) '],
      only: 'text has changed',
    },
  }),
]
