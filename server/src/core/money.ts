// An amount is a bigint in minor units (cents, yen, fils), with its ISO 4217 currency beside it; inside it is never a `number`.

/** The largest amount, sum or product that the contract allows: 10^12 minor units. */
export const amountMax = 1_000_000_000_000n

/** As an integer of the wire; every amount that we hold is at most 10^12, which a double holds exactly. */
export function toWire(amount: bigint): number {
  return Number(amount)
}

/** `amount × percent / 100`, rounded down. `percent` may have up to two decimals. */
export function percentFloor(amount: bigint, percent: number): bigint {
  return (amount * BigInt(Math.round(percent * 100))) / 10_000n
}

export function min(first: bigint, ...rest: bigint[]): bigint {
  return rest.reduce((least, next) => (next < least ? next : least), first)
}

/**
 * Divides `total` over `weights` so that the shares sum to exactly `total`: floors first, then one unit each to the largest remainders
 * (ties to the earlier share). If all weights are zero, the shares are equal.
 */
export function allocate(total: bigint, weights: readonly bigint[]): bigint[] {
  if (weights.length === 0) return []
  const sum = weights.reduce((a, b) => a + b, 0n)
  const used = sum === 0n ? weights.map(() => 1n) : weights
  const whole = sum === 0n ? BigInt(weights.length) : sum
  const shares = used.map((weight) => (total * weight) / whole)
  const remainders = used.map((weight, index) => ({ index, rest: (total * weight) % whole }))
  remainders.sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1))
  let left = total - shares.reduce((a, b) => a + b, 0n)
  for (const { index } of remainders) {
    if (left === 0n) break
    // guard shares-keep-the-sum: an amount that is divided into shares keeps its sum to the minor unit
    shares[index] = (shares[index] ?? 0n) + 1n
    left -= 1n
  }
  return shares
}

/** Minor units in one major unit, by ISO 4217: 100 for EUR, 1 for JPY, 1000 for KWD. */
export function minorPerMajor(currency: string): bigint {
  return 10n ** BigInt(digitsOf(currency))
}

/** An amount as a person reads it, in full: `$11.34`, `¥1,134`, `KWD 1.134`. */
export function formatMoney(amountMinor: bigint, currency: string): string {
  const perMajor = minorPerMajor(currency)
  const magnitude = amountMinor < 0n ? -amountMinor : amountMinor
  const rest = String(magnitude % perMajor).padStart(digitsOf(currency), '0')
  const text = `${amountMinor < 0n ? '-' : ''}${magnitude / perMajor}.${rest}` as `${number}` // digits around one point
  // Between a code and its digits Intl puts a non-breaking space, which nobody can type or search for.
  return formatOf(currency).format(text).replaceAll('\u00a0', ' ')
}

/** How many decimals ISO 4217 gives a currency. Intl has the number that people write: none for HUF, whose minor unit is a hundredth. */
function digitsOf(currency: string): number {
  return decimalsOf.get(currency) ?? 2
}

/** The currencies with another number of decimals than two. */
const decimalsOf: ReadonlyMap<string, number> = new Map([
  ...listed(0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'),
  ...listed(3, 'BHD IQD JOD KWD LYD OMR TND'),
  ...listed(4, 'CLF UYW'),
])

function listed(decimals: number, codes: string): [string, number][] {
  return codes.split(' ').map((code) => [code, decimals])
}

const formats = new Map<string, Intl.NumberFormat>()

function formatOf(currency: string): Intl.NumberFormat {
  const known = formats.get(currency)
  if (known) return known
  const decimals = digitsOf(currency)
  const format = new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })
  formats.set(currency, format)
  return format
}
