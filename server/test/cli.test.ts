import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createProgram } from '../src/cli/program.ts'
import { sandboxScenarios } from '../src/cli/up/sandbox-world.ts'
import { databaseIds, mayBecome, serviceIds, unreachableFolder } from '../src/platform/postgres/account.ts'
import { patientMs } from './gate/pace.ts'
import { commandsAs } from './harness/as-user.ts'
import { assertDocumented, documented } from './harness/documented.ts'
import { mainProgram, prokura, type Service, serviceEnvironment, startService } from './harness/up.ts'

let folder: string
let state: string
let service: Service

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prokura-cli-'))
  // As most folders are: others may pass.
  await chmod(folder, 0o755)
  state = join(folder, 'state')
  service = await startService({ state, args: ['--port', '0', '--test-clock'] })
})

afterAll(async () => {
  await service?.stop('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

describe('up', () => {
  test('prints exactly one line, with all that a client needs', () => {
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
    expect(Object.keys(ready.pids).sort()).toEqual(['api', 'postgres', 'sandbox', 'worker'])
    expect(ready.database_url).toMatch(/^postgres:/)
  })

  test('tells where the sandbox remembers, and it answers there', async () => {
    const { processor_log_url, merchant_log_url, shops_log_url } = service.ready.sandbox
    for (const url of [processor_log_url, merchant_log_url, shops_log_url])
      expect(await (await fetch(url)).json()).toBeInstanceOf(Array)
  })

  test.runIf(process.geteuid?.() === 0)('runs nothing that listens to strangers as root', async () => {
    const userOf = async (pid = 0) => (await stat(`/proc/${pid}`)).uid
    const { api, worker, postgres } = service.ready.pids
    const users = [await userOf(api), await userOf(worker), await userOf(postgres)]
    expect(users).toEqual([serviceIds.uid, serviceIds.uid, databaseIds.uid])
  })

  test.runIf(process.geteuid?.() === 0)(
    'says so where others may not pass, and goes on as root',
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

  test('has API and worker connect as a role that does not own the tables, and tells them of no other', async () => {
    const shared = JSON.parse(await readFile(join(state, 'environment.json'), 'utf8'))
    expect(new URL(shared.DATABASE_URL).username).toBe('prokura_runtime')
    expect(shared.DATABASE_OWNER_URL).toBe(service.ready.database_url)
    for (const role of ['api', 'worker'] as const) {
      const environment = await readFile(`/proc/${service.ready.pids[role]}/environ`, 'utf8')
      expect(environment).toContain('prokura_runtime')
      expect(environment).not.toContain(service.ready.database_url)
    }
  })

  test('keeps the keys where only their owner can read them', async () => {
    for (const name of ['account.json', 'environment.json', 'mcp.json', 'sandbox.json', 'vault.keys'])
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
    const { code, err, out } = await prokura(['up', '--json', '--state', state, '--port', '0'])
    expect({ code, out }).toEqual({ code: 1, out: '' })
    expect(err).toContain('A service already uses')
    expect(await readFile(join(state, 'ports.json'), 'utf8')).toBe(ports)
    expect((await call('GET', '/v1/profiles')).status).toBe(200)
  })

  test('names a taken port before it starts anything', async () => {
    const { port } = new URL(service.ready.base_url)
    const { code, err } = await prokura(['up', '--state', join(folder, 'other'), '--port', port])
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
  const readers = (at: string) => [
    ['status', '--state', at],
    ['keys', 'list', '--state', at],
    ['accounts', 'list', '--state', at],
    ['config', 'check', '--state', at],
    ['backup', join(tmpdir(), 'prokura-no-backup'), '--state', at],
    ['audit', 'verify', '--state', at],
    ['vault', 'add-key', '--state', at],
  ]

  test('is told which file it may not read, and whose it is, and not that it is damaged', async () => {
    const ended = await commandsAs(nobody, readers(state), env)
    expect(ended.map(({ said }) => said)).toEqual(
      readers(state).map(
        () =>
          `This user (user 65534) may not read ${join(state, 'environment.json')}: it belongs to root. Run this as that user, or change the rights (chmod, chown).`,
      ),
    )
    expect(ended.map(({ code }) => code)).toEqual(readers(state).map(() => 1))
  })

  test('is told which folder it may not enter or write to, and nothing ends as if it were not there', async () => {
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
    for (const { command, code, said } of await commandsAs(nobody, into, env)) {
      const words = `This user (user 65534) may not enter the folder ${closed}: it belongs to root.`
      expect({ command, code, said }).toEqual({ command, code: 1, said: expect.stringContaining(words) })
    }
    const [upon, below, added] = await commandsAs(
      nobody,
      [
        ['up', '--state', state],
        ['up', '--state', join(folder, 'new')],
        ['vault', 'add-key'],
      ],
      { ...env, DATABASE_URL: 'postgres://x@127.0.0.1:1/x', PROKURA_KEYS_FILE: keys },
    )
    expect(upon?.said).toContain(`may not write to the folder ${state}: it belongs to root.`)
    expect(below?.said).toContain(`may not write to the folder ${folder}: it belongs to root.`)
    expect(added?.said).toContain(`may not read ${keys}: it belongs to root.`)
    expect(existsSync(join(tmpdir(), 'prokura-no-backup'))).toBe(false)
  })

  test('whose id stands in no list of users is told what PostgreSQL needs, without a stack', async () => {
    const [demo] = await commandsAs({ uid: 47_399, gid: 47_399 }, [['demo', '--json']], env)
    expect(demo?.said).toMatch(
      /^PostgreSQL's data folder could not be created: .* needs a user with an entry in/,
    )
    expect(demo?.said).not.toMatch(/^ {4}at /m)
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
  test('explains itself and all that it takes', async () => {
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

describe('keys', () => {
  test('create makes a key that works at once, and revoke ends it within a second', async () => {
    const made = await json(['keys', 'create', '--preset', 'read_only', '--name', 'reader'])
    expect(made).toMatchObject({ name: 'reader', preset: 'read_only', mode: 'test' })
    expect((await call('GET', '/v1/profiles', undefined, made.token)).status).toBe(200)
    expect((await call('POST', '/v1/profiles', profile, made.token)).status).toBe(403)

    await json(['keys', 'revoke', made.id])
    await expect
      .poll(async () => (await call('GET', '/v1/profiles', undefined, made.token)).status, {
        timeout: patientMs(1_000),
      })
      .toBe(401)
    const { data } = await json(['keys', 'list'])
    expect(data.find(({ id }: { id: string }) => id === made.id).revoked_at).not.toBeNull()
  })

  test('roll makes a successor and ends the one before', async () => {
    const first = await json(['keys', 'create'])
    const second = await json(['keys', 'roll', first.id])
    expect((await call('GET', '/v1/profiles', undefined, second.token)).status).toBe(200)
    await expect
      .poll(async () => (await call('GET', '/v1/profiles', undefined, first.token)).status, {
        timeout: patientMs(1_000),
      })
      .toBe(401)
  })

  test('roll with overlap leaves the old key for that time, and 24 hours at most', async () => {
    const first = await json(['keys', 'create', '--preset', 'buyer_agent'])
    const second = await json(['keys', 'roll', first.id, '--overlap', '30m'])
    expect(second).toMatchObject({ agent_id: first.agent_id, scopes: first.scopes, expires_at: null })
    for (const { token } of [first, second])
      expect((await call('GET', '/v1/profiles', undefined, token)).status).toBe(200)
    const { data } = await json(['keys', 'list'])
    const old = data.find(({ id }: { id: string }) => id === first.id)
    expect(old.revoked_at).toBeNull()
    expect(new Date(old.expires_at).getTime() - Date.now()).toBeLessThanOrEqual(30 * 60_000)
    const { code, err } = await prokura(['keys', 'roll', second.id, '--overlap', '25h', '--state', state])
    expect([code, err]).toEqual([1, expect.stringContaining('at most 24h')])
  })

  test('create gives an agent a further key, of no more power unless forced', async () => {
    const first = await json(['keys', 'create', '--preset', 'buyer_agent', '--name', 'shopper'])
    const second = await json(['keys', 'create', '--preset', 'buyer_agent', '--agent', first.agent_id])
    expect(second.agent_id).toBe(first.agent_id)
    const more = ['keys', 'create', '--agent', first.agent_id, '--state', state]
    const { code, err } = await prokura(more)
    expect([code, err]).toEqual([1, expect.stringMatching(/lack .*purchase_intents:approve.*Add --force/)])
    expect((await json(['keys', 'create', '--agent', first.agent_id, '--force'])).preset).toBe('full')
    const unknown = await prokura(['keys', 'create', '--agent', 'agent_nobody', '--state', state])
    expect([unknown.code, unknown.err]).toEqual([
      1,
      'prokura: This account has no such agent in test mode. Check the id, --account and --mode.\n',
    ])
    const listed = await prokura(['keys', 'list', '--state', state])
    expect(listed.out).toMatch(/AGENT +PROFILES/)
    expect(listed.out.split(first.agent_id)).toHaveLength(4)
  })

  test('create binds the agent of a key to one profile', async () => {
    const made = (await call('POST', '/v1/profiles', profile)).body
    const other = (await call('POST', '/v1/profiles', profile)).body
    const bound = await json(['keys', 'create', '--preset', 'buyer_agent', '--profile', made.id])
    expect(bound.profile_id).toBe(made.id)
    expect((await call('GET', `/v1/profiles/${made.id}`, undefined, bound.token)).status).toBe(200)
    expect((await call('GET', `/v1/profiles/${other.id}`, undefined, bound.token)).status).toBe(404)
    for (const [args, message] of [
      [['--preset', 'full', '--profile', made.id], 'buyer_agent and read_only only'],
      [['--preset', 'buyer_agent', '--profile', 'prof_nobody'], 'no such profile'],
      [['--preset', 'buyer_agent', '--profile', made.id, '--agent', bound.agent_id], 'cannot be used with'],
    ] as const) {
      const { code, err } = await prokura(['keys', 'create', ...args, '--state', state])
      expect([code, err]).toEqual([1, expect.stringContaining(message)])
    }
    expect((await prokura(['keys', 'list', '--state', state])).out).toContain(made.id)
  })

  test('join makes two agents one, and asks before that allows more', async () => {
    const [from, into] = [
      await json(['keys', 'create', '--preset', 'buyer_agent']),
      await json(['keys', 'create', '--preset', 'buyer_agent']),
    ]
    const scope = { api_key_ids: [from.id] }
    const terms = { currency: 'EUR', limits: { per_transaction_max: 1000 }, approval: { mode: 'never' } }
    const made = (await call('POST', '/v1/policies', { name: 'Lunch', scope, ...terms })).body
    const join = ['keys', 'join', from.id, into.agent_id]
    const { code, err } = await prokura([...join, '--state', state])
    expect([code, err]).toEqual([
      1,
      expect.stringContaining(`${into.agent_id} buys under the policy Lunch (${made.id}). Add --yes`),
    ])
    expect(await json([...join, '--yes'])).toMatchObject({
      agent_id: into.agent_id,
      joined: from.agent_id,
      key_ids: [from.id],
      policy_ids: [made.id],
    })
    const again = await prokura([...join, '--state', state])
    expect([again.code, again.err]).toEqual([1, 'prokura: Both are the same agent.\n'])
    const third = await json(['keys', 'create', '--preset', 'buyer_agent'])
    const shown = await prokura(['keys', 'join', third.id, into.id, '--yes', '--state', state])
    expect(shown.out).toContain(`${third.agent_id} is merged into ${into.agent_id}.`)
    await call('POST', `/v1/policies/${made.id}/archive`)
  })

  test('an unknown account is refused, not shown as empty', async () => {
    const { code, err } = await prokura(['keys', 'list', '--state', state, '--account', 'acct_nobody'])
    expect({ code, err }).toEqual({
      code: 1,
      err: 'prokura: There is no account acct_nobody in this database. `prokura accounts list` shows all accounts.\n',
    })
  })
})

describe('merchants', () => {
  const write = (key: string, body: Record<string, unknown>) => call('POST', '/v1/merchant', body, key)
  const listed = (...args: string[]) => json(['merchants', 'list', ...args])
  let seller: { account_id: string; keys: { secret_test: string; secret_live: string } }
  beforeAll(async () => {
    seller = await json(['accounts', 'create', 'Seller'])
  })

  test('confirm says which claims of a live merchant count, until it claims something else', async () => {
    const record = { slug: 'confirmed-shop', domain: 'confirmed.example', mcc: '5719', country: 'DE' }
    expect((await write(seller.keys.secret_live, record)).status).toBe(200)
    expect((await listed('--unconfirmed')).data).toMatchObject([
      { slug: 'confirmed-shop', mcc: '5719', mcc_confirmed: false, country_confirmed: false },
    ])
    const other = await prokura(['merchants', 'confirm', 'confirmed-shop', '--mcc', '5411', '--state', state])
    expect(other).toMatchObject({ code: 1, out: '' })
    expect(other.err).toContain('claims mcc 5719, not 5411')
    expect(await json(['merchants', 'confirm', 'confirmed-shop', '--mcc', '--country', 'DE'])).toMatchObject({
      account_id: seller.account_id,
      mcc_confirmed: true,
      mcc_confirmed_at: expect.any(String),
      country_confirmed: true,
    })
    expect((await listed('--unconfirmed')).data).toEqual([])
    await write(seller.keys.secret_live, { mcc: '5411' })
    expect((await listed('--unconfirmed')).data).toMatchObject([
      { mcc_confirmed: false, country_confirmed: true },
    ])
  })

  test('release frees a test domain for another account', async () => {
    const domain = 'released.example'
    expect((await write(seller.keys.secret_test, { domain })).status).toBe(200)
    const other = await json(['accounts', 'create', 'Other'])
    expect((await write(other.keys.secret_test, { domain })).status).toBe(409)
    const released = await json(['merchants', 'release', domain.toUpperCase()])
    expect(released).toMatchObject({ account_id: seller.account_id, domain: null, released_domain: domain })
    expect((await write(other.keys.secret_test, { domain })).status).toBe(200)
    const shown = await listed('--mode', 'test')
    expect(shown.data).toContainEqual(
      expect.objectContaining({ account_id: other.account_id, domain, holds_test_domain: true }),
    )
    const { code, err } = await prokura([
      'merchants',
      'release',
      'sandbox-merchant.example',
      '--state',
      state,
    ])
    expect([code, err]).toEqual([1, 'prokura: sandbox-merchant.example is reserved for the sandbox.\n'])
  })
})

test('accounts create opens an account whose keys work', async () => {
  const made = await json(['accounts', 'create', 'Second'])
  expect(Object.keys(made)).toEqual(['account_id', 'keys'])
  expect(Object.keys(made.keys)).toEqual(['secret_test', 'secret_live', 'publishable_test', 'agent_test'])
  expect((await call('GET', '/v1/profiles', undefined, made.keys.secret_live)).status).toBe(200)
})

test('status counts what is under way', async () => {
  expect(await json(['status'])).toEqual({
    work: expect.any(Array),
    workers: [
      expect.objectContaining({
        id: expect.stringMatching(/^worker_/),
        serves: expect.arrayContaining([
          'carts test native',
          'carts test simulated',
          'refunds test',
          'intents test',
        ]),
      }),
    ],
    unserved: [],
    failing: [],
    retention: expect.any(Array),
    unanswered: [],
    relay: {
      pending: expect.any(Number),
      oldest_seconds: expect.any(Number),
      shards_held: expect.any(Number),
      followers: [],
      behind: [],
      behind_more: 0,
    },
  })
})

test('audit names each invariant with what it checked, and the chains verify', async () => {
  const report = await json(['audit'])
  expect(report.ok).toBe(true)
  expect(report.invariants.length).toBeGreaterThan(10)
  for (const invariant of report.invariants)
    expect(invariant).toMatchObject({ id: expect.any(String), checked: expect.any(Number), violations: [] })
  expect(await json(['audit', 'verify'])).toMatchObject({ ok: true, breaks: [], weakness: null })
})

test('config check says what is wrong and what it means, and never a secret', async () => {
  const secret = 'mysql://root:hunter2@db/prokura'
  const env = { ...serviceEnvironment(), PORT: 'http', PROKURA_LOG_LEVL: 'info', DATABASE_URL: secret }
  const { code, out, err } = await prokura(['config', 'check'], env)
  expect(code).toBe(1)
  expect(out).toContain('PORT must be a whole number from 0 to 65535, not "http"')
  expect(out).toContain('PROKURA_LOG_LEVL is not a setting; did you mean PROKURA_LOG_LEVEL?')
  expect(err).toBe('prokura: At least one setting is wrong. The lines above say which and why.\n')
  expect(out + err).not.toContain('hunter2')
  expect((await prokura(['config', 'check'])).code).toBe(0)
  const keys = await prokura(['config', 'check'], { ...serviceEnvironment(), PROKURA_KEYS: 'hunter2' })
  expect([keys.code, keys.out]).toEqual([
    1,
    expect.stringContaining('PROKURA_KEYS cannot be used: key 1 is not'),
  ])
  expect(keys.out + keys.err).not.toContain('hunter2')
})

test('a reader that stops reading early is no fault', async () => {
  const child = spawn('sh', ['-c', `"${process.execPath}" "${mainProgram}" config check | head -1`])
  let err = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text
  })
  await once(child, 'close')
  expect(err).toBe('')
})

test('crash-points lists where a process can be killed', async () => {
  const { crash_points } = JSON.parse((await prokura(['crash-points', '--json'])).out)
  expect(crash_points).toEqual(expect.arrayContaining(['capture.before', 'step.commit.after']))
})

test('vault add-key adds a key that new processes use, and what was sealed before stays readable', async () => {
  const { key_id } = await json(['vault', 'add-key'])
  expect(await readFile(join(state, 'vault.keys'), 'utf8')).toMatch(new RegExp(`^k.*\\n${key_id}:.*\\n$`))
  expect((await json(['keys', 'create'])).token).toMatch(/^pr_sk_test_/)
  expect((await call('GET', '/v1/profiles')).status).toBe(200)
})

test('clock advance lets an approval expire in the running service', async () => {
  const approval = { mode: 'always', expires_after_minutes: 10 }
  await call('POST', '/v1/policies', { name: 'Ask soon', approval })
  const { body: buyer } = await call('POST', '/v1/profiles', profile)
  const { item_url: url, item_price } = service.ready.sandbox
  const item = { url, quantity: 1, expected_amount: item_price, expected_currency: 'USD' }
  const { body: intent } = await call('POST', '/v1/purchase_intents', { profile_id: buyer.id, items: [item] })
  expect(intent.status).toBe('awaiting_approval')

  const { now, advanced_seconds } = await json(['clock', 'advance', '24h'])
  expect(advanced_seconds).toBe(86_400)
  expect(Date.parse(now)).toBeGreaterThan(Date.now() + 80_000_000)
  // Ends with the event that ends the purchase.
  const events = await fetch(`${service.ready.base_url}/v1/purchase_intents/${intent.id}/events`, {
    headers: { authorization: `Bearer ${service.ready.keys.secret_test}`, accept: 'text/event-stream' },
  })
  expect(await events.text()).toContain('event: purchase_intent.declined')
  const { body: after } = await call('GET', `/v1/purchase_intents/${intent.id}`)
  expect(after).toMatchObject({ status: 'declined', failure_reason: { code: 'approval_expired' } })
})

describe('catalog', () => {
  test('sends a file, says what became of it, and writes one that changes nothing when it is sent again', async () => {
    const key = service.ready.keys.secret_live
    const env = { ...serviceEnvironment(), PROKURA_API_KEY: key }
    const file = join(folder, 'items.csv')
    await writeFile(file, 'handle,title,variant_price\none,One,100\nTWO,Two,200\n')
    const sent = await prokura(['catalog', 'import', file, '--state', state, '--json'], env)
    expect(sent.code).toBe(1)
    expect(JSON.parse(sent.out)).toMatchObject({ status: 'completed', progress: { rows: 2, failed: 2 } })
    await writeFile(file, 'handle,title\none,One\n')
    const mended = await prokura(['catalog', 'import', file, '--state', state], env)
    expect([mended.code, mended.out]).toEqual([0, expect.stringContaining('1 created')])
    const copy = join(folder, 'copy.jsonl')
    expect((await prokura(['catalog', 'export', copy, '--state', state], env)).code).toBe(0)
    const again = await prokura(['catalog', 'import', copy, '--url', service.ready.base_url], env)
    expect([again.code, again.out]).toEqual([0, expect.stringContaining('1 unchanged')])
    const refused = await prokura(
      ['catalog', 'import', file, '--state', state, '--key', `${key}x`],
      serviceEnvironment(),
    )
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('answered 401')])
    expect(JSON.stringify([sent, mended, again, refused])).not.toContain(key)
  })

  test('says which key it needs, and which file it cannot read', async () => {
    const without = await prokura(['catalog', 'export', '--state', state])
    expect([without.code, without.err]).toEqual([1, expect.stringContaining('PROKURA_API_KEY')])
    const missing = await prokura([
      'catalog',
      'import',
      join(folder, 'none.csv'),
      '--state',
      state,
      '--key',
      'x',
    ])
    expect([missing.code, missing.err]).toEqual([1, expect.stringContaining('There is no file')])
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
    const { body: buyer } = await call('POST', '/v1/profiles', profile)
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
  const { code, out } = await prokura(['demo', '--json'], {
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
const home = {
  address_type: 'both',
  line1: '1 Main St',
  city: 'Springfield',
  state: 'IL',
  postal_code: '62701',
  country: 'US',
}
const profile = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  country: 'US',
  addresses: [home],
}

function commandsBelow(command: Command): Command[] {
  return command.commands.flatMap((one) => [one, ...commandsBelow(one)])
}

// biome-ignore lint/suspicious/noExplicitAny: answers that other tests hold to their schemas
type Answer = any

async function json(args: readonly string[]): Promise<Answer> {
  const { code, out, err } = await prokura([...args, '--state', state, '--json'])
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out.trim().split('\n')).toHaveLength(1)
  return JSON.parse(out)
}

async function call(
  method: string,
  path: string,
  body?: unknown,
  key = service.ready.keys.secret_test,
): Promise<{ status: number; body: Answer }> {
  const response = await fetch(`${service.ready.base_url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const { status, headers } = response
  const answer: Answer = await response.json()
  assertDocumented(
    documented().answer({ method, path, status, header: (name) => headers.get(name), body: answer }),
  )
  return { status, body: answer }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
