import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { mcpConfiguration } from '../../contract/mcp-configuration.ts'
import type { StartingKeys } from '../../domain/accounts/api-keys/public.ts'
import { installTestClock } from '../../platform/clock/test-clock.ts'
import { processEnvironment, readConfig } from '../../platform/config/config.ts'
import { migrate } from '../../platform/database/migrate.ts'
import { grantRuntime } from '../../platform/database/runtime-role.ts'
import { type NamedDatabase, stateFolderSetting } from '../../platform/database/words.ts'
import { administer } from '../operator/administer.ts'
import { lookAt, withDatabaseTrouble } from '../operator/database-trouble.ts'
import { openKeys } from '../operator/vault-keys-at-hand.ts'
import { directDatabase, ownedDatabase, roleOf, servedDatabase } from '../role-config.ts'
import { apiPort, askedPort, assertFree } from './api-port.ts'
import { type Child, startChild } from './child.ts'
import { claimFolder } from './claim-folder.ts'
import { firstAccount } from './first-account.ts'
import { freePort } from './free-port.ts'
import { maintainOnSchedule } from './maintain-on-schedule.ts'
import { startOwnPostgres } from './own-postgres.ts'
import {
  type SandboxFacts,
  type SandboxUrls,
  sandboxFacts,
  sandboxProgram,
  seedSandbox,
} from './sandbox-world.ts'
import { type RunAs, serviceAccount } from './service-account.ts'
import { shareTestDomains } from './share-test-domains.ts'
import { openStateFolder, type StateFolder, stateFiles } from './state-folder.ts'

/** The line `up --json` prints. */
export type ReadyLine = {
  base_url: string
  account_id: string
  keys: StartingKeys
  sandbox: SandboxFacts
  pids: Record<string, number>
  database_url: string
}

/** `pids` follows processes that were started again; the ready line has the first ones. */
export type Up = {
  ready: ReadyLine
  state: StateFolder
  pids(): Record<string, number>
  stop(): Promise<void>
}

type StartOptions = {
  state: string
  port?: number
  loopback: boolean
  testClock?: boolean
  workers: number
  /** The account of the database to continue with, where the folder does not name one. */
  account?: string
  /** A server whose data is deleted with its folder: faster, and useless after a power cut. */
  throwAway?: boolean
  onProgress: (line: string) => void
  /** Called with what a person has to know, although the start continues. */
  onWarning: (line: string) => void
}

const mainProgram = join(dirname(fileURLToPath(import.meta.url)), '../../main.ts')
const readyTimeoutMs = 30_000

