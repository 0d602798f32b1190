import type { ActingContext } from '../../../contract/context.ts'
import type { Id } from '../../../core/id.ts'
import {
  countedMax,
  endLiveDay,
  holdLiveDay,
  insertLiveAllowance,
  selectLiveStanding,
} from './live-limits.sql.ts'

/**
 * `open`: nothing stands in its way. `day_is_full`: the operator's limit of the day has no room for it. `first_purchases`: the account is
 * new in live mode, so a person shows that they release it, whatever policies say.
 */
type LiveStanding = 'open' | 'day_is_full' | 'first_purchases'

/** What stands before a purchase of live mode that is about to be released, besides policies. */
export type LiveGate = {
  standing(cap: bigint): LiveStanding
  /** Counts it for today, in place of what it held. Refused as a stale decision where others were faster. */
  hold(cap: bigint): void
}

/** Above any sum: a purchase that the operator has let pass is held whatever is used. */
const noLimit = 9_000_000_000_000_000n

/** Test mode spends nothing. */
const noGate: LiveGate = { standing: () => 'open', hold: () => undefined }

export async function liveGate(
  ctx: ActingContext,
  { intentId: intent_id, currency }: { intentId: string; currency: string },
): Promise<LiveGate> {
  const { accountId: account_id, mode } = ctx.tenant
  if (mode !== 'live') return noGate
  // A day of UTC, the same for accounts everywhere.
  const of = { account_id, mode, intent_id, currency, day: ctx.now.toISOString().slice(0, 10) }
  const found = await ctx.tx.maybe(selectLiveStanding({ ...of, counted_max: countedMax }))
  if (found === null) throw new Error('a row of aggregates was not there')
  // guard live-currency-is-named: live mode buys in no currency for which the operator has set no limit
  const most = found.is_allowed ? noLimit : (ctx.settings.liveCapDaily?.get(currency) ?? 0n)
  return {
    standing(cap) {
      // guard live-day: the operator's limit holds for all accounts together, and only the operator lets a purchase pass it
      if (found.used - found.own + cap > most) return 'day_is_full'
      // guard first-live-purchases-by-a-person: no policy spends real money of an account that nobody has tried out
      return found.purchases < countedMax ? 'first_purchases' : 'open'
    },
    hold(cap) {
      ctx.tx.write(endLiveDay({ account_id, mode, intent_id, charged: 0n }))
      ctx.tx.write(holdLiveDay({ ...of, amount: cap, most, now: ctx.now }))
    },
  }
}

/** It has ended, and cost this much. */
export function endLive(
  ctx: ActingContext,
  { intentId: intent_id, charged }: { intentId: string; charged: bigint },
): void {
  const { accountId: account_id, mode } = ctx.tenant
  if (mode === 'live') ctx.tx.write(endLiveDay({ account_id, mode, intent_id, charged }))
}

/** The operator lets it pass the limit of the day. A person still has to approve it. */
export function allowLive(ctx: ActingContext, { intentId, by }: { intentId: Id<'pi'>; by: string }): void {
  const { accountId: account_id, mode } = ctx.tenant
  ctx.tx.write(insertLiveAllowance({ account_id, mode, intent_id: intentId, allowed_by: by, now: ctx.now }))
}
