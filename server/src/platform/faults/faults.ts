import { existsSync, readFileSync, statSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** The places of the vault at which it has something that nobody else has. */
const vaultPoints = [
  'ticket.keep.before',
  'ticket.keep.after',
  'ticket.open.before',
  'ticket.open.after',
  'card.keep.before',
  'card.keep.after',
  'code.keep.after',
  'keys.sealed',
] as const

/** The places of a purchase at pages of strangers: in the worker, in the browser process (`page.`) and in the vault (`redeem.`, `forward.`). */
const pagePoints = [
  'movements.read',
  'charge.corrected',
  'page.priced',
  'page.granted',
  'page.typing',
  'page.typed',
  'page.clicked',
  'page.confirmed',
  'redeem.before',
  'redeem.after',
  'forward.before',
  'forward.after',
] as const

/** The places of a run of a chat: before, while and after it thinks, and around what it calls. */
const chatPoints = ['chat.taken', 'chat.said', 'chat.thought'] as const

/** The external calls of work. Those of a purchase that have an effect are named as their steps in the journal. */
const calls = [
  'offer',
  'authorize',
  'issue_credential',
  'place',
  'capture',
  'void',
  'revoke',
  'refund',
  'close',
  'ask',
  'order_refund',
  'sale',
  'deliver',
  'grant',
  'chat.call',
] as const
export type CallPoint = (typeof calls)[number]

/**
 * Every place where a process may be killed or paused on purpose. Suites go through this list, so a point must be in it before code can
 * name it. `before` and `after` surround an external call or a commit.
 */
export const crashPoints = [
  ...calls.flatMap((call) => [`${call}.before`, `${call}.after`] as const),
  'claim.after',
  'step.commit.before',
  'step.commit.after',
  'relay.read',
  'relay.commit.before',
  'relay.commit.after',
  'route.decided',
  ...pagePoints,
  ...chatPoints,
  ...vaultPoints,
] as const

export type CrashPoint = (typeof crashPoints)[number]

export interface Faults {
  /** Passes a point. It costs nothing unless faults are on. */
  at(point: CrashPoint): Promise<void>
  /** Pauses the next caller that passes the point, until it is released. For tests inside one process. */
  pause(point: CrashPoint): Pause
}

type Pause = {
  /** Settles when a caller has arrived at the point and waits. */
  readonly reached: Promise<void>
  resume(): void
}

type FaultsOptions = {
  enabled: boolean
  /** `NAME` or `NAME:n`: die at the n-th passing of the point. */
  crashAt: string | null
  /** Die at each point that a line of this file names. `NAME PID`: in that process. `NAME`: in all that were started before the file was written. */
  crashFile?: string | null
  /** Wait at this point … */
  pauseAt: string | null
  /** … until this file exists. */
  pauseFile: string | null
}

/** Replaces the kill in tests. */
type Die = () => void

const passed = Promise.resolve()

/** Faults as configured. Throws when a named point does not exist: a suite that stops at no point proves nothing. */
export function createFaults(options: FaultsOptions, die: Die = killSelf): Faults {
  if (!options.enabled) return noFaults
  const crash = options.crashAt === null ? null : parseCrashAt(options.crashAt)
  const pauseAt = options.pauseAt === null ? null : parsePoint(options.pauseAt)
  const armed = options.crashFile ? armedBy(options.crashFile) : null
  const pauses = new Map<CrashPoint, { reached: () => void; released: Promise<void> }[]>()
  let hits = 0

  async function pass(point: CrashPoint): Promise<void> {
    if (crash?.point === point && ++hits === crash.hit) die()
    if (armed?.(point)) die()
    const pause = pauses.get(point)?.shift()
    if (pause) {
      pause.reached()
      await pause.released
    }
    if (pauseAt === point && options.pauseFile !== null) await fileExists(options.pauseFile)
  }

  return {
    at: pass,
    pause(point) {
      const reached = Promise.withResolvers<void>()
      const released = Promise.withResolvers<void>()
      const waiting = pauses.get(point) ?? []
      pauses.set(point, [...waiting, { reached: reached.resolve, released: released.promise }])
      return { reached: reached.promise, resume: released.resolve }
    },
  }
}

/** For compositions without faults. */
export const noFaults: Faults = { at: () => passed, pause: refusePause }

function parseCrashAt(text: string): { point: CrashPoint; hit: number } {
  const [, name = text, hit = '1'] = /^(.*?)(?::(\d+))?$/.exec(text) ?? []
  return { point: parsePoint(name), hit: Math.max(1, Number(hit)) }
}

/** The process that is started in place of the one that died is another, and finds the file older than itself: it lives. */
function armedBy(path: string): (point: CrashPoint) => boolean {
  const startedMs = Date.now()
  return (point) => {
    if (!existsSync(path)) return false
    const isNewer = statSync(path).mtimeMs > startedMs
    const lines = readFileSync(path, 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
    return lines
      .map(parseArmed)
      .some(({ at, pid }) => at === point && (pid === null ? isNewer : pid === process.pid))
  }
}

function parseArmed(line: string): { at: CrashPoint; pid: number | null } {
  const [name = '', pid] = line.trim().split(/\s+/)
  return { at: parsePoint(name), pid: pid === undefined ? null : Number(pid) }
}

function parsePoint(name: string): CrashPoint {
  const point = crashPoints.find((known) => known === name)
  if (point === undefined)
    throw new Error(`there is no crash point ${name}; "prokura crash-points" lists them`)
  return point
}

function killSelf(): void {
  // Not an exit: nothing may be flushed, closed or rolled back.
  process.kill(process.pid, 'SIGKILL')
}

function refusePause(): never {
  throw new Error('faults are off')
}

async function fileExists(path: string): Promise<void> {
  while (!existsSync(path)) await delay(10)
}
