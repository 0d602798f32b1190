import { openPasses } from './passes.ts'
import { createTally, type SuiteRun, type Tally } from './suite.ts'

/** Whether a suite finds the faults that it is made for. The rest of the suite is left out as far as possible. */
export type SelfCheck = {
  about: string
  /** The check with one seed, or with the requested number of seeds where `isWhole`. */
  load: () => Promise<(run: SuiteRun) => Promise<void>>
  /** Its world costs more than all seeds together. It is made once, and each seed plants elsewhere in its results. */
  isWhole?: true
}

type Checking = Omit<SuiteRun, 'tally'> & { name: string; seeds: number; tally: Tally }

/** Runs a self-check with this many seeds, one after the other. Seeds that passed in a run of the same commit are not run again. */
export async function checkOverSeeds(
  check: SelfCheck,
  { name, seeds, tally, ...run }: Checking,
): Promise<void> {
  const work = await check.load()
  if (check.isWhole) {
    await work({ ...run, seeds, tally })
    tally.figure('seeds', seeds)
    return
  }
  const passes = openPasses<true>(`${name}-self-check`)
  let before = 0
  for (let seed = run.seed; seed < run.seed + seeds; seed++) {
    const isKnown = passes.of(String(seed)) !== null
    const failures = isKnown ? [] : await failuresOf(work, { ...run, seed })
    if (isKnown) before += 1
    else {
      if (failures.length === 0) passes.keep(String(seed), true)
      console.log(
        `seed ${seed}: ${failures.length === 0 ? 'everything planted was noticed' : failures.join('; ')}`,
      )
    }
    if (failures.length === 0) tally.pass()
    for (const failure of failures) tally.fail(`seed ${seed}: ${failure}`)
  }
  tally.figure('seeds', seeds)
  tally.figure('of an earlier run', before)
}

async function failuresOf(
  work: (run: SuiteRun) => Promise<void>,
  run: Omit<SuiteRun, 'tally'>,
): Promise<string[]> {
  const tally = createTally()
  try {
    await work({ ...run, tally })
  } catch (error) {
    tally.fail(error instanceof Error ? (error.stack ?? error.message) : String(error))
  }
  if (tally.passed + tally.failed === 0) tally.fail('nothing was planted')
  return [...tally.failures]
}
