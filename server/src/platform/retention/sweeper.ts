import { setTimeout as delay } from 'node:timers/promises'
import { type Pace, runSweep, type SweepDeps } from './run-sweep.ts'
import type { Sweep } from './sweep.ts'
import { claimSweeper, extendSweeper, releaseSweeper } from './sweeps.sql.ts'

const lookMs = 60_000
const leaseSeconds = 60
/** From the end of one round to the next. */
const roundSeconds = 3600
/** Sweeping takes this share of one connection's time. */
const shareOfTime = 10

type SweeperOptions = SweepDeps & {
  sweeps: readonly Sweep[]
  /** Names this process. */
  holder: string
}

interface Sweeper {
  start(): void
  /** Finishes the batch under way; the next process continues. */
  stop(): Promise<void>
  /** Runs one round, if it is due and no other process runs it; returns whether it ran. */
  look(): Promise<boolean>
}

/** Sweeps on a schedule. Every worker has one; the one that holds the lease does it for all. */
export function createSweeper(options: SweeperOptions): Sweeper {
  const { pools, log, metrics, sweeps, holder } = options
  const stopping = new AbortController()
  let timer: NodeJS.Timeout | null = null
  let looking: Promise<unknown> = Promise.resolve()

  async function look(): Promise<boolean> {
    const { rows } = await pools.single(claimSweeper({ holder, lease_seconds: leaseSeconds }))
    if (rows.length === 0) return false
    let heldMs = performance.now()
    const pace: Pace = async (batchMs) => {
      await delay(batchMs * (shareOfTime - 1), undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) return false
      if (performance.now() - heldMs < (leaseSeconds * 1000) / 4) return true
      heldMs = performance.now()
      const { rows: held } = await pools.single(extendSweeper({ holder, lease_seconds: leaseSeconds }))
      return held.length > 0
    }
    for (const sweep of sweeps) {
      if (stopping.signal.aborted) break
      try {
        await runSweep(options, sweep, pace)
      } catch (error) {
        // A kind of rows that cannot be swept does not keep the others from being swept.
        metrics?.sweepFailures.inc({ sweep: sweep.name })
        log.warn({ err: error, sweep: sweep.name }, 'a sweep failed; the next round tries again')
      }
    }
    const wait_seconds = stopping.signal.aborted ? 0 : roundSeconds
    await pools.single(releaseSweeper({ holder, wait_seconds }))
    return true
  }

  function next(): void {
    if (stopping.signal.aborted) return
    timer = setTimeout(() => {
      looking = look()
        .catch((error: unknown) => log.warn({ err: error }, 'nobody could look what is to be swept'))
        .finally(next)
    }, lookMs).unref()
  }

  return {
    start: next,
    look,
    async stop() {
      stopping.abort()
      if (timer) clearTimeout(timer)
      await looking
    },
  }
}
