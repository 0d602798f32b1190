import type { CallContext } from '../../contract/context.ts'
import { formatMoney } from '../../core/money.ts'
import type { Policy } from './policy.ts'
import type { Interval } from './policy-terms.ts'
import { addPolicy, newPolicy, requireRoom, withZone } from './write-policy.ts'

/** What the holder of a card lets agents spend with it. */
type StandingBudget = {
  readonly amount: number
  readonly currency: string
  readonly interval: Interval
  readonly expiresAt: string | null
  readonly card: { readonly id: string; readonly brand: string; readonly last4: string }
}

const every: Readonly<Record<Interval, string>> = {
  day: ' a day',
  week: ' a week',
  month: ' a month',
  year: ' a year',
  all_time: ' in all',
}

/** A policy for exactly one card, as its holder has approved it. The caller has made sure that it was the holder. */
export async function addStandingBudget(ctx: CallContext, budget: StandingBudget): Promise<Policy> {
  const { amount, interval, card } = budget
  await requireRoom(ctx)
  const upTo = formatMoney(BigInt(amount), budget.currency.toUpperCase())
  const made = newPolicy(ctx, {
    name: `Standing budget: up to ${upTo}${every[interval]} with ${card.brand} ${card.last4}`,
    currency: budget.currency,
    scope: { payment_method_ids: [card.id] },
    limits: { intervals: [{ interval, max_amount: amount }] },
    approval: { mode: 'never' },
    valid_until: budget.expiresAt,
  })
  return addPolicy(ctx, await withZone(ctx, { ...made, approved_by: 'cardholder' }))
}
