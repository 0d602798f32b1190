import type { WalletTerms } from '../../domain/buying/rails/port.ts'

/** What Link publishes of its wallet, in minor units of US dollars: what exceeds it is not asked for. */
const limits = {
  currency: 'USD',
  request: 50_000n,
  day: 50_000n,
  monthly: 2_000_000n,
  active: 30,
} as const

/** As long as the person can approve a request. */
export const approvalMinutes = 10
/** As long as its card can be used, from when it was requested. */
const cardHours = 12

/** A card is asked for so much shorter: Link's clock is another one, and its person takes their time. */
const marginHours = 1

/** What of it is looked at before a shop is asked for a price. */
export const walletTerms: WalletTerms = {
  currency: limits.currency,
  amountMax: limits.request,
  cardSeconds: (cardHours - marginHours) * 3_600,
}

/** What is known of the wallet besides the request. */
type LinkUse = { readonly today: bigint; readonly inThirtyDays: bigint; readonly active: number }

type Asked = {
  readonly amount: bigint
  readonly currency: string
  readonly countryOfPerson?: string
  /** For how long its merchant may charge it. */
  readonly neededForMs?: number
  readonly use?: LinkUse
}

/** The conditions of this way of paying, each with when it stands against a purchase. */
const conditions: readonly (readonly [name: string, stands: (asked: Asked) => boolean])[] = [
  ['currency_not_offered', ({ currency }) => currency !== limits.currency],
  ['country_not_offered', ({ countryOfPerson = 'US' }) => !['US', 'CA'].includes(countryOfPerson)],
  ['over_request_limit', ({ amount }) => amount > limits.request],
  ['needed_for_longer', ({ neededForMs = 0 }) => neededForMs > cardHours * 3_600_000],
  ['over_daily_limit', ({ amount, use }) => use !== undefined && use.today + amount > limits.day],
  [
    'over_monthly_limit',
    ({ amount, use }) => use !== undefined && use.inThirtyDays + amount > limits.monthly,
  ],
  ['too_many_requests', ({ use }) => use !== undefined && use.active >= limits.active],
]

/** Why a purchase cannot be paid by Link, before anybody is asked; null: it may be. What Link counts itself it refuses itself. */
export function whyNotByLink(asked: Asked): string | null {
  return conditions.find(([, stands]) => stands(asked))?.[0] ?? null
}
