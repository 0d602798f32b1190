import Type, { type Static } from 'typebox'
import type { Mode } from '../../../contract/context.ts'
import { At, Closed, Described, Named, Nullable, OneOf, objectHead } from '../../../contract/schemas.ts'
import type { Id } from '../../../core/id.ts'

export const importStatuses = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const
const importFormats = ['json_lines', 'csv'] as const
export type ImportStatus = (typeof importStatuses)[number]
export type ImportFormat = (typeof importFormats)[number]

/** The media types of files, and our name for each. */
export const contentTypes = {
  'application/x-ndjson': 'json_lines',
  'application/jsonl': 'json_lines',
  'text/csv': 'csv',
} as const satisfies Record<string, ImportFormat>

export const CatalogImportStatus = Named(
  'CatalogImportStatus',
  OneOf(importStatuses, {
    description: 'How far an import is. It has ended when completed, failed or cancelled.',
  }),
)
export const CatalogImportFormat = Named(
  'CatalogImportFormat',
  OneOf(importFormats, {
    description: 'JSON Lines with one item on each line, or CSV with one variant on each line.',
  }),
)

/** How many faults the import itself shows; the rest has a list of its own. */
const errorsShown = 100
/** How many faults are kept of one import. */
export const errorsKeptMax = 10_000

const Count = Type.Integer({ minimum: 0 })

export const CatalogImportError = Named(
  'CatalogImportError',
  Closed(
    {
      line: Type.Integer({ minimum: 1, description: 'The line of the file, from 1.' }),
      loc: Type.Array(Type.Union([Type.String(), Type.Integer()]), {
        description: 'The field, or the column of a CSV file; empty means the whole row.',
      }),
      type: Type.String({ description: 'What is wrong, such as `missing`.' }),
      msg: Type.String({ description: 'A sentence for people. It never repeats what was written there.' }),
    },
    { description: 'What is wrong with a row of the file.' },
  ),
)
export type CatalogImportError = Static<typeof CatalogImportError>

export const CatalogImport = Named(
  'CatalogImport',
  Closed(
    {
      ...objectHead('imp', 'catalog_import'),
      status: Described(
        CatalogImportStatus,
        'How far the import is. It has ended when completed, failed or cancelled.',
      ),
      format: Described(CatalogImportFormat, 'The format of the file.'),
      publish: Type.Boolean({ description: 'Whether items that have what publishing needs are published.' }),
      bytes: Type.Integer({ minimum: 0, description: 'The size of the file in bytes.' }),
      progress: Closed(
        {
          bytes: Type.Integer({ minimum: 0, description: 'How many bytes of the file were worked through.' }),
          rows: Type.Integer({
            minimum: 0,
            description: 'How many items were worked through: the sum of the following.',
          }),
          created: Described(Count, 'How many items are new.'),
          updated: Described(Count, 'How many items changed.'),
          unchanged: Described(Count, 'How many items were as the file says.'),
          failed: Described(Count, 'How many items could not be taken.'),
        },
        { description: 'What was done so far.' },
      ),
      errors: Type.Array(CatalogImportError, { description: `The first ${errorsShown}.` }),
      failure: Nullable(
        Type.String({ description: 'Why the whole file could not be read; null if it could.' }),
      ),
      started_at: Nullable(At('When it began; null if it has not.')),
      completed_at: Nullable(At('When it ended; null if it has not.')),
    },
    { description: 'A file of catalog items that is worked through.' },
  ),
)
export type CatalogImport = Static<typeof CatalogImport>

/** Where the next item of a file begins. */
export type Cursor = {
  readonly bytes: number
  readonly lines: number
  /** The columns of a CSV file; null before its first line was read. */
  readonly columns: readonly string[] | null
}

export type Counts = {
  rows: number
  created: number
  updated: number
  unchanged: number
  failed: number
}

export type ImportRow = Counts & {
  account_id: Id<'acct'>
  mode: Mode
  id: Id<'imp'>
  status: ImportStatus
  format: ImportFormat
  publish: boolean
  bytes: bigint
  read_bytes: bigint
  read_lines: number
  columns: string[] | null
  errors_kept: number
  failure: string | null
  seq: number
  due_at: Date | null
  lease_token: bigint
  created_at: Date
  updated_at: Date
  started_at: Date | null
  completed_at: Date | null
}

/** With the first of its faults. */
export type ShownImportRow = ImportRow & { errors: CatalogImportError[] }

export function renderImport(row: ShownImportRow): CatalogImport {
  return {
    id: row.id,
    object: 'catalog_import',
    mode: row.mode,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    status: row.status,
    format: row.format,
    publish: row.publish,
    bytes: Number(row.bytes),
    progress: {
      bytes: Number(row.read_bytes),
      rows: row.rows,
      created: row.created,
      updated: row.updated,
      unchanged: row.unchanged,
      failed: row.failed,
    },
    errors: row.errors,
    failure: row.failure,
    started_at: row.started_at?.toISOString() ?? null,
    completed_at: row.completed_at?.toISOString() ?? null,
  }
}
