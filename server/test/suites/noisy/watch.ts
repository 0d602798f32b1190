import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

/** The answers of `/healthz`, with their times. */
export type HealthLook = { atMs: number; ms: number; status: number }

export type Watch = {
  health: readonly HealthLook[]
  /** The most memory that each process held since the last time this was asked, in MB. */
  takePeaks(): Record<string, number>
  /** The most that each has held since it began. */
  highWater(): Record<string, number>
  stop(): Promise<void>
}

const everyMs = 250
/** Longer than the health check of the process itself waits. */
const healthMs = 10_000

export function startWatch(baseUrl: string, pidsNow: () => Record<string, number>): Watch {
  const health: HealthLook[] = []
  let peaks: Record<string, number> = {}
  const high: Record<string, number> = {}
  let isOver = false

  async function askHealth(): Promise<void> {
    while (!isOver) {
      const atMs = performance.now()
      const status = await fetch(`${baseUrl}/healthz`, { signal: AbortSignal.timeout(healthMs) }).then(
        async (response) => {
          await response.arrayBuffer()
          return response.status
        },
        () => 0,
      )
      health.push({ atMs, ms: performance.now() - atMs, status })
      await delay(everyMs)
    }
  }
  async function weigh(): Promise<void> {
    while (!isOver) {
      for (const [name, pid] of Object.entries(pidsNow())) {
        peaks[name] = Math.max(peaks[name] ?? 0, memoryOf(pid, 'VmRSS'))
        high[name] = Math.max(high[name] ?? 0, memoryOf(pid, 'VmHWM'))
      }
      await delay(everyMs)
    }
  }
  const watching = Promise.all([askHealth(), weigh()])
  return {
    health,
    takePeaks() {
      const taken = peaks
      peaks = {}
      return taken
    },
    highWater: () => high,
    async stop() {
      isOver = true
      await watching
    },
  }
}

export function memoryOf(pid: number, line: 'VmRSS' | 'VmHWM'): number {
  const [, kilobytes = '0'] = new RegExp(`${line}:\\s+(\\d+)`).exec(readStatus(pid)) ?? []
  return Math.round(Number(kilobytes) / 1024)
}

function readStatus(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return '' // it has just been started again
  }
}

/** The number of open connections of a process, in either direction. */
export function countSockets(pid: number): number {
  const folder = `/proc/${pid}/fd`
  return readdirSync(folder).filter((fd) => {
    try {
      return readlinkSync(`${folder}/${fd}`).startsWith('socket:')
    } catch {
      return false // closed meanwhile
    }
  }).length
}
