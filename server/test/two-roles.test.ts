import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { sweeps } from '../src/composition.ts'
import { openPools } from '../src/platform/database/pool.ts'
import { grantRuntime, readRights, runtimeGrants, weaknessOf } from '../src/platform/database/runtime-role.ts'
import { prokura } from './harness/command-runner.ts'
import { createTestDatabase, type TestDatabase } from './harness/database.ts'
import { serviceEnvironment } from './harness/up.ts'

let database: TestDatabase
let owner: Client
let folder: string
let ownerUrl: string
let runtimeUrl: string
const suffix = randomBytes(4).toString('hex')
const ownerRole = `guide_owner_${suffix}`
const runtimeRole = `guide_runtime_${suffix}`

/** A server of one's own, set up as the guide says and by nothing else: an empty database, two roles, migrate. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'two-roles-'))
  database = await createTestDatabase({ empty: true })
  const name = new URL(database.url).pathname.slice(1)
  const sql = (await guide())
    .replaceAll('prokura_owner', ownerRole)
    .replaceAll('prokura_runtime', runtimeRole)
    .replaceAll('database prokura', `database ${name}`)
  await asAdmin(async (admin) => {
    for (const statement of sql
      .split(';')
      .filter((one) => one.trim() !== '' && !/^\s*create database/.test(one)))
      await admin.query(statement)
    await admin.query(`alter database ${name} owner to ${ownerRole}`)
  })
  ownerUrl = as(ownerRole, 'secret-1')
  runtimeUrl = as(runtimeRole, 'secret-2')
  const migrated = await prokura(['migrate'], environment())
  if (migrated.code !== 0) throw new Error(migrated.err)
  owner = new Client({ connectionString: ownerUrl })
  await owner.connect()
})

afterAll(async () => {
  await owner?.end()
  await database?.drop()
  await asAdmin(async (admin) => {
    for (const role of [runtimeRole, ownerRole]) await admin.query(`drop role if exists ${role}`)
  })
  await rm(folder, { recursive: true, force: true })
})

async function guide(): Promise<string> {
  const text = await readFile(join(import.meta.dirname, '../../docs/operations.md'), 'utf8')
  const [, section = ''] = text.split('## Two roles')
  const [, block] = /```sql\n([\s\S]*?)```/.exec(section) ?? []
  if (block === undefined) throw new Error('the guide shows no SQL')
  return block
}

function as(role: string, password: string): string {
  const url = new URL(database.url)
  url.username = role
  url.password = password
  return url.href
}

async function asAdmin(work: (admin: Client) => Promise<void>): Promise<void> {
  const admin = new Client({ connectionString: inject('adminUrl') })
  await admin.connect()
  await work(admin).finally(() => admin.end())
}

function environment(): NodeJS.ProcessEnv {
  return {
    ...serviceEnvironment(),
    DATABASE_URL: runtimeUrl,
    DATABASE_OWNER_URL: ownerUrl,
    PROKURA_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
    PROKURA_STATE_DIR: folder,
  }
}

async function asRuntime<T>(text: string): Promise<T[]> {
  const client = new Client({ connectionString: runtimeUrl })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

test.each([
  'update events set actor_id = actor_id',
  'update event_rows set actor_id = actor_id',
  'delete from events',
  'delete from event_rows',
  'truncate event_rows',
  'update audit_entries set actor_id = actor_id',
  'delete from audit_entries',
  'update audit_batches set at = at',
  'delete from audit_batches',
  'delete from audit_heads',
  'delete from schema_migrations',
  'alter table event_rows disable trigger all',
  'alter table audit_entries drop constraint audit_entries_keyed',
  'create table mine (id int)',
])('the role of API and worker may not: %s', async (text) => {
  await expect(asRuntime(text)).rejects.toThrow(/permission denied|must be owner/)
})

test('it reads and writes everything else, also what a later migration makes', async () => {
  await owner.query('create table of_a_later_migration (id int)')
  await asRuntime(`insert into of_a_later_migration values (1); update of_a_later_migration set id = 2;
    delete from of_a_later_migration`)
})

test('the guide shows what migrate says, word by word', async () => {
  const text = await readFile(join(import.meta.dirname, '../../docs/operations.md'), 'utf8')
  for (const grant of runtimeGrants('prokura_runtime')) expect(text).toContain(`${grant};`)
  await grantRuntime(ownerUrl, runtimeRole)
})

test('commands that write use it, under the name of the person who runs them', async () => {
  const opened = await prokura(
    ['accounts', 'create', 'Example Ltd', '--as', 'Jane Roe', '--json'],
    environment(),
  )
  expect([opened.code, opened.err]).toEqual([0, ''])
  const { account_id } = JSON.parse(opened.out)
  const { rows } = await owner.query(
    'select distinct actor_type, actor_id from events where account_id = $1',
    [account_id],
  )
  expect(rows).toEqual([{ actor_type: 'system', actor_id: 'operator:Jane Roe' }])
  const nameless = await prokura(['accounts', 'create', 'X', '--as', ' \u200b'], environment())
  expect([nameless.code, nameless.err]).toEqual([1, expect.stringContaining('visible characters')])
})

test('the audit says what one role for everything weakens, and nothing where there are two', async () => {
  const two = JSON.parse((await prokura(['audit', 'verify', '--json'], environment())).out)
  expect(two.weakness).toBeNull()
  const one = await prokura(['audit', 'verify', '--json'], { ...environment(), DATABASE_URL: ownerUrl })
  expect(JSON.parse(one.out).weakness).toContain(`"${ownerRole}", which API and worker use, owns the tables`)
  const pools = openPools({
    url: database.url,
    writers: 1,
    readers: 1,
    applicationName: 'test',
    onError: () => undefined,
  })
  expect(weaknessOf(await readRights(pools))).toContain('is a superuser')
  await pools.close()
})

test('a backup that the owner restores can be served by the other role, and its audit verifies', async () => {
  const target = join(folder, 'backup')
  const made = await prokura(['backup', target], environment())
  expect([made.code, made.err]).toEqual([0, ''])
  const { url, drop } = await createTestDatabase({ empty: true })
  onTestFinished(drop)
  const name = new URL(url).pathname.slice(1)
  await asAdmin(async (admin) => void (await admin.query(`alter database ${name} owner to ${ownerRole}`)))
  const there = (address: string) => address.replace(/\/[^/?]+(?=\?|$)/, `/${name}`)
  const env = { ...environment(), DATABASE_URL: there(runtimeUrl), DATABASE_OWNER_URL: there(ownerUrl) }
  const restored = await prokura(['restore', target], env)
  expect([restored.code, restored.err]).toEqual([0, ''])
  expect((await prokura(['accounts', 'create', 'After'], env)).code).toBe(0)
  const verified = JSON.parse((await prokura(['audit', 'verify', '--json'], env)).out)
  expect(verified).toMatchObject({ ok: true, weakness: null })
})

test('maintain removes what has served its time, and says what', async () => {
  await owner.query(
    `insert into workers (id, serves, started_at, seen_at) values
       ('gone', '{}', now() - interval '2 hours', now() - interval '61 minutes'), ('here', '{}', now(), now() - interval '59 minutes')`,
  )
  const listed = await prokura(['maintain', '--list'], environment())
  expect(listed.out).toContain('silent-workers')
  const ran = await prokura(['maintain', '--json'], environment())
  const nothing = { deleted: 0, ms: expect.any(Number), error: null }
  expect([ran.code, JSON.parse(ran.out)]).toEqual([
    0,
    {
      ok: true,
      tasks: [
        { ...nothing, name: 'silent-workers', deleted: 1 },
        ...sweeps.map(({ name }) => ({ ...nothing, name })),
      ],
    },
  ])
  expect((await owner.query('select id from workers')).rows).toEqual([{ id: 'here' }])
  const unknown = await prokura(['maintain', 'nothing-like-it'], environment())
  expect([unknown.code, unknown.err]).toEqual([1, expect.stringContaining('--list')])
})
