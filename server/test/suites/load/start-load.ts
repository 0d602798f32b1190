import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { patientMs } from '../../gate/pace.ts'
import { moved } from '../progress.ts'
import type { LoadOrder } from './wish.ts'

/** At the very beginning there are more wishes. */
const paidEnough = 3
const recoveredWithinMs = 30_000

const program = fileURLToPath(new URL('./driver.ts', import.meta.url))

type LoadCounts = {
  wished: number
  open: number
  /** Wishes that were skipped, because too many were open. */
  skipped: number
  acknowledged: number
  unanswered: number
  /** Orders of returns that are paid. */
  paid: number
  /** Purchases from several merchants that were bought whole after a retry. */
  recovered: number
}

export type Load = {
  counts(): LoadCounts
  /** Resolves when this many answers have been journaled. */
  until(acknowledged: number): Promise<void>
  /** Resolves when some purchases have been made whose merchants may refund the money. */
  untilPaid(): Promise<void>
  /** Resolves when one purchase has been made that failed at first, or when the wait for it is over; then the judges report it. */
  untilRecovered(): Promise<void>
  /** Makes no new wishes, and waits until every request is answered or given up. */
  stop(): Promise<LoadCounts>
  kill(): void
}

/** The driver in a process of its own, which depends on none of the processes that are killed. */
export function startLoad(order: LoadOrder): Load {
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  let counts: LoadCounts = {
    wished: 0,
    open: 0,
    skipped: 0,
    acknowledged: 0,
    unanswered: 0,
    paid: 0,
    recovered: 0,
  }
  let isOver = false
  const waiting = new Set<() => void>()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { over, ...told } = JSON.parse(line)
    if (told.acknowledged !== counts.acknowledged) moved()
    counts = told
    isOver ||= over === true
    for (const look of waiting) look()
  })
  child.stdin.on('error', () => undefined)
  child.stdin.write(`${JSON.stringify(order)}\n`)
  const died = ended.then(([code, signal]) => {
    if (!isOver) throw new Error(`the driver ended by itself: ${signal ?? code}`)
  })
  died.catch(() => undefined)
  async function until(isEnough: () => boolean): Promise<void> {
    const enough = Promise.withResolvers<void>()
    const look = () => {
      if (isEnough()) enough.resolve()
    }
    waiting.add(look)
    await Promise.race([enough.promise, died])
    waiting.delete(look)
  }
  return {
    counts: () => counts,
    until: (acknowledged) => until(() => counts.acknowledged >= acknowledged),
    untilPaid: () => until(() => counts.paid >= paidEnough),
    untilRecovered: () =>
      Promise.race([
        until(() => counts.recovered > 0),
        // A suite whose wait succeeded ends at once.
        delay(patientMs(recoveredWithinMs), undefined, { ref: false }),
      ]),
    async stop() {
      child.stdin.end('stop\n')
      await died
      return counts
    },
    kill: () => void child.kill('SIGKILL'),
  }
}
