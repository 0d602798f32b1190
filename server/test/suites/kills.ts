import { setTimeout as delay } from 'node:timers/promises'
import { patience } from '../gate/pace.ts'
import { judgeLive } from './live/judge-live.ts'
import { startLiveStage } from './live/live-stage.ts'
import { judgeRun } from './load/judge-run.ts'
import { settle } from './load/settle.ts'
import { startStage } from './load/stage.ts'
import { startLoad } from './load/start-load.ts'
import { seededRandom, shuffled } from './random.ts'
import type { SuiteRun, Tally } from './suite.ts'

const processes = [
  'api',
  'api_2',
  'worker',
  'worker_2',
  'processor',
  'shops',
  'merchant',
  'strangers',
  'vault',
  'browser',
  'postgres',
] as const
const processesOfLive = ['api', 'api_2', 'worker', 'worker_2', 'stripe', 'postgres'] as const

type Size = { kills: number; everyMs: number; perSecond: number; promotedUses: number; killsOfLive: number }
const sizes: Record<SuiteRun['size'], Size> = {
  gate: { kills: 11, everyMs: 450, perSecond: 8, promotedUses: 6, killsOfLive: 6 },
  // Far enough apart that a process which dies often is up most of the time: its supervisor waits longer each time.
  long: { kills: 220, everyMs: 2_500, perSecond: 20, promotedUses: 300, killsOfLive: 80 },
}

/**
 * Purchases under way while every process is killed again and again: nothing acknowledged is lost, and nothing is bought twice. In test mode
 * with the sandbox's rail, then in live mode with Stripe's.
 */
export async function runKills(run: SuiteRun): Promise<void> {
  const worlds = { sandbox: killInTestMode, stripe: killInLiveMode }
  for (const [name, kill] of Object.entries(worlds))
    if (run.only === null || run.only === name) await kill(run)
}

async function killInTestMode({ size, seed, tally }: SuiteRun): Promise<void> {
  const testClock = size === 'gate'
  const { perSecond, promotedUses, ...pace } = sizes[size]
  const stage = await startStage({ name: 'kills', seed, perSecond, testClock, promotedUses, pages: true })
  const load = startLoad(stage.order)
  try {
    await load.untilPaid()
    tellKills(await killAgainAndAgain(stage, { ...pace, processes }, seededRandom(seed)), pace, tally)
    await load.untilRecovered()
    const counts = await load.stop()
    tally.figure('wishes', `${counts.wished}, ${counts.skipped} skipped`)
    await settle(stage, tally, testClock ? 'test clock' : stage.askForMissed)
    await judgeRun(stage, tally)
  } finally {
    load.kill()
    await stage.stop()
  }
}

/** Always with a test clock: what Stripe has not answered is asked about for longer than a suite waits. */
async function killInLiveMode({ size, seed, tally }: SuiteRun): Promise<void> {
  const { perSecond, killsOfLive: kills, everyMs } = sizes[size]
  const stage = await startLiveStage({ name: 'kills-live', seed, perSecond, testClock: true })
  const load = startLoad(stage.order)
  try {
    await load.until(boughtFirst)
    const pace = { kills, everyMs, processes: processesOfLive }
    tellKills(await killAgainAndAgain(stage, pace, seededRandom(seed)), pace, tally, ' in live mode')
    const counts = await load.stop()
    tally.figure('wishes in live mode', `${counts.wished}, ${counts.skipped} skipped`)
    await settle(stage, tally, 'test clock')
    await judgeLive(stage, tally)
  } finally {
    load.kill()
    await stage.stop()
  }
}

/** Answers before the first blow. */
const boughtFirst = 6

function tellKills(
  killed: Record<string, number>,
  { kills }: { kills: number },
  tally: Tally,
  where = '',
): void {
  const told = Object.entries(killed).map(([name, times]) => `${name} ${times}`)
  tally.figure(`kills${where}`, told.join(', '))
  const total = Object.values(killed).reduce((sum, times) => sum + times, 0)
  if (total < kills) tally.fail(`only ${total} processes were killed${where}`)
}

type Pace = { kills: number; everyMs: number; processes: readonly string[] }

/** Takes the processes like cards from a deck, so that all die about equally often, at moments that the seed chooses. */
async function killAgainAndAgain(
  stage: { pids(): Record<string, number> },
  { kills, everyMs, processes }: Pace,
  random: () => number,
): Promise<Record<string, number>> {
  const killed: Record<string, number> = Object.fromEntries(processes.map((name) => [name, 0]))
  let cards: string[] = []
  const wait = patience(kills * everyMs * 4)
  for (let done = 0; done < kills && !wait.isOver(); ) {
    await delay(everyMs * (0.5 + random()))
    if (cards.length === 0) cards = shuffled(processes, random)
    const name = cards.find((card) => isKilled(stage.pids()[card]))
    if (name === undefined) continue
    cards = cards.filter((card) => card !== name)
    killed[name] = (killed[name] ?? 0) + 1
    done += 1
  }
  return killed
}

/** False when the process is not there: it was killed before and is being started again. */
function isKilled(pid: number | undefined): boolean {
  if (!pid) return false
  try {
    process.kill(pid, 'SIGKILL')
    return true
  } catch {
    return false
  }
}
