import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestApp, type TestApp, testKeys } from './harness/app.ts'
import { prokura } from './harness/command-runner.ts'
import { prokuraAlone, serviceEnvironment } from './harness/up.ts'

const [, material = ''] = testKeys.split(':')
const later = Buffer.alloc(32, 8).toString('base64')
const other = Buffer.alloc(32, 9).toString('base64')

let app: TestApp
let client: Client
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'proven-keys-'))
  app = await startTestApp()
  client = new Client({ connectionString: app.databaseUrl })
  client.on('error', () => undefined)
  await client.connect()
})
afterAll(async () => {
  await client?.end()
  await app?.stop()
  await rm(folder, { recursive: true, force: true })
})

function environment(keys: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    ...serviceEnvironment(),
    DATABASE_URL: app.databaseUrl,
    PROKURA_STATE_DIR: join(folder, 'state'),
    PROKURA_RAIL_URL: 'http://127.0.0.1:1',
    PORT: '0',
    ...keys,
  }
}

/** One of them, where it is about what proves a key. */
const one = [['keys', 'create']]

/** Every way in which somebody begins to work on the database under keys. */
const beginners = [
  ['api', '--parent-pipe'],
  ['worker', '--parent-pipe'],
  ['accounts', 'create', 'X'],
  ['keys', 'create'],
  ['audit', 'verify'],
]

async function refused(
  keys: NodeJS.ProcessEnv,
  words: RegExp,
  those = beginners,
  run: typeof prokura | typeof prokuraAlone = prokura,
): Promise<void> {
  const ended = await Promise.all(those.map((args) => run(args, environment(keys))))
  for (const [at, { code, out, err }] of ended.entries()) {
    expect({ args: those[at], code, out }).toEqual({ args: those[at], code: 1, out: '' })
    expect(err.split('\n').filter((line) => line.startsWith('prokura: '))).toEqual([
      expect.stringMatching(words),
    ])
  }
}

const accounts = async () => (await client.query('select count(*)::int as n from accounts')).rows[0].n

describe('a database without marks proves the keys by what was made under them', () => {
  beforeEach(() => client.query('delete from key_marks'))

  test('with API keys alone: no keys are refused, and none are made', async () => {
    const file = join(folder, 'none.keys')
    const before = await accounts()
    await refused(
      { PROKURA_KEYS_FILE: file },
      /There are no encryption keys at .*none\.keys, and the database needs/,
      beginners,
      prokuraAlone,
    )
    expect([existsSync(file), await accounts()]).toEqual([false, before])
    expect((await client.query('select * from key_marks')).rows).toEqual([])
  })

  test.each([
    ['dates of birth', async () => app.post('/v1/profiles', born)],
    ['webhook secrets', async () => app.post('/v1/merchant/destinations', hook)],
  ])('%s: other keys are refused by name, before a mark is written', async (what, make) => {
    await client.query('delete from destination_secrets')
    await client.query('update profiles set dob_sealed = null')
    await make()
    await refused(
      { PROKURA_KEYS: `k1:${other}` },
      new RegExp(`The encryption key k1 at PROKURA_KEYS is not the key of the database .* ${what}`),
      one,
    )
    await refused(
      { PROKURA_KEYS: `k9:${material}` },
      new RegExp(`The encryption key k1 is not at PROKURA_KEYS, .* for ${what}`),
      one,
    )
    expect((await client.query('select * from key_marks')).rows).toEqual([])
  })

  test('the right keys are marked once, and are right from then on', async () => {
    const env = environment({ PROKURA_KEYS: testKeys })
    expect((await prokura(['keys', 'create', '--account', app.account.accountId], env)).code).toBe(0)
    expect((await client.query('select key_id, is_root from key_marks')).rows).toEqual([
      { key_id: 'k1', is_root: true },
    ])
    expect((await prokura(['keys', 'create', '--account', app.account.accountId], env)).code).toBe(0)
  })
})

