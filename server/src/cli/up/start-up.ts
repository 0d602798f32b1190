import { resolve } from 'node:path'
import type { StartingKeys } from '../../domain/accounts/api-keys/public.ts'
import { installTestClock } from '../../platform/clock/test-clock.ts'
import { processEnvironment, readConfig } from '../../platform/config/config.ts'
import { migrate, migratedWords } from '../../platform/database/migrate.ts'
import { grantRuntime } from '../../platform/database/runtime-role.ts'
import { type NamedDatabase, stateFolderSetting } from '../../platform/database/words.ts'
import { programFiles } from '../../platform/files/program-files.ts'
import { addedPaymentHosts } from '../browser/payment-hosts-file.ts'
import { lookAt, withDatabaseTrouble } from '../operator/database-trouble.ts'
import { grantVaultRole, vaultRoleRemedy } from '../operator/vault-role.ts'
import { directDatabase, ownedDatabase, roleOf, servedDatabase } from '../role-config.ts'
import { apiPort, askedPort, assertFree } from './api-port.ts'
import { type Child, startChild } from './child.ts'
import { claimFolder } from './claim-folder.ts'
import { maintainOnSchedule } from './maintain-on-schedule.ts'
import { startOwnPostgres } from './own-postgres.ts'
import { decideCharges, rehearsalSettings, sandboxNames, simulatorKey } from './rehearsal.ts'
import type { SandboxFacts, SandboxUrls } from './sandbox-world.ts'
import { type RunAs, serviceAccount } from './service-account.ts'
import { browserDoorsFolder, browserEnvironment, startBrowser } from './start-browser.ts'
import { startSandbox } from './start-sandbox.ts'
import {
  doorsFolder,
  masterKeysOf,
  publicDoorOf,
  startVault,
  vaultEnvironment,
  withoutSecrets,
} from './start-vault.ts'
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
  /** Shops on this machine that are bought from in test mode, `NAME=PORT`. */
  shop?: readonly string[]
  /** Whether the browser shows its windows. */
  isHeaded?: boolean
  /** Whether live mode is rehearsed, with the simulator of Stripe and the shops of the sandbox. */
  isRehearsed?: boolean
  /** The files that its processes run, where they are not those of this one: a build of it, for tests that start many. */
  program?: Pick<typeof programFiles, 'main' | 'sandbox'>
  /** Parts of the outside world of test mode that already run in processes of somebody else. */
  elsewhere?: Promise<Partial<SandboxUrls>>
  onProgress: (line: string) => void
  /** Called with what a person has to know, although the start continues. */
  onWarning: (line: string) => void
}

/** For a part that hangs: on a busy machine each takes its time. */
const readyTimeoutMs = 120_000

