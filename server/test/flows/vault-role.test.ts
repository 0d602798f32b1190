import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { freePort } from '../../src/cli/up/free-port.ts'
import { vaultGrants } from '../../src/platform/database/vault-role.ts'
import { leaveCard, openCardSession } from '../harness/card-sessions.ts'
import { prokura } from '../harness/command-runner.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { prokuraAlone, serviceEnvironment, startService } from '../harness/up.ts'

const suffix = randomBytes(4).toString('hex')
const [owner, runtime, vault] = [`own_${suffix}`, `run_${suffix}`, `vault_${suffix}`]
let database: TestDatabase
let folder: string

/** A database as others manage it: its owner is no superuser and makes no roles. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vault-role-'))
  database = await createTestDatabase({ empty: true })
  const name = new URL(database.url).pathname.slice(1)
  await asAdmin([
    `create role ${owner} login password 'secret'`,
    `create role ${runtime} login password 'secret'`,
    `alter database ${name} owner to ${owner}`,
  ])
})

afterAll(async () => {
  await database?.drop()
  await asAdmin([owner, runtime, vault].map((role) => `drop role if exists ${role}`))
  await rm(folder, { recursive: true, force: true })
})

async function asAdmin(statements: readonly string[], url: string = inject('adminUrl')): Promise<void> {
  const admin = new Client({ connectionString: url })
  await admin.connect()
  try {
    for (const text of statements) await admin.query(text)
  } finally {
    await admin.end()
  }
}

function environment(change: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const as = (role: string) => {
    const url = new URL(database.url)
    url.username = role
    url.password = 'secret'
    return url.href
  }
  return {
    ...serviceEnvironment(),
    DATABASE_URL: as(runtime),
    DATABASE_OWNER_URL: as(owner),
    DATABASE_VAULT_URL: as(vault),
    PROKURA_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}`,
    PROKURA_STATE_DIR: folder,
    ...change,
  }
}

/** The vault ends at once where it cannot start, and here when its standard input ends. */
const serve = (env = environment()) => prokuraAlone(['vault', 'serve', '--parent-pipe'], env)

test('without the role, migrate and the vault say what an administrator has to run', async () => {
  const migrated = await prokura(['migrate'], environment())
  expect([migrated.code, migrated.err.split('\n').at(-2)]).toEqual([
    1,
    expect.stringMatching(
      new RegExp(
        `There is no database role "${vault}", which DATABASE_VAULT_URL names. Have an administrator .* create role`,
      ),
    ),
  ])
  const served = await serve(environment({ DATABASE_VAULT_URL: '' }))
  expect([served.code, served.err]).toEqual([1, expect.stringContaining('DATABASE_VAULT_URL is not set')])
  const help = await prokuraAlone(['vault', 'serve', '--help'])
  expect(help.out).toContain('create role prokura_vault login')
})

test('the owner of the tables is refused as the role of the vault', async () => {
  const { DATABASE_OWNER_URL } = environment()
  const migrated = await prokura(['migrate'], environment({ DATABASE_VAULT_URL: DATABASE_OWNER_URL }))
  expect([migrated.code, migrated.err]).toEqual([
    1,
    expect.stringContaining('The vault needs a role of its own.'),
  ])
})

test('a role without rights is told how it gets them, and gets them from migrate, again and again', async () => {
  await asAdmin([`create role ${vault} login password 'secret'`])
  const before = await serve()
  expect([before.code, before.err]).toEqual([1, expect.stringContaining('run `prokura migrate`')])
  for (let times = 0; times < 2; times++) expect((await prokura(['migrate'], environment())).code).toBe(0)
  const served = await serve()
  expect([served.code, JSON.parse(served.out)]).toMatchObject([0, { role: 'vault' }])
  expect(served.err).toContain('another role owns its tables')
})

test('a port for browsers without the origin of their pages, or one that is taken, is told in words', async () => {
  const port = { PROKURA_VAULT_PORT: String(await freePort()) }
  const alone = await serve(environment(port))
  expect([alone.code, alone.err]).toEqual([1, expect.stringContaining('PROKURA_ELEMENTS_URL is not')])
  const other = createServer().listen(Number(port.PROKURA_VAULT_PORT), '127.0.0.1')
  await once(other, 'listening')
  const taken = await serve(environment({ ...port, PROKURA_ELEMENTS_URL: 'http://elements.localhost:3000' }))
  other.close()
  expect([taken.code, taken.err]).toEqual([
    1,
    expect.stringContaining(`Port ${port.PROKURA_VAULT_PORT} of 127.0.0.1 is taken.`),
  ])
})

