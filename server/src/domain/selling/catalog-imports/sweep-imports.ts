import { byGroup, type Sweep } from '../../../platform/retention/sweep.ts'
import { deleteOldErrors, deleteOldPieces } from './sweep-imports.sql.ts'

/** The faults of a file's rows, and pieces of files that are finished. The import keeps the numbers of both. */
export const sweepImports: Sweep = {
  name: 'catalog_imports',
  removes: 'faults of imports that have ended, and pieces that no import came for',
  keeps: 'finishedWorkDays',
  async *batches(pools, before) {
    for (const deleteOld of [deleteOldErrors, deleteOldPieces]) {
      yield* byGroup(pools, ['', 'test', ''], ([account_id = '', mode = 'test', import_id = '']) =>
        deleteOld({ account_id, mode, import_id, before }),
      )
    }
  },
}
