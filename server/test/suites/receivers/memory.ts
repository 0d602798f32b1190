import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Watches the memory of processes. A process that was started again is another one. */
export type MemoryWatch = {
  /** Forgets earlier figures, and starts a stretch of time with this name. */
  stretch(name: string): void
  /** The most that one process held in each stretch, in MB. */
  peaks(): Record<string, number>
  stop(): Promise<void>
}

const everyMs = 500

export function watchMemory(pidsNow: () => readonly number[]): MemoryWatch {
  const peaks: Record<string, number> = {}
  let name = 'start'
  let isOver = false
  let timer: NodeJS.Timeout | undefined
  let looking = Promise.resolve()

  async function look(): Promise<void> {
    const stretch = name
    const held = await residentMb(pidsNow())
    peaks[stretch] = Math.max(peaks[stretch] ?? 0, ...held)
    if (!isOver) timer = setTimeout(() => (looking = look()), everyMs)
  }
  looking = look()
  return {
    stretch: (next) => {
      name = next
    },
    peaks: () => peaks,
    async stop() {
      isOver = true
      clearTimeout(timer)
      await looking
    },
  }
}

async function residentMb(pids: readonly number[]): Promise<number[]> {
  if (pids.length === 0) return []
  try {
    const { stdout } = await run('ps', ['-o', 'rss=', '-p', pids.join()])
    return stdout.split('\n').flatMap((line) => (line.trim() === '' ? [] : [Math.round(Number(line) / 1024)]))
  } catch {
    return [] // each of them has just been killed
  }
}
