/** The tables that this folder alone reads and writes. Others are given fragments and functions. */
export const tables = ['key_marks'] as const
