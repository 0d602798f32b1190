import { type GroupOptions, TransactionGroups } from '../database/transaction-groups.ts'
import { Announcement } from './announcement.ts'
import { KindLoop } from './kind-loop.ts'
import { QueueLooks } from './queue-looks.ts'
import type { WorkDeps } from './step-context.ts'
import type { WorkKind } from './work.ts'

type WorkerOptions = Omit<WorkDeps, 'groups'> & {
  kinds: readonly WorkKind[]
  /** How transactions of its steps run as one. */
  grouped?: GroupOptions
}

export interface Worker {
  /** The id under which it announces itself. */
  readonly id: string
  start(): void
  /** Claims nothing more, gives back rows whose step has not begun, and lets running steps finish for up to six seconds. */
  stop(): Promise<void>
  /** Claims and runs due rows, of one kind or of all, until none is left; returns how many steps ran. It needs no `start`. */
  runOnce(kind?: string): Promise<number>
}

/** Runs due rows. Any number of processes may run one; a row is held by one of them at a time. */
export function createWorker(options: WorkerOptions): Worker {
  const groups = new TransactionGroups(options.pools, options.grouped)
  const loops = options.kinds.map((kind) => new KindLoop({ ...options, groups }, kind))
  const looks = new QueueLooks(options, loops)
  const id = `worker_${Buffer.from(options.random(12)).toString('hex')}`
  const announcement = new Announcement(options, id, options.kinds)
  return {
    id,
    start() {
      announcement.start()
      for (const loop of loops) loop.start()
      looks.start()
    },
    async stop() {
      looks.stop()
      await Promise.all([announcement.stop(), ...loops.map((loop) => loop.stop())])
    },
    async runOnce(kind) {
      const chosen = loops.filter((loop) => kind === undefined || loop.kind === kind)
      if (chosen.length === 0) throw new Error(`there is no work of kind ${kind}`)
      for (let ran = 0; ; ) {
        let round = 0
        for (const loop of chosen) round += await loop.runOnce()
        ran += round
        if (round === 0) return ran
      }
    },
  }
}
