/** The tables that this slice alone reads and writes. Others are given fragments and functions. */
export const tables = ['looks'] as const
