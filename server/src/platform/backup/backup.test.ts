import { cp, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { createTestDatabase } from '../../../test/harness/database.ts'
import { advanceTestClock, installTestClock } from '../clock/test-clock.ts'
import { migrate, requiredVersion } from '../database/migrate.ts'
import { migrationsDirectory, readMigrations } from '../database/migration-files.ts'
import { schemaLockKey } from '../database/schema-lock.ts'
import { type Manifest, manifestFile, readManifest, renderManifest } from './manifest.ts'
import { listOwnTables } from './own-tables.ts'
import { checkBackup, restoreBackup } from './restore-backup.ts'
import { writeBackup } from './write-backup.ts'

let folder: string
let source: string
let backup: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prokura-backup-'))
  const database = await createTestDatabase()
  source = database.url
  await query(source, rows)
  backup = join(folder, 'good')
  await write(source, backup)
  return () => database.drop()
})

afterAll(() => rm(folder, { recursive: true, force: true }))

test('every table that the migrations make is one that a backup holds, but those of the vault, and a stranger is named and left out', async () => {
  const { url } = await database({ empty: false })
  await query(url, 'create table somebody_elses (id int)')
  const client = await connect(url)
  const { tables, strangers } = await listOwnTables(client, readMigrations(migrationsDirectory))
  const { rows: all } = await client.query<{ name: string }>(
    `select case schemaname when 'public' then '' else schemaname || '.' end || tablename as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema', 'card_vault')`,
  )
  const held = [...tables.map(({ name }) => name), 'schema_migrations', 'somebody_elses']
  expect(held.sort()).toEqual(all.map(({ name }) => name).sort())
  expect(strangers).toEqual(['somebody_elses'])
})

test('a restored database has the schema of a migrated one and every row of the one that was backed up', async () => {
  const { url } = await database({ empty: true })
  await restore(backup, url)
  expect(await contentOf(url)).toEqual(await contentOf(source))
  expect(await schemaOf(url)).toEqual(await schemaOf(source))
  expect(await migrate({ url })).toEqual({ applied: [], version: requiredVersion() })
})

test('a user who only owns the database can back it up and restore it', async () => {
  const role = `owner_${process.pid}`
  await query(inject('adminUrl'), `create role ${role} login password 'owner'`)
  const { url } = await database({ empty: true })
  await query(inject('adminUrl'), `alter database ${new URL(url).pathname.slice(1)} owner to ${role}`)
  onTestFinished(async () => {
    await query(url, `drop owned by ${role} cascade`)
    await query(inject('adminUrl'), `alter database ${new URL(url).pathname.slice(1)} owner to current_user`)
    await query(inject('adminUrl'), `drop role ${role}`)
  })
  const asOwner = new URL(url)
  asOwner.username = role
  asOwner.password = 'owner'
  await restore(backup, asOwner.href)
  const again = join(folder, 'by-owner')
  await write(asOwner.href, again)
  expect(digests(await readManifest(again))).toEqual(digests(await readManifest(backup)))
})

test('a backup of an older schema is restored as it was, and migrates on from there', async () => {
  const older = join(folder, 'older-migrations')
  const [baseline] = readMigrations(migrationsDirectory)
  const { name, version } = baseline ?? { name: '', version: 0 }
  await mkdir(older)
  await cp(join(migrationsDirectory, name), join(older, name))
  const { url } = await database({ empty: true })
  await migrate({ url, directory: older })
  await query(url, `insert into accounts values ('acct_old', 'Old', '{}', now())`)
  await write(url, join(folder, 'older'))
  const target = await database({ empty: true })
  await restore(join(folder, 'older'), target.url)
  expect((await query(target.url, 'select max(version)::int as version from schema_migrations'))[0]).toEqual({
    version,
  })
  expect((await migrate({ url: target.url })).applied).not.toEqual([])
  expect(await schemaOf(target.url)).toEqual(await schemaOf(source))
  expect(await query(target.url, 'select name from accounts')).toEqual([{ name: 'Old' }])
})

