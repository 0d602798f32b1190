/** The tables that this slice alone reads and writes. Others are given fragments and functions. */
export const tables = ['rate_card_zones', 'rate_cards'] as const
