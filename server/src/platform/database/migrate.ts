import { setTimeout as delay } from 'node:timers/promises'
import { Client, type ClientBase, DatabaseError } from 'pg'
import { type Migration, migrationsDirectory, readMigrations } from './migration-files.ts'

export type MigrateOptions = { url: string; directory?: string; log?: (line: string) => void }

type Queryable = Pick<ClientBase, 'query'>

/** Any constant of our own; advisory locks are counted per database. Who migrates holds it alone; a backup shares it with others. */
export const migrationLockKey = 7_261_140_593

const pollMs = 100
const lockTimeoutAttemptsMax = 6

/**
 * Brings the schema up to the newest migration and answers what it applied. Only one process migrates a database at a
 * time; a schema that is newer than this code is left alone, because the previous version keeps running during an update.
 */
export async function migrate(options: MigrateOptions): Promise<{ applied: string[]; version: number }> {
  const migrations = readMigrations(options.directory ?? migrationsDirectory)
  const log = options.log ?? (() => undefined)
  const client = new Client({ connectionString: options.url, application_name: 'prokura migrate' })
  // A lost connection also rejects the statement under way; without a listener the event would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query('set statement_timeout = 0')
    await waitForTurn(client, log)
    return await applyPending(client, migrations, log)
  } finally {
    await client.end()
  }
}

/** The schema version that this code needs. */
export function requiredVersion(directory = migrationsDirectory): number {
  return readMigrations(directory).length
}

/** The schema version of the database; 0 before the first migration. */
export async function currentVersion(client: Queryable): Promise<number> {
  const { rows } = await client.query<{ known: boolean }>(
    `select to_regclass('schema_migrations') is not null as known`,
  )
  if (!rows[0]?.known) return 0
  const newest = await client.query<{ version: number }>(
    'select coalesce(max(version), 0)::int as version from schema_migrations',
  )
  return newest.rows[0]?.version ?? 0
}

/** Waits until somebody has migrated the database to the version this code needs (a newer one will do). */
export async function waitForSchema(options: {
  url: string
  timeoutMs: number
  directory?: string
}): Promise<{ version: number }> {
  const required = requiredVersion(options.directory)
  const deadline = performance.now() + options.timeoutMs
  for (;;) {
    const found = await look(options.url)
    if (typeof found === 'number' && found >= required) return { version: found }
    if (performance.now() >= deadline)
      throw new Error(`${notReady(found, required)} Waited ${options.timeoutMs} ms.`)
    await delay(pollMs)
  }
}

/** What keeps this code from working on the database as it is now, in words; null: nothing does. */
export async function findSchemaTrouble(url: string, directory?: string): Promise<string | null> {
  const required = requiredVersion(directory)
  const found = await look(url)
  return typeof found === 'number' && found >= required ? null : notReady(found, required)
}

async function look(url: string): Promise<number | Error> {
  const client = new Client({
    connectionString: url,
    application_name: 'prokura wait',
    connectionTimeoutMillis: 5_000,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await currentVersion(client)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  } finally {
    await client.end().catch(() => undefined)
  }
}

function notReady(found: number | Error, required: number): string {
  if (typeof found !== 'number')
    return `The database ${found instanceof DatabaseError ? 'refuses' : 'does not answer'}: ${found.message}.`
  return `The database has schema version ${found}, and this code needs ${required}. Run "prokura migrate".`
}

/**
 * Polls instead of waiting inside a statement: an open statement holds a snapshot, and `create index concurrently` in the
 * process that has the lock would wait for that snapshot for ever.
 */
async function waitForTurn(client: Queryable, log: (line: string) => void): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [
      migrationLockKey,
    ])
    if (rows[0]?.mine) return
    if (attempt === 0) log('another process is migrating this database; waiting for it')
    await delay(pollMs)
  }
}

const createRecord = `create table if not exists schema_migrations (
  version int primary key,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now()
)`

/**
 * Makes the schema of these migrations inside the caller's transaction. For a database without one: there, no index has to be built
 * beside anybody's work, so those that refuse transactions can join this one.
 */
