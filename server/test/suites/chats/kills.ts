import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { advanceTestClock } from '../../../src/platform/clock/test-clock.ts'
import type { CrashPoint } from '../../../src/platform/faults/faults.ts'
import { patience, patientMs } from '../../gate/pace.ts'
import { seededRandom, shuffled } from '../random.ts'
import type { SuiteRun, Tally } from '../suite.ts'
import type { LoneRole, Service } from '../whole-product.ts'
import { wrongIn } from './judge-threads.ts'
import { personAt, type Talked, talkOnce } from './talk-once.ts'

const own = [
  'chat.taken',
  'chat.thought',
  'chat.call.before',
  'chat.call.after',
] as const satisfies readonly CrashPoint[]
const all = [...own, 'step.commit.before', 'step.commit.after'] as const satisfies readonly CrashPoint[]

/** The gate dies once at each point of a run; at a commit, any step of a worker dies in `crash-points` as well. */
const sizes = {
  gate: { kills: own.length, talkers: 3, points: own },
  long: { kills: 200, talkers: 6, points: all },
}
/** Longer than a lease. */
const leaseSeconds = 45
const deathPatienceMs = 60_000
/** While a worker lives. */
const answersBetween = 2
const answersPatienceMs = 60_000

/** Chats go on while the worker that answers them dies, at every point of a run: each message has one answer, and nothing is done twice. */
export async function checkKills({ size, seed, tally }: SuiteRun, service: Service): Promise<void> {
  const { kills, talkers, points } = sizes[size]
  const crashFile = join(tmpdir(), `prokura-crash-${randomUUID()}`)
  const talked: Talked[] = []
  let isOver = false
  let answered = 0
  const barrier = createBarrier(talkers)
  try {
    const person = personAt(service)
    const talk = async () => {
      do talked.push(await talkOnce(person, { onAnswer: () => answered++, beforeBuying: barrier.arrive }))
      while (!isOver)
    }
    const dying = dieAgainAndAgain(
      service,
      { crashFile, kills, points, random: seededRandom(seed), answered: () => answered, barrier },
      tally,
    )
    const talking = Promise.all(Array.from({ length: talkers }, talk))
    // Whoever fails first is reported; the others end with the service.
    await Promise.race([dying, talking])
    const last = await dying
    isOver = true
    await talking
    await judge(service, talked, tally)
    last.kill('SIGTERM')
    await last.ended
  } finally {
    isOver = true
    await rm(crashFile, { force: true })
  }
}

type Dying = {
  crashFile: string
  kills: number
  points: readonly CrashPoint[]
  random: () => number
  answered: () => number
  barrier: Barrier
}

/** One worker after the other passes a point and dies there. The last one lives. */
async function dieAgainAndAgain(
  service: Service,
  { crashFile, kills, points, random, answered, barrier }: Dying,
  tally: Tally,
): Promise<LoneRole> {
  const env = { PROKURA_FAULTS: 'on', PROKURA_CRASH_FILE: crashFile }
  const died = new Map<string, number>()
  let cards: CrashPoint[] = []
  for (let done = 0; done < kills; done++) {
    const worker = await service.runRole('worker', env)
    // Each death moves the clock on, and a run that takes minutes ends.
    await untilAnswered(answered, answered() + (done === 0 ? 0 : answersBetween))
    if (cards.length === 0) cards = shuffled(points, random)
    const point = cards.pop() ?? 'chat.taken'
    // The call of a run that buys is that of a purchase; most others only read.
    if (point.startsWith('chat.call') || random() < 0.3) await barrier.close()
    await writeFile(crashFile, `${point} ${worker.ready.pid}\n`)
    barrier.open()
    const isLate = AbortSignal.timeout(patientMs(deathPatienceMs))
    isLate.addEventListener('abort', () => worker.kill('SIGKILL'))
    await worker.ended
    if (isLate.aborted) tally.fail(`${point} was not reached`)
    else died.set(point, (died.get(point) ?? 0) + 1)
    // What it held is free again.
    await advanceTestClock(service.ready.database_url, leaseSeconds)
  }
  for (const point of points) if (!died.has(point)) tally.fail(`${point}: no worker died there`)
  tally.figure('kills', [...died].map(([point, times]) => `${point} ${times}`).join(', '))
  return await service.runRole('worker')
}

type Barrier = ReturnType<typeof createBarrier>

/** Where talkers wait before they buy, while it is closed. */
function createBarrier(talkers: number) {
  let opened: PromiseWithResolvers<void> | null = null
  let waiting = 0
  return {
    async arrive(): Promise<void> {
      if (!opened) return
      waiting++
      await opened.promise
    },
    /** Resolves when everybody is there. */
    async close(): Promise<void> {
      waiting = 0
      opened = Promise.withResolvers()
      for (const wait = patience(answersPatienceMs); waiting < talkers; await delay(20))
        if (wait.isOver()) throw new Error('nobody comes to buy while a worker lives')
    },
    open(): void {
      opened?.resolve()
      opened = null
    },
  }
}

async function untilAnswered(answered: () => number, least: number): Promise<void> {
  for (const wait = patience(answersPatienceMs); answered() < least; await delay(20))
    if (wait.isOver()) throw new Error('a worker that lives answers nothing')
}

async function judge(service: Service, talked: readonly Talked[], tally: Tally): Promise<void> {
  const { database_url: url } = service.ready
  let intents = 0
  for (const one of talked) {
    // The last to say so is the run, after its answer.
    let wrong = await wrongIn(url, one)
    for (const wait = patience(5_000); wrong.length > 0 && !wait.isOver(); await delay(200))
      wrong = await wrongIn(url, one)
    for (const what of wrong) tally.fail(what)
    if (wrong.length === 0) tally.pass(one.asked.length)
    intents += 2
  }
  tally.figure('kills: chats', `${talked.length}, with ${intents} purchases`)
  if (talked.length === 0) tally.fail('nobody talked')
}