test('up on a database that others manage starts the vault, and only with its role', async () => {
  const state = join(folder, 'state')
  for (const [change, answers] of [
    [{}, true],
    [{ DATABASE_VAULT_URL: '' }, false],
  ] as const) {
    const env = environment({ PROKURA_STATE_DIR: '', ...change })
    const service = await startService({ state, args: ['--port', '0'], env })
    const told = JSON.parse((await prokura(['status', '--json', '--state', state])).out)
    if (answers) {
      await expectDoor(state, service.ready.base_url)
      await payWithEnteredCard(state, service.ready)
    }
    await service.stop()
    expect([Object.keys(service.ready.pids).includes('vault'), told.vault?.answers ?? false]).toEqual([
      answers,
      answers,
    ])
  }
})

/** Browsers reach the vault at a port of its own, which the other roles and people are told. */
async function expectDoor(state: string, baseUrl: string): Promise<void> {
  const told = await prokura(['vault', 'status', '--json', '--state', state])
  const { public_url: url } = JSON.parse(told.out)
  expect([told.code, url]).toEqual([0, expect.stringMatching(/^http:\/\/vault\.localhost:\d+$/)])
  const { port } = new URL(url)
  const pages = `http://elements.localhost:${new URL(baseUrl).port}`
  expect(JSON.parse(await readFile(join(state, 'environment.json'), 'utf8'))).toMatchObject({
    PROKURA_VAULT_PORT: port,
    PROKURA_VAULT_URL: url,
    PROKURA_ELEMENTS_URL: pages,
  })
  const asked = await fetch(`http://127.0.0.1:${port}/cards`, {
    method: 'OPTIONS',
    headers: { origin: pages },
  })
  expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, pages])
  expect((await prokura(['vault', 'status', '--state', state])).out).toContain(
    `Browsers leave cards at ${url}.`,
  )
}

/** The API finds in the vault what a person has left there, and the vault forgets what the API has deleted. */
async function payWithEnteredCard(state: string, { base_url, account_id, keys }: Ready): Promise<void> {
  const sql = async <Row>(text: string, values?: unknown[]): Promise<Row[]> => {
    const client = new Client({ connectionString: database.url })
    await client.connect()
    return (await client.query(text, values).finally(() => client.end())).rows
  }
  const call = async (method: string, path: string, body?: object) => {
    const headers = { authorization: `Bearer ${keys.secret_test}`, 'content-type': 'application/json' }
    const answer = await fetch(`${base_url}${path}`, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: JSON.parse(await answer.text()) }
  }
  const profile = await call('POST', '/v1/profiles', {
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'ada@example.com',
    country: 'GB',
  })
  const { PROKURA_VAULT_PORT: port } = JSON.parse(await readFile(join(state, 'environment.json'), 'utf8'))
  const session = await openCardSession({ sql }, { accountId: account_id, profileId: profile.body.id })
  const { body: left } = await leaveCard({ publicUrl: `http://127.0.0.1:${port}` }, session)
  const methods = `/v1/profiles/${profile.body.id}/payment_methods`
  const card = { kind: 'existing', vault_token_id: left.vault_token_id }
  const added = await call('POST', methods, { type: 'card', card })
  expect([added.status, added.body.card]).toEqual([201, expect.objectContaining({ card_last4: '4242' })])
  const records = () => sql('select 1 from card_vault.records where id = $1', [left.vault_token_id])
  expect(await records()).toHaveLength(1)
  await call('DELETE', `${methods}/${added.body.id}`)
  expect(await records()).toHaveLength(0)
  // Later vaults of this database have other master keys.
  await sql('delete from card_vault.tenant_keys')
}

type Ready = Awaited<ReturnType<typeof startService>>['ready']

test('a superuser can give it the tables for good, and migrate by the owner goes on', async () => {
  const tables = ['tenant_keys', 'records', 'grants', 'acts', 'rate_counters', 'refusals']
  await asAdmin(
    [
      ...tables.map((table) => `alter table card_vault.${table} owner to ${vault}`),
      `alter schema card_vault owner to ${vault}`,
    ],
    database.url,
  )
  expect((await prokura(['migrate'], environment())).code).toBe(0)
  const served = await serve()
  expect([served.code, served.err]).toEqual([0, ''])
  // The owner of all other tables backs them up without a look at these.
  const backup = await prokura(['backup', join(folder, 'backup')], environment())
  expect([backup.code, backup.err]).toEqual([0, ''])
})

test('the guide shows what migrate grants, word by word', async () => {
  const text = await readFile(join(import.meta.dirname, '../../../docs/operations.md'), 'utf8')
  for (const grant of vaultGrants('prokura_vault')) expect(text).toContain(`${grant};`)
})
