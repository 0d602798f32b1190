import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The times of the two parts of the measure on a quiet machine, for which the limits were written. */
const quietCpuMs = 40
const quietDiskMs = 20
/** A machine that is slower than this has stopped. */
const paceMax = 30

/**
 * How many times slower than a quiet machine this one is right now, at least 1: a fixed piece of work, most of it arithmetic, and writes
 * that must reach the disk, as those of a commit. It is long enough that other processes get their turn on the core.
 */
export function measurePace(): number {
  return Math.min(paceMax, Math.max(1, cpuMs() / quietCpuMs, diskMs() / quietDiskMs))
}

function cpuMs(): number {
  const startedMs = performance.now()
  let mixed = 1
  for (let round = 0; round < 6_000_000; round++)
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0x5bd1e995) + round
  return mixed === 0 ? 0 : performance.now() - startedMs
}

function diskMs(): number {
  const folder = mkdtempSync(join(tmpdir(), 'prokura-pace-'))
  const file = openSync(join(folder, 'page'), 'w')
  const page = Buffer.alloc(8192, 1)
  const startedMs = performance.now()
  try {
    for (let write = 0; write < 4; write++) {
      writeSync(file, page, 0, page.length, 0)
      fsyncSync(file)
    }
    return performance.now() - startedMs
  } finally {
    closeSync(file)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A limit for a quiet machine, made longer on a slow or busy one: for limits that are set once and cannot ask again. */
export function patientMs(ms: number): number {
  return Math.ceil(ms * measurePace())
}

/** Whether a measured time is within a limit for a quiet machine. The machine is measured only where it has to excuse something. */
export function isInTime(measuredMs: number, quietMs: number): boolean {
  return measuredMs < quietMs || measuredMs < patientMs(quietMs)
}

/** What a piece of work computes, in milliseconds of this thread. It hardly grows with what else the machine does, so its limit needs no patience. */
export function computingMs(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

type Patience = { isOver(): boolean }

type Means = { measure?: () => number; nowMs?: () => number }

const measuredEveryMs = 2_000

/**
 * The end of a wait. The machine is measured at each question, so that the wait is longer for a machine that gets busy meanwhile
 * and not for one that stays quiet.
 */
export function patience(
  ms: number,
  { measure = measurePace, nowMs = () => performance.now() }: Means = {},
): Patience {
  const startedMs = nowMs()
  let slowest = 1
  let measuredMs = startedMs
  function look(): void {
    measuredMs = nowMs()
    slowest = Math.max(slowest, measure())
  }
  return {
    isOver() {
      if (nowMs() - measuredMs >= measuredEveryMs) look()
      if (nowMs() - startedMs <= ms * slowest) return false
      look()
      return nowMs() - startedMs > ms * slowest
    },
  }
}
