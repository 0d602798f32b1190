import { setTimeout as delay } from 'node:timers/promises'
import { type ClientBase, DatabaseError } from 'pg'
import { lookAtDatabase, type SeenDatabase } from './look.ts'
import {
  changedMigration,
  lastBelowBaseline,
  type Migration,
  migrationsDirectory,
  readMigrations,
  versionsOf,
} from './migration-files.ts'
import { withSchemaLock, wordsOf } from './schema-lock.ts'
import { currentVersion } from './schema-version.ts'
import { withSession } from './session.ts'

type MigrateOptions = {
  url: string
  directory?: string
  /** Told of what it waits for. */
  log?: (line: string) => void
}

type Migrated = { applied: string[]; version: number }

type Queryable = Pick<ClientBase, 'query'>

/** The schema cannot be migrated to this program's version. The message is for people and says why. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError'
}

const pollMs = 100
const lockTimeoutAttemptsMax = 6

/**
 * Migrates the schema to the newest version and returns the migrations that it applied. Only one process migrates a database at a time. A
 * schema that is newer than this code is left alone, because the previous version keeps running during an update.
 */
export async function migrate(options: MigrateOptions): Promise<Migrated> {
  const migrations = readMigrations(options.directory ?? migrationsDirectory)
  const log = options.log ?? (() => undefined)
  const { url } = options
  const applicationName = 'prokura migrate'
  const onWait = (holder: Parameters<typeof wordsOf>[0]) =>
    log(`${wordsOf(holder)} this database; waiting until that is over`)
  const lock = { url, applicationName, kind: 'alone', patienceMs: Number.POSITIVE_INFINITY, onWait } as const
  return withSchemaLock(lock, () =>
    withSession({ url, applicationName }, (client) => applyPending(client, migrations, log)),
  )
}

/** One line, however many migrations there were. */
export function migratedWords({ applied, version }: Migrated): string {
  return applied.length === 0
    ? `Nothing to do: the schema of the database is at version ${version}.`
    : `The schema of the database is at version ${version}, after ${applied.join(', ')}.`
}

/** The schema version that this code needs. */
export function requiredVersion(directory = migrationsDirectory): number {
  return versionsOf(readMigrations(directory)).newest
}

/**
 * Waits until the database has the version that this code needs; a newer one is fine. It does not wait for a database that cannot be
 * used: that error is thrown at once.
 */
export async function waitForSchema(options: {
  url: string
  timeoutMs: number
  directory?: string
}): Promise<{ version: number }> {
  const versions = versionsOf(readMigrations(options.directory ?? migrationsDirectory))
  const deadline = performance.now() + options.timeoutMs
  for (;;) {
    const { schemaVersion } = await lookAtDatabase(options.url)
    if (schemaVersion >= versions.newest) return { version: schemaVersion }
    refuseBelowBaseline(schemaVersion, versions)
    if (performance.now() >= deadline)
      throw new MigrationError(`${notReady(schemaVersion, versions)} Waited ${options.timeoutMs / 1000} s.`)
    await delay(pollMs)
  }
}

/** Why this code cannot work on the schema in its present state, in words; null: it can. */
export function schemaTrouble(
  { schemaVersion }: SeenDatabase,
  directory = migrationsDirectory,
): string | null {
  const versions = versionsOf(readMigrations(directory))
  if (schemaVersion >= versions.newest) return null
  return isBelowBaseline(schemaVersion, versions)
    ? belowBaseline(schemaVersion, versions)
    : notReady(schemaVersion, versions)
}

type Versions = ReturnType<typeof versionsOf>

function notReady(found: number, { newest }: Versions): string {
  return `The database has schema version ${found}, and this code needs ${newest}. Run "prokura migrate".`
}

function isBelowBaseline(found: number, { oldest }: Versions): boolean {
  return found > 0 && found < oldest
}

