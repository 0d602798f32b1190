import type { ClientBase } from 'pg'
import { UnfitDatabase } from './words.ts'

/**
 * The schema version of the database; 0 before the first migration. Throws `UnfitDatabase` where another program has a table of the same
 * name.
 */
export async function currentVersion(client: Pick<ClientBase, 'query'>): Promise<number> {
  const { rows } = await client.query<{ columns: string[] }>(
    `select array_agg(a.attname || ' ' || format_type(a.atttypid, null)) as columns from pg_attribute a
     where a.attrelid = to_regclass('schema_migrations') and a.attnum > 0 and not a.attisdropped having count(*) > 0`,
  )
  const [table] = rows
  if (!table) return 0
  // Several frameworks use this name for their table. To read theirs as ours, or to migrate beside it, would harm both.
  if (!ownColumns.every((column) => table.columns.includes(column)))
    throw new UnfitDatabase(
      'The database of {setting} is the database of another program: its table schema_migrations is not one of Prokura. Create an empty database, and name it with DATABASE_URL.',
    )
  const newest = await client.query<{ version: number }>(
    'select coalesce(max(version), 0) as version from schema_migrations',
  )
  return newest.rows[0]?.version ?? 0
}

const ownColumns = ['version integer', 'name text', 'checksum text']
