import { copyFile, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { patience } from '../../gate/pace.ts'
import { mainProgram } from '../../harness/built-program.ts'
import { createTestDatabase, makeStateDir } from '../../harness/database.ts'
import { prokuraAlone } from '../../harness/up.ts'
import { hasWholeHistory } from '../../history.ts'
import { judgeRun } from '../load/judge-run.ts'
import { evidenceFolder } from '../load/keep-evidence.ts'
import { queryStored } from '../load/query-stored.ts'
import { settle } from '../load/settle.ts'
import type { Trial } from '../load/stage.ts'
import { type Load, startLoad } from '../load/start-load.ts'
import type { SuiteRun, Tally } from '../suite.ts'
import { buyerAt } from './buyer.ts'
import { type Deployment, deploy, type VersionName } from './deployment.ts'
import {
  checkOut,
  isOfOurHistory,
  migrationsHere,
  missingPackages,
  namedVersion,
  type Version,
  versionAt,
} from './previous-version.ts'
import { plantFaults } from './upgrade-faults.ts'

const perSecond = 6
const patienceMs = 30_000
const trees = join(import.meta.dirname, '../../../../.tmp/upgrade')

/**
 * The version before and this one on one database, under load: the schema is migrated while the old one runs, both run side by side, the
 * new one runs alone, and the old one comes back, beside it and alone.
 */
export async function runUpgrade(run: SuiteRun): Promise<void> {
  const { from, tally } = run
  const version = versionAt(from ?? namedVersion())
  if (version === null) {
    if (from === null && !hasWholeHistory()) tally.skip('the history here does not reach the version before')
    else tally.fail(`there is no commit ${from ?? namedVersion()} here`)
    return
  }
  const missing = missingPackages(version.ref)
  if (from === null && !isOfOurHistory(version))
    tally.fail(`${version.name} has other migrations, or did not come before this version: name another one`)
  else if (missing.length > 0)
    tally.fail(`${version.name} needs what is not installed: ${missing.join(', ')}. Name a later version`)
  else await upgradeFrom(version, run)
}

async function upgradeFrom(version: Version, run: SuiteRun): Promise<void> {
  const { tally } = run
  const tree = join(trees, `${version.name}-${process.pid}`)
  try {
    const { main, sandbox } = checkOut(version, tree)
    tally.figure('from', `${version.name}: ${version.title.slice(0, 60)}`)
    tally.figure('migrations', `${version.migrations} to ${migrationsHere().length}`)
    await rehearse({ old: main, new: mainProgram, sandbox }, run)
  } finally {
    await rm(tree, { recursive: true, force: true })
  }
}

type Programs = Readonly<Record<VersionName | 'sandbox', string>>

type Rehearsal = {
  deployment: Deployment
  trial: Trial
  load: Load
  tally: Tally
  databaseUrl: string
}

async function rehearse(programs: Programs, { server, seed, tally }: SuiteRun): Promise<void> {
  const folder = await makeStateDir()
  const evidence = evidenceFolder('upgrade', seed)
  const database = await createTestDatabase({ server, empty: true })
  const databaseUrl = database.url
  let deployment: Deployment | undefined
  let load: Load | undefined
  try {
    deployment = await deploy({ folder, databaseUrl, programs, sandbox: programs.sandbox })
    await deployment.start('old')
    const order = await orderOf(deployment, seed, join(evidence, 'journal.jsonl'))
    const trial = trialOf(deployment, { order, databaseUrl, folder: evidence })
    load = startLoad(order)
    const rehearsal = { deployment, trial, load, tally, databaseUrl }
    await goThrough(rehearsal)
    await settle(trial, tally, 'test clock')
    judgeDeployment(deployment, tally)
    await judgeRun(trial, tally)
    if (tally.failed === 0) await plantFaults(rehearsal)
  } catch (error) {
    tally.fail(error instanceof Error ? (error.stack ?? error.message) : String(error))
  } finally {
    load?.kill()
    await deployment?.stop()
    await database.drop()
    if (tally.failed > 0)
      for (const log of deployment?.logs ?? [])
        await copyFile(log, join(evidence, basename(log))).catch(() => undefined)
    await rm(folder, { recursive: true, force: true })
  }
}

/** The upgrade as docs/operations.md describes it, and the way back. */
async function goThrough(rehearsal: Rehearsal): Promise<void> {
  const { deployment, load, tally } = rehearsal
  await buyMore(rehearsal, 'old alone')
  await migrate(rehearsal)
  await buyMore(rehearsal, 'old alone on the new schema')
  await deployment.start('new')
  await answerTogether(rehearsal, 'side by side')
  await retire(rehearsal, 'old')
  await buyMore(rehearsal, 'new alone')
  await deployment.start('old')
  await answerTogether(rehearsal, 'side by side again')
  await retire(rehearsal, 'new')
  await buyMore(rehearsal, 'old alone after new')
  await deployment.start('new')
  const counts = await load.stop()
  tally.figure('wishes', `${counts.wished}, ${counts.skipped} skipped`)
}

async function migrate({ deployment: { env }, tally }: Rehearsal): Promise<void> {
  const startedMs = performance.now()
  const { code, err } = await prokuraAlone(['migrate', '--json'], env)
  if (code !== 0) throw new Error(`migrate ended with ${code}: ${err}`)
  const ms = Math.round(performance.now() - startedMs)
  tally.figure('migrate', `${ms} ms, with the start of the program`)
}

async function retire({ deployment, tally }: Rehearsal, version: VersionName): Promise<void> {
  for (const code of await deployment.retire(version))
    if (code === 0) tally.pass()
    else tally.fail(`a process of the ${version} version ended with ${code} after the signal to stop`)
}

/** Waits until purchases of this stage have succeeded, which needs both an API and a worker. */
async function buyMore({ databaseUrl, trial, tally }: Rehearsal, stage: string): Promise<void> {
  const wanted = 5
  const [now] = await queryStored<{ at: Date }>(databaseUrl, 'select prokura_now() as at')
  const wait = patience(patienceMs)
  for (;;) {
    const [row] = await queryStored<{ count: number }>(
      databaseUrl,
      `select count(*)::int as count from purchase_intents where reference_id like $1 and created_at > $2 and status = 'succeeded'`,
      [`wish-${trial.seed}-%`, now?.at],
    )
    if ((row?.count ?? 0) >= wanted) return tally.pass()
    if (wait.isOver())
      return tally.fail(`${stage}: ${row?.count} of ${wanted} purchases succeeded within ${patienceMs} ms`)
    await delay(100)
  }
}

const doors = [
  { door: 'rest', least: 10 },
  { door: 'mcp', least: 2 },
] as const

/** Waits until both versions have answered over REST and MCP. */
async function answerTogether(
  { deployment: { front }, load, tally }: Rehearsal,
  stage: string,
): Promise<void> {
  const before = front.answers()
  const wait = patience(2 * patienceMs)
  const count = () =>
    (['old', 'new'] as const).flatMap((version) =>
      doors.map(({ door, least }) => {
        const answers = (front.answers()[version]?.[door] ?? 0) - (before[version]?.[door] ?? 0)
        return { version, door, answers, isEnough: answers >= least }
      }),
    )
  while (count().some(({ isEnough }) => !isEnough) && !wait.isOver())
    await load.until(load.counts().acknowledged + 1)
  for (const { version, door, answers, isEnough } of count())
    if (isEnough) tally.pass()
    else tally.fail(`${stage}: the ${version} version gave ${answers} answers over ${door}`)
  tally.figure(
    stage,
    count()
      .map(({ version, door, answers }) => `${version} ${door} ${answers}`)
      .join(', '),
  )
}

/** No client got a failure as its answer, and no process of either version logged an unexpected error. */
function judgeDeployment({ front, complaints }: Deployment, tally: Tally): void {
  for (const trouble of front.troubles()) tally.fail(trouble)
  if (front.troubles().length === 0) tally.pass()
  for (const version of ['old', 'new'] as const) {
    const lines = complaints(version)
    if (lines.length === 0) tally.pass()
    for (const line of lines) tally.fail(`${version} version logged ${line.slice(0, 800)}`)
  }
  tally.figure('asked again, as an API was stopping', front.refusals())
}

async function orderOf({ ready }: Deployment, seed: number, journal: string) {
  const buyer = buyerAt(ready)
  const { items, item_price: amount, item_currency: currency } = ready.sandbox
  return {
    seed,
    perSecond,
    bases: [ready.base_url],
    origins: [ready.base_url],
    keys: { agent: ready.keys.agent_test, person: ready.keys.secret_test },
    profiles: {
      attended: await buyer.profile({ unattended: false }),
      unattended: await buyer.profile({ unattended: true }),
    },
    items,
    hasShops: true,
    price: { amount, currency },
    // The previous version may not know everything that trade needs.
    trade: null,
    journal,
    requestMs: 8_000,
    patienceMs: 60_000,
  }
}

type Place = { order: { seed: number; journal: string }; databaseUrl: string; folder: string }

function trialOf(deployment: Deployment, { order, databaseUrl, folder }: Place): Trial {
  const { ready, env } = deployment
  const buyer = buyerAt(ready)
  return {
    seed: order.seed,
    folder,
    order,
    trade: null,
    service: {
      ready: { database_url: databaseUrl },
      async read(id) {
        const told = await buyer.read(id)
        if (!told) throw new Error(`${id} is not there`)
        return told
      },
      async invariants() {
        const { code, out, err } = await prokuraAlone(['audit', '--json'], env)
        const line = out.split('\n').find((text) => text.startsWith('{'))
        if (line === undefined) throw new Error(`prokura audit ended with ${code}: ${err.slice(0, 2_000)}`)
        return JSON.parse(line)
      },
    },
    world: {
      logs: {
        processor: ready.sandbox.processor_log_url,
        shops: ready.sandbox.shops_log_url,
        merchant: ready.sandbox.merchant_log_url,
      },
    },
    withoutWorkers: deployment.withoutWorkers,
  }
}
