import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeRun } from './results.ts'
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

/** The failures of each seed: none where every planted fault was noticed. */
type Kept = { commit: string; done: Record<string, string[]> }

const folder = join(import.meta.dirname, '../../../.tmp/suites/self-checks')

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
  const kept = openKept(name)
  let before = 0
  for (let seed = run.seed; seed < run.seed + seeds; seed++) {
    const known = kept.failuresOf(seed)
    const failures = known ?? (await failuresOf(work, { ...run, seed }))
    if (known) before += 1
    else {
      kept.keep(seed, failures)
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

function openKept(name: string) {
  const path = join(folder, `${name}.json`)
  const { commit } = describeRun()
  const read = readKept(path)
  // A tree with changes is a different one each time.
  const isSame = read?.commit === commit && !commit.includes(' ') && commit !== 'unknown'
  const kept: Kept = isSame && read ? read : { commit, done: {} }
  return {
    // Seeds that failed are tried again.
    failuresOf: (seed: number) => (kept.done[seed]?.length === 0 ? [] : null),
    keep(seed: number, failures: string[]) {
      kept.done[seed] = failures
      mkdirSync(folder, { recursive: true })
      writeFileSync(path, `${JSON.stringify(kept)}\n`)
    },
  }
}

function readKept(path: string): Kept | null {
  try {
    const kept: Kept = JSON.parse(readFileSync(path, 'utf8'))
    return kept
  } catch {
    return null
  }
}
