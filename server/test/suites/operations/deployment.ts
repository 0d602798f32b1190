import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { freePort, listensOn } from '../../../src/cli/up/free-port.ts'
import type { ReadyLine } from '../../../src/cli/up/start-up.ts'
import { patientMs } from '../../gate/pace.ts'
import { type Backend, type Front, openFront } from './front.ts'

/** Two versions of the product on one database, behind one address, as a deployment has them. */
export type Deployment = {
  ready: ReadyLine
  /** Settings of every process on this database. */
  env: NodeJS.ProcessEnv
  front: Front
  /** Starts an API and a worker of a version; the front leads to it as soon as both are ready. */
  start(version: VersionName): Promise<void>
  /** Leads the front elsewhere, sends both the signal to stop, and answers their exit codes. */
  retire(version: VersionName): Promise<(number | null)[]>
  /** Stops all workers as a deployment does, does this, and starts them again. */
  withoutWorkers(meanwhile: () => Promise<void>): Promise<void>
  /** The warnings and errors in the logs of a version's processes. */
  complaints(version: VersionName): string[]
  /** Where the processes log. */
  logs: readonly string[]
  stop(): Promise<void>
}

export type VersionName = 'old' | 'new'

type DeploymentOptions = {
  folder: string
  databaseUrl: string
  programs: Readonly<Record<VersionName, string>>
  sandbox: string
}

type Process = { ready: Record<string, unknown>; stop(): Promise<number | null>; kill(): void }

type Pair = { backend: Backend; api: Process; worker: Process }

export async function deploy(options: DeploymentOptions): Promise<Deployment> {
  const { folder, programs } = options
  const { ready, env } = await install(options)
  const pairs = new Map<VersionName, Pair>()
  const logOf = (name: string) => join(folder, `${name}.log`)
  const startRole = (version: VersionName, role: string, args: string[] = []) =>
    startProcess([programs[version], role, '--parent-pipe', ...args], env, logOf(version))
  const front = await openFront(portOf(ready.base_url))
  const sandbox = [options.sandbox, ...(await sandboxArguments(folder))]
  const world = await startProcess(sandbox, env, logOf('sandbox')).catch(async (error: unknown) => {
    await front.close()
    throw error
  })
  const lead = () => front.lead([...pairs.values()].map(({ backend }) => backend))
  return {
    ready,
    env,
    front,
    async start(version) {
      const [api, worker] = await Promise.all([
        startRole(version, 'api', ['--port', '0']),
        startRole(version, 'worker'),
      ])
      const base = String(api.ready.base_url)
      const backend = { version, base, keepsAlive: version === 'new', isStopping: false }
      pairs.set(version, { backend, api, worker })
      lead()
    },
    async retire(version) {
      const pair = pairs.get(version)
      if (!pair) return []
      pairs.delete(version)
      lead()
      pair.backend.isStopping = true
      return Promise.all([pair.api.stop(), pair.worker.stop()])
    },
    async withoutWorkers(meanwhile) {
      const present = [...pairs]
      await Promise.all(present.map(([, { worker }]) => worker.stop()))
      await meanwhile()
      await Promise.all(
        present.map(async ([version, pair]) => {
          pair.worker = await startRole(version, 'worker')
        }),
      )
    },
    complaints: (version) => complaintsIn(logOf(version)),
    logs: ['install', 'old', 'new', 'sandbox'].map(logOf),
    async stop() {
      for (const { api, worker } of pairs.values()) {
        api.kill()
        worker.kill()
      }
      world.kill()
      await front.close()
    },
  }
}

/** The older version creates the schema, the account and the merchants, as when it was installed. */
async function install(options: DeploymentOptions): Promise<Pick<Deployment, 'ready' | 'env'>> {
  const { folder, programs, databaseUrl } = options
  const state = join(folder, 'state')
  await mkdir(state)
  // Other processes listen on these ports after it, and nothing may take one meanwhile.
  const ports = { processor: await freePort(), merchant: await freePort(), shops: await freePort() }
  await writeFile(join(state, 'ports.json'), JSON.stringify(ports))
  const up = await startProcess(
    [programs.old, 'up', '--json', '--state', state, '--port', String(await freePort()), '--test-clock'],
    { ...process.env, DATABASE_URL: databaseUrl },
    join(folder, 'install.log'),
  )
  await up.stop()
  const { base_url } = up.ready as ReadyLine // what `up --json` prints
  await released([portOf(base_url), ...Object.values(ports)])
  const shared = JSON.parse(await readFile(join(state, 'environment.json'), 'utf8'))
  return { ready: up.ready as ReadyLine, env: { ...process.env, ...shared } }
}

function portOf(url: string): number {
  return Number(new URL(url).port)
}

/** An older `up` that gets the signal to stop at the moment when it says that it is ready ends before its children do. */
async function released(ports: readonly number[]): Promise<void> {
  const endsAt = performance.now() + patientMs(30_000)
  for (const port of ports) {
    while ((await listensOn(port)) === null) {
      if (performance.now() > endsAt)
        throw new Error(`port ${port} is still taken after the installation ended`)
      await setTimeout(20)
    }
  }
}

async function sandboxArguments(folder: string): Promise<string[]> {
  const state = join(folder, 'state')
  const ports: Record<string, number> = JSON.parse(await readFile(join(state, 'ports.json'), 'utf8'))
  const named = Object.entries(ports).flatMap(([service, port]) => [`--${service}-port`, String(port)])
  return ['--state', join(state, 'sandbox'), '--json', '--parent-pipe', ...named]
}

async function startProcess(command: string[], env: NodeJS.ProcessEnv, logFile: string): Promise<Process> {
  const log = openSync(logFile, 'a', 0o600)
  const child = spawn(process.execPath, command, { env, stdio: ['pipe', 'pipe', log] })
  closeSync(log)
  const { stdin, stdout } = child
  if (!stdin || !stdout) throw new Error('the process has no pipes')
  stdin.on('error', () => undefined)
  const ended = once(child, 'close').then(([code]): number | null => code)
  const [line] = await Promise.race([
    once(createInterface({ input: stdout }), 'line'),
    ended.then(() => ['']),
  ])
  if (!line) {
    const last = readFileSync(logFile, 'utf8').slice(-1_000)
    throw new Error(`"${command.slice(1).join(' ')}" ended before it was ready: ${last}`)
  }
  return {
    ready: JSON.parse(line),
    stop() {
      child.kill('SIGTERM')
      return ended
    },
    kill: () => void child.kill('SIGKILL'),
  }
}

/**
 * The log lines that docs/operations.md announces for an upgrade: an older worker chains nothing once a newer one has closed the chains,
 * it loses its shards where the outbox comes, and there is a warning about one role for everything.
 */
const toldInTheGuide =
  /closed to entries without a key|"follower":"audit"|relay: another process took this shard|which API and worker use, (?:is a superuser|owns the tables)/

/** Lines of the product that report trouble, and lines of other forms, such as a stack. */
function complaintsIn(logFile: string): string[] {
  if (!existsSync(logFile)) return []
  const lines = readFileSync(logFile, 'utf8').split('\n')
  return lines.filter(
    (line) => line !== '' && !/^\{"level":"(?:trace|debug|info)"/.test(line) && !toldInTheGuide.test(line),
  )
}
