/** The tables that the vault process alone reads and writes, and the views that it alone reads. */
export const tables = [
  'card_vault.tenant_keys',
  'card_vault.records',
  'card_vault.grants',
  'card_vault.acts',
  'card_vault.rate_counters',
  'card_vault.refusals',
  'card_sessions',
  'kept_cards',
  'refused_cards',
] as const
