import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestServer } from '../harness/database.ts'
import { moved } from './progress.ts'

export type SuiteSize = 'gate' | 'long'

export type SuiteRun = {
  server: TestServer
  size: SuiteSize
  seed: number
  /** Where a suite has parts with names: only those that match. */
  only: string | null
  /** Where a suite has an older version beside this one: the commit to take it from. */
  from: string | null
  /** Of the suite of components: the engines that it runs in, in place of everything else. */
  engines?: readonly string[]
  /** For a self-check whose world is made once: the number of seeds. Each seed plants elsewhere. */
  seeds?: number
  tally: Tally
}

/** The counts of a suite. The first failures are kept whole, so that a reader can repeat and understand them. */
export type Tally = {
  readonly passed: number
  readonly failed: number
  readonly failures: readonly string[]
  pass(count?: number): void
  fail(what: string): void
  /** Something that the suite needs is missing, so it proved nothing. */
  skip(why: string): void
  readonly skipped: readonly string[]
  /** A figure of the summary, such as the number of valid inputs. */
  figure(name: string, value: number | string): void
  readonly figures: Readonly<Record<string, number | string>>
}

const failuresShown = 60
const failuresShownEach = 3

export function createTally(): Tally {
  const counts = { passed: 0, failed: 0 }
  const failures: string[] = []
  const skipped: string[] = []
  const figures: Record<string, number | string> = {}
  return {
    get passed() {
      return counts.passed
    },
    get failed() {
      return counts.failed
    },
    failures,
    skipped,
    figures,
    skip: (why) => void skipped.push(why),
    pass: (count = 1) => {
      moved()
      counts.passed += count
    },
    fail: (what) => {
      moved()
      counts.failed += 1
      // A broken operation fails many times; the others must still be seen.
      const subject = what.split(' ')[0] ?? ''
      const shown = failures.filter((failure) => failure.startsWith(`${subject} `)).length
      if (shown < failuresShownEach && failures.length < failuresShown) failures.push(what)
    },
    figure: (name, value) => {
      figures[name] = value
    },
  }
}

/** Where results are left for later comparison; never committed. */
export function writeResult(name: string, result: object): string {
  const folder = join(import.meta.dirname, '../../../.tmp/suites')
  mkdirSync(folder, { recursive: true })
  const path = join(folder, `${name}.json`)
  writeFileSync(path, `${JSON.stringify(result, null, 2)}\n`)
  return path
}

/** Runs `work` for every item, this many at a time. */
export async function eachOf<T>(
  items: readonly T[],
  atATime: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.values()
  async function lane(): Promise<void> {
    for (const item of waiting) await work(item)
  }
  await Promise.all(Array.from({ length: atATime }, lane))
}
