import { invariants } from '../../src/composition.ts'
import { runInvariants } from '../../src/platform/audit/invariants.ts'
import type { TestServer } from '../harness/database.ts'
import { startStripeProcess } from './live/stripe-process.ts'
import { railAtStripe } from './model/at-stripe.ts'
import { expectedRows, isOutOfReach } from './model/coverage.ts'
import { type Lane, openLane } from './model/lane.ts'
import { lies } from './model/lies.ts'
import type { Model } from './model/model.ts'
import type { ModelRail } from './model/rail.ts'
import { openSellers } from './model/real.ts'
import { runHistories } from './model/run.ts'
import { seededRandom, shuffled } from './random.ts'
import type { SuiteRun, SuiteSize, Tally } from './suite.ts'

const lanes = 3
const lanesOfLies = 6
const historiesOf = { gate: 36, long: 1000 } as const
const historiesAtStripe = { gate: 8, long: 300 } as const
/** The average of a history. Shorter histories reach too little. */
const commandsOfHistory = 40
/** A lie that so many histories do not find would never be found. */
const historiesForLie = 100
const moreRounds = 5

/** The rows that all histories together have gone through. */
type Seen = { histories: number; commands: number; rows: Map<string, number> }

/**
 * Random histories of some forty commands each against the live API. A small model predicts every answer.
 * Afterwards the histories must have gone through every row of every state table that is not listed as out of reach.
 */
export async function runModel(run: SuiteRun): Promise<void> {
  if (run.only !== 'stripe') await runInMemory(run)
  if (run.only === null || run.only === 'stripe') await runAtStripe(run)
}

async function runInMemory({ server, size, seed, tally, only: path }: SuiteRun): Promise<void> {
  const seen: Seen = { histories: 0, commands: 0, rows: new Map() }
  if (path !== null) return await inLane(server, (lane) => tell(lane, tally, { seed, path, runs: 1, seen }))
  const each = Math.ceil(historiesOf[size] / lanes)
  const round = (roundSeed: number, runs: number) =>
    Promise.all(
      Array.from({ length: lanes }, (_, index) =>
        inLane(server, (lane) =>
          tell(lane, tally, { seed: roundSeed + index * 1_000_003, path: null, runs, seen }),
        ),
      ),
    )
  await round(seed, each)
  const isShort = () => seen.commands < historiesOf[size] * commandsOfHistory
  // Lengths are random, and rows that no command aims at are rare: a few more histories run before the run fails for too little.
  for (let more = 1; more <= moreRounds; more++) {
    const isEnough = !isShort() && (size === 'gate' || missedRows(seen).length === 0)
    if (tally.failed > 0 || isEnough) break
    await round(seed + more * 7919, Math.ceil(each / 10))
  }
  reportRows(seen, size, tally)
  if (tally.failed === 0 && isShort())
    tally.fail(`too little: ${seen.histories} histories had ${seen.commands} commands`)
  // The gate tells a third of the lies, others with each seed.
  const told = shuffled(Object.keys(lies), seededRandom(seed))
  const third = Math.ceil(told.length / 3)
  await tellLies(size === 'gate' ? told.slice(0, third) : told, { server, seed, tally })
}

/** The same histories against the rail of live mode, which holds the money of merchants of ours at Stripe's simulator. */
async function runAtStripe({ server, size, seed, tally }: SuiteRun): Promise<void> {
  const seen: Seen = { histories: 0, commands: 0, rows: new Map() }
  const stripe = await startStripeProcess()
  const opened: ReturnType<typeof railAtStripe>[] = []
  const railOver = (memory: ModelRail) => {
    const there = railAtStripe(memory, stripe.url)
    opened.push(there)
    return there.rail
  }
  try {
    await inLane(
      server,
      (lane) => tell(lane, tally, { seed, path: null, runs: historiesAtStripe[size], seen }),
      { railOver },
    )
    for (const there of opened) {
      const held = await there.held()
      if (held === 0 && there.made() > 0) tally.pass()
      else tally.fail(`stripe still holds money ${held} times, of ${there.made()}`)
    }
    tally.figure(
      'payments at Stripe',
      opened.reduce((sum, there) => sum + there.made(), 0),
    )
    tally.figure('histories at Stripe', `${seen.histories}, ${seen.commands} commands`)
  } finally {
    await Promise.all(opened.map((there) => there.close()))
    await stripe.stop()
  }
}

