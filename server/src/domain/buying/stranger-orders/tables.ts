/** The tables that this slice alone reads and writes. Others are given fragments and functions. */
export const tables = ['order_messages', 'stranger_orders'] as const