/** Starts everything that the service needs, in order, and stops it in the opposite order, also when a start fails half-way. */
export async function startUp(options: StartOptions): Promise<Up> {
  const state = openStateFolder(options.state, { create: true })
  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const one of stops.splice(0).reverse()) await one()
  }
  try {
    const { ready, pids } = await start(options, state, stops)
    return { ready, state, pids, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function start(
  options: StartOptions,
  state: StateFolder,
  stops: (() => Promise<unknown>)[],
): Promise<Pick<Up, 'ready' | 'pids'>> {
  const { onProgress: progress } = options
  stops.push(await claimFolder(state))
  const wantedPort = askedPort(options.port)
  if (wantedPort) await assertFree(wantedPort)
  const start = childStarter(state, progress)
  progress('Starting the sandbox …')
  const sandboxStarting = start('sandbox', [sandboxProgram, ...(await sandboxArguments(state))])
  stops.push(() => stopOnceStarted(sandboxStarting, 3000))
  // Its failure is reported where it is awaited, and not while the database is still starting.
  sandboxStarting.catch(() => undefined)
  const database = await openDatabase(options, state, stops)
  await bringUpToDate(database, options)
  const sandbox = await sandboxStarting
  const urls = sandbox.ready as SandboxUrls // the sandbox's documented ready line

  const port = await apiPort(wantedPort, state, progress)
  const baseUrl = `http://127.0.0.1:${port}`
  const environment = roleEnvironment({ ...options, state, database, urls, port, baseUrl })
  // A further role beside these would find its metrics port taken, so it does not get that setting.
  const { PROKURA_METRICS_PORT: metricsPort, ...shared } = environment
  state.write(stateFiles.environment, { ...shared, ...ownerOf(database) })
  await openKeys(readConfig(environment), database)
  const account = await firstAccount(readConfig(environment), state, options.account)
  state.write(stateFiles.mcp, mcpConfiguration(baseUrl, account.keys.agent_test))
  await shareTestDomains(readConfig(environment), progress)

  const runAs = await serviceAccount(state, {
    owns: [...ownKeysFile(environment, state), state.file(stateFiles.auditHeads)],
    reads: [environment.PROKURA_KEYS_FILE ?? ''].filter((file) => file !== ''),
    program: mainProgram,
    warn: options.onWarning,
  })
  progress('Starting API and worker …')
  const startRole = (name: string, role: string, env: NodeJS.ProcessEnv) =>
    start(name, [mainProgram, role, '--parent-pipe'], env, runAs)
  const starting = [
    startRole('api', 'api', environment),
    ...Array.from({ length: options.workers }, (_, index) =>
      startRole(index === 0 ? 'worker' : `worker_${index + 1}`, 'worker', {
        ...environment,
        ...metricsOf(metricsPort, index + 1),
      }),
    ),
  ]
  stops.push(() => Promise.all(starting.map((child) => stopOnceStarted(child, 8000))))
  const roles = await Promise.all(starting)
  await seedSandbox({
    state,
    baseUrl,
    urls,
    account,
    hasWorker: options.workers > 0,
    administer: (work) => administer(readConfig(environment), work),
  })
  const asOwner = readConfig({ ...environment, DATABASE_OWNER_URL: database.url })
  const maintained = maintainOnSchedule(asOwner, progress)
  stops.push(() => maintained.stop())
  const pids = () => pidsOf([...roles, sandbox], database.pid)
  const ready = {
    base_url: baseUrl,
    account_id: account.account_id,
    keys: account.keys,
    sandbox: sandboxFacts(urls),
    pids: pids(),
    database_url: database.url,
  }
  return { ready, pids }
}

type StartRole = (role: string, args: string[], env?: NodeJS.ProcessEnv, as?: RunAs | null) => Promise<Child>

function childStarter(state: StateFolder, progress: StartOptions['onProgress']): StartRole {
  return (role, args, env = {}, as = null) =>
    startChild({
      role,
      args,
      env: { ...processEnvironment(), ...env, ...as?.env },
      ...(as ? { ids: { uid: as.uid, gid: as.gid } } : {}),
      logFile: state.file(`logs/${role}.log`),
      readyTimeoutMs,
      onRestart: (name, how) => progress(`${name} ended (${how}); starting it again`),
    })
}

/** Stops a child, also one that is still starting when something else fails; a child that never started needs no stopping. */
function stopOnceStarted(starting: Promise<Child>, patienceMs: number): Promise<unknown> {
  return starting.then(
    (child) => child.stop(patienceMs),
    () => undefined,
  )
}

async function openDatabase(options: StartOptions, state: StateFolder, stops: (() => Promise<unknown>)[]) {
  const config = readConfig(processEnvironment())
  if (config.databaseUrl) {
    const [owned, served] = [ownedDatabase(config), servedDatabase(config)]
    for (const named of [owned, directDatabase(config)]) await lookAt(named)
    const { isPooled } = await lookAt(served)
    return { ...owned, isPooled, runtimeUrl: served.url, directUrl: directDatabase(config).url, pid: null }
  }
  options.onProgress('Starting PostgreSQL …')
  const postgres = await startOwnPostgres(state.path, { durable: options.throwAway !== true })
  stops.push(() => postgres.stop())
  const { url, runtimeUrl } = postgres
  return {
    setting: stateFolderSetting,
    url,
    isPooled: false,
    runtimeUrl,
    directUrl: runtimeUrl,
    pid: () => postgres.pid,
  }
}

type Database = NamedDatabase & { isPooled: boolean; runtimeUrl: string; directUrl: string }

/** As the owner of the tables, without a pooler in between. */
async function bringUpToDate(database: Database, { onProgress, testClock }: StartOptions): Promise<void> {
  await withDatabaseTrouble(database, async () => {
    const { applied, version } = await migrate({ url: database.url, log: onProgress })
    if (applied.length > 0) onProgress(`Migrated the schema to version ${version}`)
    if (testClock) await installTestClock(database.url)
    await grantRuntime(database.url, roleOf(database.runtimeUrl))
  })
}

/** The keys file of the state folder gets the owner that serves; a file from elsewhere keeps its owner. */
function ownKeysFile({ PROKURA_KEYS_FILE: file }: Record<string, string>, state: StateFolder): string[] {
  return file === state.file(stateFiles.vaultKeys) ? [file] : []
}

/** Where the keys are: where the environment says, otherwise in the state folder. */
function keysOf(state: StateFolder): Record<string, string> {
  const { keys, keysFile } = readConfig(processEnvironment())
  if (keys) return {}
  return { PROKURA_KEYS_FILE: keysFile === null ? state.file(stateFiles.vaultKeys) : resolve(keysFile) }
}

type EnvironmentFacts = StartOptions & {
  database: Database
  urls: SandboxUrls
  port: number
  baseUrl: string
}

/** What further roles on the same database need; it is written into the state folder, from which `--state DIR` reads it. */
function roleEnvironment(
  facts: Omit<EnvironmentFacts, 'state'> & { state: StateFolder },
): Record<string, string> {
  const passedOn = Object.entries(processEnvironment()).filter(([name]) => name.startsWith('PROKURA_'))
  return {
    // By default the accounts of one machine trade with each other.
    PROKURA_TEST_DOMAINS: 'shared',
    ...Object.fromEntries(passedOn.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))),
    DATABASE_URL: facts.database.runtimeUrl,
    DATABASE_DIRECT_URL: facts.database.directUrl,
    // The serving processes do not get the address of the owner of the tables.
    DATABASE_OWNER_URL: '',
    PORT: String(facts.port),
    HOST: '127.0.0.1',
    PROKURA_STATE_DIR: facts.state.path,
    PROKURA_PUBLIC_URL: facts.baseUrl,
    PROKURA_RAIL_URL: facts.urls.processor_url,
    PROKURA_SANDBOX_URL: facts.urls.shops_url,
    PROKURA_SANDBOX_MERCHANT_URL: facts.urls.merchant_url,
    PROKURA_OWN_PORTS: ownPorts(facts).join(','),
    ...keysOf(facts.state),
    PROKURA_AUDIT_HEADS_FILE:
      readConfig(processEnvironment()).auditHeads.file ?? facts.state.file(stateFiles.auditHeads),
    PROKURA_ALLOW_LOOPBACK: facts.loopback ? 'test' : 'off',
    PROKURA_TEST_CLOCK: facts.testClock ? 'on' : 'off',
  }
}

