import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createSchema, migrate } from '../../src/platform/database/migrate.ts'
import { migrationsDirectory, readMigrations } from '../../src/platform/database/migration-files.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'

/** What the version before agents sends: it knows key ids alone. */
let database: TestDatabase
let client: Client
beforeAll(async () => {
  database = await createTestDatabase({ empty: true })
  client = new Client({ connectionString: database.url })
  await client.connect()
  const all = readMigrations(migrationsDirectory)
  const before = all.findIndex(({ name }) => name.includes('agents'))
  await createSchema(client, all.slice(0, before))
  await client.query(`insert into accounts (id, name, created_at) values ('acct_1', 'Old', now())`)
  await client.query(
    `insert into controls (account_id, mode, frozen_key_ids, updated_at) values ('acct_1', 'test', '{key_2}', now())`,
  )
  for (const id of ['key_1', 'key_2', 'key_3']) await oldKey(id)
  await oldPolicy('pol_1', ['key_1', 'key_3'])
  await oldPolicy('pol_2', [])
  await migrate({ url: database.url, log: () => undefined })
})
afterAll(async () => {
  await client.end()
  await database.drop()
})
beforeEach(async () => void (await client.query('begin')))
afterEach(async () => void (await client.query('rollback')))

const at = new Date('2026-11-01T10:00:00.123Z')

async function oldKey(id: string, { name = id, created = at }: { name?: string; created?: Date } = {}) {
  await client.query(
    `insert into api_keys (account_id, mode, id, kind, name, prefix, hash, preset, scopes, origins, expires_at, seq, created_at, updated_at)
     values ('acct_1', 'test', $1, 'secret', $2, 'pr', $3, 'buyer_agent', '{}', '{}', null, 1, $4, $4)`,
    [id, name, Buffer.from(id), created],
  )
}

async function oldPolicy(id: string, keys: string[]) {
  await client.query(
    `insert into policies (account_id, mode, id, name, scope_default, scope_profile_ids, scope_key_ids, terms, version, seq, created_at,
       updated_at)
     values ('acct_1', 'test', $1, $1, false, '{}', $2, '{}', 1, 1, now(), now())`,
    [id, keys],
  )
}

const setScope = (column: 'scope_key_ids' | 'scope_agent_ids', ids: string[]) =>
  client.query(`update policies set ${column} = $1, name = 'changed' where id = 'pol_1'`, [ids])
const setFreeze = (column: 'frozen_key_ids' | 'frozen_agent_ids', ids: string[]) =>
  client.query(`update controls set ${column} = $1 where account_id = 'acct_1'`, [ids])

/** The key and the agent of a key that this version issues. */
async function newKey(id: string, agent: string) {
  await client.query(
    `insert into api_keys (account_id, mode, id, agent_id, kind, name, prefix, hash, preset, scopes, seq, created_at, updated_at)
     values ('acct_1', 'test', $1, $2, 'secret', $1, 'pr', $3, 'buyer_agent', '{}', 1, now(), now())`,
    [id, agent, Buffer.from(id)],
  )
}

async function scope(id = 'pol_1') {
  const { rows } = await client.query(
    'select scope_key_ids as keys, scope_agent_ids as agents from policies where id = $1',
    [id],
  )
  return rows[0]
}

async function freeze() {
  const { rows } = await client.query(
    'select frozen_key_ids as keys, frozen_agent_ids as agents from controls',
  )
  return rows[0]
}

async function agentOf(id: string) {
  const { rows } = await client.query('select agent_id from api_keys where id = $1', [id])
  return rows[0].agent_id
}

test('every key that was there has an agent, which its policies and freezes name', async () => {
  expect([await agentOf('key_1'), await agentOf('key_2')]).toEqual(['agent_1', 'agent_2'])
  expect(await scope()).toEqual({ keys: ['key_1', 'key_3'], agents: ['agent_1', 'agent_3'] })
  expect(await scope('pol_2')).toEqual({ keys: [], agents: [] })
  expect(await freeze()).toEqual({ keys: ['key_2'], agents: ['agent_2'] })
})

test('a key that the version before issues has an agent of its own', async () => {
  await oldKey('key_9')
  expect(await agentOf('key_9')).toBe('agent_9')
})

