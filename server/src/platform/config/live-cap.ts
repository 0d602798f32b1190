import { minorPerMajor } from '../../core/money.ts'
import type { SettingName } from './settings-table.ts'

const form = /^(\d{1,12})(?:\.(\d{1,3}))? ([A-Z]{3})$/

/** The caps of `500.00 USD, 400.00 EUR`, in minor units; what is not understood is left out, and `liveCapFaults` says it. */
export function liveCapOf(text: string): ReadonlyMap<string, bigint> {
  return new Map(partsOf(text).flatMap((part) => capIn(part) ?? []))
}

/** Whoever bounds what real money may do must not be misread. */
export function liveCapFaults(values: ReadonlyMap<SettingName, unknown>): string[] {
  const text = values.get('PROKURA_LIVE_CAP_DAILY')
  if (typeof text !== 'string') return []
  const parts = partsOf(text)
  const currencies = parts.map((part) => part.slice(-3))
  const unclear = parts.filter((part) => capIn(part) === null)
  return [
    ...(parts.length === 0
      ? ['PROKURA_LIVE_CAP_DAILY is empty; write it like "500.00 USD, 400.00 EUR"']
      : []),
    ...unclear.map(
      (part) =>
        `PROKURA_LIVE_CAP_DAILY has ${JSON.stringify(part)}, which is no amount of a currency; write it like "500.00 USD"`,
    ),
    ...(new Set(currencies).size < currencies.length
      ? ['PROKURA_LIVE_CAP_DAILY names a currency twice; name each once']
      : []),
  ]
}

function partsOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** As a person writes money: no more digits after the point than the currency has. */
function capIn(part: string): [[string, bigint]] | null {
  const [, whole = '', fraction = '', currency = ''] = form.exec(part) ?? []
  if (!Intl.supportedValuesOf('currency').includes(currency)) return null
  const perMajor = minorPerMajor(currency)
  const digits = String(perMajor).length - 1
  if (fraction.length > digits) return null
  return [[currency, BigInt(whole) * perMajor + BigInt(fraction.padEnd(digits, '0') || '0')]]
}
