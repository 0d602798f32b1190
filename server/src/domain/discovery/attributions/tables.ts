/** The tables that this slice alone reads and writes. Others are given fragments and functions. */
export const tables = ['attributions', 'attributed_orders', 'impressions'] as const