export async function createSchema(client: Queryable, migrations: readonly Migration[]): Promise<void> {
  await client.query(createRecord)
  for (const migration of migrations) {
    await client.query(
      migration.isTransactional ? migration.sql : migration.sql.replaceAll(/\bconcurrently\b/gi, ''),
    )
    await record(client, migration)
  }
}

async function applyPending(
  client: Queryable,
  migrations: readonly Migration[],
  log: (line: string) => void,
): Promise<{ applied: string[]; version: number }> {
  await client.query(createRecord)
  const before = await verifyApplied(client, migrations)
  const applied: string[] = []
  for (const migration of migrations.slice(before)) {
    const startedAt = performance.now()
    await apply(client, migration, log).catch((cause: unknown) => {
      throw new Error(`Migration ${migration.name} failed: ${describe(cause, migration.sql)}`, { cause })
    })
    applied.push(migration.name)
    log(`applied ${migration.name} in ${Math.round(performance.now() - startedAt)} ms`)
  }
  return { applied, version: Math.max(before, migrations.length) }
}

/** Answers how many migrations the database has seen, having checked that they are the ones we know. */
async function verifyApplied(client: Queryable, migrations: readonly Migration[]): Promise<number> {
  const { rows } = await client.query<{ version: number; name: string; checksum: string }>(
    'select version, name, checksum from schema_migrations order by version',
  )
  for (const [index, row] of rows.entries()) {
    if (row.version !== index + 1)
      throw new Error(`schema_migrations has no row for version ${index + 1}, but one for ${row.name}.`)
    const known = migrations[index]
    if (known === undefined || known.checksum === row.checksum) continue
    throw new Error(
      `Migration ${known.name} was changed after it had been applied (as ${row.name}). ` +
        'Restore the file as it was and put the change into a new migration.',
    )
  }
  return rows.length
}

async function apply(client: Queryable, migration: Migration, log: (line: string) => void): Promise<void> {
  if (!migration.isTransactional) return applyAlone(client, migration)
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await applyInTransaction(client, migration)
    } catch (error) {
      // Whoever waits for a table's lock makes everybody behind it wait too; so give up early and queue again.
      if (!isLockTimeout(error) || attempt === lockTimeoutAttemptsMax) throw error
      log(`${migration.name} could not get its locks in time; trying again`)
      await delay(1_000)
    }
  }
}

async function applyInTransaction(client: Queryable, migration: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = '5s'`)
    await client.query(migration.sql)
    await record(client, migration)
    const { command } = await client.query('commit')
    if (command !== 'COMMIT') throw new Error(`the transaction ended with ${command}`)
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/**
 * Runs statements that refuse transactions, each by itself; one ends where its line does. Should the process die before the record, all are
 * run again, so each is written to be done once.
 */
async function applyAlone(client: Queryable, migration: Migration): Promise<void> {
  for (const sql of migration.sql.split(/;[ \t]*(?:\n|$)/)) {
    if (sql.split('\n').every((line) => line.trim() === '' || line.startsWith('--'))) continue
    const index =
      /create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?([\w.]+)\s+on\b/i.exec(sql)?.[1]
    if (index !== undefined) await dropInvalidIndex(client, index)
    await client.query(sql)
  }
  await record(client, migration)
}

/** A concurrent build that failed leaves an index that serves no query, and that `if not exists` would take for the real one. */
async function dropInvalidIndex(client: Queryable, index: string): Promise<void> {
  const { rowCount } = await client.query(
    'select 1 from pg_index where indexrelid = to_regclass($1) and not indisvalid',
    [index],
  )
  if (rowCount !== 0) await client.query(`drop index concurrently if exists ${index}`)
}

async function record(client: Queryable, { version, name, checksum }: Migration): Promise<void> {
  await client.query('insert into schema_migrations (version, name, checksum) values ($1, $2, $3)', [
    version,
    name,
    checksum,
  ])
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '55P03'
}

function describe(error: unknown, sql: string): string {
  if (!(error instanceof DatabaseError)) return error instanceof Error ? error.message : String(error)
  const line =
    error.position === undefined ? '' : ` (line ${sql.slice(0, Number(error.position)).split('\n').length})`
  return `${error.message}${line}`
}
