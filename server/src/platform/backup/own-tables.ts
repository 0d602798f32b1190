import type { ClientBase } from 'pg'
import type { Migration } from '../database/migration-files.ts'

/** Names as our statements write them: without a schema where the search path finds them. */
export type OwnTable = { name: string; columns: string[] }

/**
 * The tables that the migrations made, and the clock of a test database. `strangers` are tables beside ours, which cannot be restored
 * because no migration makes them. The manifest says which migrations were applied, not a copy of their table.
 */
export async function listOwnTables(
  client: ClientBase,
  migrations: readonly Migration[],
): Promise<{ tables: OwnTable[]; strangers: string[] }> {
  const own = namesMade(migrations, 'table').add('test_clock')
  const { rows } = await client.query<OwnTable>(selectTables, [schemasOf(migrations)])
  const candidates = rows.filter(({ name }) => name !== 'schema_migrations')
  return {
    tables: candidates.filter(({ name }) => own.has(name)),
    strangers: candidates.filter(({ name }) => !own.has(name)).map(({ name }) => name),
  }
}

export async function listSequences(
  client: ClientBase,
  migrations: readonly Migration[],
): Promise<{ name: string; last_value: number | null }[]> {
  const { rows } = await client.query<{ name: string; last_value: string | null }>(selectSequences, [
    schemasOf(migrations),
  ])
  return rows.map(({ name, last_value }) => ({
    name,
    last_value: last_value === null ? null : Number(last_value),
  }))
}

/** Whether the database has anything that a migration makes. */
export async function hasSchema(client: ClientBase, migrations: readonly Migration[]): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    'select bool_or(to_regclass(name) is not null) as found from unnest($1::text[]) as name',
    [['schema_migrations', ...namesMade(migrations, 'table')]],
  )
  return rows[0]?.found ?? false
}

function schemasOf(migrations: readonly Migration[]): string[] {
  return [...namesMade(migrations, 'schema')].filter((name) => name !== leftOut)
}

/**
 * The records of the vault process: no other role may read them, and a copy would keep the keys of what is shredded later. After a restore a
 * number that a rail has issued for one purchase is issued again, or its purchase ends at the rail; a card that a person has entered is
 * entered again.
 */
const leftOut = 'card_vault'

function namesMade(migrations: readonly Migration[], kind: 'table' | 'schema'): Set<string> {
  const making = new RegExp(
    String.raw`^(?:create ${kind} (?:if not exists )?|alter ${kind} [\w.]+ rename to )([a-z_][\w.]*)`,
    'gim',
  )
  return new Set(migrations.flatMap(({ sql }) => [...sql.matchAll(making)].map(([, name]) => String(name))))
}

// The rows of a partition are read through its parent; an extension makes its own tables; generated columns are generated again.
const selectTables = `
  select case when n.nspname = current_schema() then c.relname else n.nspname || '.' || c.relname end as name,
    (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
     where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
  from pg_class c
  join pg_namespace n on n.oid = c.relnamespace
  where c.relkind in ('r', 'p') and not c.relispartition and c.relpersistence <> 't'
    and (n.nspname = current_schema() or n.nspname = any ($1::text[]))
    and not exists (select 1 from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  order by 1`

const selectSequences = `
  select case when schemaname = current_schema() then sequencename else schemaname || '.' || sequencename end as name,
    last_value::text as last_value
  from pg_sequences where schemaname = current_schema() or schemaname = any ($1::text[])
  order by 1`