/** Starts everything that the service needs, in order, and stops it in the opposite order, also when a start fails half-way. */
export async function startUp(options: StartOptions): Promise<Up> {
  const state = openStateFolder(options.state, { create: true })
  const stops: (() => Promise<unknown>)[] = []
  const stop = async () => {
    for (const one of stops.splice(0).reverse()) await one()
  }
  try {
    const { ready, pids } = await start({ program: programFiles, ...options }, state, stops)
    return { ready, state, pids, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function start(
  options: StartOptions & Required<Pick<StartOptions, 'program'>>,
  state: StateFolder,
  stops: (() => Promise<unknown>)[],
): Promise<Pick<Up, 'ready' | 'pids'>> {
  const { onProgress: progress, program } = options
  // What is wrong there is said at once, and not by a browser that ends a minute later.
  addedPaymentHosts(readConfig(processEnvironment()))
  stops.push(await claimFolder(state))
  const wantedPort = askedPort(options.port)
  if (wantedPort) await assertFree(wantedPort)
  const start = childStarter(state, progress)
  progress('Starting the sandbox …')
  const sandboxStarting = startSandbox(
    state,
    (args) => start('sandbox', [program.sandbox, ...args], withoutSecrets()),
    options.shop,
  )
  stops.push(() => stopOnceStarted(sandboxStarting, 3000))
  // Its failure is reported where it is awaited, and not while the database is still starting.
  sandboxStarting.catch(() => undefined)
  // It brings the rooms of the product along, which are loaded while sandbox and database start.
  const settling = import('./settle-in.ts')
  const database = await openDatabase(options, state, stops)
  await bringUpToDate(database, options)
  const sandbox = await sandboxStarting
  // The sandbox's documented ready line.
  const urls = { ...(sandbox.ready as SandboxUrls), ...(await options.elsewhere) }

  const port = await apiPort(wantedPort, state, progress)
  const baseUrl = `http://127.0.0.1:${port}`
  state.write(stateFiles.names, sandboxNames(urls, options.isRehearsed === true))
  const publicDoor = await publicDoorOf({ port, database }, state)
  const environment = {
    ...roleEnvironment({ ...options, state, database, urls, port, baseUrl }),
    ...publicDoor,
    ...(options.isRehearsed ? rehearsalSettings(urls, port) : {}),
  }
  // A further role beside these would find its metrics port taken, so it does not get that setting.
  const { PROKURA_METRICS_PORT: metricsPort, ...shared } = environment
  state.write(stateFiles.environment, { ...shared, ...ownerOf(database), ...vaultOf(state, database) })
  let roles: readonly Child[] = []
  const { settleIn } = await settling
  const prepared = await settleIn({
    config: readConfig(environment),
    state,
    account: options.account,
    baseUrl,
    urls,
    hasWorker: options.workers > 0,
    hasBrowser: hasBrowser(environment),
    onProgress: progress,
    async startRoles() {
      roles = await startRoles({ ...options, state, database, environment, metricsPort, start }, stops)
      if (options.isRehearsed) await decideCharges(urls, baseUrl)
    },
  })
  const asOwner = readConfig({ ...environment, DATABASE_OWNER_URL: database.url })
  const maintained = maintainOnSchedule(asOwner, progress)
  stops.push(() => maintained.stop())
  const pids = () => pidsOf([...roles, sandbox], database.pid)
  const ready = {
    base_url: baseUrl,
    account_id: prepared.account.account_id,
    keys: prepared.account.keys,
    sandbox: prepared.sandbox,
    pids: pids(),
    database_url: database.url,
  }
  return { ready, pids }
}

type RoleFacts = Required<Pick<StartOptions, 'program'>> &
  Pick<StartOptions, 'workers' | 'isHeaded' | 'isRehearsed' | 'onProgress' | 'onWarning'> & {
    state: StateFolder
    database: Database
    environment: Record<string, string>
    metricsPort: string | undefined
    start: StartRole
  }

async function startRoles(facts: RoleFacts, stops: (() => Promise<unknown>)[]): Promise<readonly Child[]> {
  const { state, environment } = facts
  const runAs = await serviceAccount(state, {
    owns: ownFiles(environment, state),
    reads: [environment.PROKURA_KEYS_FILE ?? ''].filter((file) => file !== ''),
    program: facts.program.main,
    warn: facts.onWarning,
  })
  facts.onProgress('Starting API and worker …')
  const starting = rolesOf(facts, runAs)
  stops.push(() => Promise.all(starting.map((child) => stopOnceStarted(child, 8000))))
  return Promise.all(starting)
}

/** The processes that work on the database, all at once. The vault gets none of what the others know, and they get nothing of it. */
function rolesOf(facts: RoleFacts, runAs: RunAs | null): Promise<Child>[] {
  const { program, state, environment, start } = facts
  const startRole = (name: string, role: string, env: NodeJS.ProcessEnv) =>
    start(name, [program.main, role, '--parent-pipe'], env, runAs)
  const startVaultAs = (env: NodeJS.ProcessEnv, as: RunAs | null) =>
    start('vault', [program.main, 'vault', 'serve', '--parent-pipe'], env, as)
  const readsCards = facts.isRehearsed ? simulatorKey : null
  const vault = vaultEnvironment(environment, { ...facts.database, readsCards })
  if (vault === null)
    facts.onProgress(`There is no vault, because DATABASE_VAULT_URL is not set. ${vaultRoleRemedy}`)
  return [
    ...(vault === null ? [] : [startVault(state, vault, runAs !== null, startVaultAs)]),
    ...browserOf(facts),
    startRole('api', 'api', environment),
    ...Array.from({ length: facts.workers }, (_, index) =>
      startRole(index === 0 ? 'worker' : `worker_${index + 1}`, 'worker', {
        ...environment,
        ...metricsOf(facts.metricsPort, index + 1),
      }),
    ),
  ]
}

/** It starts with our rights, because it makes Chromium another user than itself, and lays them down before it opens its door. */
function browserOf({ program, environment, isHeaded, start, onWarning }: RoleFacts): Promise<Child>[] {
  const { chromiumPath, doors } = readConfig({ ...processEnvironment(), ...environment }).browser
  if (!hasBrowser(environment) || doors === null) return []
  const env = browserEnvironment(environment, chromiumPath)
  const args = [program.main, 'browser', '--parent-pipe', ...(isHeaded ? ['--headed'] : [])]
  return [startBrowser(doors, () => start('browser', args, env), onWarning)]
}

function hasBrowser(environment: Record<string, string>): boolean {
  const { browser, vaultDoors } = readConfig({ ...processEnvironment(), ...environment })
  return browser.isOn && browser.doors !== null && vaultDoors !== null
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
    const vaultUrl = config.databaseVaultUrl?.reveal() ?? null
    return {
      ...owned,
      isPooled,
      runtimeUrl: served.url,
      directUrl: directDatabase(config).url,
      vaultUrl,
      pid: null,
    }
  }
  options.onProgress('Starting PostgreSQL …')
  const postgres = await startOwnPostgres(state.path, { durable: options.throwAway !== true })
  stops.push(() => postgres.stop())
  const { url, runtimeUrl, vaultUrl } = postgres
  return {
    setting: stateFolderSetting,
    url,
    isPooled: false,
    runtimeUrl,
    directUrl: runtimeUrl,
    vaultUrl,
    pid: () => postgres.pid,
  }
}

type Database = NamedDatabase & {
  isPooled: boolean
  runtimeUrl: string
  directUrl: string
  vaultUrl: string | null
}

/** As the owner of the tables, without a pooler in between. */
async function bringUpToDate(database: Database, { onProgress, testClock }: StartOptions): Promise<void> {
  await withDatabaseTrouble(database, async () => {
    const migrated = await migrate({ url: database.url, log: onProgress })
    if (migrated.applied.length > 0) onProgress(migratedWords(migrated))
    if (testClock) await installTestClock(database.url)
    await grantRuntime(database.url, roleOf(database.runtimeUrl))
    if (database.vaultUrl !== null) await grantVaultRole(database.url, database.vaultUrl)
  })
}

/** Files of the state folder that get the owner that serves. A keys file from elsewhere keeps its owner. */
function ownFiles({ PROKURA_KEYS_FILE: keys }: Record<string, string>, state: StateFolder): string[] {
  const own = [stateFiles.auditHeads, stateFiles.names].map((name) => state.file(name))
  return keys === state.file(stateFiles.encryptionKeys) ? [keys, ...own] : own
}

/** Wherever a role is started, the file is the same. */
function paymentHostsSetting(): Record<string, string> {
  const { paymentHostsFile: file } = readConfig(processEnvironment()).browser
  return file === null ? {} : { PROKURA_PAYMENT_HOSTS: resolve(file) }
}

/** Where the keys are: where the environment says, otherwise in the state folder. */
function keysOf(state: StateFolder): Record<string, string> {
  const { keys, keysFile } = readConfig(processEnvironment())
  if (keys) return {}
  return { PROKURA_KEYS_FILE: keysFile === null ? state.file(stateFiles.encryptionKeys) : resolve(keysFile) }
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
    // The serving processes get neither the address of the owner of the tables nor what is the vault's.
    DATABASE_OWNER_URL: '',
    DATABASE_VAULT_URL: '',
    PROKURA_VAULT_KEYS: '',
    PROKURA_VAULT_KEYS_FILE: '',
    PROKURA_VAULT_STRIPE_KEY: '',
    ...(facts.database.vaultUrl === null ? {} : { PROKURA_VAULT_DOORS: doorsFolder(facts.state) }),
    ...(readConfig(processEnvironment()).browser.isOn
      ? { PROKURA_BROWSER_DOORS: browserDoorsFolder(facts.state) }
      : {}),
    PORT: String(facts.port),
    HOST: '127.0.0.1',
    PROKURA_STATE_DIR: facts.state.path,
    PROKURA_PUBLIC_URL: facts.baseUrl,
    PROKURA_RAIL_URL: facts.urls.processor_url,
    PROKURA_SANDBOX_URL: facts.urls.shops_url,
    PROKURA_SANDBOX_MERCHANT_URL: facts.urls.merchant_url,
    PROKURA_SANDBOX_CATALOG_URL: facts.urls.catalog_url,
    PROKURA_SANDBOX_STRIPE_URL: facts.urls.stripe_url,
    PROKURA_SANDBOX_NAMES_FILE: facts.state.file(stateFiles.names),
    ...paymentHostsSetting(),
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

/** What a vault that is started by hand needs, beside what all roles do. */
function vaultOf(state: StateFolder, { vaultUrl }: Database): Record<string, string> {
  if (vaultUrl === null) return {}
  return { DATABASE_VAULT_URL: vaultUrl, ...masterKeysOf(state) }
}

/** The API has the named port; each worker has the next one. */
function metricsOf(port: string | undefined, offset: number): Record<string, string> {
  if (!port) return {}
  return { PROKURA_METRICS_PORT: port === '0' ? port : String(Number(port) + offset) }
}

function pidsOf(children: readonly Child[], postgres: (() => number) | null): Record<string, number> {
  return {
    ...(postgres ? { postgres: postgres() } : {}),
    ...Object.fromEntries(children.map((child) => [child.role, child.pid])),
  }
}
