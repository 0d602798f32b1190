import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { readFile, rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { Administration } from '../../src/cli/operator/administer.ts'
import { type Child, startChild } from '../../src/cli/up/child.ts'
import type { SandboxUrls } from '../../src/cli/up/sandbox-world.ts'
import { type ReadyLine, startUp, type Up } from '../../src/cli/up/start-up.ts'
import { stateFiles } from '../../src/cli/up/state-folder.ts'
import type { Mode } from '../../src/contract/context.ts'
import type { Id } from '../../src/core/id.ts'
import { issueKey } from '../../src/domain/accounts/api-keys/public.ts'
import type { InvariantReport } from '../../src/platform/audit/invariants.ts'
import { patience, patientMs } from '../gate/pace.ts'
import { mainProgram, sandboxProgram } from '../harness/built-program.ts'
import { makeStateDir } from '../harness/database.ts'
import { person } from '../harness/person.ts'
import { contradictions, hearWitnesses, type Testimony, type ToldPurchase } from '../harness/witness.ts'
import { type Client, openClient, type Sent } from './client.ts'
import type { Tally } from './suite.ts'

type ServiceOptions = {
  workers: number
  testClock?: boolean
  /** The server to work on. With null it starts one of its own, which can be killed like every other process. */
  databaseUrl: string | null
  /** With a browser, for shops that have nothing but pages; a number: for so many carts at once. */
  pages?: boolean | number
  /** Parts of the outside world that run in processes of their own. */
  elsewhere?: Promise<Partial<SandboxUrls>>
  /** Whoever of it passes a point that this file names, dies. */
  crashFile?: string
  /** Of its keys; by default the test mode. */
  mode?: Mode
  /** Further settings of all its processes. */
  settings?: Readonly<Record<string, string>>
}

export type LoneRole = {
  /** The line in which it said that it is ready. */
  ready: Record<string, unknown>
  logFile: string
  ended: Promise<{ code: number | null; signal: string | null }>
  kill(signal: NodeJS.Signals): void
}

/** The whole product in processes of its own, as `prokura up` starts it, and more processes beside it. */
export type Service = {
  ready: ReadyLine
  pids: Up['pids']
  accountId: Id<'acct'>
  person: string
  agent: string
  /** The settings that every process of it has. */
  environment: Readonly<Record<string, string>>
  /** A key of the account that may do everything. */
  issueKey(admin: Administration): Promise<{ id: Id<'key'>; token: string }>
  /** Another process on the same database. `PROKURA_…` settings in `env` are its alone. */
  startRole(role: 'api' | 'worker', env?: Record<string, string>): Promise<Child>
  /** A worker that is not started again. Answers how it ended. */
  runWorker(env: Record<string, string>): { ended: Promise<string>; kill(): void }
  /** A process that is not started again; resolves when it is ready. */
  runRole(role: 'api' | 'worker', env?: Record<string, string>): Promise<LoneRole>
  /** Sends to an API. `base` picks one; the default is the first. */
  client(base?: string): Client
  read(id: string): Promise<ToldPurchase>
  /** The body at a path that answers 200 to the account. */
  get(path: string): Promise<unknown>
  /** The entries of the sandbox's logs. */
  testimony(): Promise<Testimony>
  /** Waits until these purchases are over and the world's memory agrees with ours. Answers the differences that are left. */
  agree(ids: readonly string[], patienceMs: number): Promise<string[]>
  /** The report of `prokura audit`. */
  invariants(): Promise<InvariantReport>
  /** Runs `prokura audit` and `prokura audit verify`; each violation is a failure. */
  audit(tally: Tally): Promise<void>
  stop(): Promise<void>
}

export async function startService(options: ServiceOptions): Promise<Service> {
  const folder = await makeStateDir()
  const settings = {
    DATABASE_URL: options.databaseUrl,
    PROKURA_BROWSER: options.pages ? 'on' : 'off',
    ...(typeof options.pages === 'number' ? { PROKURA_BROWSER_CONTEXTS: String(options.pages) } : {}),
    ...(options.crashFile ? { PROKURA_FAULTS: 'on', PROKURA_CRASH_FILE: options.crashFile } : {}),
    ...options.settings,
  }
  const mode = options.mode ?? 'test'
  const up = await withSettings(settings, () =>
    startUp({
      state: folder,
      port: 0,
      loopback: true,
      workers: options.workers,
      testClock: options.testClock ?? false,
      program: { main: mainProgram, sandbox: sandboxProgram },
      ...(options.elsewhere ? { elsewhere: options.elsewhere } : {}),
      onProgress: () => undefined,
      onWarning: () => undefined,
    }),
  )
  const { ready, state } = up
  const children: Child[] = []
  const lone = new Set<ChildProcess>()
  const clients = new Map<string, Client>()
  const logs = {
    processor: ready.sandbox.processor_log_url,
    shops: ready.sandbox.shops_log_url,
    merchant: ready.sandbox.merchant_log_url,
  }
  const environment = state.read<Record<string, string>>(stateFiles.environment) ?? {}
  const accountId = ready.account_id as Id<'acct'> // printed by the ready line
  const person = ready.keys[`secret_${mode}`]

  function client(base = ready.base_url): Client {
    const known = clients.get(base) ?? openClient(base)
    clients.set(base, known)
    return known
  }

  async function get(path: string): Promise<unknown> {
    const { status, body, text } = await client().rest({ method: 'GET', path, key: person })
    if (status !== 200) throw new Error(`${path} answered ${status} ${text}`)
    return body
  }

  async function read(id: string): Promise<ToldPurchase> {
    return (await get(`/v1/purchase_intents/${id}`)) as ToldPurchase // the contract's own shape
  }

  async function differences(ids: readonly string[]): Promise<string[]> {
    const purchases = await Promise.all(ids.map(read))
    return contradictions(purchases, await hearWitnesses(logs), (reference) =>
      ids.some((id) => reference.startsWith(id)),
    )
  }

  return {
    ready,
    pids: up.pids,
    accountId,
    environment,
    issueKey: (admin) =>
      admin.inTenant({ accountId, mode: 'test' }, async (ctx) => {
        const { key, token } = issueKey(ctx, { kind: 'secret', name: 'Suite', preset: 'full' })
        return { id: key.id, token }
      }),
    person,
    // Agents of live mode get no key at the start.
    agent: mode === 'live' ? person : ready.keys.agent_test,
    client,
    get,
    read,
    testimony: () => hearWitnesses(logs),
    async startRole(role, env = {}) {
      const child = await startChild({
        role,
        args: [mainProgram, role, '--parent-pipe', ...(role === 'api' ? ['--port', '0'] : [])],
        env: { ...process.env, ...environment, ...env },
        logFile: state.file(`logs/${role}-more.log`),
        readyTimeoutMs: patientMs(30_000),
        onRestart: () => undefined,
      })
      children.push(child)
      return child
    },
    runWorker(env) {
      const log = openSync(state.file('logs/worker-once.log'), 'a', 0o600)
      const child = spawn(process.execPath, [mainProgram, 'worker', '--parent-pipe'], {
        env: { ...process.env, ...environment, ...env },
        stdio: ['pipe', 'ignore', log],
      })
      closeSync(log)
      const ended = new Promise<string>((resolve) => {
        child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
      })
      return { ended, kill: () => void child.kill('SIGKILL') }
    },
    async runRole(role, env = {}) {
      const logFile = state.file(`logs/${role}-alone-${lone.size + 1}.log`)
      const log = openSync(logFile, 'a', 0o600)
      const args = [mainProgram, role, '--parent-pipe', ...(role === 'api' ? ['--port', '0'] : [])]
      const child = spawn(process.execPath, args, {
        env: { ...process.env, ...environment, ...env },
        stdio: ['pipe', 'pipe', log],
      })
      closeSync(log)
      // Also one that is not ready yet when the suite ends: left alone, it would keep the suite from ending.
      lone.add(child)
      const ended = once(child, 'exit').then(([code, signal]) => ({ code, signal }))
      const [line] = await Promise.race([
        once(createInterface({ input: outputOf(child) }), 'line'),
        ended.then(() => ['']),
      ])
      if (!line)
        throw new Error(
          `${role} ended before it was ready: ${(await readFile(logFile, 'utf8')).slice(-2000)}`,
        )
      return {
        ready: JSON.parse(line),
        logFile,
        ended,
        kill: (signal) => void child.kill(signal),
      }
    },
    async agree(ids, patienceMs) {
      const wait = patience(patienceMs)
      for (;;) {
        const open = await differences(ids).catch((error: unknown) => [String(error)])
        if (open.length === 0 || wait.isOver()) return open
        await new Promise((resolve) => setTimeout(resolve, 250))
      }
    },
    async invariants() {
      const { code, output } = await runMain(['audit', '--state', folder, '--json'])
      const line = output.split('\n').find((text) => text.startsWith('{'))
      if (line === undefined) throw new Error(`prokura audit ended with ${code}: ${output.slice(0, 2000)}`)
      return JSON.parse(line)
    },
    async audit(tally) {
      for (const command of [['audit'], ['audit', 'verify']]) {
        const { code, output } = await runMain([...command, '--state', folder, '--json'])
        if (code === 0) tally.pass()
        else tally.fail(`prokura ${command.join(' ')} ended with ${code}: ${complaintOf(output)}`)
      }
    },
    async stop() {
      await Promise.all([...clients.values()].map((one) => one.close()))
      for (const child of lone) child.kill('SIGKILL')
      await Promise.all(children.map((child) => child.stop(8000)))
      await up.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The member of an answer that this request must have been given. */
export function bodyOf(sent: Sent, status: number): Record<string, unknown> {
  if (sent.status !== status || typeof sent.body !== 'object' || sent.body === null)
    throw new Error(`instead of ${status}: ${sent.status} ${sent.text}`)
  return { ...sent.body }
}

/** A profile with an address and a card; unless another is named, one that needs no step-up. */
export async function newProfile(
  service: Service,
  base?: string,
  token = 'visa_auto_approved',
): Promise<string> {
  const post = (path: string, body: object) =>
    service.client(base).rest({ method: 'POST', path, key: service.person, body: JSON.stringify(body) })
  const { id } = bodyOf(await post('/v1/profiles', person), 201)
  bodyOf(await post(`/v1/profiles/${id}/payment_methods`, cardOf(token)), 201)
  return String(id)
}

/** From here on a policy allows the purchases of the profile without a person. */
export async function unattendedPolicy(service: Service, profileId: string): Promise<void> {
  const body = {
    name: 'Unattended',
    currency: service.ready.sandbox.item_currency,
    scope: { profile_ids: [profileId] },
    limits: { per_transaction_max: 10_000, intervals: [{ interval: 'day', max_amount: 1_000_000_000 }] },
    approval: { mode: 'never' },
  }
  const request = { method: 'POST', path: '/v1/policies', key: service.person, body: JSON.stringify(body) }
  bodyOf(await service.client().rest(request), 201)
}

function cardOf(token: string) {
  const enrolled = { agentic_credentials_enrollment_requested: true, agentic_terms_acknowledged: true }
  return { type: 'card', card: { kind: 'existing', vault_token_id: token, ...enrolled } }
}

/** What an audit complains of. Its list of what holds is longer than what a log keeps of a line. */
function complaintOf(output: string): string {
  const line = output.split('\n').find((text) => text.startsWith('{'))
  const report: { invariants?: InvariantReport['invariants'] } = line === undefined ? {} : JSON.parse(line)
  const broken = report.invariants?.filter((one) => one.violations.length > 0 || 'not_asked' in one)
  return (broken ? JSON.stringify(broken) : output).slice(0, 2000)
}

function outputOf({ stdout }: ChildProcess) {
  if (!stdout) throw new Error('the process has no standard output')
  return stdout
}

let starting: Promise<unknown> = Promise.resolve()

/**
 * `startUp` reads the settings of this process; null takes one away. One after the other: a start that read those of another one would
 * serve its database.
 */
function withSettings<T>(
  settings: Readonly<Record<string, string | null>>,
  work: () => Promise<T>,
): Promise<T> {
  const started = starting.then(() => withOwnSettings(settings, work))
  starting = started.catch(() => undefined)
  return started
}

async function withOwnSettings<T>(
  settings: Readonly<Record<string, string | null>>,
  work: () => Promise<T>,
): Promise<T> {
  const before = Object.keys(settings).map((name) => [name, process.env[name] ?? null] as const)
  assign(settings)
  try {
    return await work()
  } finally {
    assign(Object.fromEntries(before))
  }
}

function assign(settings: Readonly<Record<string, string | null>>): void {
  for (const [name, value] of Object.entries(settings)) {
    if (value === null) delete process.env[name]
    else process.env[name] = value
  }
}

function runMain(args: string[]): Promise<{ code: number | null; output: string }> {
  const env = { ...process.env }
  delete env.DATABASE_URL
  const child = spawn(process.execPath, [mainProgram, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })))
}