test('a backup of a schema that has come to the baseline by single files is restored', async () => {
  const at = join(folder, 'by-files')
  await cp(backup, at, { recursive: true })
  const [baseline] = readMigrations(migrationsDirectory)
  const { schema } = await readManifest(at)
  const files = [...Array(baseline?.version).keys()].map((index) => ({
    name: `${String(index + 1).padStart(4, '0')}_file.sql`,
    checksum: 'a'.repeat(64),
  }))
  await change(at, { schema: { ...schema, migrations: [...files, ...schema.migrations.slice(1)] } })
  const { url } = await database({ empty: true })
  await restore(at, url)
  expect(await contentOf(url)).toEqual(await contentOf(source))
})

test("a test database's clock comes back with its offset", async () => {
  const { url } = await database({ empty: false })
  await installTestClock(url)
  await advanceTestClock(url, 86_400)
  await write(url, join(folder, 'ahead'))
  const target = await database({ empty: true })
  await restore(join(folder, 'ahead'), target.url)
  const ahead = await query(target.url, 'select extract(epoch from prokura_now() - now())::int as seconds')
  expect(ahead).toEqual([{ seconds: 86_400 }])
})

test('rows that are committed while a backup runs are not in it, in any table', async () => {
  const { url } = await database({ empty: false })
  await query(url, rows)
  const blocker = await connect(url)
  await blocker.query('begin')
  await blocker.query('lock table profiles in access exclusive mode')
  const target = join(folder, 'meanwhile')
  const writing = write(url, target)
  await expect
    .poll(() =>
      // Locks are those of the whole server, on which other tests wait for theirs.
      query(
        url,
        `select count(*)::int as waiting from pg_locks l join pg_database d on d.oid = l.database
         where not granted and datname = current_database()`,
      ),
    )
    .toEqual([{ waiting: 1 }])
  await query(url, `insert into rate_counters values ('later', 'acct_1 live', '{}', now())`)
  await blocker.query('commit')
  const { manifest } = await writing
  expect(rowsIn(manifest, 'rate_counters')).toBe(1)
  expect(rowsIn(manifest, 'profiles')).toBe(1)
})

test('a target that is there already is never replaced', async () => {
  const before = await readFile(join(backup, manifestFile), 'utf8')
  await expect(write(source, backup)).rejects.toThrow('already exists')
  await mkdir(join(folder, 'empty'))
  await expect(write(source, join(folder, 'empty'))).rejects.toThrow('already exists')
  expect(await readFile(join(backup, manifestFile), 'utf8')).toBe(before)
})

test('a backup that fails or is interrupted leaves nothing behind', async () => {
  const place = join(folder, 'interrupted')
  await mkdir(place)
  const abort = new AbortController()
  const interrupted = writeBackup({
    url: source,
    target: join(place, 'backup'),
    encryptionKeys: null,
    onProgress: () => abort.abort(),
    signal: abort.signal,
  })
  await expect(interrupted).rejects.toThrow('Interrupted. What was written has been removed.')
  await expect(write(source, join(place, 'no/where'))).rejects.toThrow(
    `There is no folder ${join(place, 'no')}. Create it`,
  )
  if (process.platform === 'linux')
    await expect(write(source, '/proc/backup')).rejects.toThrow('The system makes no folder at /proc/backup.')
  const { url } = await database({ empty: true })
  await expect(write(url, join(place, 'nothing'))).rejects.toThrow('there is nothing to back up')
  expect(await readdir(place)).toEqual([])
})

test('no migration starts during a backup, and no backup during a migration', async () => {
  const { url } = await database({ empty: false })
  const client = await connect(url)
  await client.query('select pg_advisory_lock($1)', [schemaLockKey])
  await expect(write(url, join(folder, 'under-migration'))).rejects.toThrow(
    /^Another process \(pid \d+\) migrates/,
  )
})

test('a database of a newer schema is left to the program that made it', async () => {
  const { url } = await database({ empty: false })
  await query(url, `insert into schema_migrations values (${requiredVersion() + 1}, '9999_later.sql', 'x')`)
  await expect(write(url, join(folder, 'newer'))).rejects.toThrow(
    'Back it up with the version that runs on it',
  )
})

