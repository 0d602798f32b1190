import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts'
import { lookAtDatabase } from './look.ts'
import { migrate, migratedWords, requiredVersion, schemaTrouble, waitForSchema } from './migrate.ts'
import { currentVersion } from './schema-version.ts'
import { databaseWords } from './words.ts'

let database: TestDatabase
let directory: string

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'migrations-'))
  database = await createTestDatabase({ empty: true })
})

afterEach(async () => {
  rmSync(directory, { recursive: true })
  await database.drop()
})

test('migrations are applied in order, once, and the version is that of the last one', async () => {
  write('0002_more.sql', 'alter table things add column name text;')
  write('0001_first.sql', 'create table things (id int);')
  expect(await run()).toEqual({ applied: ['0001_first.sql', '0002_more.sql'], version: 2 })
  expect(await run()).toEqual({ applied: [], version: 2 })
  write('0003_last.sql', 'alter table things add column age int;')
  expect(await run()).toEqual({ applied: ['0003_last.sql'], version: 3 })
  const client = await connect()
  expect(await currentVersion(client)).toBe(3)
  expect(requiredVersion(directory)).toBe(3)
})

test('a migration that fails leaves nothing of itself, keeps those before it and names the line', async () => {
  write('0001_first.sql', 'create table things (id int);')
  write('0002_broken.sql', 'create table half (id int);\n\ninsert into nowhere values (1);')
  await expect(run()).rejects.toThrow(
    'Migration 0002_broken.sql failed: relation "nowhere" does not exist (line 3)',
  )
  const client = await connect()
  expect(await currentVersion(client)).toBe(1)
  expect((await client.query(`select to_regclass('half') as half`)).rows).toEqual([{ half: null }])
  write('0002_broken.sql', 'create table half (id int);')
  expect((await run()).applied).toEqual(['0002_broken.sql'])
})

test('a migration that raises an exception is not recorded', async () => {
  write('0001_first.sql', 'do $$ begin raise exception using errcode = $e$P0001$e$; end $$;')
  await expect(run()).rejects.toThrow('0001_first.sql')
  expect(await currentVersion(await connect())).toBe(0)
})

test('an applied migration whose text has changed is refused, also with later ones after it', async () => {
  write('0001_first.sql', 'create table things (id int);')
  await run()
  write('0001_first.sql', 'create table things (id bigint);')
  write('0002_more.sql', 'create table more (id int);')
  await expect(run()).rejects.toThrow('Migration 0001_first.sql was changed after it had been applied')
  expect(await currentVersion(await connect())).toBe(1)
})

test.each([
  ['Rails', `create table schema_migrations (version text primary key)`, `'20200101000000'`],
  [
    'golang-migrate',
    `create table schema_migrations (version bigint primary key, dirty boolean)`,
    `3, false`,
  ],
])('a database of %s is left alone, and the message says whose it is', async (_, table, row) => {
  const client = await connect()
  await client.query(`${table}; insert into schema_migrations values (${row})`)
  write('0001_first.sql', 'create table things (id int);')
  for (const work of [() => lookAtDatabase(database.url), run]) {
    const error: unknown = await work().then(
      () => null,
      (thrown: unknown) => thrown,
    )
    expect(databaseWords(error, { setting: 'DATABASE_URL', url: database.url })).toMatch(
      /^The database of DATABASE_URL is the database of another program: its table schema_migrations .* Create an empty database/,
    )
  }
  expect((await client.query(`select to_regclass('things') as made`)).rows).toEqual([{ made: null }])
})

test('a baseline stands for all versions up to its own, and migrations go on after it', async () => {
  write('0003_baseline.sql', 'create table things (id int, name text);')
  expect(await run()).toEqual({ applied: ['0003_baseline.sql'], version: 3 })
  write('0004_more.sql', 'alter table things add column age int;')
  expect(await run()).toEqual({ applied: ['0004_more.sql'], version: 4 })
  expect(await run()).toEqual({ applied: [], version: 4 })
  write('0003_baseline.sql', 'create table things (id int, name text, age int);')
  await expect(run()).rejects.toThrow('Migration 0003_baseline.sql was changed after it had been applied')
})

