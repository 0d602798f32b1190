/** The tables that this folder alone reads and writes. Others are given fragments and functions. */
export const tables = ['idempotency_keys'] as const