type Telling = Pick<SuiteRun, 'server' | 'seed' | 'tally'>

export const checkLies = (run: Telling) => tellLies(Object.keys(lies), run)

/** Each lie in a lane of its own, so many beside each other. */
async function tellLies(all: readonly string[], { server, seed, tally }: Telling): Promise<void> {
  const names = [...all]
  const checkNext = async (): Promise<void> => {
    const name = names.shift()
    if (name === undefined) return
    await inLane(server, (lane) => checkLie(lane, name, { seed, tally }))
    await checkNext()
  }
  await Promise.all(Array.from({ length: lanesOfLies }, checkNext))
}

async function inLane(
  server: TestServer,
  work: (lane: Lane) => Promise<void>,
  options: Parameters<typeof openLane>[1] = {},
): Promise<void> {
  const lane = await openLane(server, options)
  try {
    await work(lane)
  } finally {
    await lane.stop()
  }
}

/** Runs histories and audits the database that they leave behind. */
async function tell(
  lane: Lane,
  tally: Tally,
  plan: { seed: number; runs: number; path: string | null; seen: Seen },
): Promise<void> {
  const seen = (model: Model, commands: number) => {
    const { rows } = plan.seen
    plan.seen.histories += 1
    plan.seen.commands += commands
    for (const [row, times] of model.coverage.seen) rows.set(row, (rows.get(row) ?? 0) + times)
    tally.pass(commands)
  }
  const sellers = await openSellers(lane)
  const failure = await runHistories(lane, sellers, { ...plan, lie: null, shrinks: true, seen })
  if (failure !== null) {
    // A history that broke off may leave anything, so its database is not audited.
    tally.fail(`history ${failure}`)
    return
  }
  const report = await runInvariants(lane.app.parts, invariants)
  const broken = report.invariants.filter(({ violations }) => violations.length > 0)
  if (broken.length > 0) tally.fail(`audit ${JSON.stringify(broken)}`)
  else tally.pass()
}

function missedRows({ rows }: Seen): string[] {
  return expectedRows().filter((row) => !isOutOfReach(row) && !rows.has(row))
}

function reportRows(seen: Seen, size: SuiteSize, tally: Tally): void {
  const expected = expectedRows()
  const open = expected.filter((row) => !isOutOfReach(row))
  const missed = missedRows(seen)
  tally.figure('histories', seen.histories)
  tally.figure('commands', seen.commands)
  tally.figure('commands of a history', Math.round((10 * seen.commands) / seen.histories) / 10)
  tally.figure('rows reached', `${open.length - missed.length} of ${open.length}`)
  tally.figure('rows out of reach', expected.length - open.length)
  if (missed.length > 0) tally.figure('rows missed', missed.join(', '))
  if (size === 'long') for (const row of missed) tally.fail(`unreached ${row}`)
  for (const row of seen.rows.keys()) {
    if (isOutOfReach(row)) tally.fail(`reached ${row}, which is said to be out of reach`)
    if (!expected.includes(row)) tally.fail(`unpublished ${row} is in no table`)
  }
}

async function checkLie(
  lane: Lane,
  name: string,
  { seed, tally }: { seed: number; tally: Tally },
): Promise<void> {
  const { lie = null, wrap } = lies[name] ?? {}
  wrap?.(lane)
  const sellers = await openSellers(lane)
  const failure = await runHistories(lane, sellers, {
    seed,
    runs: historiesForLie,
    path: null,
    lie,
    shrinks: false,
    seen: () => undefined,
  })
  const told = failure?.split('\n')[0]?.slice(0, 90)
  tally.figure(`lie: ${name}`, told ? `noticed: ${told}` : 'NOT noticed')
  if (told) tally.pass()
  else tally.fail(`lie ${name}: ${historiesForLie} histories did not notice`)
}