test.each([
  [
    'a flipped byte',
    'accounts.copy.gz has changed since it was written',
    (at: string) => flip(join(at, 'accounts.copy.gz'), 15),
  ],
  [
    'a truncated file',
    'event_rows.copy.gz has changed since it was written',
    (at: string) => truncate(join(at, 'event_rows.copy.gz'), 9),
  ],
  ['a missing file', 'profiles.copy.gz is missing', (at: string) => rm(join(at, 'profiles.copy.gz'))],
  [
    'a flipped byte in the manifest',
    'manifest.json has changed since it was written',
    (at: string) => flip(join(at, manifestFile), 300),
  ],
  ['another format', 'The backup has format 2', (at: string) => change(at, { format_version: 2 })],
  ['a newer schema', 'Restore it with a newer version', (at: string) => newer(at)],
  [
    'a schema below the baseline',
    'The backup has schema version 90, which commit a4d34fc6 is the last to read: restore it with that commit, or begin anew with `prokura reset` if it holds test data alone.',
    (at: string) => below(at),
  ],
  ['another migration', 'The 0091_baseline.sql of the backup differs', (at: string) => otherMigration(at)],
  ['no manifest', 'is not a backup', (at: string) => rm(join(at, manifestFile))],
])('%s is refused before a database is touched', async (name, message, harm) => {
  const at = join(folder, name.replaceAll(' ', '-'))
  await cp(backup, at, { recursive: true })
  await harm(at)
  await expect(checkBackup(at, () => undefined)).rejects.toThrow(message)
})

test('a restore that fails or is interrupted half-way leaves the database empty, and the next one succeeds', async () => {
  const { url } = await database({ empty: true })
  const manifest = await checkBackup(backup, () => undefined)
  const abort = new AbortController()
  const interrupted = restoreBackup({
    url,
    source: backup,
    manifest,
    onProgress: ({ done }) => done === 5 && abort.abort(),
    verify: async () => undefined,
    signal: abort.signal,
  })
  await expect(interrupted).rejects.toThrow()
  const fewer = manifest.tables.map((table) => ({ ...table, rows: table.rows + 1 }))
  const quietly = { url, source: backup, onProgress: () => undefined, verify: async () => undefined }
  const wrong = { ...quietly, manifest: { ...manifest, tables: fewer } }
  await expect(restoreBackup(wrong)).rejects.toThrow('held 1 rows instead of 2')
  const refused = restoreBackup({
    ...quietly,
    manifest,
    verify: () => Promise.reject(new Error('other keys')),
  })
  await expect(refused).rejects.toThrow('other keys')
  expect(await query(url, `select tablename from pg_tables where schemaname = 'public'`)).toEqual([])
  await restore(backup, url)
  expect(await contentOf(url)).toEqual(await contentOf(source))
})

test('a restore waits for locks as long as they take, whatever the migrations that it ran have set', async () => {
  const { url } = await database({ empty: true })
  const manifest = await checkBackup(backup, () => undefined)
  const limits: unknown[] = []
  await restoreBackup({
    url,
    source: backup,
    manifest,
    onProgress: () => undefined,
    verify: async (client) => void limits.push((await client.query('show lock_timeout')).rows),
  })
  expect(limits).toEqual([[{ lock_timeout: '0' }]])
})

test('a database that has a schema is refused, even without a row', async () => {
  const { url } = await database({ empty: false })
  await expect(restore(backup, url)).rejects.toThrow('needs an empty database')
})

// Every kind of value that a copy could spoil: tabs, line ends, backslashes, markers of the format, nulls, bytes, arrays, documents.
const rows = String.raw`
  insert into accounts values ('acct_1', E'tab\tline\nreturn\rback\\slash \\N \\. "quotes" ünï 𝄞', '{"a": [1, null, "\\n"]}', '2026-01-02 03:04:05.678901+00');
  insert into agents (account_id, mode, id, name, seq, created_at, updated_at) values ('acct_1', 'test', 'agent_1', '', 1, now(), now());
  insert into api_keys (account_id, mode, id, agent_id, kind, name, prefix, hash, preset, scopes, origins, seq, created_at, updated_at)
    values ('acct_1', 'test', 'key_1', 'agent_1', 'secret', '', 'pr', '\x00ff5c6e', 'full', '{"a,b","c\"d",NULL}', '{}', 1, now(), now());
  insert into rate_counters values ('rate', 'acct_1 live', '{2026-01-02 03:04:05.678901+00,-infinity}', 'infinity');
  insert into profiles (account_id, mode, id, profile_type, first_name, last_name, email, country, status, issuing_state, seq, created_at, updated_at)
    values ('acct_1', 'test', 'prof_1', 'person', 'Ada', E'\\N', 'a@example.com', 'GB', 'active', 'enabled', 1, now(), now());
  insert into event_rows (account_id, mode, id, type, aggregate_id, sequence, cart_id, actor_type, actor_id, request_id, object, recipient_account_id, envelope, created_at)
    values ('acct_1', 'test', 'evt_1', 'x', 'prof_1', 1, null, 'key', null, 'req', '{}', null, null, now());
  insert into audit_entries (account_id, mode, position, scheme, range_first, range_last, range_count, key_id, event_id, actor_type, action, target_id, request_id, digest, at, previous_hash, hash)
    values ('acct_1', 'test', 1, 2, 1, 1, 1, 'k1', 'evt_1', 'key', 'x', 'prof_1', 'req', '\x01', now(), '\x00', '\x02');
  insert into audit_batches values ('acct_1', 'test', 2, 3, 3, 'k1', E'{"prof_1","a,b\\\"c"}', '{2,1}', '{2,1}', decode(repeat('ff', 64), 'hex'), now(), '\x00', '\x02');
  update outbox_shards set epoch = 9007199254740993, holder = 'somebody' where shard = 3;`

