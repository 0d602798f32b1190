import type { ActingContext } from '../../../contract/context.ts'
import { type CatalogImport, renderImport, type ShownImportRow } from './import.ts'
import { deletePieces, updateImportRow } from './imports.sql.ts'
import { type ImportMove, moved } from './machine.ts'

/** Ends a locked import: nothing reads its file any more, so the file is removed. */
export function endImport(
  ctx: ActingContext,
  row: ShownImportRow,
  move: Exclude<ImportMove, 'begin'>,
  failure: string | null = null,
): CatalogImport {
  const status = moved(row.status, move)
  if (status === null) throw new Error(`an import that is ${row.status} cannot ${move}`)
  const ended = {
    ...row,
    status,
    failure,
    due_at: null,
    seq: row.seq + 1,
    updated_at: ctx.now,
    completed_at: ctx.now,
  }
  const object = renderImport(ended)
  ctx.tx.write(updateImportRow(ended))
  ctx.tx.write(deletePieces({ account_id: row.account_id, mode: row.mode, import_id: row.id }))
  ctx.tx.emit({
    type: `catalog_import.${status}`,
    aggregateId: row.id,
    sequence: ended.seq,
    object,
    lane: 'bulk',
  })
  return object
}
