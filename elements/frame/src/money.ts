/** ISO 4217 says how many decimals an amount in minor units has. Browsers know how many people write: of HUF none. */
export function moneyText(amount: number, currency: string, language: string): string {
  const digits = decimalsOf(currency)
  try {
    const minimumFractionDigits = digits
    const format = new Intl.NumberFormat(language, { style: 'currency', currency, minimumFractionDigits })
    return format.format(amount / 10 ** digits)
  } catch {
    // No browser knows a currency that is none.
    return `${(amount / 10 ** digits).toFixed(digits)} ${currency}`
  }
}

export function decimalsOf(currency: string): number {
  if (none.includes(currency)) return 0
  if (four.includes(currency)) return 4
  return three.includes(currency) ? 3 : 2
}

const none = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ')
const three = 'BHD IQD JOD KWD LYD OMR TND'.split(' ')
const four = ['CLF', 'UYW']
