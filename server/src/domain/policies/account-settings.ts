/** How far an account's purchases may deviate from what was expected, where no policy and no request sets it. */
export type AccountSettings = {
  /** How far a unit price may rise above the expected one. */
  readonly tolerancePercent: number
  /** The fee allowance is the smaller of a part of the expected amount and a fixed number of major units. */
  readonly feePercent: number
  readonly feeCapMajorUnits: number
  readonly taxPercent: number
  /** In which the days of policies begin that name no time zone. */
  readonly timezone: string
}

const defaults = {
  tolerancePercent: 5,
  feePercent: 30,
  feeCapMajorUnits: 25,
  taxPercent: 12,
  timezone: 'UTC',
}

/** The settings of an account row, with defaults for those that are missing. */
export function accountSettings(row: { settings: Record<string, unknown> } | null): AccountSettings {
  const settings = row?.settings ?? {}
  const read = (name: string, otherwise: number) => {
    const value = settings[name]
    return typeof value === 'number' && value >= 0 ? value : otherwise
  }
  return {
    tolerancePercent: read('price_tolerance_percent', defaults.tolerancePercent),
    feePercent: read('fulfillment_fee_percent', defaults.feePercent),
    feeCapMajorUnits: read('fulfillment_fee_cap_major_units', defaults.feeCapMajorUnits),
    taxPercent: read('tax_percent', defaults.taxPercent),
    timezone: typeof settings.timezone === 'string' ? settings.timezone : defaults.timezone,
  }
}
