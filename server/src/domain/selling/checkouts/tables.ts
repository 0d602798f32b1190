/** The tables that this slice alone reads and writes. Others are given fragments and functions. */
export const tables = ['checkouts', 'order_notices', 'checkout_carts'] as const
