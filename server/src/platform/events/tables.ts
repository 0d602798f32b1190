/** The tables that this folder alone reads and writes. Others are given fragments and functions. */
export const tables = ['event_listeners', 'events', 'follower_backlog', 'relay_shards', 'unrelayed'] as const
