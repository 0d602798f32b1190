import { setImmediate as breathe } from 'node:timers/promises'
import { live } from '../../src/domain/buying/execution/life.testing.ts'
import { type Kind, kinds } from '../../src/domain/buying/execution/outside.testing.ts'
import type { SuiteRun } from './suite.ts'

const sizes = { gate: 200_000, long: 5_000_000 } as const

/** Lives so many lives of a cart in memory, whole from its first look to its end, and judges each by what rail and merchant remember. */
export async function runLives({ size, seed, only, tally }: SuiteRun): Promise<void> {
  const [kind, at] = only?.split(' ') ?? []
  const lived = kinds.filter((one) => kind === undefined || one === kind)
  const counts = { succeeded: 0, failed: 0, cancelled: 0, attempts: 0, calls: 0 }
  for (const one of lived) {
    if (at !== undefined) judge(one, Number(at))
    else await liveMany(one, Math.ceil(sizes[size] / kinds.length))
  }

  async function liveMany(one: Kind, count: number): Promise<void> {
    for (let index = 0; index < count; index++) {
      judge(one, seed + index)
      if (index % 500 === 0) await breathe()
    }
    tally.figure(`lives of a cart at ${one}`, count)
  }

  for (const [name, count] of Object.entries(counts)) tally.figure(name, count)

  function judge(one: Kind, from: number): void {
    const problems = problemsOf(one, from)
    if (problems.length === 0) tally.pass()
    else
      tally.fail(`${one} ${problems.join('; ')}\nrepeat with: npm run suite -- lives --only '${one} ${from}'`)
  }

  /** An error in the middle of a life is a fault like any other: the cart would never get on. */
  function problemsOf(one: Kind, from: number): readonly string[] {
    try {
      const { problems, status, attempts, calls } = live(from, one)
      if (status === 'succeeded' || status === 'failed' || status === 'cancelled') counts[status] += 1
      counts.attempts += attempts
      counts.calls += calls
      return problems
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)]
    }
  }
}
