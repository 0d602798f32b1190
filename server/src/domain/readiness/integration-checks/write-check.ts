import type { ActingContext } from '../../../contract/context.ts'
import { next } from '../../../core/state-table.ts'
import type { DestinationSettings } from '../../webhooks/destinations/public.ts'
import type { Conclusion } from './conclude-check.ts'
import { type CheckEvidence, type CheckRow, type CheckStep, renderCheck } from './integration-check.ts'
import { type CheckNow, updateCheck } from './integration-checks.sql.ts'
import { checkTable } from './machine.ts'

/** How many seconds a waiting check rests before its next look. */
const lookAgainSeconds = 1

/** The result of one look at a check. */
export type Look = {
  conclusion: Conclusion
  evidence: CheckEvidence
  /** The settings that it is about. */
  settings: DestinationSettings
  quoteId: CheckRow['quote_id']
  deadlineAt: Date
}

/** Writes the result of a look at a locked check, with its event. A look that found nothing new only writes when the next one is due. */
export function writeLook(ctx: ActingContext, row: CheckNow, look: Look): void {
  const { conclusion, evidence, settings } = look
  const { settings_now, ...before } = row
  const isOver = conclusion.kind !== 'waiting'
  const trigger = { passed: 'pass', failed: 'fail', waiting: 'wait' } as const
  const status = next(checkTable, row.status, trigger[conclusion.kind])
  if (status === null) throw new Error(`a check was looked at that had ${row.status}`)
  const isNews = isOver || status !== row.status || outline(row.steps) !== outline(conclusion.steps)
  const changed: CheckRow = {
    ...before,
    quote_id: look.quoteId,
    deadline_at: look.deadlineAt,
    status,
    steps: conclusion.steps,
    evidence,
    failure: conclusion.kind === 'failed' ? conclusion.failure : null,
    settings,
    finished_at: isOver ? ctx.now : null,
    due_at: isOver ? null : new Date(ctx.now.getTime() + lookAgainSeconds * 1000),
    ...(isNews ? { seq: row.seq + 1, updated_at: ctx.now } : {}),
  }
  ctx.tx.write(updateCheck(changed))
  if (!isNews) return
  ctx.tx.emit({
    type: `integration_check.${status}`,
    aggregateId: row.id,
    sequence: changed.seq,
    object: renderCheck(changed, settings_now),
  })
}

function outline(steps: readonly CheckStep[]): string {
  return steps.map(({ name, status }) => `${name} ${status}`).join(', ')
}
