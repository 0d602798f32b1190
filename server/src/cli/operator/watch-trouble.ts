import type { Pools } from '../../platform/database/pool.ts'
import type { Log } from '../../platform/logs/logs.ts'
import { selectLiveWorkers } from '../../platform/work/workers.sql.ts'
import { readTrouble, tellTrouble } from './trouble.ts'

const everyMs = 30_000
/** Looking takes at most this share of one connection's time, however much waits. */
const shareOfTime = 20
/** Trouble that lasts is logged again after this many milliseconds. */
const againMs = 3_600_000

type Watch = { look(): Promise<void>; stop(): Promise<void> }

/**
 * Logs an error for all work that no worker serves, that always fails or that gets no answer, by name. One process does it for all: the
 * worker that has lived longest, or, while none lives, the API.
 */
export function watchTrouble(
  { pools, log }: { pools: Pick<Pools, 'read'>; log: Log },
  workerId: string | null,
): Watch {
  const said = new Map<string, number>()
  let timer: NodeJS.Timeout | null = null
  let isStopped = false
  let looking: Promise<void> = Promise.resolve()

  async function look(): Promise<void> {
    if (!(await isOldestWorker(pools, workerId))) return said.clear()
    const told = tellTrouble(await readTrouble(pools))
    const present = new Set(told.map(({ about }) => about))
    for (const about of said.keys()) if (!present.has(about)) said.delete(about)
    const nowMs = performance.now()
    for (const { about, fields, line } of told) {
      if (nowMs - (said.get(about) ?? Number.NEGATIVE_INFINITY) < againMs) continue
      said.set(about, nowMs)
      log.error(fields, line)
    }
  }

  function next(waitMs: number): void {
    if (isStopped) return
    timer = setTimeout(() => {
      const startedMs = performance.now()
      looking = look()
        .catch((error: unknown) => log.warn({ err: error }, 'nobody could look for trouble'))
        .finally(() => next(Math.max(everyMs, (performance.now() - startedMs) * shareOfTime)))
    }, waitMs).unref()
  }
  next(everyMs)

  return {
    look,
    async stop() {
      isStopped = true
      if (timer) clearTimeout(timer)
      await looking
    },
  }
}

/**
 * Whether this process does what only one of several should do: the worker that has lived longest, or the API, null, while none lives.
 */
export async function isOldestWorker(pools: Pick<Pools, 'read'>, workerId: string | null): Promise<boolean> {
  const [oldest] = await pools.read(selectLiveWorkers({}))
  return (oldest?.id ?? null) === workerId
}
