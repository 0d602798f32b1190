import { availableParallelism, totalmem } from 'node:os'

/** What a step keeps busy, and what it holds at most, as the report of the gate tells it. */
export type Needs = {
  readonly cores: number
  /** Megabytes. */
  readonly memory: number
}

/** Of what judges times, or uses every core itself. */
export const wholeMachine: Needs = { cores: Number.POSITIVE_INFINITY, memory: 0 }

/** On a machine with more cores, too: each step has servers of its own. */
const coresMax = 2
/** The rest is for the files of the tests, which are kept in memory as well, and for others. */
const shareOfMemory = 0.5

const thisMachine: Needs = {
  cores: Math.min(availableParallelism(), coresMax),
  memory: (totalmem() / 1_048_576) * shareOfMemory,
}

/** Whether a step may start beside those that run: something always may where nothing runs. */
export function fits(step: Needs, running: readonly Needs[], machine = thisMachine): boolean {
  const all = [...running, step]
  const sum = (each: (one: Needs) => number) => all.reduce((total, one) => total + each(one), 0)
  return (
    running.length === 0 ||
    (sum(({ cores }) => cores) <= machine.cores && sum(({ memory }) => memory) <= machine.memory)
  )
}
