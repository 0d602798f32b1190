import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { aggregate, type Tenanted } from '../../../platform/aggregate/aggregate.ts'
import { claimStatement } from '../../../platform/work/lease.sql.ts'
import type { CatalogImportError, ImportRow, ImportStatus, ShownImportRow } from './import.ts'

type Key = Tenanted & { id: string }
type ImportKey = Tenanted & { import_id: string }

/** The lease token is the claim's alone. */
const imports = aggregate<Omit<ImportRow, 'lease_token'>>()({
  table: 'catalog_imports',
  columns: `account_id, mode, id, status, format, publish, bytes, read_bytes, read_lines, columns, rows, created, updated,
    unchanged, failed, errors_kept, failure, seq, due_at, created_at, updated_at, started_at, completed_at`,
  key: ['id'],
  fixed: ['format', 'publish', 'bytes'],
})

export const insertImport = imports.insert('insert_catalog_import')
/** Run it under a lock. */
export const updateImportRow = imports.update('update_catalog_import')

const shown = `${imports.columns}, lease_token,
  (select coalesce(json_agg(json_build_object('line', e.line, 'loc', e.loc, 'type', e.type, 'msg', e.msg) order by e.position), '[]')
   from catalog_import_errors e
   where e.account_id = i.account_id and e.mode = i.mode and e.import_id = i.id and e.position < 100) as errors`

export const insertPiece = statement<never, ImportKey & { position: number; content: Buffer }>(
  'insert_catalog_import_piece',
  `insert into catalog_import_pieces (account_id, mode, import_id, position, content)
   values ($account_id, $mode, $import_id, $position, $content)`,
)

/** Pieces of this import may be stored before it. */
export const insertUpload = statement<never, ImportKey & { now: Date }>(
  'insert_catalog_import_upload',
  `insert into catalog_import_uploads (account_id, mode, import_id, begun_at) values ($account_id, $mode, $import_id, $now)`,
)

/** Its pieces stay: the import is made in the same transaction. No row where they were swept. */
export const endUpload = statement<{ import_id: string }, ImportKey>(
  'end_catalog_import_upload',
  `delete from catalog_import_uploads where account_id = $account_id and mode = $mode and import_id = $import_id returning import_id`,
)

/** Removes a few uploads that broke off, with their pieces. */
export const sweepUploads = statement<never, { before: Date; limit: number }>(
  'sweep_catalog_import_uploads',
  `/* tenantless: whoever sends a file clears away what others left; no row is shown */
   with over as (
     delete from catalog_import_uploads u using (
       select account_id, mode, import_id from catalog_import_uploads
       where begun_at < $before order by begun_at limit $limit for update skip locked
     ) as o
     where u.account_id = o.account_id and u.mode = o.mode and u.import_id = o.import_id
     returning u.account_id, u.mode, u.import_id
   )
   delete from catalog_import_pieces p using over
   where p.account_id = over.account_id and p.mode = over.mode and p.import_id = over.import_id`,
)

export const selectPiece = statement<{ content: Buffer }, ImportKey & { position: number }>(
  'select_catalog_import_piece',
  `select content from catalog_import_pieces
   where account_id = $account_id and mode = $mode and import_id = $import_id and position = $position`,
)

/** Pieces that were worked through, or never will be. */
export const deletePieces = statement<never, ImportKey>(
  'delete_catalog_import_pieces',
  `delete from catalog_import_pieces where account_id = $account_id and mode = $mode and import_id = $import_id`,
)

export const selectImport = statement<ShownImportRow, Key>(
  'select_catalog_import',
  `select ${shown} from catalog_imports i where account_id = $account_id and mode = $mode and id = $id`,
)

export const lockImport = statement<ShownImportRow, Key>(
  'lock_catalog_import',
  `select ${shown} from catalog_imports i where account_id = $account_id and mode = $mode and id = $id for update`,
)

/** For the worker that claimed it, as long as its lease is the last one. */
export const lockClaimedImport = statement<ShownImportRow, Key & { lease_token: bigint }>(
  'lock_claimed_catalog_import',
  `select ${shown} from catalog_imports i
   where account_id = $account_id and mode = $mode and id = $id and lease_token = $lease_token and due_at is not null for update`,
)

export const insertErrors = statement<never, ImportKey & { first: number; errors: string }>(
  'insert_catalog_import_errors',
  `insert into catalog_import_errors (account_id, mode, import_id, position, line, loc, type, msg)
   select $account_id, $mode, $import_id, $first + e.position - 1, (e.error ->> 'line')::int, e.error -> 'loc', e.error ->> 'type',
     e.error ->> 'msg'
   from jsonb_array_elements($errors::jsonb) with ordinality as e (error, position)`,
)

export const selectErrors = statement<CatalogImportError, ImportKey & { limit: number; offset: number }>(
  'select_catalog_import_errors',
  `select line, loc, type, msg from catalog_import_errors
   where account_id = $account_id and mode = $mode and import_id = $import_id
   order by position limit $limit + 1 offset $offset`,
)

type ImportFilter = Tenanted & { status: ImportStatus | null }

const filter = `account_id = $account_id and mode = $mode and ($status::text is null or status = $status)`

export const selectImports = statement<ShownImportRow, ImportFilter & { limit: number; offset: number }>(
  '',
  `select ${shown} from catalog_imports i where ${filter} order by id desc limit $limit + 1 offset $offset`,
)

export const countImports = statement<{ counted: number }, ImportFilter & { cap: number }>(
  '',
  `select count(*)::int as counted from (select 1 from catalog_imports where ${filter} limit $cap + 1) as first_ones`,
)

export type ClaimedImport = Tenanted & { id: Id<'imp'>; lease_token: bigint; step_failures: number }

/** The oldest unfinished import of each tenant: files are worked through in the order of their arrival. */
export const claimImports = claimStatement<ClaimedImport>(
  'catalog_imports',
  [],
  `q.id = (
         select first.id from catalog_imports first
         where first.account_id = q.account_id and first.mode = q.mode and first.due_at is not null
         order by first.created_at, first.id limit 1)`,
)

/** Lets others go first: the rest of the file waits behind theirs. */
export const yieldImport = statement<never, Key & { lease_token: bigint }>(
  'yield_catalog_import',
  `update catalog_imports set lease_until = null, due_at = prokura_now()
   where account_id = $account_id and mode = $mode and id = $id and lease_token = $lease_token and due_at is not null`,
)
