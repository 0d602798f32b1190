import type { ActingContext } from '../../../contract/context.ts'
import { expectHeld } from '../../../platform/work/lease.ts'
import { type Upserted, upsertItems } from '../catalog/public.ts'
import type { ImportedBatch } from './events.ts'
import type { FileItem } from './file-items.ts'
import type { RowFault } from './file-row.ts'
import { type Counts, errorsKeptMax, type ShownImportRow } from './import.ts'
import { type ClaimedImport, insertErrors, lockClaimedImport, updateImportRow } from './imports.sql.ts'

/**
 * Applies a batch of items in one transaction, with the cursor after it, its faults and one event. A worker that takes over continues
 * after what was committed, so nothing is done twice or left out.
 */
export async function applyBatch(
  ctx: ActingContext,
  claimed: ClaimedImport,
  items: readonly FileItem[],
): Promise<void> {
  const last = items.at(-1)
  if (!last) return
  const row = expectHeld(await ctx.tx.rows(lockClaimedImport(claimed)))
  const taken = items.filter(({ input }) => input !== null)
  const outcomes = await upsertItems(
    ctx,
    taken.flatMap(({ input }) => input ?? []),
    { publish: row.publish },
  )
  const faults = [
    ...items.flatMap(({ faults }) => faults),
    ...outcomes.flatMap((outcome, at) => refusals(taken[at], outcome)),
  ]
  const kept = faults.sort((a, b) => a.line - b.line).slice(0, errorsKeptMax - row.errors_kept)
  if (kept.length > 0) {
    const { account_id, mode, id } = row
    ctx.tx.write(
      insertErrors({ account_id, mode, import_id: id, first: row.errors_kept, errors: JSON.stringify(kept) }),
    )
  }
  const counts = countsOf(row, items.length - taken.length, outcomes)
  const changed = {
    ...row,
    ...counts,
    read_bytes: BigInt(last.end.bytes),
    read_lines: last.end.lines,
    columns: last.end.columns ? [...last.end.columns] : null,
    errors_kept: row.errors_kept + kept.length,
    seq: row.seq + 1,
    updated_at: ctx.now,
  }
  ctx.tx.write(updateImportRow(changed))
  ctx.tx.emit({
    type: 'catalog_import.progressed',
    aggregateId: row.id,
    sequence: changed.seq,
    object: batchOf(changed, outcomes),
    lane: 'bulk',
  })
}

function refusals(item: FileItem | undefined, outcome: Upserted): RowFault[] {
  if (!item || outcome.kind !== 'refused') return []
  return outcome.issues.map(({ type, msg, loc }) => ({ ...item.placed(loc), type, msg }))
}

function countsOf(before: Counts, unreadable: number, outcomes: readonly Upserted[]): Counts {
  const count = (kind: Upserted['kind']) => outcomes.filter((outcome) => outcome.kind === kind).length
  return {
    rows: before.rows + unreadable + outcomes.length,
    created: before.created + count('created'),
    updated: before.updated + count('updated'),
    unchanged: before.unchanged + count('unchanged'),
    failed: before.failed + unreadable + count('refused'),
  }
}

/** The data of a batch's event: how far the import is, and which items it changed. */
function batchOf(row: ShownImportRow, outcomes: readonly Upserted[]): ImportedBatch {
  const ids = (kind: 'created' | 'updated') => [
    ...new Set(outcomes.flatMap((outcome) => (outcome.kind === kind ? outcome.id : []))),
  ]
  const { id, mode, rows, created, updated, unchanged, failed } = row
  return {
    id,
    object: 'catalog_import_batch',
    mode,
    progress: { bytes: Number(row.read_bytes), rows, created, updated, unchanged, failed },
    created: ids('created'),
    updated: ids('updated'),
  }
}
