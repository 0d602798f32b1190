/** Amounts are in minor units, of which each currency has its own number of digits. */
export function moneyIn(language: string, currency: string): (amount: number) => string {
  try {
    const format = new Intl.NumberFormat(language, { style: 'currency', currency })
    const digits = format.resolvedOptions().maximumFractionDigits ?? 2
    return (amount) => format.format(amount / 10 ** digits)
  } catch {
    return (amount) => `${amount / 100} ${currency}`
  }
}
