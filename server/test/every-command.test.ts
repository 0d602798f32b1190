import { randomBytes, randomInt } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createProgram } from '../src/cli/program.ts'
import { isInTime } from './gate/pace.ts'
import { testKeys } from './harness/app.ts'
import { prokura } from './harness/command-runner.ts'
import { createTestDatabase, type TestDatabase } from './harness/database.ts'
import { prokuraAlone, serviceEnvironment } from './harness/up.ts'

/** What a command is called with, beside its name; one that takes an argument and stands not here fails the test. */
const called: Readonly<Record<string, readonly string[]>> = {
  'accounts rename': ['acct_x', 'Name'],
  'accounts timezone': ['acct_x', 'Europe/Berlin'],
  'keys revoke': ['key_x'],
  'keys roll': ['key_x'],
  'keys update': ['key_x', '--client-secrets', 'required'],
  'keys join': ['agent_x', 'agent_y'],
  'people invite': ['ada@example.com', '--name', 'Ada', '--role', 'viewer'],
  'people sign-in-link': ['per_x'],
  'people role': ['per_x', 'viewer'],
  'people suspend': ['per_x'],
  'people reactivate': ['per_x'],
  'merchants confirm': ['shop', '--mcc'],
  'merchants payout': ['shop', '--operator'],
  'merchants release': ['shop.example'],
  'rail allow': ['pi_x'],
  'registry add': ['shop.example'],
  'registry verify': ['shop.example'],
  'registry remove': ['shop.example'],
  'registry route': ['https://shop.example/mug'],
  'signing-keys remove': ['1'],
  'lint-profile': ['http://127.0.0.1:1/mpp.json'],
  'events unpark': ['--all'],
  'clock advance': ['1h'],
  'catalog import': ['nothing.jsonl'],
  'profiles issuing decide': ['prof_x', 'enabled'],
  buy: ['https://shop.example/mug', '--max', '10', '--yes'],
  'shop check': ['https://shop.example/mug'],
  backup: ['FOLDER/backup'],
  restore: ['FOLDER/no-backup'],
  up: ['--port', '0'],
  api: ['--parent-pipe', '--port', '0'],
  worker: ['--parent-pipe'],
}

/** Those that look at no database, and why. */
const aloof: Readonly<Record<string, string>> = {
  'crash-points': 'it lists what the program knows',
  openapi: 'it writes what the program knows',
  'config check': 'it shows settings',
  browser: 'it has no database',
  sandbox: 'it has a memory of its own',
  demo: 'it brings its own database',
  buy: 'it asks the API',
  reset: 'it removes files, and only of what has stopped',
  'vault add-key': 'it writes to a file',
  'vault rotate': 'it writes to a file',
  'vault status': 'it asks the vault at its door',
  'vault serve': 'its database is that of DATABASE_VAULT_URL',
  'catalog import': 'it asks the API',
  'catalog export': 'it asks the API',
  restore: 'it looks at the backup first',
  'lint-profile': 'it reads a document from elsewhere',
  'chat model check': 'it asks a model',
  'rail check': 'it asks the payment rail of live mode',
}
/** Those that make what is missing. */
const makers = ['up', 'migrate', 'backup']
/** Those that need no keys: they look at, or remove, what was never sealed. */
const keyless = [
  'status',
  'events parked',
  'merchants list',
  'rail losses',
  'registry list',
  'registry route',
  'profiles issuing list',
  'accounts list',
  'keys list',
  'people list',
  // They look for the person first.
  'people sign-in-link',
  'people role',
  'people suspend',
  'people reactivate',
  'migrate',
  'maintain',
  'backup',
  'clock advance',
  'rail reconcile',
]

/** Families of commands that ask the API, as their help says. */
const askApi = /^(purchases|orders|cards|shop|profiles (?!issuing)) ?/

const commands = leavesOf(await createProgram())
const operators = commands.filter((name) => !Object.hasOwn(aloof, name) && !askApi.test(name))

let database: TestDatabase
let empty: TestDatabase
let folder: string
let taken: Server
let port: string
const stranger = `stranger_${randomBytes(4).toString('hex')}`

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'every-command-'))
  database = await createTestDatabase()
  empty = await createTestDatabase({ empty: true })
  await asAdmin(`create role ${stranger} login password 'secret'`)
  const made = await prokura(['accounts', 'create', 'Example Ltd'], environment({}))
  if (made.code !== 0) throw new Error(made.err)
  taken = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => taken.once('listening', resolve))
  const address = taken.address()
  port = String(typeof address === 'object' && address ? address.port : 0)
})
afterAll(async () => {
  taken?.close()
  await database?.drop()
  await empty?.drop()
  await asAdmin(`drop role if exists ${stranger}`)
  await rm(folder, { recursive: true, force: true })
})

const mark = `marked-${randomBytes(8).toString('hex')}`