test('a schema that has come to the baseline by single files goes on from there', async () => {
  write('0001_first.sql', 'create table things (id int);')
  write('0002_name.sql', 'alter table things add column name text;')
  await run()
  for (const name of ['0001_first.sql', '0002_name.sql']) rmSync(join(directory, name))
  write('0002_baseline.sql', 'create table things (id int, name text);')
  write('0003_more.sql', 'alter table things add column age int;')
  expect(await run()).toEqual({ applied: ['0003_more.sql'], version: 3 })
})

test('a schema below the baseline is left as it is, and one sentence says its version, who reads it, and what to do', async () => {
  write('0001_first.sql', 'create table things (id int);')
  await run()
  rmSync(join(directory, '0001_first.sql'))
  write('0003_baseline.sql', 'create table things (id int, name text);')
  const refusal =
    'The database has schema version 1, which commit a4d34fc6 is the last to read: run `prokura migrate` of that commit, ' +
    'which brings it to version 3, or `prokura reset` if it holds test data alone.'
  await expect(run()).rejects.toThrow(refusal)
  await expect(waitForSchema({ url: database.url, timeoutMs: 60_000, directory })).rejects.toThrow(refusal)
  expect(schemaTrouble(await lookAtDatabase(database.url), directory)).toBe(refusal)
  expect(await currentVersion(await connect())).toBe(1)
})

test('what was migrated is said in one line', () => {
  expect(migratedWords({ applied: ['0002_a.sql', '0003_b.sql'], version: 3 })).toBe(
    'The schema of the database is at version 3, after 0002_a.sql, 0003_b.sql.',
  )
  expect(migratedWords({ applied: [], version: 3 })).toBe(
    'Nothing to do: the schema of the database is at version 3.',
  )
})

test('line ends that a checkout has turned are no change', async () => {
  write('0001_first.sql', 'create table things (\n id int);\n')
  await run()
  write('0001_first.sql', 'create table things (\r\n id int);\r\n')
  expect(await run()).toEqual({ applied: [], version: 1 })
})

test.each([
  {
    files: ['0001_a.sql', '0003_c.sql'],
    refusal: 'Migration 0002 is missing: 0003_c.sql comes in its place',
  },
  { files: ['0002_b.sql'], refusal: 'Migration 0001 is missing' },
  {
    files: ['0001_a.sql', '0002_b.sql', '0002_c.sql'],
    refusal: 'Two migrations have number 2: 0002_b.sql and 0002_c.sql',
  },
  { files: ['0000_a.sql'], refusal: 'number 0' },
  {
    files: ['0001_a.sql', '0002_baseline.sql'],
    refusal: '0002_baseline.sql stands for all versions up to its own. Remove 0001_a.sql.',
  },
  {
    files: ['0002_baseline.sql', '0004_d.sql'],
    refusal: 'Migration 0003 is missing: 0004_d.sql comes in its place',
  },
  { files: ['1_a.sql'], refusal: '1_a.sql is not named like a migration' },
])('the files $files are refused before anything is touched', async ({ files, refusal }) => {
  for (const file of files) write(file, 'select 1')
  await expect(run()).rejects.toThrow(refusal)
  expect(() => requiredVersion(directory)).toThrow(refusal)
  const { rows } = await (await connect()).query(`select to_regclass('schema_migrations') as made`)
  expect(rows).toEqual([{ made: null }])
})

test('a schema newer than the code is left alone', async () => {
  write('0001_first.sql', 'create table things (id int);')
  write('0002_more.sql', 'create table more (id int);')
  await run()
  rmSync(join(directory, '0002_more.sql'))
  expect(await run()).toEqual({ applied: [], version: 2 })
  expect(await waitForSchema({ url: database.url, timeoutMs: 0, directory })).toEqual({ version: 2 })
})

test('many migrators at once apply each migration once, also one that builds an index concurrently', async () => {
  write('0001_first.sql', 'create table things (id int);')
  write('0002_index.sql', '-- no transaction\ncreate index concurrently things_id on things (id);')
  write('0003_last.sql', 'select pg_sleep(0.2);')
  const results = await Promise.all(Array.from({ length: 6 }, run))
  expect(results.flatMap((result) => result.applied).sort()).toEqual([
    '0001_first.sql',
    '0002_index.sql',
    '0003_last.sql',
  ])
  expect(results.every((result) => result.version === 3)).toBe(true)
})