async function database({ empty }: { empty: boolean }): Promise<{ url: string }> {
  const made = await createTestDatabase({ empty })
  onTestFinished(() => made.drop())
  return made
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

function write(url: string, target: string) {
  return writeBackup({ url, target, encryptionKeys: null, onProgress: () => undefined })
}

async function restore(from: string, url: string): Promise<void> {
  const manifest = await checkBackup(from, () => undefined)
  await restoreBackup({
    url,
    source: from,
    manifest,
    onProgress: () => undefined,
    verify: async () => undefined,
  })
}

async function contentOf(url: string): Promise<Record<string, unknown>> {
  const client = await connect(url)
  const { tables } = await listOwnTables(client, readMigrations(migrationsDirectory))
  const content: Record<string, unknown> = {}
  for (const { name } of tables) {
    const { rows } = await client.query(`select t::text as row from ${name} t order by 1`)
    content[name] = rows.map(({ row }) => row)
  }
  return content
}

/** Columns, constraints, indexes and functions as the server itself would write them down. */
async function schemaOf(url: string): Promise<unknown> {
  const [found] = await query(
    url,
    `with ours as (select oid from pg_class where relnamespace = 'public'::regnamespace)
     select (select array_agg(c.oid::regclass || ' ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull ||
         ' ' || coalesce(pg_get_expr(d.adbin, d.adrelid), '') order by c.relname, a.attname)
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not attisdropped
       left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum where c.oid in (select oid from ours)) as columns,
     (select array_agg(conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || ' ' || convalidated order by conrelid::regclass::text, conname)
       from pg_constraint where conrelid in (select oid from ours)) as constraints,
     (select array_agg(pg_get_indexdef(indexrelid) || ' ' || indisvalid order by indexrelid::regclass::text)
       from pg_index where indrelid in (select oid from ours)) as indexes,
     (select pg_get_functiondef('prokura_now'::regproc)) as clock`,
  )
  return found
}

function digests({ tables }: Manifest) {
  return tables.map(({ name, rows, sha256 }) => ({ name, rows, sha256 }))
}

function rowsIn({ tables }: Manifest, name: string): number | undefined {
  return tables.find((table) => table.name === name)?.rows
}

async function flip(path: string, at: number): Promise<void> {
  const bytes = await readFile(path)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  await writeFile(path, bytes)
}

/** Somebody who knows the format, so that only what the test is about is wrong. */
async function change(at: string, changes: object): Promise<void> {
  const { text, digestLine } = renderManifest({ ...(await readManifest(at)), ...changes })
  await writeFile(join(at, manifestFile), text)
  await writeFile(join(at, `${manifestFile}.sha256`), digestLine)
}

async function below(at: string): Promise<void> {
  const { schema } = await readManifest(at)
  const { version } = readMigrations(migrationsDirectory)[0] ?? { version: 0 }
  await change(at, { schema: { ...schema, version: version - 1 } })
}

async function newer(at: string): Promise<void> {
  const { schema } = await readManifest(at)
  await change(at, { schema: { ...schema, version: schema.version + 1 } })
}

async function otherMigration(at: string): Promise<void> {
  const { schema } = await readManifest(at)
  const [first, ...others] = schema.migrations
  await change(at, {
    schema: { ...schema, migrations: [{ name: first?.name, checksum: '0'.repeat(64) }, ...others] },
  })
}
