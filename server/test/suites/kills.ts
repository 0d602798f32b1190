import { setTimeout as delay } from 'node:timers/promises'
import { patience } from '../gate/pace.ts'
import { judgeRun } from './load/judge-run.ts'
import { settle } from './load/settle.ts'
import { type Stage, startStage } from './load/stage.ts'
import { startLoad } from './load/start-load.ts'
import { seededRandom, shuffled } from './random.ts'
import type { SuiteRun } from './suite.ts'

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

type Size = { kills: number; everyMs: number; perSecond: number; promotedUses: number }
const sizes: Record<SuiteRun['size'], Size> = {
  gate: { kills: 20, everyMs: 450, perSecond: 12, promotedUses: 6 },
  // Far enough apart that a process which dies often is up most of the time: its supervisor waits longer each time.
  long: { kills: 220, everyMs: 2_500, perSecond: 20, promotedUses: 300 },
}

/** Purchases under way while every process is killed again and again: nothing acknowledged is lost, and nothing is bought twice. */
export async function runKills({ size, seed, tally }: SuiteRun): Promise<void> {
  const testClock = size === 'gate'
  const stage = await startStage({
    name: 'kills',
    seed,
    perSecond: sizes[size].perSecond,
    testClock,
    promotedUses: sizes[size].promotedUses,
    pages: true,
  })
  const load = startLoad(stage.order)
  try {
    await load.untilPaid()
    const killed = await killAgainAndAgain(stage, sizes[size], seededRandom(seed))
    await load.untilRecovered()
    const counts = await load.stop()
    tally.figure(
      'kills',
      Object.entries(killed)
        .map(([name, times]) => `${name} ${times}`)
        .join(', '),
    )
    tally.figure('wishes', `${counts.wished}, ${counts.skipped} skipped`)
    const total = Object.values(killed).reduce((sum, times) => sum + times, 0)
    if (total < sizes[size].kills) tally.fail(`only ${total} processes were killed`)
    await settle(stage, tally, testClock ? 'test clock' : stage.askForMissed)
    await judgeRun(stage, tally)
  } finally {
    load.kill()
    await stage.stop()
  }
}

/** Takes the processes like cards from a deck, so that all die about equally often, at moments that the seed chooses. */
async function killAgainAndAgain(
  stage: Stage,
  { kills, everyMs }: Size,
  random: () => number,
): Promise<Record<string, number>> {
  const killed: Record<string, number> = Object.fromEntries(processes.map((name) => [name, 0]))
  let cards: (typeof processes)[number][] = []
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
