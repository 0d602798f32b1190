/** The tables that this slice alone reads and writes. Others are given fragments and functions. */
export const tables = ['carts', 'purchase_intents', 'purchase_terms'] as const
