import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProgram } from '../src/cli/program.ts'
import { sandboxScenarios } from '../src/cli/up/sandbox-world.ts'
import {
  databaseIds,
  mayBecome,
  serviceIds,
  unreachableFolder,
  vaultIds,
} from '../src/platform/postgres/account.ts'
import { patientMs } from './gate/pace.ts'
import { commandRunner, prokura } from './harness/command-runner.ts'
import { person } from './harness/person.ts'
import { callService, makeFolder } from './harness/service-calls.ts'
import { prokuraAlone, type Service, serviceEnvironment, startService } from './harness/up.ts'

let folder: string
let state: string
let service: Service
let remove: () => Promise<void>

beforeAll(async () => {
  ;({ folder, state, remove } = await makeFolder())
  service = await startService({ state, args: ['--port', '0', '--test-clock'] })
})

afterAll(async () => {
  await service?.stop('SIGKILL')
  await remove()
})

describe('up', () => {
  test('prints exactly one line, with all that a client needs', async () => {
    const { ready, lines } = service
    expect(lines).toHaveLength(1)
    expect(Object.keys(ready)).toEqual(['base_url', 'account_id', 'keys', 'sandbox', 'pids', 'database_url'])
    expect(ready.account_id).toMatch(/^acct_/)
    expect(ready.keys).toEqual({
      secret_test: expect.stringMatching(/^pr_sk_test_/),
      secret_live: expect.stringMatching(/^pr_sk_live_/),
      publishable_test: expect.stringMatching(/^pr_pk_test_/),
      agent_test: expect.stringMatching(/^pr_sk_test_/),
    })
    expect(Object.keys(ready.sandbox.items)).toEqual([...sandboxScenarios])
    expect(sandboxScenarios).toHaveLength(14)
    expect(ready.sandbox).toMatchObject({ item_url: ready.sandbox.items.ok, item_price: 2500 })
    for (const [name, url] of Object.entries(ready.sandbox.shops)) {
      const testimony = await fetch(`${ready.sandbox.strangers_url}/${name}/log`)
      const entries = (await testimony.json()) as { kind: string }[] // as the sandbox documents it
      // A worker may have looked at what a shop says of itself.
      const bought = entries.filter(({ kind }) => kind !== 'call')
      expect([url, bought]).toEqual([`https://${name}.shop.test`, []])
    }
    expect(Object.keys(ready.sandbox.shops)).toContain('classic')
    expect(Object.keys(ready.pids).sort()).toEqual(['api', 'postgres', 'sandbox', 'vault', 'worker'])
    expect(ready.database_url).toMatch(/^postgres:/)
  })

  test('prints the addresses of the logs of the sandbox, and they answer', async () => {
    const { processor_log_url, merchant_log_url, shops_log_url } = service.ready.sandbox
    for (const url of [processor_log_url, merchant_log_url, shops_log_url])
      expect(await (await fetch(url)).json()).toBeInstanceOf(Array)
  })

  test.runIf(process.geteuid?.() === 0)('runs nothing that listens to strangers as root', async () => {
    const userOf = async (pid = 0) => (await stat(`/proc/${pid}`)).uid
    const { api, worker, postgres, vault } = service.ready.pids
    const users = [await userOf(api), await userOf(worker), await userOf(postgres), await userOf(vault)]
    expect(users).toEqual([serviceIds.uid, serviceIds.uid, databaseIds.uid, vaultIds.uid])
  })

  test.runIf(process.geteuid?.() === 0)(
    'says so when other users may not enter the folder, and goes on as root',
    async () => {
      const closed = await mkdtemp(join(tmpdir(), 'prokura-closed-'))
      const other = await startService({ state: join(closed, 'state'), args: ['--port', '0'] })
      try {
        expect(other.complaints()).toContain(
          `API and worker run as root, because user ${serviceIds.uid} may not enter ${closed}`,
        )
        expect((await fetch(`${other.ready.base_url}/readyz`)).status).toBe(200)
        expect((await stat(`/proc/${other.ready.pids.api}`)).uid).toBe(0)
      } finally {
        await other.stop()
        await rm(closed, { recursive: true, force: true })
      }
    },
  )

  test('has API and worker connect as a role that does not own the tables, and gives them no other', async () => {
    const shared = JSON.parse(await readFile(join(state, 'environment.json'), 'utf8'))
    expect(new URL(shared.DATABASE_URL).username).toBe('prokura_runtime')
    expect(shared.DATABASE_OWNER_URL).toBe(service.ready.database_url)
    for (const role of ['api', 'worker'] as const) {
      const environment = await readFile(`/proc/${service.ready.pids[role]}/environ`, 'utf8')
      expect(environment).toContain('prokura_runtime')
      expect(environment).not.toContain(service.ready.database_url)
    }
  })

  test('gives the vault nothing of the other roles, and the other roles nothing of the vault', async () => {
    const settingsOf = async (pid = 0) => {
      const text = await readFile(`/proc/${pid}/environ`, 'utf8')
      return new Map(text.split('\0').map((line): [string, string] => [line.split('=')[0] ?? '', line]))
    }
    const { api, worker, vault } = service.ready.pids
    const ofVault = await settingsOf(vault)
    expect(ofVault.get('DATABASE_VAULT_URL')).toContain('//prokura_vault:')
    for (const name of ['DATABASE_URL', 'DATABASE_DIRECT_URL', 'DATABASE_OWNER_URL', 'PROKURA_KEYS_FILE'])
      expect(ofVault.get(name) ?? `${name}=`).toBe(`${name}=`)
    for (const settings of [await settingsOf(api), await settingsOf(worker)])
      for (const name of ['DATABASE_VAULT_URL', 'PROKURA_VAULT_KEYS', 'PROKURA_VAULT_KEYS_FILE'])
        expect(settings.get(name)).toBe(`${name}=`)
  })

  test('starts a vault again that was killed, and status shows that it answers', async () => {
    const { vault = 0 } = service.ready.pids
    process.kill(vault, 'SIGKILL')
    await expect
      .poll(async () => JSON.parse((await prokura(['status', '--json', '--state', state])).out).vault)
      .toMatchObject({
        answers: true,
        records: 0,
        open_grants: 0,
        redeemed: 0,
        refused: 0,
        under_older_key: 0,
      })
    const { out } = await prokura(['status', '--state', state])
    expect(out).toContain('Vault: 0 card records, 0 open grants.')
  })

  test('keeps the keys where only their owner can read them', async () => {
    for (const name of [
      'account.json',
      'environment.json',
      'mcp.json',
      'sandbox.json',
      'vault.keys',
      'vault-master.keys',
    ])
      expect((await stat(join(state, name))).mode & 0o777).toBe(0o600)
    const account = JSON.parse(await readFile(join(state, 'account.json'), 'utf8'))
    expect(account).toEqual({ account_id: service.ready.account_id, keys: service.ready.keys })
  })

  test('leaves an MCP configuration that works as it is: its key lists tools, and cannot approve', async () => {
    const { mcpServers } = JSON.parse(await readFile(join(state, 'mcp.json'), 'utf8'))
    const { type, url, headers } = mcpServers.prokura
    expect(type).toBe('http')
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-11-25',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toContain('v1_create_purchase_intent')
    const approval = await fetch(`${service.ready.base_url}/v1/purchase_intents/pi_1/approve`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"approve":true}',
    })
    expect(approval.status).toBe(403)
  })

  test('refuses a folder that is in use, and leaves the service there as it is', async () => {
    const ports = await readFile(join(state, 'ports.json'), 'utf8')
    const { code, err, out } = await prokuraAlone(['up', '--json', '--state', state, '--port', '0'])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain('A service already uses')
    expect(await readFile(join(state, 'ports.json'), 'utf8')).toBe(ports)
    expect((await call('GET', '/v1/profiles')).status).toBe(200)
  })

  test('names a taken port before it starts anything', async () => {
    const { port } = new URL(service.ready.base_url)
    const { code, err } = await prokuraAlone(['up', '--state', join(folder, 'other'), '--port', port])
    expect(code).toBe(1)
    expect(err).toBe(
      `prokura: Port ${port} is taken. Name another port with --port, or 0 for any free port.\n`,
    )
  })
})

