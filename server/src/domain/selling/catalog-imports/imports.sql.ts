import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { claimStatement } from '../../../platform/work/lease.sql.ts'
import type { CatalogImportError, ImportRow, ImportStatus, ShownImportRow } from './import.ts'

type Tenanted = { account_id: Id<'acct'>; mode: Mode }
type Key = Tenanted & { id: string }
type ImportKey = Tenanted & { import_id: string }

const columns = `account_id, mode, id, status, format, publish, bytes, read_bytes, read_lines, columns, rows, created, updated,
  unchanged, failed, errors_kept, failure, seq, due_at, lease_token, created_at, updated_at, started_at, completed_at`

const shown = `${columns},
  (select coalesce(json_agg(json_build_object('line', e.line, 'loc', e.loc, 'type', e.type, 'msg', e.msg) order by e.position), '[]')
   from catalog_import_errors e
   where e.account_id = i.account_id and e.mode = i.mode and e.import_id = i.id and e.position < 100) as errors`

export const insertImport = statement<never, Omit<ImportRow, 'lease_token'>>(
  'insert_catalog_import',
  `insert into catalog_imports (account_id, mode, id, status, format, publish, bytes, read_bytes, read_lines, columns, rows, created,
     updated, unchanged, failed, errors_kept, failure, seq, due_at, created_at, updated_at, started_at, completed_at)
   values ($account_id, $mode, $id, $status, $format, $publish, $bytes, $read_bytes, $read_lines, $columns, $rows, $created, $updated,
     $unchanged, $failed, $errors_kept, $failure, $seq, $due_at, $created_at, $updated_at, $started_at, $completed_at)`,
)

export const insertPiece = statement<never, ImportKey & { position: number; content: Buffer }>(
  'insert_catalog_import_piece',
  `insert into catalog_import_pieces (account_id, mode, import_id, position, content)
   values ($account_id, $mode, $import_id, $position, $content)`,
)

/** Pieces of this import may come before it. */
export const insertUpload = statement<never, ImportKey & { now: Date }>(
  'insert_catalog_import_upload',
  `insert into catalog_import_uploads (account_id, mode, import_id, begun_at) values ($account_id, $mode, $import_id, $now)`,
)

/** Its pieces stay: the import is made in the same transaction. No row where they were swept. */
export const endUpload = statement<{ import_id: string }, ImportKey>(
  'end_catalog_import_upload',
  `delete from catalog_import_uploads where account_id = $account_id and mode = $mode and import_id = $import_id returning import_id`,
)

/** A few that broke off, with what had come of them. */
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

/** What has been worked through, or will never be. */
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

/** Held by the worker that claimed it, as long as its lease is the last one. */
export const lockClaimedImport = statement<ShownImportRow, Key & { lease_token: bigint }>(
  'lock_claimed_catalog_import',
  `select ${shown} from catalog_imports i
   where account_id = $account_id and mode = $mode and id = $id and lease_token = $lease_token and due_at is not null for update`,
)

/** Under a lock. */
export const updateImportRow = statement<
  never,
  Omit<ImportRow, 'lease_token' | 'created_at' | 'format' | 'publish' | 'bytes'>
>(
  'update_catalog_import',
  `update catalog_imports set status = $status, read_bytes = $read_bytes, read_lines = $read_lines, columns = $columns, rows = $rows,
     created = $created, updated = $updated, unchanged = $unchanged, failed = $failed, errors_kept = $errors_kept,
     failure = $failure, seq = $seq, due_at = $due_at, updated_at = $updated_at, started_at = $started_at,
     completed_at = $completed_at
   where account_id = $account_id and mode = $mode and id = $id`,
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

export type ImportFilter = Tenanted & { status: ImportStatus | null }

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

/** Of each tenant the oldest that is not done: files are worked through in the order in which they came. */
export const claimImports = claimStatement<ClaimedImport>(
  'catalog_imports',
  [],
  `q.id = (
         select first.id from catalog_imports first
         where first.account_id = q.account_id and first.mode = q.mode and first.due_at is not null
         order by first.created_at, first.id limit 1)`,
)

/** Lets others go first: what is left of the file waits behind theirs. */
export const yieldImport = statement<never, Key & { lease_token: bigint }>(
  'yield_catalog_import',
  `update catalog_imports set lease_until = null, due_at = prokura_now()
   where account_id = $account_id and mode = $mode and id = $id and lease_token = $lease_token and due_at is not null`,
)
