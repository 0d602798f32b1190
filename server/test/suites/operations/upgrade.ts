import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { ReadyLine } from '../../../src/cli/start-up.ts'
import { createTestDatabase, makeStateDir, type TestServer } from '../../harness/database.ts'
import { mainProgram, prokura } from '../../harness/up.ts'
import { contradictions } from '../../harness/witness.ts'
import type { SuiteRun, Tally } from '../suite.ts'
import { type Buyer, buyerAt, buySteadily, type Trouble } from './buyer.ts'
import { checkOut, migrationsHere, type Version, versionAt, versionsBefore } from './previous-version.ts'

const patienceMs = 30_000
/** The last version that was shipped before this suite was. */
const oldestMigrations = 9

/** An older version and this one beside each other on one database, under load; `--only REF` names the older one. */
export async function runUpgrade({ size, only, server, tally }: SuiteRun): Promise<void> {
  const versions = only === null ? versionsBefore() : [versionAt(only)].filter((one) => one !== null)
  if (!versions || versions.length === 0) {
    tally.skip(only ? `there is no commit ${only}` : 'no git history: there is no older version to come from')
    return
  }
  const shipped = versions.filter(({ migrations }) => migrations >= oldestMigrations)
  const chosen = size === 'long' && only === null && shipped.length > 0 ? shipped : versions.slice(0, 1)
  for (const version of chosen) await upgradeFrom(version, server, tally)
}

type Role = { base: string; stop(): Promise<number | null>; kill(): void }

type Scene = {
  ready: ReadyLine
  state: string
  /** Settings of every process on this database. */
  env: NodeJS.ProcessEnv
  databaseUrl: string
}

async function upgradeFrom(version: Version, server: TestServer, tally: Tally): Promise<void> {
  const name = version.ref.slice(0, 7)
  tally.figure(
    `${name}: from`,
    `${version.title.slice(0, 60)} (schema ${version.migrations} to ${migrationsHere()})`,
  )
  if (version.migrations === migrationsHere()) tally.figure(`${name}: note`, 'both have the same schema')
  const folder = await makeStateDir()
  const database = await createTestDatabase({ server, empty: true })
  const running = new Set<Role>()
  try {
    const old = checkOut(version, join(folder, 'old'))
    const scene = await seed(old.main, join(folder, 'state'), database.url)
    const start = async (program: string, args: string[], env = scene.env) => {
      const role = await startRole(program, args, env)
      running.add(role)
      return role
    }
    const sandbox = await start(old.sandbox, await sandboxArguments(scene))
    const buyWith = await live(scene, tally, name, {
      startOld: async () => [
        await start(old.main, ['api', '--parent-pipe']),
        await start(old.main, ['worker', '--parent-pipe']),
      ],
      startNew: async () => [
        await start(mainProgram, ['api', '--port', '0', '--parent-pipe']),
        await start(mainProgram, ['worker', '--parent-pipe']),
      ],
    })
    await judge(buyWith, scene, tally)
    await sandbox.stop()
  } finally {
    for (const role of running) role.kill()
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  }
}

type Outcome = { buyer: Buyer; ids: readonly string[] }

