import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { arch, cpus, platform, totalmem } from 'node:os'
import { join } from 'node:path'
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

const latest = join(import.meta.dirname, '../../../.tmp/suites')
const kept = join(import.meta.dirname, 'results')
const page = join(import.meta.dirname, '../../../docs/reliability.md')

/** The machine, the time and the commit of a run. */
export function describeRun(): Pick<SuiteResult, 'machine' | 'date' | 'commit'> {
  const processors = cpus()
  const model = processors[0]?.model.trim() || arch()
  const memory = Math.round(totalmem() / 2 ** 30)
  return {
    machine: `${processors.length} × ${model}, ${memory} GB, ${platform()}`,
    date: new Date().toISOString().slice(0, 16),
    commit: describeCommit(),
  }
}

/** The commit that was tested, with a mark for a tree with changes. */
function describeCommit(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  try {
    const changed = git(
      'status',
      '--porcelain',
      '--untracked-files=no',
      '--',
      '../../src',
      '../../../sandbox',
      '..',
      // This program writes these files itself.
      ':!results',
    )
    return `${git('rev-parse', '--short', 'HEAD')}${changed === '' ? '' : ' with changes'}`
  } catch {
    return 'unknown'
  }
}

/**
 * Keeps the results of the latest runs where they count for more than the kept ones, and writes the table of `docs/reliability.md` from
 * the kept results. Answers the names of the results that it took.
 */
export function documentResults(): string[] {
  mkdirSync(kept, { recursive: true })
  const taken = readResults(latest).filter((result) => {
    const path = join(kept, `${result.name}.json`)
    const before: SuiteResult | null = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : null
    if (!countsForMore(result, before)) return false
    writeFileSync(path, `${JSON.stringify(withoutFailures(result), null, 2)}\n`)
    return true
  })
  writeFileSync(page, withTable(readFileSync(page, 'utf8'), readResults(kept)))
  return taken.map(({ name }) => name)
}

/** The committed results. `docs/reliability.md` shows exactly these. */
export function keptResults(): SuiteResult[] {
  return readResults(kept)
}

/** A larger run replaces a smaller one, and a newer one an older one of its size. A failure is kept like a success. */
export function countsForMore(result: SuiteResult, before: SuiteResult | null): boolean {
  if (result.only !== null || result.date === undefined) return false
  if (before === null || before.size !== result.size) return before === null || result.size === 'long'
  return result.date > before.date
}

function withoutFailures(result: SuiteResult): SuiteResult {
  const { name, size, seed, seconds, passed, failed, figures, only, machine, date, commit } = result
  return { name, size, seed, seconds, passed, failed, figures, only, machine, date, commit }
}

function readResults(folder: string): SuiteResult[] {
  if (!existsSync(folder)) return []
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'))
  return files.sort().map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
}

const begin = '<!-- results begin -->'
const end = '<!-- results end -->'

/** The page with the table of these results between its markers. */
export function withTable(text: string, results: readonly SuiteResult[]): string {
  const [before, rest] = text.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined) throw new Error('the page has no markers for its table')
  const header = ['suite', 'size', 'passed', 'failed', 'took', 'seed', 'when', 'commit', 'figures']
  const lines = [header, header.map(() => '---'), ...results.map(cells)].map(
    (line) => `| ${line.join(' | ')} |`,
  )
  const machines = [...new Set(results.map(({ machine }) => machine))].join('; ')
  const table = results.length === 0 ? 'No run is kept yet.' : `Run on: ${machines}.\n\n${lines.join('\n')}`
  return `${before}${begin}\n\n${table}\n\n${end}${after}`
}

function cells(result: SuiteResult): string[] {
  const figures = Object.entries(result.figures).map(([name, value]) => `${name}: ${value}`)
  return [
    result.name,
    result.size,
    result.passed.toLocaleString('en-US'),
    String(result.failed),
    duration(result.seconds),
    String(result.seed),
    result.date.slice(0, 10),
    result.commit,
    figures.join('; ').replaceAll('|', '\\|').replaceAll('\n', ' '),
  ]
}

function duration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`
}
