/** The tables that this slice alone reads and writes. Others are given fragments and functions. */
export const tables = ['policies', 'policy_counters', 'policy_reservations', 'policy_versions'] as const
