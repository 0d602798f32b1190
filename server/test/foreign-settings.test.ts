import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterEach, beforeEach, expect, inject, onTestFinished, test } from 'vitest'
import { openPools } from '../src/platform/database/pool.ts'
import { schemaLockKey } from '../src/platform/database/schema-lock.ts'
import { openSession } from '../src/platform/database/session.ts'
import { prokura } from './harness/command-runner.ts'
import { createTestDatabase, type TestDatabase } from './harness/database.ts'
import { serviceEnvironment } from './harness/up.ts'

/** Databases as people have them: what is set for them is not what we read values by. */
const foreign = [
  `datestyle = 'SQL, DMY'`,
  `timezone = 'Asia/Kathmandu'`,
  `intervalstyle = 'iso_8601'`,
  `bytea_output = 'escape'`,
  `extra_float_digits = -3`,
  `standard_conforming_strings = off`,
  `default_transaction_isolation = 'serializable'`,
  `statement_timeout = 1`,
]

let database: TestDatabase
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'foreign-settings-'))
  database = await createTestDatabase({ empty: true })
  for (const setting of foreign) await asAdmin(`alter database ${nameOf(database.url)} set ${setting}`)
})
afterEach(async () => {
  await database?.drop()
  await rm(folder, { recursive: true, force: true })
})

test('migrate, accounts, status, audit and backup work with any settings of the database', async () => {
  const env = environment()
  for (const args of [
    ['migrate'],
    ['accounts', 'create', 'Example Ltd', '--json'],
    ['status'],
    ['keys', 'list'],
    ['audit'],
    ['maintain'],
    ['backup', join(folder, 'backup')],
  ]) {
    const { code, err } = await prokura(args, env)
    expect(code, `${args.join(' ')}: ${err}`).toBe(0)
  }
})

test('sessions read and write values as they always do, and begin transactions that read what is committed', async () => {
  const { client } = await openSession({ url: database.url, applicationName: 'test' })
  const { rows } = await client.query(`select timestamptz '2026-01-31 12:00:00Z' as at, 'a\\b' as text`)
  expect(rows).toEqual([{ at: new Date('2026-01-31T12:00:00Z'), text: 'a\\b' }])
  const pools = openPools({
    url: database.url,
    writers: 1,
    readers: 1,
    applicationName: 'test',
    onError: () => undefined,
  })
  onTestFinished(() => pools.close())
  const statement = {
    name: 'settings',
    values: [],
    text: `select current_setting('transaction_isolation') as isolation, current_setting('bytea_output') as bytes,
      current_setting('timezone') as zone, current_setting('intervalstyle') as spans, 48.8583736::float8 as latitude,
      current_setting('statement_timeout') as limit`,
  }
  const expected = {
    isolation: 'read committed',
    bytes: 'hex',
    zone: 'UTC',
    spans: 'postgres',
    latitude: 48.8583736,
    limit: '30s',
  }
  expect(await pools.read(statement)).toEqual([expected])
  expect((await pools.single(statement)).rows).toEqual([expected])
})

test('session settings in a URL do not come before ours', async () => {
  const url = new URL(database.url)
  url.searchParams.set('options', '-c datestyle=German -c search_path=public,pg_catalog')
  const { client } = await openSession({ url: url.href, applicationName: 'test' })
  const { rows } = await client.query(
    `select current_setting('datestyle') as dates, current_setting('search_path') as path`,
  )
  expect(rows).toEqual([{ dates: 'ISO, MDY', path: 'public,pg_catalog' }])
})

test.each(['LATIN1', 'SQL_ASCII'])(
  'a database in %s is refused by every command, and nothing is made in it',
  async (encoding) => {
    const name = `latin_${randomBytes(4).toString('hex')}`
    await asAdmin(`create database ${name} template template0 encoding '${encoding}' locale 'C'`)
    onTestFinished(() => asAdmin(`drop database ${name} with (force)`))
    const url = new URL(database.url)
    url.pathname = `/${name}`
    const env = { ...environment(), DATABASE_URL: url.href }
    for (const args of [
      ['migrate'],
      ['status'],
      ['api'],
      ['accounts', 'create', 'X'],
      ['up', '--port', '0'],
    ]) {
      const { code, err } = await prokura(args, env)
      expect({ args, code }).toEqual({ args, code: 1 })
      expect(err).toContain(`The database "${name}" of DATABASE_URL has the encoding ${encoding}`)
      expect(err.trim().split('\n').at(-1)).toContain(`encoding 'UTF8' template template0`)
    }
    const client = new Client({ connectionString: url.href })
    await client.connect()
    const { rows } = await client.query(`select tablename from pg_tables where schemaname = 'public'`)
    await client.end()
    expect(rows).toEqual([])
  },
)

test('a lock that was left on a connection of a pooler is reported with the command that ends it, and no command waits for it', async () => {
  const leaked = await connect('prokura api')
  await leaked.query('select pg_advisory_lock($1)', [schemaLockKey])
  const { rows } = await leaked.query('select pg_backend_pid() as pid')
  for (const args of [['migrate'], ['backup', join(folder, 'never-made')]]) {
    const { code, err } = await prokura(args, environment())
    expect(code).toBe(1)
    expect(err).toContain(
      `"prokura api" (pid ${rows[0].pid}) holds the lock of migrations and never releases it`,
    )
    expect(err).toContain(`select pg_terminate_backend(${rows[0].pid})`)
  }
})

test('a migration leaves no lock behind on any connection', async () => {
  expect((await prokura(['migrate'], environment())).code).toBe(0)
  const { rows } = await (await connect()).query(
    `select pid from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
  )
  expect(rows).toEqual([])
})

async function connect(application_name = 'test'): Promise<Client> {
  // A limit of one millisecond is meant for others.
  const client = new Client({ connectionString: database.url, application_name, statement_timeout: 30_000 })
  // Dropping the database at the end cuts the connection.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

function environment(): NodeJS.ProcessEnv {
  return {
    ...serviceEnvironment(),
    DATABASE_URL: database.url,
    PROKURA_KEYS: `k1:${Buffer.alloc(32, 9).toString('base64')}`,
    PROKURA_STATE_DIR: join(folder, 'state'),
  }
}

async function asAdmin(text: string): Promise<void> {
  const admin = new Client({ connectionString: inject('adminUrl') })
  await admin.connect()
  await admin.query(text).finally(() => admin.end())
}

function nameOf(url: string): string {
  return new URL(url).pathname.slice(1)
}