/** The ports that the settings of a role do not name: each role has a metrics port of its own. */
function ownPorts({ workers }: Pick<StartOptions, 'workers'>): number[] {
  const first = Number(processEnvironment().PROKURA_METRICS_PORT ?? 0)
  return first === 0 ? [] : Array.from({ length: workers + 1 }, (_, index) => first + index)
}

/** The owner of the tables, for commands beside the service; the serving role, where no other is named. */
function ownerOf({ url, directUrl }: Database): { DATABASE_OWNER_URL: string } {
  return { DATABASE_OWNER_URL: url === directUrl ? '' : url }
}

/** The API has the named port; each worker has the next one. */
function metricsOf(port: string | undefined, offset: number): Record<string, string> {
  if (!port) return {}
  return { PROKURA_METRICS_PORT: port === '0' ? port : String(Number(port) + offset) }
}

/** The sandbox keeps its ports from start to start: merchants' endpoints point there. */
async function sandboxArguments(state: StateFolder): Promise<string[]> {
  const known = state.read<Record<string, number>>(stateFiles.ports) ?? {}
  const ports: Record<string, number> = {}
  for (const service of ['processor', 'merchant', 'shops']) ports[service] = await freePort(known[service])
  state.write(stateFiles.ports, ports)
  const named = Object.entries(ports).flatMap(([service, port]) => [`--${service}-port`, String(port)])
  return ['--state', state.file('sandbox'), '--json', '--parent-pipe', ...named]
}

function pidsOf(children: readonly Child[], postgres: (() => number) | null): Record<string, number> {
  return {
    ...(postgres ? { postgres: postgres() } : {}),
    ...Object.fromEntries(children.map((child) => [child.role, child.pid])),
  }
}
