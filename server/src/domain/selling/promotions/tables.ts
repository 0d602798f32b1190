/** The tables that this slice alone reads and writes. Others are given fragments and functions. */
export const tables = ['promotion_counters', 'promotion_redemptions', 'promotions'] as const
