import type { Budget } from '../view/budget.ts'
import type { Outcome } from './call.ts'
import type { SessionCalls } from './session.ts'

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
