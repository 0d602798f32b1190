import { minorPerMajor } from '../../../core/money.ts'
import type { Shown } from './memory.ts'
import type { Language } from './understood.ts'

/** An amount as people of a language write it. */
export function priceText(language: Language, amount: number, currency: string): string {
  const perMajor = Number(minorPerMajor(currency))
  const digits = String(perMajor).length - 1
  const how = {
    style: 'currency',
    currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  } as const
  return new Intl.NumberFormat(language, how).format(amount / perMajor)
}

/** Whether a product costs no more than somebody wants to pay; a price without a currency is in that of the product. */
export function isWithin(
  { amount, currency }: Pick<Shown, 'amount' | 'currency'>,
  { max, min }: { max?: Limit | null | undefined; min?: Limit | null | undefined },
): boolean {
  const most = max ? limitIn(max, currency) : null
  const least = min ? limitIn(min, currency) : null
  return (most === null || amount <= most) && (least === null || amount >= least)
}

export type Limit = { readonly amount: number; readonly currency: string | null }

/** In minor units of a currency. Without one, it was written in hundredths; null: it is in another currency, and says nothing here. */
export function limitIn({ amount, currency }: Limit, of: string): number | null {
  if (currency === of) return amount
  return currency === null ? Math.round((amount * Number(minorPerMajor(of))) / 100) : null
}
