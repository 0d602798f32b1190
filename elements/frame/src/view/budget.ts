import type { Budget } from '../calls/standing-budget.ts'
import type { Words } from './words.ts'

/** The budget in the words of the person who is to approve it. */
export function budgetText(budget: Budget, { sentences, language }: Words): string {
  const { amount, currency, interval, expiresAt } = budget
  const upTo = sentences.budgetUpTo[interval](moneyText(amount, currency, language))
  if (expiresAt === null) return sentences.budget(upTo)
  const until = new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(new Date(expiresAt))
  return sentences.budgetUntil(upTo, until)
}

/** ISO 4217 says how many decimals an amount in minor units has. Browsers know how many people write: of HUF none. */
function moneyText(amount: number, currency: string, language: string): string {
  const digits = noDecimals.includes(currency) ? 0 : threeDecimals.includes(currency) ? 3 : 2
  const minimumFractionDigits = digits
  const format = new Intl.NumberFormat(language, { style: 'currency', currency, minimumFractionDigits })
  return format.format(amount / 10 ** digits)
}

const noDecimals = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' ')
const threeDecimals = 'BHD IQD JOD KWD LYD OMR TND'.split(' ')
