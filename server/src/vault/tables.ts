/** The tables that the vault process alone reads and writes. */
export const tables = [
  'card_vault.tenant_keys',
  'card_vault.records',
  'card_vault.grants',
  'card_vault.acts',
] as const
