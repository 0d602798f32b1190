import type { Contestant, Sample } from './benchmark.ts'
import { cpuOf } from './cpu.ts'

/** Long enough for Node to compile the code that runs often. */
const warmUpSeconds = 4

type RoundsOptions = {
  rounds: number
  seconds: number
  onRound: (round: number, contestant: string) => void
}

/**
 * Every contestant once a round, in turn: A B C A B C. If the machine is slow for a while, it is slow for all of them, and each round's
 * ratios stay the same. A warm-up of all contestants comes first and does not count.
 */
export async function runRounds(
  contestants: readonly Contestant[],
  { rounds, seconds, onRound }: RoundsOptions,
): Promise<Map<string, Sample[]>> {
  for (const contestant of contestants) {
    onRound(0, contestant.name)
    await contestant.before?.(Math.max(warmUpSeconds, seconds))
    await contestant.run(Math.max(warmUpSeconds, seconds))
  }
  const samples = new Map<string, Sample[]>(contestants.map(({ name }) => [name, []]))
  for (let round = 1; round <= rounds; round++) {
    for (const contestant of contestants) {
      onRound(round, contestant.name)
      samples.get(contestant.name)?.push(await runOne(contestant, seconds))
    }
  }
  return samples
}

async function runOne(contestant: Contestant, seconds: number): Promise<Sample> {
  await contestant.before?.(seconds)
  const before = cpuOf(contestant.processes())
  const work = await contestant.run(seconds)
  const after = cpuOf(contestant.processes())
  if (work.operations === 0) throw new Error(`${contestant.name} completed no operation in ${seconds} s`)
  return {
    ...work,
    ...(await contestant.counts?.()),
    cpuMs: before && after ? difference(before, after) : null,
  }
}

function difference(
  before: NonNullable<Sample['cpuMs']>,
  after: NonNullable<Sample['cpuMs']>,
): Sample['cpuMs'] {
  const groups = Object.keys(after) as (keyof typeof after)[]
  return Object.fromEntries(groups.map((group) => [group, (after[group] ?? 0) - (before[group] ?? 0)]))
}
