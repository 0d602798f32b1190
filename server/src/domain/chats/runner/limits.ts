import type { StepContext } from '../../../platform/work/work.ts'
import type { RunRow } from '../run.ts'
import { selectDay } from '../runs.sql.ts'
import type { ChatMeans } from './means.ts'

/** The limit that a run has reached before its next thought; null: none. */
export async function limitReached(
  { reads, tenant, now }: StepContext,
  run: RunRow,
  { limits, thinker }: ChatMeans,
): Promise<string | null> {
  // guard steps-of-a-run: a run that goes round and round ends
  if (run.step >= limits.stepsPerRun) return 'too_many_steps'
  if (now.getTime() - run.queued_at.getTime() > limits.secondsPerRun * 1000) return 'too_long'
  if (!thinker.isSlow) return null
  // guard tokens-of-a-run: a run has so many tokens
  if (run.tokens >= limits.tokensPerRun) return 'too_many_tokens'
  const day = await reads.maybe(selectDay({ account_id: tenant.accountId, mode: tenant.mode, now }))
  // guard tokens-of-a-day: an account has so many tokens a day
  if (day && day.tokens >= limits.tokensPerDay) return 'tokens_of_day_used'
  if (day && limits.costPerDay > 0 && day.cost >= limits.costPerDay) return 'cost_of_day_used'
  return null
}