function environment(more: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return {
    ...serviceEnvironment(),
    // A process that is left behind is found by it.
    PROKURA_TEST_DATABASE_MARK: mark,
    DATABASE_URL: database.url,
    PROKURA_KEYS: testKeys,
    PROKURA_STATE_DIR: join(folder, 'state'),
    PROKURA_RAIL_URL: 'http://127.0.0.1:1',
    ...more,
  }
}

function at(change: (url: URL) => void): NodeJS.ProcessEnv {
  const url = new URL(database.url)
  change(url)
  return environment({ DATABASE_URL: url.href })
}

/** One sentence, the exit code 1, five seconds at most, and nobody left. */
async function endsInASentence(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  words: RegExp,
  run: typeof prokura | typeof prokuraAlone = prokura,
): Promise<void> {
  const startedAt = performance.now()
  const { code, out, err } = await run(args, env)
  const ms = performance.now() - startedAt
  const what = args.join(' ')
  expect({ what, code, out }, err).toEqual({ what, code: 1, out: '' })
  expect(
    err.split('\n').filter((line) => line.startsWith('prokura: ')),
    what,
  ).toEqual([expect.stringMatching(words)])
  expect(err, what).not.toMatch(/^ {4}at |Warning: /m)
  expect(isInTime(ms, 5_000), what).toBe(true)
}

function argumentsOf(name: string): string[] {
  return [...name.split(' '), ...(called[name] ?? [])].map((one) => one.replace('FOLDER', folder))
}

/**
 * In one process, one after the other; one in sixteen in a process of its own as well, which shows that it also ends. Which ones changes
 * from run to run.
 */
async function allEnd(names: readonly string[], env: NodeJS.ProcessEnv, words: RegExp): Promise<void> {
  expect(names.length).toBeGreaterThan(0)
  const turn = randomInt(alone)
  for (const [index, name] of names.entries()) {
    await endsInASentence(argumentsOf(name), env, words)
    if (index % alone === turn) await endsInASentence(argumentsOf(name), env, words, prokuraAlone)
  }
}
const alone = 16

describe('every command', () => {
  test('is known here, with what it is called with', async () => {
    const program = await createProgram()
    for (const name of commands.filter((one) => !askApi.test(one))) {
      const command = commandOf(program, name)
      const needs = command.registeredArguments.some(({ required }) => required)
      if (needs) expect(Object.keys(called), `${name} takes an argument: say here which`).toContain(name)
    }
    for (const name of [...Object.keys(called), ...Object.keys(aloof), ...makers, ...keyless])
      expect(commands, `${name} is no command`).toContain(name)
  })

  test('says so where nothing runs', async () => {
    const env = environment({ DATABASE_URL: '', PROKURA_STATE_DIR: join(folder, 'nowhere') })
    const beside = operators.filter((name) => name !== 'up')
    await allEnd(beside, env, /There is no state folder at .*nowhere\. Start the service/)
  })

  test('names a database that is not there, and the setting', async () => {
    const env = at((url) => {
      url.pathname = '/nowhere'
    })
    await allEnd(operators, env, /There is no database "nowhere" at .* DATABASE_URL\./)
  })

  test('says what a database without our schema needs', async () => {
    const env = environment({ DATABASE_URL: empty.url })
    const others = operators.filter((name) => ![...makers, 'api', 'worker'].includes(name))
    await allEnd(others, env, /schema version 0, .* Run "prokura migrate"\./)
  })

  test('leaves the database of another program alone, and says so', async () => {
    const client = new Client({ connectionString: empty.url })
    await client.connect()
    await client.query(`create table schema_migrations (version text primary key)`)
    try {
      await allEnd(
        operators,
        environment({ DATABASE_URL: empty.url }),
        /The database of DATABASE_URL is the database of another program: .* Create an empty database, and name it with DATABASE_URL\./,
      )
      expect(
        (await client.query(`select count(*)::int as n from pg_tables where schemaname = 'public'`)).rows,
      ).toEqual([{ n: 1 }])
    } finally {
      await client.query('drop table schema_migrations')
      await client.end()
    }
  })

  test('says which rights its role lacks, and who can grant them', async () => {
    const env = at((url) => {
      url.username = stranger
      url.password = 'secret'
    })
    await allEnd(
      operators,
      env,
      new RegExp(
        `The role "${stranger}" of DATABASE_URL may not do this .*permission denied.*prokura migrate`,
      ),
    )
  })

  test('refuses other keys than those of the database, by name', async () => {
    const env = environment({ PROKURA_KEYS: `k1:${Buffer.alloc(32, 5).toString('base64')}` })
    const keyed = operators.filter((name) => !keyless.includes(name))
    await allEnd(keyed, env, /The encryption key k1 at PROKURA_KEYS is not the key of the database/)
  })

  test.each([
    ['up', ['up', '--port', 'PORT'], {}, /Port \d+ is taken\. Name another port with --port/],
    [
      'api',
      ['api', '--parent-pipe'],
      { PORT: 'PORT' },
      /Port \d+ of 127\.0\.0\.1 is taken\..* set PORT to another port/,
    ],
    [
      'its metrics',
      ['api', '--parent-pipe', '--port', '0'],
      { PROKURA_METRICS_PORT: 'PORT' },
      /is taken\..* set PROKURA_METRICS_PORT/,
    ],
    [
      'the metrics of a worker',
      ['worker', '--parent-pipe'],
      { PROKURA_METRICS_PORT: 'PORT' },
      /is taken\..* set PROKURA_METRICS_PORT/,
    ],
    [
      'sandbox',
      ['sandbox', '--state', 'FOLDER/sandbox', '--processor-port', 'PORT'],
      {},
      /The sandbox ended with exit code 1/,
    ],
  ])('names a port that is taken: %s', async (_, args, env, words) => {
    const filled = (text: string) => text.replace('PORT', port).replace('FOLDER', folder)
    const given = Object.fromEntries(
      Object.entries(env).map(([name, value]) => [name, filled(String(value))]),
    )
    await endsInASentence(args.map(filled), environment(given), words, prokuraAlone)
  })
})

