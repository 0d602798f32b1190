/**
 * An amount in minor units (cents, yen, fils) of one ISO 4217 currency. Made only in this module; never a `number` inside.
 */
export type Money = { readonly amountMinor: bigint; readonly currency: Currency }

/** Upper-case ISO 4217 code. */
export type Currency = string

/** The largest amount, sum or product that the contract allows: 10^12 minor units. */
export const amountMax = 1_000_000_000_000n

export function money(amountMinor: bigint, currency: string): Money {
  return { amountMinor, currency: currency.toUpperCase() }
}

/** From a wire integer that validation has already bounded. */
export function fromWire(amount: number, currency: string): Money {
  return money(BigInt(amount), currency)
}

/** To a wire integer; every amount we hold is at most 10^12, which a double holds exactly. */
export function toWire(amount: Money | bigint): number {
  return Number(typeof amount === 'bigint' ? amount : amount.amountMinor)
}

export function add(a: Money, b: Money): Money {
  return { amountMinor: a.amountMinor + sameCurrency(a, b).amountMinor, currency: a.currency }
}

export function subtract(a: Money, b: Money): Money {
  return { amountMinor: a.amountMinor - sameCurrency(a, b).amountMinor, currency: a.currency }
}

export function times(amount: Money, quantity: number): Money {
  return { amountMinor: amount.amountMinor * BigInt(quantity), currency: amount.currency }
}

export function addAll(amounts: readonly Money[], currency: string): Money {
  return amounts.reduce(add, money(0n, currency))
}

/** `amount × percent / 100`, rounded down. `percent` may have up to two decimals. */
export function percentFloor(amount: bigint, percent: number): bigint {
  return (amount * BigInt(Math.round(percent * 100))) / 10_000n
}

export function min(first: bigint, ...rest: bigint[]): bigint {
  return rest.reduce((least, next) => (next < least ? next : least), first)
}

/**
 * Divides `total` over `weights` so that the shares sum to exactly `total`: floors first, then one unit each to the largest
 * remainders (ties to the earlier share). With no weight at all the shares are equal.
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
    shares[index] = (shares[index] ?? 0n) + 1n
    left -= 1n
  }
  return shares
}

/** Minor units in one major unit: 100 for EUR, 1 for JPY, 1000 for KWD. */
export function minorPerMajor(currency: string): bigint {
  const digits = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions()
    .maximumFractionDigits
  return 10n ** BigInt(digits ?? 2)
}

function sameCurrency(a: Money, b: Money): Money {
  if (a.currency !== b.currency) throw new TypeError('amounts of two currencies cannot be combined')
  return b
}
