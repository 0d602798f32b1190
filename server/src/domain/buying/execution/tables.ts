/** The tables that this slice alone reads and writes. Others are given fragments and functions. */
export const tables = [
  'authorizations',
  'effects',
  'followed_credentials',
  'rail_feeds',
  'rail_movements',
] as const
