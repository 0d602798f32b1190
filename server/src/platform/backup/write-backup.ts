import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { ClientBase } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import {
  type Migration,
  migrationsDirectory,
  readMigrations,
  versionsOf,
} from '../database/migration-files.ts'
import { currentVersion } from '../database/schema-version.ts'
import { fileWords, isThere } from '../files/file-trouble.ts'
import {
  type BackedUpTable,
  BackupError,
  formatVersion,
  type Manifest,
  manifestDigestFile,
  manifestFile,
  renderManifest,
} from './manifest.ts'
import { listOwnTables, listSequences, type OwnTable } from './own-tables.ts'
import { inQuietSchema } from './session.ts'

export type Progress = { table: string; done: number; of: number; bytes: number }

type BackupOptions = {
  url: string
  /** The folder that the backup becomes. Must not exist. */
  target: string
  encryptionKeys: Manifest['vault_keys']
  onProgress: (progress: Progress) => void
  signal?: AbortSignal
}

export type Backup = { folder: string; manifest: Manifest; bytes: number; strangers: string[] }

/**
 * Writes every table of ours, as it is at one moment, into a new folder, while the product runs. The folder appears under its name only
 * when it is complete and on the disk.
 */
export async function writeBackup(options: BackupOptions): Promise<Backup> {
  const folder = resolve(options.target)
  await refuseExisting(folder)
  const draft = join(dirname(folder), `${basename(folder)}.unfinished-${randomBytes(4).toString('hex')}`)
  try {
    await mkdir(draft, { mode: 0o700 })
    const written = await inQuietSchema(
      {
        url: options.url,
        applicationName: 'prokura backup',
        lock: 'shared',
        begin: 'begin isolation level repeatable read read only',
      },
      (client) => copyOut(client, draft, options),
    )
    await syncFolder(draft)
    await refuseExisting(folder)
    await rename(draft, folder)
    await syncFolder(dirname(folder))
    return { folder, ...written }
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    throw explained(error, { draft, folder })
  }
}

async function copyOut(
  client: ClientBase,
  draft: string,
  options: BackupOptions,
): Promise<Omit<Backup, 'folder'>> {
  const migrations = await appliedMigrations(client)
  const { tables, strangers } = await listOwnTables(client, migrations)
  const backedUp: BackedUpTable[] = []
  let bytes = 0
  for (const [done, table] of tables.entries()) {
    const report = (more: number) => {
      bytes += more
      options.onProgress({ table: table.name, done, of: tables.length, bytes })
    }
    backedUp.push(await copyTable(client, draft, table, report, options.signal))
  }
  const { rows } = await client.query<{ now: Date; postgres: string }>(
    `select now() as now, current_setting('server_version') as postgres`,
  )
  const manifest: Manifest = {
    format: 'prokura-backup',
    format_version: formatVersion,
    created_at: (rows[0]?.now ?? new Date()).toISOString(),
    postgres: rows[0]?.postgres ?? '',
    schema: {
      version: versionsOf(migrations).newest,
      migrations: migrations.map(({ name, checksum }) => ({ name, checksum })),
    },
    vault_keys: options.encryptionKeys,
    tables: backedUp,
    sequences: await listSequences(client, migrations),
  }
  const { text, digestLine } = renderManifest(manifest)
  await writeDurably(join(draft, manifestFile), text)
  await writeDurably(join(draft, manifestDigestFile), digestLine)
  return { manifest, bytes, strangers }
}

/** A schema that this program does not know has tables that it does not know: it could not say what it leaves out. */
async function appliedMigrations(client: ClientBase): Promise<Migration[]> {
  const version = await currentVersion(client)
  const known = readMigrations(migrationsDirectory)
  if (version === 0)
    throw new BackupError('The database has no tables of Prokura, so there is nothing to back up.')
  const { oldest, newest } = versionsOf(known)
  if (version < oldest || version > newest) {
    const span = oldest === newest ? newest : `${oldest} to ${newest}`
    throw new BackupError(
      `The database has schema version ${version}, and this program knows ${span}. Back it up with the version that runs on it.`,
    )
  }
  return known.filter((migration) => migration.version <= version)
}

async function copyTable(
  client: ClientBase,
  draft: string,
  { name, columns }: OwnTable,
  report: (bytes: number) => void,
  signal: AbortSignal | undefined,
): Promise<BackedUpTable> {
  const file = `${name}.copy.gz`
  const source = client.query(copyTo(`copy (select ${columns.join(', ')} from ${name}) to stdout`))
  const digest = createHash('sha256')
  let bytes = 0
  const counted = new Transform({
    transform(chunk: Buffer, _, done) {
      digest.update(chunk)
      bytes += chunk.length
      report(chunk.length)
      done(null, chunk)
    },
  })
  const sink = createWriteStream(join(draft, file), {
    flags: 'wx',
    mode: 0o600,
    flush: true,
    highWaterMark: 1 << 20,
  })
  await pipeline(source, createGzip({ level: 3 }), counted, sink, signal ? { signal } : {})
  // The stream ends before the server has sent the number of rows; a further statement waits for that.
  await client.query('select 1')
  return { name, columns, rows: source.rowCount, file, bytes, sha256: digest.digest('hex') }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const handle = await open(path, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function refuseExisting(folder: string): Promise<void> {
  if (!isThere(folder)) return
  throw new BackupError(`${folder} already exists. A backup never replaces anything: name another folder.`)
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  await handle.sync().finally(() => handle.close())
}

function explained(error: unknown, { draft, folder }: { draft: string; folder: string }): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const left = 'What was written has been removed.'
  if (code === 'ENOSPC' || code === 'EDQUOT' || code === 'EFBIG')
    return new BackupError(`There is no space left in ${dirname(folder)}. ${left}`)
  if (code === 'ABORT_ERR') return new BackupError(`Interrupted. ${left}`)
  const words = fileWords(error)
  return words === null ? error : new BackupError(words.replaceAll(draft, folder))
}
