import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testKeys } from './harness/app.ts'
import { prokura } from './harness/command-runner.ts'
import { createTestDatabase, type TestDatabase } from './harness/database.ts'
import { prokuraAlone, type Service, serviceEnvironment, startService } from './harness/up.ts'

let database: TestDatabase
let client: Client
let folder: string
let state: string
const given = { DATABASE_URL: '', PROKURA_KEYS: testKeys }

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lost-folder-'))
  state = join(folder, 'state')
  database = await createTestDatabase({ empty: true })
  given.DATABASE_URL = database.url
  client = new Client({ connectionString: database.url })
  client.on('error', () => undefined)
  await client.connect()
})
afterAll(async () => {
  await client?.end()
  await database?.drop()
  await rm(folder, { recursive: true, force: true })
})

const accounts = async () => (await client.query('select id, name from accounts order by id')).rows
const environment = () => ({ ...serviceEnvironment(), ...given })

async function during<T>(args: string[], work: (service: Service) => Promise<T>): Promise<T> {
  const service = await startService({ state, args: ['--port', '0', ...args], env: environment() })
  try {
    return await work(service)
  } finally {
    await service.stop()
  }
}

test('a folder that is lost beside a living database opens no account, and goes on with one that is named', async () => {
  const first = await during([], async ({ ready }) => ready.account_id)
  const before = await accounts()
  expect(before).toHaveLength(2)
  await rename(state, join(folder, 'lost'))

  for (const _ of [1, 2]) {
    const { code, out, err } = await prokuraAlone(['up', '--port', '0', '--state', state], environment())
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(/prokura: The database already has accounts, but .*account\.json, .* is missing\. /)
    expect(err).toContain(`${first} (First account)`)
  }
  const wrong = await prokuraAlone(
    ['up', '--port', '0', '--state', state, '--account', 'acct_x'],
    environment(),
  )
  expect(wrong.err).toContain('There is no account acct_x in this database.')

  const tokens = await during(['--account', first], async ({ ready }) => {
    expect(ready.account_id).toBe(first)
    const answer = await fetch(`${ready.base_url}/v1/merchant/destinations`, {
      headers: { authorization: `Bearer ${ready.keys.secret_test}` },
    })
    const { data } = (await answer.json()) as { data: { name: string; status: string }[] }
    expect(
      data.filter(({ name, status }) => name === 'Sandbox backend' && status !== 'archived'),
    ).toHaveLength(1)
    return ready.keys
  })
  expect(await during([], async ({ ready }) => ready.keys)).toEqual(tokens)
  expect(await accounts()).toEqual(before)
})

test('environment.json tells further roles of the way past a pooler, and names no owner where there is none', async () => {
  const shared = JSON.parse(await readFile(join(state, 'environment.json'), 'utf8'))
  expect(shared).toMatchObject({
    DATABASE_URL: database.url,
    DATABASE_DIRECT_URL: database.url,
    DATABASE_OWNER_URL: '',
  })
  const { code, out } = await prokura(['config', 'check', '--state', state, '--json'])
  expect(code).toBe(0)
  const settings: { name: string; value: string; source: string }[] = JSON.parse(out).settings
  expect(settings.find(({ name }) => name === 'DATABASE_URL')).toMatchObject({
    value: '[redacted]',
    source: 'state folder',
  })
  expect(settings.find(({ name }) => name === 'PORT')).toMatchObject({
    value: shared.PORT,
    source: 'state folder',
  })
  expect(out).not.toContain(database.url)
  expect(out).not.toContain(testKeys)
})

test('a start that died while it opened the account goes on with it, and one whose account never came opens another', async () => {
  const file = (name: string) => join(state, name)
  await rename(file('account.json'), file('account.opening.json'))
  const before = await accounts()
  await during([], async () => undefined)
  expect(await accounts()).toEqual(before)
  const account = JSON.parse(await readFile(file('account.json'), 'utf8'))
  await writeFile(file('account.json'), JSON.stringify({ ...account, account_id: 'acct_elsewhere' }))
  const { code, err } = await prokuraAlone(['up', '--port', '0', '--state', state], environment())
  expect([code, err]).toEqual([
    1,
    expect.stringContaining('names acct_elsewhere, which is not in this database'),
  ])
})

test('accounts rename changes the name alone, and stands in the audit', async () => {
  const [{ id }] = await accounts()
  const renamed = await prokura(
    ['accounts', 'rename', id, 'Example Ltd', '--as', 'Jane Roe', '--json'],
    environment(),
  )
  expect(JSON.parse(renamed.out)).toMatchObject({ id, name: 'Example Ltd' })
  const again = await prokura(['accounts', 'rename', id, 'Example Ltd', '--json'], environment())
  expect(again.code).toBe(0)
  const { rows } = await client.query(
    `select actor_id, object::json ->> 'name' as name from events where type = 'account.renamed' and account_id = $1`,
    [id],
  )
  expect(rows).toEqual([{ actor_id: 'operator:Jane Roe', name: 'Example Ltd' }])
  const { data } = JSON.parse((await prokura(['accounts', 'list', '--json'], environment())).out)
  expect(data[0]).toMatchObject({ id, name: 'Example Ltd', live_keys: { test: expect.any(Number), live: 2 } })
})

test('accounts timezone sets the zone of both modes, and refuses what is none', async () => {
  const [{ id }] = await accounts()
  const set = (...args: string[]) =>
    prokura(['accounts', 'timezone', ...args, '--as', 'Jane Roe'], environment())
  const { out } = await set(id, 'asia/kathmandu', '--json')
  expect(JSON.parse(out)).toMatchObject({ id, timezone: 'Asia/Kathmandu', policy_ids: expect.any(Array) })
  expect((await set(id, 'Mars/Olympus')).err).toContain('Name a time zone of the IANA database')
  expect((await set('acct_none', 'UTC')).err).toContain('There is no account acct_none')
  const { rows } = await client.query(
    `select actor_id, object::json ->> 'timezone' as zone from events where type = 'account.timezone_set' and account_id = $1`,
    [id],
  )
  expect(rows).toEqual([{ actor_id: 'operator:Jane Roe', zone: 'Asia/Kathmandu' }])
})

test('keys list says what each key is worth', async () => {
  const [{ id }] = await accounts()
  const run = async (...args: string[]) =>
    JSON.parse((await prokura(['keys', ...args, '--account', id, '--json'], environment())).out)
  const [rolled, revoked, ending] = [
    await run('create', '--name', 'rolled'),
    await run('create', '--name', 'revoked'),
    await run('create', '--name', 'ending', '--expires', '2999-01-01T00:00:00Z'),
  ]
  const next = await run('roll', rolled.id, '--overlap', '1h')
  await run('revoke', revoked.id)
  const { data } = await run('list')
  const stateOf = (key: { id: string }) => data.find((one: { id: string }) => one.id === key.id)
  expect(stateOf(rolled)).toMatchObject({ state: 'rolled', mode: 'test' })
  expect(stateOf(next)).toMatchObject({ state: 'active' })
  expect(stateOf(revoked)).toMatchObject({ state: 'revoked' })
  expect(stateOf(ending)).toMatchObject({ state: 'active' })
  const { out } = await prokura(['keys', 'list', '--account', id], environment())
  expect(out).toMatch(/rolled +test .* rolled until \d{4}-/)
  expect(out).toMatch(/ending +test .* active until 2999-/)
})