/** What is wrong on the way to the database, for one of each kind of those who go there. */
describe.each([['status'], ['migrate'], ['api'], ['up']])('%s', (name) => {
  test.each([
    [
      'a port without a listener',
      (url: URL) => Object.assign(url, { host: '127.0.0.1:1', search: '' }),
      /Nothing listens at 127\.0\.0\.1:1 .* DATABASE_URL\./,
    ],
    [
      'a host that nobody knows',
      (url: URL) => Object.assign(url, { host: 'nowhere.invalid', search: '' }),
      /There is no host nowhere\.invalid .* DATABASE_URL\./,
    ],
    [
      'a wrong password',
      (url: URL) => Object.assign(url, { password: 'wrong' }),
      /does not let ".*" in .*: correct the user and the password in DATABASE_URL\./,
    ],
    [
      'TLS that the server has not',
      (url: URL) => url.searchParams.set('sslmode', 'require'),
      /DATABASE_URL asks for TLS \(sslmode\), but PostgreSQL at .* does not offer it/,
    ],
    [
      'no PostgreSQL address at all',
      (url: URL) => Object.assign(url, { href: 'mysql://127.0.0.1/x' }),
      /The configuration has an error:/,
    ],
  ] as const)('tells of %s in a sentence', async (_, change, words) => {
    const env = at((url) => void change(url))
    await endsInASentence(argumentsOf(name), env, words)
    // The one that opens most before it asks the database also ends as a process.
    if (name === 'up') await endsInASentence(argumentsOf(name), env, words, prokuraAlone)
  })
})

test('a read-only database is named as the cause', async () => {
  await asAdmin(
    `alter database ${new URL(database.url).pathname.slice(1)} set default_transaction_read_only = on`,
  )
  try {
    await endsInASentence(
      ['accounts', 'create', 'X'],
      environment({}),
      /The database of DATABASE_URL is read-only/,
    )
  } finally {
    await asAdmin(
      `alter database ${new URL(database.url).pathname.slice(1)} reset default_transaction_read_only`,
    )
  }
})

test('a role without a free connection is named as the cause', async () => {
  await asAdmin(`alter role ${stranger} connection limit 0`)
  const env = at((url) => {
    url.username = stranger
    url.password = 'secret'
  })
  await endsInASentence(['status'], env, /has no connection left for "stranger_.*" .* PROKURA_WRITERS/)
})

test.runIf(process.platform === 'linux')('none of them left anybody behind', async () => {
  const left: string[] = []
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue
    const [surroundings, line] = await Promise.all(
      ['environ', 'cmdline'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
    )
    if (surroundings?.includes(mark)) left.push(`${pid} ${line?.replaceAll('\0', ' ')}`)
  }
  expect(left).toEqual([])
})

/** Names of all commands that do something. */
function leavesOf(program: Command, before: readonly string[] = []): string[] {
  return program.commands.flatMap((command) => {
    const name = [...before, command.name()]
    const acts = command.commands.length === 0 || command.name() === 'audit'
    return [...(acts ? [name.join(' ')] : []), ...leavesOf(command, name)]
  })
}

function commandOf(program: Command, name: string): Command {
  return name.split(' ').reduce((command, part) => {
    const found = command.commands.find((one) => one.name() === part)
    if (!found) throw new Error(`there is no command ${name}`)
    return found
  }, program)
}

async function asAdmin(text: string): Promise<void> {
  const admin = new Client({ connectionString: inject('adminUrl') })
  await admin.connect()
  await admin.query(text).finally(() => admin.end())
}
