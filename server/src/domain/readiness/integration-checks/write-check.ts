import type { ActingContext } from '../../../contract/context.ts'
import { next } from '../../../core/state-table.ts'
import type { DestinationSettings } from '../../webhooks/destinations/public.ts'
import type { Conclusion } from './conclude-check.ts'
import { type CheckEvidence, type CheckRow, type CheckStep, renderCheck } from './integration-check.ts'
import { type CheckNow, type CheckWrite, updateCheck } from './integration-checks.sql.ts'
import { checkTable } from './machine.ts'

/** How long a check that waits goes without looking again. */
const lookAgainSeconds = 1

/** A row as its statements take it. */
export function writeOf(row: CheckRow): CheckWrite {
  const json = (value: object | null) => (value === null ? null : JSON.stringify(value))
  return {
    ...row,
    quote_request: json(row.quote_request),
    steps: JSON.stringify(row.steps),
    evidence: json(row.evidence),
    failure: json(row.failure),
    settings: json(row.settings),
  }
}

/** What one look at a check came to. */
export type Look = {
  conclusion: Conclusion
  evidence: CheckEvidence
  /** The settings that it speaks of. */
  settings: DestinationSettings
  quoteId: CheckRow['quote_id']
  deadlineAt: Date
}

/**
 * Writes what a look at a locked check came to, with its event. A look that found nothing new only says when the next one is due.
 */
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
  ctx.tx.write(updateCheck(writeOf(changed)))
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