const nobody = { uid: 65_534, gid: 65_534 }
const canBeNobody =
  process.geteuid?.() === 0 &&
  mayBecome(nobody) &&
  (await unreachableFolder(import.meta.dirname, { ...nobody, spawn: nobody })) === undefined

describe.runIf(canBeNobody)('another user of the machine', () => {
  const env = { ...serviceEnvironment(), PROKURA_STATE_DIR: join(tmpdir(), 'prokura-of-nobody') }
  const runner = commandRunner(nobody)
  afterAll(() => runner.end())
  const last = async (args: readonly string[], more: NodeJS.ProcessEnv = {}, as = runner) => {
    const { code, out, err } = await as.run(args, { ...env, ...more })
    return { command: args.join(' '), code, out, err }
  }
  const readers = (at: string) => [
    ['status', '--state', at],
    ['keys', 'list', '--state', at],
    ['accounts', 'list', '--state', at],
    ['config', 'check', '--state', at],
    ['backup', join(tmpdir(), 'prokura-no-backup'), '--state', at],
    ['audit', 'verify', '--state', at],
    ['vault', 'add-key', '--state', at],
  ]

  test('learns which file it may not read, and whose it is, and not that the file is damaged', async () => {
    const file = join(state, 'environment.json')
    const words = `This user (user 65534) may not read ${file}: it belongs to root. Run this as that user, or change the rights (chmod, chown).`
    for (const args of readers(state))
      expect(await last(args)).toEqual({
        command: args.join(' '),
        code: 1,
        out: '',
        err: `prokura: ${words}\n`,
      })
  })

  test('learns which folder it may not enter or write to, and no command ends as if it were missing', async () => {
    const closed = await mkdtemp(join(folder, 'closed-'))
    const inside = join(closed, 'state')
    const keys = join(folder, 'foreign.keys')
    await writeFile(keys, 'k1:x', { mode: 0o600 })
    const into = [
      ...readers(inside),
      ['reset', '--yes', '--state', inside],
      ['restore', join(closed, 'backup'), '--check'],
      ['up', '--state', inside],
      ['catalog', 'import', join(closed, 'items.csv'), '--url', 'http://127.0.0.1:1', '--key', 'x'],
    ]
    const words = `This user (user 65534) may not enter the folder ${closed}: it belongs to root.`
    for (const args of into)
      expect(await last(args)).toMatchObject({ code: 1, err: expect.stringContaining(words) })
    const more = { DATABASE_URL: 'postgres://x@127.0.0.1:1/x', PROKURA_KEYS_FILE: keys }
    for (const [args, refusal] of [
      [['up', '--state', state], `may not write to the folder ${state}: it belongs to root.`],
      [['up', '--state', join(folder, 'new')], `may not write to the folder ${folder}: it belongs to root.`],
      [['vault', 'add-key'], `may not read ${keys}: it belongs to root.`],
    ] as const)
      expect((await last(args, more)).err).toContain(refusal)
    expect(existsSync(join(tmpdir(), 'prokura-no-backup'))).toBe(false)
  })

  test('without an entry in the list of users learns what PostgreSQL needs, without a stack', async () => {
    const unlisted = commandRunner({ uid: 47_399, gid: 47_399 })
    const { err } = await last(['demo', '--json'], {}, unlisted).finally(() => unlisted.end())
    expect(err).toMatch(
      /^prokura: PostgreSQL's data folder could not be created: .* needs a user with an entry in/m,
    )
    expect(err).not.toMatch(/^ {4}at /m)
  })
})

