import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { arch, cpus } from 'node:os'
import { join } from 'node:path'
import { type DocumentedRun, runsOf, whyRefused, withRuns } from '../documented-runs.ts'
import { describeCommit } from '../history.ts'
import { productWorkspaces } from '../workspaces.ts'
import type { SuiteSize } from './suite.ts'

/** The result that a run of a suite leaves. */
export type SuiteResult = {
  name: string
  size: SuiteSize
  seed: number
  seconds: number
  passed: number
  failed: number
  figures: Readonly<Record<string, number | string>>
  /** Only a part of the suite ran. */
  only: string | null
  machine: string
  /** When it ended, UTC. */
  date: string
  commit: string
}

const root = join(import.meta.dirname, '../../..')
const latest = join(root, '.tmp/suites')
export const reliabilityPage = join(root, 'docs/reliability.md')
const columns = ['suite', 'size', 'passed', 'failed', 'took', 'seed', 'when', 'commit', 'machine', 'figures']
/** A row is read at a glance: the rest stands in the result of the run. */
const figuresMax = 6

/** The machine, the time and the commit of a run. */
export function describeRun(): Pick<SuiteResult, 'machine' | 'date' | 'commit'> {
  const processors = cpus()
  return {
    machine: `${processors.length} × ${processors[0]?.model.trim() || arch()}`,
    date: new Date().toISOString().slice(0, 16),
    commit: describeCommit(productWorkspaces),
  }
}

/**
 * Writes the table of `docs/reliability.md` anew: the latest runs that count for more than those in it, and of these the ones that still
 * count for anything. Says what was taken, and why the others were not.
 */
export function documentResults(): { taken: string[]; refused: string[] } {
  const text = readFileSync(reliabilityPage, 'utf8')
  const { runs, taken, refused } = mergeRuns(runsOf(text), latestResults(), whyRefused)
  writeFileSync(reliabilityPage, withRuns({ path: reliabilityPage, text }, columns, runs))
  return { taken, refused }
}

function latestResults(): SuiteResult[] {
  if (!existsSync(latest)) return []
  const files = readdirSync(latest).filter((name) => name.endsWith('.json'))
  return files.map((name) => JSON.parse(readFileSync(join(latest, name), 'utf8')))
}

/** A larger run replaces a smaller one, and a newer one an older one of its size. What failed, or is of no commit of this history, is no row. */
export function mergeRuns(
  shown: readonly DocumentedRun[],
  results: readonly SuiteResult[],
  whyNot: (commit: string) => string | null,
): { runs: DocumentedRun[]; taken: string[]; refused: string[] } {
  const refused: string[] = []
  const counts = (name: string, commit: string, failed: number) => {
    const why = failed > 0 ? `it failed ${failed} times` : whyNot(commit)
    if (why !== null) refused.push(`${name}: ${why}`)
    return why === null
  }
  const runs = new Map(
    shown
      .filter(({ suite = '', commit = '', failed }) => counts(suite, commit, Number(failed)))
      .map((run) => [run['suite'] ?? '', run]),
  )
  const taken = results.filter((result) => {
    const { name, commit, failed, only } = result
    if (only !== null || !counts(name, commit, failed) || !countsForMore(result, runs.get(name))) return false
    runs.set(name, rowOf(result))
    return true
  })
  const inOrder = [...runs].sort(([one], [other]) => (one < other ? -1 : 1))
  return {
    runs: inOrder.map(([, run]) => run),
    taken: taken.map(({ name }) => name),
    refused,
  }
}

function countsForMore({ size, date }: SuiteResult, before: DocumentedRun | undefined): boolean {
  if (before === undefined || before['size'] !== size) return before === undefined || size === 'long'
  return date.slice(0, 10) >= (before['when'] ?? '')
}

function rowOf(result: SuiteResult): DocumentedRun {
  const figures = Object.entries(result.figures)
    .filter(([, value]) => typeof value === 'number' || /^[\d,.]+$/.test(value))
    .slice(0, figuresMax)
    .map(([name, value]) => `${name}: ${value}`)
  return {
    suite: result.name,
    size: result.size,
    passed: result.passed.toLocaleString('en-US'),
    failed: String(result.failed),
    took: duration(result.seconds),
    seed: String(result.seed),
    when: result.date.slice(0, 10),
    commit: result.commit,
    machine: result.machine,
    figures: figures.join('; '),
  }
}

function duration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`
}