async function live(
  { ready, env }: Scene,
  tally: Tally,
  name: string,
  versions: { startOld(): Promise<Role[]>; startNew(): Promise<Role[]> },
): Promise<Outcome> {
  const old = await versions.startOld()
  let bases = [ready.base_url]
  let isSwitching = false
  const trouble = ({ status, why }: Trouble) => {
    if (status === 'lost' && isSwitching) return
    tally.fail(`${name} an API answered ${status}: ${why.slice(0, 500)}`)
  }
  let turn = 0
  const buyer = buyerAt(ready, { base: () => bases[turn++ % bases.length] ?? '', onTrouble: trouble })
  const profile = await buyer.profile({ unattended: true })
  const attended = await buyer.profile({ unattended: false })
  const pending = await buyer.ask({ profile: attended, name: 'pending', kind: 'native' })
  const buying = buySteadily(buyer, { profile, lanes: 3, prefix: 'steady' })
  const more = (count: number) => buying.until(buying.acknowledged().length + count)
  await more(15)
  const startedMs = performance.now()
  const migrated = await prokura(['migrate', '--json'], env)
  if (migrated.code !== 0) throw new Error(`migrate ended with ${migrated.code}: ${migrated.err}`)
  tally.figure(
    `${name}: migrate`,
    `${Math.round(performance.now() - startedMs)} ms, with the start of the program`,
  )
  await more(15)
  const fresh = await versions.startNew()
  bases = [ready.base_url, fresh[0]?.base ?? '']
  await more(20)
  isSwitching = true
  bases = bases.slice(1)
  for (const role of old) {
    const code = await role.stop()
    if (code !== 0) tally.fail(`${name} an old process ended with ${code}`)
  }
  await more(10)
  await buyer.approve(pending)
  const ids = [...(await buying.stop()), pending]
  tally.figure(`${name}: purchases`, ids.length)
  return { buyer, ids }
}

async function judge({ buyer, ids }: Outcome, { env }: Scene, tally: Tally): Promise<void> {
  const open = await buyer.settle(ids, patienceMs)
  for (const id of open) tally.fail(`${id} is not over`)
  const told = (await Promise.all(ids.map((id) => buyer.read(id)))).filter((one) => one !== null)
  for (const { id, status } of told) {
    if (status === 'succeeded') tally.pass()
    else tally.fail(`${id} is ${status}`)
  }
  const isOurs = (reference: string) => ids.some((id) => reference.startsWith(id))
  const differences = contradictions(told, await buyer.witnesses(), isOurs)
  for (const difference of differences) tally.fail(difference)
  for (const command of [['audit'], ['audit', 'verify']]) {
    const { code, out } = await prokura([...command, '--json'], env)
    if (code === 0) tally.pass()
    else tally.fail(`${command.join(' ')}: ${out.slice(0, 2000)}`)
  }
}

/** The older version makes the schema, the account and the merchants, as it did when it was installed. */
async function seed(program: string, state: string, databaseUrl: string): Promise<Scene> {
  await mkdir(state)
  const env = { ...process.env, DATABASE_URL: databaseUrl }
  const up = spawn(process.execPath, [program, 'up', '--json', '--state', state, '--port', '0'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(up, 'close')
  const [line] = await Promise.race([
    once(createInterface({ input: up.stdout }), 'line'),
    ended.then(() => ['']),
  ])
  if (!line) throw new Error('the older version did not come up')
  const ready: ReadyLine = JSON.parse(line)
  up.kill('SIGTERM')
  await ended
  const shared = JSON.parse(await readFile(join(state, 'environment.json'), 'utf8'))
  return { ready, state, env: { ...process.env, ...shared }, databaseUrl }
}

async function sandboxArguments({ state }: Scene): Promise<string[]> {
  const ports: Record<string, number> = JSON.parse(await readFile(join(state, 'ports.json'), 'utf8'))
  const named = Object.entries(ports).flatMap(([service, port]) => [`--${service}-port`, String(port)])
  return ['--state', join(state, 'sandbox'), '--json', '--parent-pipe', ...named]
}

async function startRole(program: string, args: string[], env: NodeJS.ProcessEnv): Promise<Role> {
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['pipe', 'pipe', 'ignore'] })
  const ended = once(child, 'close').then(([code]): number | null => code)
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    ended.then(() => ['']),
  ])
  if (!line) throw new Error(`${args[0]} of ${program} ended before it was ready`)
  return {
    base: JSON.parse(line).base_url ?? '',
    stop() {
      child.kill('SIGTERM')
      return ended
    },
    kill: () => void child.kill('SIGKILL'),
  }
}