test.each([
  ['a file', () => join(folder, 'a-file'), /^prokura: \S+a-file is a file, and a folder is needed there\./],
  [
    'a place that takes no folders',
    () => '/proc/prokura',
    /^prokura: The system makes no folder at \/proc\/prokura\./,
  ],
])('up on %s ends with one sentence', async (_, at, words) => {
  await writeFile(join(folder, 'a-file'), '')
  const { code, err } = await prokura(['up', '--state', at()])
  expect([code, err]).toEqual([1, expect.stringMatching(words)])
  expect(err.trim().split('\n')).toHaveLength(1)
})

describe('every command', () => {
  test('explains itself and all its options', async () => {
    for (const command of commandsBelow(await createProgram())) {
      expect(command.description(), command.name()).toMatch(/^[A-Z].*\.$/)
      for (const option of command.options) expect(option.description, option.flags).not.toBe('')
      expect(command.helpInformation()).toContain('Usage: prokura ')
    }
  })

  test('says what to do when there is no service', async () => {
    const { code, err } = await prokura(['status', '--state', join(folder, 'nowhere')])
    expect(code).toBe(1)
    expect(err).toContain('Start the service with `npm start`, or name its folder with --state DIR')
  })

  test.each([
    [['frobnicate'], "unknown command 'frobnicate'"],
    [['statu'], 'Did you mean status?'],
    [['up', '--frob'], "unknown option '--frob'"],
    [['up', '--port', 'abc'], "argument 'abc' is invalid. It must be a whole number from 0 to 65535."],
    [['up', '--workers', '0'], "argument '0' is invalid. It must be a whole number from 1 to 32."],
    [['keys', 'revoke'], "missing required argument 'key_id'"],
    [['keys', 'create', '--preset', 'all'], 'Allowed choices are full, read_only, merchant_backend'],
  ])('refuses %j with a hint', async (args, message) => {
    const program = await createProgram()
    let said = ''
    for (const command of [program, ...commandsBelow(program)]) {
      command.exitOverride().configureOutput({
        writeErr: (text) => {
          said += text
        },
      })
    }
    await expect(program.parseAsync(args, { from: 'user' })).rejects.toMatchObject({ exitCode: 1 })
    expect(said).toContain(message)
    expect(said).toContain('Add --help to see the arguments and options.')
  })
})

