/** The tables that this folder alone reads and writes. Others are given fragments and functions. */
export const tables = [
  'event_listeners',
  'event_rows',
  'events',
  'follower_backlog',
  'outbox',
  'outbox_shards',
  'subscription_versions',
] as const
