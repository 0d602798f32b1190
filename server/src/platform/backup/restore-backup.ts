import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { ClientBase } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { testClockSql } from '../clock/test-clock.ts'
import { createSchema } from '../database/migrate.ts'
import {
  changedMigration,
  lastBelowBaseline,
  type Migration,
  migrationsDirectory,
  readMigrations,
  versionsOf,
} from '../database/migration-files.ts'
import { look } from '../files/file-trouble.ts'
import { type BackedUpTable, BackupError, damaged, type Manifest, readManifest } from './manifest.ts'
import { hasSchema, listOwnTables } from './own-tables.ts'
import { inQuietSchema } from './session.ts'
import type { Progress } from './write-backup.ts'

/** Reads every file of a backup and compares it with the manifest. Throws `BackupError` unless every file is as it was written. */
export async function checkBackup(
  source: string,
  onProgress: (progress: Progress) => void,
): Promise<Manifest> {
  const folder = resolve(source)
  const manifest = await readManifest(folder)
  refuseOtherSchema(manifest, readMigrations(migrationsDirectory))
  let bytes = 0
  for (const [done, table] of manifest.tables.entries()) {
    await checkFile(join(folder, table.file), table)
    bytes += table.bytes
    onProgress({ table: table.name, done, of: manifest.tables.length, bytes })
  }
  return manifest
}

/**
 * Restores a checked backup into a database without a schema, in one transaction: a restore that is interrupted leaves the database as
 * empty as it was. The schema is the backup's; the caller migrates it afterwards.
 */
export async function restoreBackup(options: {
  url: string
  source: string
  manifest: Manifest
  onProgress: (progress: Progress) => void
  /** Checks the restored rows before they are committed: when it throws, the database stays empty. */
  verify: (client: ClientBase) => Promise<void>
  signal?: AbortSignal
}): Promise<{ rows: number }> {
  const { manifest, onProgress, verify, signal } = options
  const folder = resolve(options.source)
  const known = readMigrations(migrationsDirectory)
  const applied = known.filter(({ version }) => version <= manifest.schema.version)
  return inQuietSchema(
    {
      url: options.url,
      applicationName: 'prokura restore',
      lock: 'alone',
      begin: 'begin isolation level read committed',
    },
    async (client) => {
      if (await hasSchema(client, known)) {
        throw new BackupError(
          'The database already has the tables of Prokura. A restore needs an empty database: name a new state folder, or a new database.',
        )
      }
      await createSchema(client, applied)
      // Some migrations end early where they wait for a lock. Nobody waits for this transaction, and it may be long in coming this far.
      await client.query('set local lock_timeout = 0')
      if (manifest.tables.some(({ name }) => name === 'test_clock')) await client.query(testClockSql)
      await refuseDifference(client, manifest, applied)
      const rows = await copyIn(client, { folder, manifest, onProgress, signal })
      await verify(client)
      // There are no statistics yet, and the first plans would be made for empty tables.
      await client.query('analyze')
      return { rows }
    },
  )
}

function refuseOtherSchema({ schema }: Manifest, known: readonly Migration[]): void {
  const { oldest, newest } = versionsOf(known)
  if (schema.version < oldest) {
    throw new BackupError(
      `The backup has schema version ${schema.version}, which commit ${lastBelowBaseline} is the last to read: ` +
        'restore it with that commit, or begin anew with `prokura reset` if it holds test data alone.',
    )
  }
  if (schema.version > newest) {
    throw new BackupError(
      `The backup has schema version ${schema.version}, and this program knows ${newest}. Restore it with a newer version.`,
    )
  }
  const applied = schema.migrations.map((one) => ({ ...one, version: Number.parseInt(one.name, 10) }))
  const changed = changedMigration(applied, known)
  if (changed) {
    throw new BackupError(
      `The ${changed.applied.name} of the backup differs from the one of this program. Restore it with the version that made it.`,
    )
  }
}