describe('an end and a new start', () => {
  test('Ctrl-C ends everything within eight seconds, and the next start has the same account', async () => {
    const { pids, account_id, keys, base_url } = service.ready
    const { code, ms } = await service.stop('SIGINT')
    expect(code).toBe(0)
    expect(ms).toBeLessThan(patientMs(8_000))
    expect(Object.values(pids).filter(isAlive)).toEqual([])

    service = await startService({ state, args: [] })
    expect(service.ready).toMatchObject({ account_id, keys, base_url })
    expect((await call('GET', '/v1/profiles')).status).toBe(200)
  })

  test('a purchase goes through after the API has moved to another port', async () => {
    await service.stop()
    service = await startService({ state, args: ['--port', '0'] })
    const { body: buyer } = await call('POST', '/v1/profiles', person)
    const card = { kind: 'existing', vault_token_id: 'visa_auto_approved', ...enrolled }
    await call('POST', `/v1/profiles/${buyer.id}/payment_methods`, { type: 'card', card })
    const { item_url: url, item_price } = service.ready.sandbox
    const item = { url, quantity: 1, expected_amount: item_price, expected_currency: 'USD' }
    const { body: intent } = await call('POST', '/v1/purchase_intents', {
      profile_id: buyer.id,
      items: [item],
      preferences: { fulfillment: { method: 'pickup' } },
    })
    await call('POST', `/v1/purchase_intents/${intent.id}/approve`, { approve: true })
    await expect
      .poll(async () => (await call('GET', `/v1/purchase_intents/${intent.id}`)).body.status)
      .toBe('succeeded')
  })

  test('kill -9 leaves no process behind', async () => {
    const { pids } = service.ready
    await service.stop('SIGKILL')
    await expect.poll(() => Object.values(pids).filter(isAlive)).toEqual([])
  })
})

test('the demo buys over REST and over tools, and the processor captured each once', async () => {
  // A folder in which a service had another port than the usual one.
  const { code, out } = await prokuraAlone(['demo', '--json'], {
    ...serviceEnvironment(),
    PROKURA_STATE_DIR: state,
  })
  expect(code).toBe(0)
  const results = out
    .trim()
    .split('\n')
    .flatMap((line) => JSON.parse(line).result ?? [])
  expect(results).toMatchObject([
    { transport: 'rest', status: 'succeeded', processor: { captures: 1, captured_amount: 2500 } },
    { transport: 'mcp', status: 'succeeded', processor: { captures: 1, captured_amount: 2500 } },
  ])
  const { next } = JSON.parse(out.trim().split('\n').at(-1) ?? '')
  expect(next).toMatchObject({ start: 'npm start', guide: 'docs/buyers.md' })
  expect(next.mcp_configuration.mcpServers.prokura.url).toBe(`${service.ready.base_url}/mcp/v1`)
  expect(out).not.toMatch(/pr_[sp]k_/)
})

const enrolled = { agentic_credentials_enrollment_requested: true, agentic_terms_acknowledged: true }

function call(method: string, path: string, body?: unknown, key?: string) {
  return callService(service, { method, path, body, ...(key === undefined ? {} : { key }) })
}

function commandsBelow(command: Command): Command[] {
  return command.commands.flatMap((one) => [one, ...commandsBelow(one)])
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
