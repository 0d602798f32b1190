import type { ClientBase } from 'pg'

/** The schema version of the database; 0 before the first migration. */
export async function currentVersion(client: Pick<ClientBase, 'query'>): Promise<number> {
  const { rows } = await client.query<{ known: boolean }>(
    `select to_regclass('schema_migrations') is not null as known`,
  )
  if (!rows[0]?.known) return 0
  const newest = await client.query<{ version: number }>(
    'select coalesce(max(version), 0)::int as version from schema_migrations',
  )
  return newest.rows[0]?.version ?? 0
}
