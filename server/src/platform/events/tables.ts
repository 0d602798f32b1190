/** The tables that this folder alone reads and writes. Others are given fragments and functions. */
export const tables = [
  'event_listeners',
  'event_rows',
  'events',
  'follower_backlog',
  'outbox',
  'outbox_shards',
  // Of the version before: a trigger passes on what it writes.
  'relay_shards',
  'subscription_versions',
  'unrelayed',
] as const
