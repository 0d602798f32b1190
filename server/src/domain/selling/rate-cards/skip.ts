/** Why a rate card does not apply to a shipment. */
export const skipCodes = [
  'no_items',
  'currency_mismatch',
  'market_mismatch',
  'address_unknown',
  'zone_mismatch',
  'label_mismatch',
  'weight_unknown',
  'distance_unknown',
  'no_tier',
] as const
type SkipCode = (typeof skipCodes)[number]

export type Skip = { readonly code: SkipCode; readonly message: string }
