const digitsOf: Readonly<Record<string, number>> = { JPY: 0 }

/** As people of the locale read it: `$1,234.50`, `1.234,50 €`. */
export function moneyText(amount: number, currency: string, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount / scaleOf(currency))
}

/** As structured data has it: `1234.50`. */
export function plainAmount(amount: number, currency: string): string {
  return (amount / scaleOf(currency)).toFixed(digitsOf[currency] ?? 2)
}

function scaleOf(currency: string): number {
  return 10 ** (digitsOf[currency] ?? 2)
}