function belowBaseline(found: number, { oldest }: Versions): string {
  return (
    `The database has schema version ${found}, which commit ${lastBelowBaseline} is the last to read: ` +
    `run \`prokura migrate\` of that commit, which brings it to version ${oldest}, or \`prokura reset\` if it holds test data alone.`
  )
}

function refuseBelowBaseline(found: number, versions: Versions): void {
  if (isBelowBaseline(found, versions)) throw new MigrationError(belowBaseline(found, versions))
}

const createRecord = `create table if not exists schema_migrations (
  version int primary key,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now()
)`

/**
 * Makes the schema of these migrations inside the caller's transaction. It is for a database without one: no other work runs there beside
 * the building of an index, so migrations that refuse transactions can join this one.
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
): Promise<Migrated> {
  // Throws where the table is not ours.
  await currentVersion(client)
  await client.query(createRecord)
  const before = await verifyApplied(client, migrations)
  const applied: string[] = []
  for (const migration of migrations.filter(({ version }) => version > before)) {
    await apply(client, migration, log).catch((cause: unknown) => {
      throw new MigrationError(`Migration ${migration.name} failed: ${describe(cause, migration.sql)}`, {
        cause,
      })
    })
    applied.push(migration.name)
  }
  return { applied, version: Math.max(before, versionsOf(migrations).newest) }
}

/** Returns the version of the database, after checking that its migrations are the ones that we know. */
async function verifyApplied(client: Queryable, migrations: readonly Migration[]): Promise<number> {
  const { rows } = await client.query<{ version: number; name: string; checksum: string }>(
    'select version, name, checksum from schema_migrations order by version',
  )
  const version = rows.at(-1)?.version ?? 0
  const versions = versionsOf(migrations)
  refuseBelowBaseline(version, versions)
  for (const [index, row] of rows.entries()) {
    const expected = (rows[index - 1]?.version ?? 0) + 1
    if (row.version === expected || (index === 0 && row.version === versions.oldest)) continue
    throw new MigrationError(`schema_migrations has no row for version ${expected}, but one for ${row.name}.`)
  }
  const changed = changedMigration(rows, migrations)
  if (changed)
    throw new MigrationError(
      `Migration ${changed.ours.name} was changed after it had been applied (as ${changed.applied.name}). ` +
        'Restore the file as it was and put the change into a new migration.',
    )
  return version
}

async function apply(client: Queryable, migration: Migration, log: (line: string) => void): Promise<void> {
  if (!migration.isTransactional) return applyAlone(client, migration)
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await applyInTransaction(client, migration)
    } catch (error) {
      // While we wait for a table's lock, everybody behind us waits too; so it gives up early and queues again.
      if (!isLockTimeout(error) || attempt === lockTimeoutAttemptsMax) throw error
      log(`${migration.name} could not get its locks in time; trying again`)
      await delay(1_000)
    }
  }
}

async function applyInTransaction(client: Queryable, migration: Migration): Promise<void> {
  await client.query('begin isolation level read committed')
  try {
    await client.query(`set local statement_timeout = 0; set local lock_timeout = '5s'`)
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
 * Runs statements that refuse transactions, each by itself; a statement ends where its line does. If the process dies before the
 * migration is recorded, all are run again, so each is written to work a second time.
 */
async function applyAlone(client: Queryable, migration: Migration): Promise<void> {
  await client.query('set statement_timeout = 0')
  for (const sql of migration.sql.split(/;[ \t]*(?:\n|$)/)) {
    if (sql.split('\n').every((line) => line.trim() === '' || line.startsWith('--'))) continue
    const index =
      /create\s+(?:unique\s+)?index\s+concurrently\s+(?:if\s+not\s+exists\s+)?([\w.]+)\s+on\b/i.exec(sql)?.[1]
    if (index !== undefined) await dropInvalidIndex(client, index)
    await client.query(sql)
  }
  await record(client, migration)
  // Through a pooler another client may get this connection.
  await client.query('reset statement_timeout')
}

/** A concurrent build that failed leaves an index that serves no query, and `if not exists` would take it for the real one. */
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