describe('a key is added', () => {
  const args = ['vault', 'add-key', '--json']
  const file = () => join(folder, 'added.keys')
  const withKey = async (key: string) => writeFile(file(), `k1:${key}\n`, { mode: 0o600 })

  test('to the keys of the database alone', async () => {
    await withKey(other)
    const { code, out, err } = await prokura(args, environment({ PROKURA_KEYS_FILE: file() }))
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(/^prokura: The encryption key k1 at .*added\.keys is not the key of the database/)
    expect(await readFile(file(), 'utf8')).toBe(`k1:${other}\n`)
    await withKey(material)
    expect((await prokura(args, environment({ PROKURA_KEYS_FILE: file() }))).err).toBe('')
    expect(await readFile(file(), 'utf8')).toMatch(/^k1:.*\nk\w+:.*\n$/)
  })

  test('where the database cannot be reached, with a word that it was not asked', async () => {
    await withKey(other)
    const away = environment({ PROKURA_KEYS_FILE: file(), DATABASE_URL: 'postgres://x@127.0.0.1:1/x' })
    const { code, err } = await prokura(args, away)
    expect([code, err]).toEqual([
      0,
      expect.stringMatching(
        /^The keys were not compared with the database\. Nothing listens at 127\.0\.0\.1:1/,
      ),
    ])
  })

  test('not without any', async () => {
    const { code, err } = await prokura(args, environment({ PROKURA_KEYS_FILE: join(folder, 'no.keys') }))
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(
        /^prokura: There are no encryption keys at .*no\.keys, .* Put the keys of this installation there/,
      ),
    ])
  })
})

describe('a database with marks', () => {
  beforeAll(async () => {
    await client.query('delete from key_marks')
    // A key that was added since: marked as somebody starts to seal with it.
    await prokura(['audit', 'verify'], environment({ PROKURA_KEYS: testKeys }))
    await prokura(['audit', 'verify'], environment({ PROKURA_KEYS: `k1:${material},k2:${later}` }))
    expect((await client.query('select key_id, is_root from key_marks order by 1')).rows).toEqual([
      { key_id: 'k1', is_root: true },
      { key_id: 'k2', is_root: false },
    ])
  })

  test.each([
    [
      'another key of the same id',
      `k1:${other},k2:${later}`,
      /k1 at PROKURA_KEYS is not the key of the database/,
    ],
    ['a later key that is missing', `k1:${material}`, /The encryption key k2 is not at PROKURA_KEYS/],
    [
      'a later key that is another one',
      `k1:${material},k2:${other}`,
      /k2 at PROKURA_KEYS is not the key of the database/,
    ],
    ['the oldest key that is missing', `k2:${later}`, /The encryption key k1 is not at PROKURA_KEYS/],
    [
      'keys in another order',
      `k2:${later},k1:${material}`,
      /The encryption key k1 must be the first at PROKURA_KEYS/,
    ],
  ])('refuses %s, by its name, in every role', async (_, keys, words) => {
    await refused({ PROKURA_KEYS: keys }, words)
  })

  test('refuses no keys, and makes none', async () => {
    const file = join(folder, 'gone.keys')
    await refused(
      { PROKURA_KEYS_FILE: file },
      /There are no encryption keys at .*gone\.keys, and the database needs k1, k2/,
    )
    expect(existsSync(file)).toBe(false)
  })

  test('says what is wrong with a file of keys that it cannot use', async () => {
    const file = join(folder, 'open.keys')
    await writeFile(file, `k1:${material}\n`)
    await chmod(file, 0o644)
    await refused({ PROKURA_KEYS_FILE: file }, /open\.keys cannot be used: .*chmod 600/)
  })

  test('is reported without any keys by commands that only read', async () => {
    for (const args of [['status'], ['events', 'parked'], ['merchants', 'list'], ['accounts', 'list']]) {
      const { code, err } = await prokura(args, environment({ PROKURA_KEYS_FILE: join(folder, 'gone.keys') }))
      expect({ args, code, err }).toEqual({ args, code: 0, err: '' })
    }
  })
})

const born = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  country: 'US',
  dob: { year: 1990, month: 12, day: 10 },
}
const hook = {
  name: 'Hooks',
  event_types: ['order.confirmed'],
  webhook: { endpoint_url: 'https://hooks.example/in' },
}