/** A digest finds an error that a decompressor might only fail at, and finds it before anything has begun. */
async function checkFile(path: string, table: BackedUpTable): Promise<void> {
  const found = look(path)
  if (found === null)
    throw new BackupError(`${table.file} is missing: the backup is incomplete. Nothing was restored.`)
  if (found.size !== table.bytes) throw damaged(table.file)
  const digest = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) digest.update(chunk)
  if (digest.digest('hex') !== table.sha256) throw damaged(table.file)
}

async function refuseDifference(
  client: ClientBase,
  manifest: Manifest,
  applied: readonly Migration[],
): Promise<void> {
  const { tables } = await listOwnTables(client, applied)
  const shape = (list: readonly { name: string; columns: readonly string[] }[]) =>
    list.map(({ name, columns }) => `${name}(${[...columns].sort().join(',')})`).sort()
  const [made, held] = [shape(tables), shape(manifest.tables)]
  const odd = [...made.filter((one) => !held.includes(one)), ...held.filter((one) => !made.includes(one))]
  if (odd.length > 0)
    throw new BackupError(
      `The backup and its schema version differ in ${odd.join('; ')}. Nothing was restored.`,
    )
}

type CopyIn = {
  folder: string
  manifest: Manifest
  onProgress: (progress: Progress) => void
  signal: AbortSignal | undefined
}

/**
 * Foreign keys are removed and added again as they were, which checks them all at once and lets tables be copied in any order. Unlike
 * disabling triggers, the owner of the tables may do that without being a superuser.
 */
async function copyIn(client: ClientBase, { folder, manifest, onProgress, signal }: CopyIn): Promise<number> {
  const { tables, sequences } = manifest
  const { rows: foreignKeys } = await client.query<ForeignKey>(selectForeignKeys, [
    tables.map(({ name }) => name),
  ])
  for (const { on, name } of foreignKeys) await client.query(`alter table ${on} drop constraint ${name}`)
  // Rows that were written under earlier rules are restored as they were. These triggers, unlike those of the system, belong to the
  // owner.
  const { rows: guarded } = await client.query<{ on: string }>(selectTriggered, [
    tables.map(({ name }) => name),
  ])
  for (const { on } of guarded) await client.query(`alter table ${on} disable trigger user`)
  // Migrations leave rows of their own.
  await client.query(`truncate ${tables.map(({ name }) => name).join(', ')}`)
  let bytes = 0
  let rows = 0
  for (const [done, table] of tables.entries()) {
    rows += await copyTable(client, folder, table, signal)
    bytes += table.bytes
    onProgress({ table: table.name, done, of: tables.length, bytes })
  }
  for (const { name, last_value } of sequences) {
    if (last_value !== null) await client.query('select setval($1, $2)', [name, last_value])
  }
  for (const { on, name, definition } of foreignKeys)
    await client.query(`alter table ${on} add constraint ${name} ${definition}`)
  for (const { on } of guarded) await client.query(`alter table ${on} enable trigger user`)
  return rows
}

async function copyTable(
  client: ClientBase,
  folder: string,
  { name, columns, file, rows }: BackedUpTable,
  signal: AbortSignal | undefined,
): Promise<number> {
  const sink = client.query(copyFrom(`copy ${name} (${columns.join(', ')}) from stdin`))
  const source = createReadStream(join(folder, file), { highWaterMark: 1 << 20 })
  await pipeline(source, createGunzip(), sink, signal ? { signal } : {})
  if (sink.rowCount !== rows) {
    throw new BackupError(
      `${file} held ${sink.rowCount} rows instead of ${rows}: the backup is damaged. Nothing was restored.`,
    )
  }
  return rows
}

type ForeignKey = { on: string; name: string; definition: string }

const selectTriggered = `
  select distinct tgrelid::regclass::text as on from pg_trigger
  where not tgisinternal and tgrelid in (select to_regclass(name) from unnest($1::text[]) as name) order by 1`

// Constraints of partitions follow those of their parents.
const selectForeignKeys = `
  select conrelid::regclass::text as on, quote_ident(conname) as name, pg_get_constraintdef(oid) as definition
  from pg_constraint
  where contype = 'f' and conparentid = 0
    and conrelid in (select to_regclass(name) from unnest($1::text[]) as name)
  order by conrelid::regclass::text, conname`
