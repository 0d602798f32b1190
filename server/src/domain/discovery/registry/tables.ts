/** The tables that this slice alone reads and writes. Others are given fragments and functions. */
export const tables = ['registry_entries', 'site_looks'] as const
