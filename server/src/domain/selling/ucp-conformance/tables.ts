/** The tables that this slice alone reads and writes. */
export const tables = ['conformance_shops', 'conformance_addresses'] as const
