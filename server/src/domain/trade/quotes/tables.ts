/** The tables that this slice alone reads and writes. Others are given fragments and functions. */
export const tables = ['quote_answers', 'quotes'] as const