test('a migrator that waits keeps no transaction open', async () => {
  write('0001_first.sql', 'create table things (id int);')
  const holder = await connect()
  await holder.query('select pg_advisory_lock(7261140593)')
  const lines: string[] = []
  const waiting = migrate({ url: database.url, directory, log: (line) => lines.push(line) })
  await expect
    .poll(() => lines)
    .toEqual([
      expect.stringMatching(
        /^Another process \(pid \d+\) migrates, .* this database; waiting until that is over$/,
      ),
    ])
  await expect
    .poll(async () => {
      const { rows } = await holder.query(
        `select state, xact_start from pg_stat_activity where application_name = 'prokura migrate'
          and datname = current_database() and backend_xmin is not null`,
      )
      return rows
    })
    .toEqual([])
  await holder.query('select pg_advisory_unlock(7261140593)')
  expect((await waiting).applied).toEqual(['0001_first.sql'])
})

test('the invalid index that a failed concurrent build left behind is built again', async () => {
  write('0001_first.sql', 'create table things (id int); insert into things values (1), (1);')
  write(
    '0002_unique.sql',
    '-- no transaction\ncreate unique index concurrently if not exists things_id on things (id);',
  )
  await expect(run()).rejects.toThrow('0002_unique.sql failed')
  const client = await connect()
  expect(await validity(client)).toEqual([{ indisvalid: false }])
  await client.query('delete from things where ctid = (select min(ctid) from things)')
  expect((await run()).applied).toEqual(['0002_unique.sql'])
  expect(await validity(client)).toEqual([{ indisvalid: true }])
})

test('statements that refuse transactions are run one by one, and all again where one of them failed', async () => {
  write('0001_first.sql', 'create table things (id int, name text); insert into things values (1, null);')
  write(
    '0002_indexes.sql',
    `-- no transaction
     -- Two of them; a comment is no statement.
     create index concurrently if not exists things_id on things (id);
     update things set name = 'a;b' where name is null;
     create unique index concurrently if not exists things_name on things (name, (1 / (id - 1)));
     drop index concurrently if exists things_gone;`,
  )
  await expect(run()).rejects.toThrow('0002_indexes.sql failed')
  const client = await connect()
  await client.query('update things set id = 2')
  expect((await run()).applied).toEqual(['0002_indexes.sql'])
  expect([await validity(client), await validity(client, 'things_name')].flat()).toEqual([
    { indisvalid: true },
    { indisvalid: true },
  ])
  expect((await client.query('select name from things')).rows).toEqual([{ name: 'a;b' }])
})

test('a migration that waits for a lock gives way after five seconds and tries again', async () => {
  write('0001_first.sql', 'create table things (id int);')
  await run()
  write('0002_alter.sql', 'alter table things add column name text;')
  const holder = await connect()
  await holder.query('begin')
  await holder.query('lock table things in access share mode')
  const lines: string[] = []
  const migrating = migrate({ url: database.url, directory, log: (line) => lines.push(line) })
  await expect.poll(() => lines).toContain('0002_alter.sql could not get its locks in time; trying again')
  await holder.query('commit')
  expect((await migrating).applied).toEqual(['0002_alter.sql'])
})

test('waiting for the schema ends with the migration, and says what to do when there is none', async () => {
  write('0001_first.sql', 'create table things (id int);')
  await expect(waitForSchema({ url: database.url, timeoutMs: 0, directory })).rejects.toThrow(
    'The database has schema version 0, and this code needs 1. Run "prokura migrate".',
  )
  const waiting = waitForSchema({ url: database.url, timeoutMs: 20_000, directory })
  await run()
  expect(await waiting).toEqual({ version: 1 })
})

test('there is no wait for the schema of a server that does not answer, and the message has no password', async () => {
  const url = 'postgres://someone:hunter2@127.0.0.1:1/nothing'
  const failure = await waitForSchema({ url, timeoutMs: 60_000, directory }).catch((error: unknown) => error)
  const words = databaseWords(failure, { setting: 'DATABASE_URL', url })
  expect(words).toBe(
    'Nothing listens at 127.0.0.1:1 (ECONNREFUSED): start PostgreSQL there, or correct DATABASE_URL.',
  )
})

function write(name: string, sql: string): void {
  writeFileSync(join(directory, name), sql)
}

function run(): Promise<{ applied: string[]; version: number }> {
  return migrate({ url: database.url, directory })
}

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: database.url })
  // Dropping the database at the end cuts the connection.
  client.on('error', () => undefined)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

async function validity(client: Client, index = 'things_id'): Promise<unknown[]> {
  return (await client.query('select indisvalid from pg_index where indexrelid = $1::regclass', [index])).rows
}
