import { availableParallelism } from 'node:os'

type Needs = { readonly cores: number }

/** On a machine with more cores, too: each step has servers of its own, and what they need of the memory is measured for two. */
const coresMax = 2

/** Whether a step may start beside those that run: something always may where nothing runs. */
export function fits(
  step: Needs,
  running: readonly Needs[],
  machine = Math.min(availableParallelism(), coresMax),
): boolean {
  const busy = running.reduce((total, { cores }) => total + cores, 0)
  return running.length === 0 || busy + step.cores <= machine
}
