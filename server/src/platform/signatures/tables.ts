/** The tables that this folder alone reads and writes. Others are given fragments and functions. */
export const tables = ['signing_keys'] as const
