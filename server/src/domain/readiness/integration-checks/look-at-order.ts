import type { ActingContext } from '../../../contract/context.ts'
import { toWire } from '../../../core/money.ts'
import { concludeCheck } from './conclude-check.ts'
import { decideOrderCheck } from './decide-order-check.ts'
import { blankEvidence } from './evidence.ts'
import { type LockedCheck, selectOrderFacts } from './integration-checks.sql.ts'
import type { Look } from './write-check.ts'

/** One look of a locked order check at its order. */
export async function lookAtOrder(ctx: ActingContext, row: LockedCheck): Promise<Look> {
  const settings = row.settings_now
  const facts = await ctx.tx.maybe(
    selectOrderFacts({
      account_id: row.account_id,
      mode: row.mode,
      destination_id: row.destination_id,
      order_id: row.order_id ?? '',
    }),
  )
  if (!facts) throw new Error('the order of a check is gone')
  const findings = decideOrderCheck({
    destinationId: row.destination_id,
    destinationStatus: row.destination_status,
    settingsNow: settings,
    facts,
    now: ctx.now,
  })
  const { responded_at: respondedAt, delivery } = facts
  return {
    conclusion: concludeCheck(findings, ctx.now < row.deadline_at),
    evidence: {
      ...blankEvidence(settings),
      event_id: facts.event_id,
      delivery_id: delivery?.id ?? null,
      delivery_attempts: delivery?.attempts ?? 0,
      http_status: delivery?.http_status ?? null,
      responded_at: respondedAt?.toISOString() ?? null,
      responded_by: facts.responded_by_id,
      response_ms: respondedAt && Math.max(0, respondedAt.getTime() - facts.ordered_at.getTime()),
      order_id: row.order_id,
      payment_status: facts.payment_status,
      amount: toWire(facts.total_amount),
      currency: facts.currency,
    },
    settings,
    quoteId: null,
    deadlineAt: row.deadline_at,
  }
}
