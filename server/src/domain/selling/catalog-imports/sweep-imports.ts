import { byGroup, type Sweep } from '../../../platform/retention/sweep.ts'
import { deleteOldErrors, deleteOldPieces } from './sweep-imports.sql.ts'

/** What was wrong with the rows of a file, and pieces of files that are done with. How many there were of each stays with the import. */
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
