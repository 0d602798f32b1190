import type { Fields } from '../../../messages/src/messages.ts'
import type { Words } from './words.ts'

/** What the page asks a person to let agents spend with the card. */
export type Budget = {
  readonly amount: number
  readonly currency: string
  readonly interval: Interval
  readonly expiresAt: string | null
}

const intervals = ['day', 'week', 'month', 'year', 'all_time'] as const
export type Interval = (typeof intervals)[number]

/** Null: the page asks for none. Undefined: what it asks for is none. */
export function budgetOf({ budget }: Fields): Budget | null | undefined {
  if (budget === undefined || budget === null) return null
  if (typeof budget !== 'object') return undefined
  const { amount, currency, interval, expires_at } = budget as Fields // its fields are looked at
  const every = intervals.find((one) => one === interval)
  const code = String(currency).toUpperCase()
  const isAmount = typeof amount === 'number' && Number.isSafeInteger(amount) && amount > 0
  if (!isAmount || !/^[A-Z]{3}$/.test(code) || every === undefined) return undefined
  const expiresAt = expires_at ?? null
  if (expiresAt !== null && (typeof expiresAt !== 'string' || Number.isNaN(Date.parse(expiresAt))))
    return undefined
  return { amount, currency: code, interval: every, expiresAt }
}

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
