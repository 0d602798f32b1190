import { violatedConstraint } from '../../../platform/database/errors.ts'
import { expectHeld } from '../../../platform/work/lease.ts'
import type { StepContext } from '../../../platform/work/work.ts'
import { applyBatch } from './apply-batch.ts'
import { type FileItem, readFileItems } from './file-items.ts'
import { FileUnreadable } from './file-row.ts'
import { type Cursor, renderImport, type ShownImportRow } from './import.ts'
import {
  type ClaimedImport,
  lockClaimedImport,
  selectPiece,
  updateImportRow,
  yieldImport,
} from './imports.sql.ts'
import { moved } from './machine.ts'
import { pieceBytes } from './store-content.ts'
import { endImport } from './write-import.ts'

const batchItemsMax = 500
/** Bytes of the file in one batch: items may be large. */
const batchBytesMax = 1024 * 1024
/** After this many milliseconds, other files have their turn. */
const turnMs = 5_000

/** Works through a file, batch by batch, until it is finished or others wait. */
export async function runImport(ctx: StepContext, claimed: ClaimedImport): Promise<void> {
  const row = await ctx.transaction(async (acting) => {
    const found = expectHeld(await acting.tx.rows(lockClaimedImport(claimed)))
    if (moved(found.status, 'begin') === null) return found
    const begun = {
      ...found,
      status: 'running' as const,
      started_at: acting.now,
      updated_at: acting.now,
      seq: found.seq + 1,
    }
    acting.tx.write(updateImportRow(begun))
    acting.tx.emit({
      type: 'catalog_import.started',
      aggregateId: begun.id,
      sequence: begun.seq,
      object: renderImport(begun),
      lane: 'bulk',
    })
    return begun
  })
  const endsAtMs = performance.now() + turnMs
  try {
    for await (const batch of batchesOf(ctx, row)) {
      ctx.lease.assertHeld()
      await apply(ctx, claimed, batch)
      if (ctx.signal.aborted || performance.now() > endsAtMs) return await leave(ctx, claimed)
    }
    await ctx.transaction(async (acting) => {
      const done = expectHeld(await acting.tx.rows(lockClaimedImport(claimed)))
      endImport(acting, { ...done, read_bytes: done.bytes }, 'complete')
    })
  } catch (error) {
    if (!(error instanceof FileUnreadable)) throw error
    await ctx.transaction(async (acting) => {
      endImport(acting, expectHeld(await acting.tx.rows(lockClaimedImport(claimed))), 'fail', error.message)
    })
  }
}

/**
 * Applies one batch. Another call may give an item the handle that the batch gives to a new one, or items may pass handles on in a ring:
 * then the batch is applied item by item, and each item sees the ones before.
 */
async function apply(ctx: StepContext, claimed: ClaimedImport, batch: readonly FileItem[]): Promise<void> {
  try {
    await ctx.transaction((acting) => applyBatch(acting, claimed, batch))
  } catch (error) {
    if (violatedConstraint(error) === null || batch.length === 1) throw error
    for (const item of batch) await apply(ctx, claimed, [item])
  }
}

/** The rest is due at once, behind what others have waiting. */
async function leave(ctx: StepContext, claimed: ClaimedImport): Promise<void> {
  await ctx.transaction(async (acting) => acting.tx.write(yieldImport(claimed)))
}

async function* batchesOf(ctx: StepContext, row: ShownImportRow): AsyncGenerator<FileItem[]> {
  let batch: FileItem[] = []
  let from = Number(row.read_bytes)
  for await (const item of itemsOf(ctx, row)) {
    batch.push(item)
    if (batch.length < batchItemsMax && item.end.bytes - from < batchBytesMax) continue
    yield batch
    from = item.end.bytes
    batch = []
  }
  if (batch.length > 0) yield batch
}

/** The items after the cursor, read a piece at a time. */
async function* itemsOf(ctx: StepContext, row: ShownImportRow): AsyncGenerator<FileItem> {
  const cursor: Cursor = { bytes: Number(row.read_bytes), lines: row.read_lines, columns: row.columns }
  const reader = readFileItems(row.format, cursor)
  const { account_id, mode, id } = row
  const first = Math.floor(cursor.bytes / pieceBytes)
  for (let position = first; position * pieceBytes < Number(row.bytes); position++) {
    const piece = await ctx.reads.maybe(selectPiece({ account_id, mode, import_id: id, position }))
    // It was cancelled meanwhile: the next write finds out.
    if (!piece) return
    yield* reader.push(position === first ? piece.content.subarray(cursor.bytes % pieceBytes) : piece.content)
  }
  yield* reader.end()
}