test('a key that the version before rolls keeps its agent, its limits and its freeze', async () => {
  const now = new Date('2026-11-02T10:00:00.456Z')
  for (const [old, next] of [
    ['key_1', 'key_11'],
    ['key_2', 'key_12'],
  ] as const) {
    await client.query('update api_keys set revoked_at = $2, updated_at = $2 where id = $1', [old, now])
    await oldKey(next, { name: old, created: now })
    expect(await agentOf(next)).toBe(await agentOf(old))
  }
  expect(await scope()).toEqual({ keys: ['key_1', 'key_3', 'key_11'], agents: ['agent_1', 'agent_3'] })
  expect(await freeze()).toEqual({ keys: ['key_2', 'key_12'], agents: ['agent_2'] })
})

test('a bound key that the version before rolls stays hidden from it', async () => {
  await client.query(`insert into profiles (account_id, mode, id, profile_type, first_name, last_name, email, country, status,
      issuing_state, addresses, metadata, seq, created_at, updated_at)
    values ('acct_1', 'test', 'prof_1', 'consumer', 'A', 'B', 'a@example.com', 'DE', 'active', 'not_requested', '[]', '{}', 1, now(), now())`)
  await client.query(`insert into agents (account_id, mode, id, name, profile_id, seq, created_at, updated_at)
    values ('acct_1', 'test', 'agent_b', 'bound', 'prof_1', 0, now(), now())`)
  await newKey('key_b', 'agent_b')
  await client.query('update api_keys set revoked_at = $1 where id = $2', [at, 'key_b'])
  await oldKey('key_c', { name: 'key_b' })
  const { rows } = await client.query(
    'select agent_id, hash = sha256($1) as is_hidden from api_keys where id = $2',
    [Buffer.from('key_c'), 'key_c'],
  )
  expect(rows).toEqual([{ agent_id: 'agent_b', is_hidden: true }])
})

test('the version before finds every key of an agent where this one names the agent', async () => {
  await newKey('key_21', 'agent_1')
  expect((await scope()).keys).toEqual(['key_1', 'key_3', 'key_21'])
  await setScope('scope_agent_ids', ['agent_1'])
  expect((await scope()).keys).toEqual(['key_1', 'key_21'])
  await setFreeze('frozen_agent_ids', ['agent_2', 'agent_1'])
  expect((await freeze()).keys).toEqual(['key_1', 'key_2', 'key_21'])
  await newKey('key_22', 'agent_1')
  expect((await freeze()).keys).toEqual(['key_1', 'key_2', 'key_21', 'key_22'])
  await setFreeze('frozen_agent_ids', [])
  expect((await freeze()).keys).toEqual([])
})

test('a freeze or policy of the previous version for one key holds for all keys of its agent', async () => {
  await newKey('key_31', 'agent_1')
  await setScope('scope_key_ids', ['key_31'])
  expect(await scope()).toEqual({ keys: ['key_1', 'key_31'], agents: ['agent_1'] })
  await oldPolicy('pol_3', ['key_31', 'key_2'])
  expect(await scope('pol_3')).toEqual({ keys: ['key_1', 'key_2', 'key_31'], agents: ['agent_1', 'agent_2'] })
  await setFreeze('frozen_key_ids', ['key_2', 'key_31'])
  expect(await freeze()).toEqual({ keys: ['key_1', 'key_2', 'key_31'], agents: ['agent_2', 'agent_1'] })
  await setFreeze('frozen_key_ids', ['key_2', 'key_1'])
  expect(await freeze()).toEqual({ keys: ['key_2'], agents: ['agent_2'] })
})

test('the previous version removes a scope and writes others, and the named agents stay', async () => {
  await setScope('scope_key_ids', [])
  expect(await scope()).toEqual({ keys: [], agents: [] })
  await client.query(
    `update policies set name = 'same scope', scope_key_ids = scope_key_ids where id = 'pol_1'`,
  )
  expect(await scope()).toEqual({ keys: [], agents: [] })
})

test('a scope of agents without keys is never empty for the version before, which would take it for no restriction', async () => {
  await client.query(`insert into agents (account_id, mode, id, name, seq, created_at, updated_at)
    values ('acct_1', 'test', 'agent_none', 'none', 0, now(), now())`)
  await setScope('scope_agent_ids', ['agent_none'])
  expect(await scope()).toEqual({ keys: ['agent_none'], agents: ['agent_none'] })
})

test('keys that go to another agent are found where it is named', async () => {
  await setScope('scope_agent_ids', ['agent_1'])
  await client.query(`update api_keys set agent_id = 'agent_1' where id = 'key_2'`)
  expect((await scope()).keys).toEqual(['key_1', 'key_2'])
})
