/** The tables that this folder alone reads and writes. Others are given fragments and functions. */
export const tables = ['audit_batches', 'audit_entries', 'audit_heads'] as const
