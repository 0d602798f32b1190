import type { Fields } from '../../../messages/src/messages.ts'
import type { Outcome } from './call.ts'
import type { SessionCalls } from './session.ts'

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

/** Lets agents spend the budget that a person has approved, with a card that they have just added. */
export async function makeBudget(
  { ask }: Pick<SessionCalls, 'ask'>,
  { amount, currency, interval, expiresAt }: Budget,
  card: { readonly id: string; readonly codeToken: string | null },
): Promise<Outcome<Record<string, unknown>>> {
  const budget = { amount, currency, interval, expires_at: expiresAt }
  const code = card.codeToken === null ? {} : { temporary_cvc_token_id: card.codeToken }
  const request = {
    // One budget of a kind for each card that is added.
    idempotencyKey: `budget-${card.id}`,
    body: { budget, ...code },
  }
  const path = `payment_methods/${encodeURIComponent(card.id)}/standing_budgets`
  const outcome = await ask(path, request)
  return outcome.kind === 'no_answer' ? ask(path, request) : outcome
}
