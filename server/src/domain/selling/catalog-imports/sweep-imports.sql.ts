import { statement } from '../../../contract/statement.ts'
import {
  byGroup,
  groupsBehind,
  rowsOfGroup,
  type Sweep,
  type SweptGroups,
} from '../../../platform/retention/sweep.ts'

type Behind = { account_id: string; mode: string; import_id: string; before: Date }

const deleteOldErrors = statement<SweptGroups, Behind>(
  'sweep_catalog_import_errors',
  deletionFrom('catalog_import_errors'),
)

const deleteOldPieces = statement<SweptGroups, Behind>(
  'sweep_catalog_import_pieces',
  deletionFrom('catalog_import_pieces'),
)

/** Import by import, only those that have rows left: an import that was swept costs nothing again. */
function deletionFrom(table: string): string {
  const columns = ['account_id', 'mode', 'import_id']
  const after = ['$account_id::text', '$mode::mode', '$import_id::text']
  // guard sweep-leaves-files-to-be-read: a file that is still to be read is not swept away
  return `/* tenantless: a sweep is of every account */
   with ${groupsBehind(table, columns, after)}, old as (
     select r.account_id, r.mode, r.import_id, r.position, i.updated_at from chosen c
     join catalog_imports i on i.account_id = c.account_id and i.mode = c.mode and i.id = c.import_id
       and i.due_at is null and i.updated_at < $before
     cross join lateral (
       select * from ${table} e
       where e.account_id = c.account_id and e.mode = c.mode and e.import_id = c.import_id
       order by e.position limit ${rowsOfGroup}
     ) r
   ), gone as (
     delete from ${table} r using old o
     where r.account_id = o.account_id and r.mode = o.mode and r.import_id = o.import_id and r.position = o.position
     returning o.updated_at
   )
   select (select count(*)::int from gone) as rows, (select min(updated_at) from gone) as oldest,
     (select count(*)::int from chosen) as groups,
     (select array[account_id, mode::text, import_id] from chosen order by account_id desc, mode desc, import_id desc limit 1) as last,
     coalesce((select bool_or(rows >= ${rowsOfGroup}) from (
       select count(*) as rows from old group by account_id, mode, import_id) as taken), false) as more`
}

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
