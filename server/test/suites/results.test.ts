import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runsOf, whyRefused, withRuns } from '../documented-runs.ts'
import { hasWholeHistory } from '../history.ts'
import { mergeRuns, reliabilityPage, type SuiteResult } from './results.ts'

const run: SuiteResult = {
  name: 'races',
  size: 'gate',
  seed: 7,
  seconds: 61,
  passed: 1200,
  failed: 0,
  figures: { rounds: 200, 'in order': 'a|b', charged: '1,204' },
  only: null,
  machine: '2 × A machine',
  date: '2026-01-02T03:04',
  commit: 'abc1234',
}
const long: SuiteResult = { ...run, size: 'long', date: '2025-01-01T00:00' }
const known = () => null
/** The table after these runs, one after the other. */
const after = (...results: SuiteResult[]) =>
  results.reduce((shown, result) => mergeRuns(shown, [result], known).runs, mergeRuns([], [], known).runs)

test('a larger run replaces a smaller one, a newer run replaces an older one of its size, and a part replaces nothing', () => {
  const sizes = (...results: SuiteResult[]) => after(...results).map(({ size, when }) => `${size} ${when}`)
  expect(sizes(run)).toEqual(['gate 2026-01-02'])
  expect(sizes(run, long)).toEqual(['long 2025-01-01'])
  expect(sizes(long, run)).toEqual(['long 2025-01-01'])
  expect(sizes(run, { ...run, date: '2026-01-03T00:00' })).toEqual(['gate 2026-01-03'])
  expect(sizes(run, { ...run, date: '2026-01-01T00:00' })).toEqual(['gate 2026-01-02'])
  expect(sizes(run, { ...long, only: 'approve' })).toEqual(['gate 2026-01-02'])
})

test('a run that failed, or of no commit of this history, is no row, is taken out if it was one, and the reason is said', () => {
  const shown = after(run)
  const gone = (commit: string) => (commit === 'abc1234' ? 'its commit is gone' : null)
  expect(mergeRuns(shown, [], gone)).toEqual({
    runs: [],
    taken: [],
    refused: ['races: its commit is gone'],
  })
  expect(mergeRuns([], [{ ...run, failed: 2 }], known)).toEqual({
    runs: [],
    taken: [],
    refused: ['races: it failed 2 times'],
  })
  expect(mergeRuns([], [run], gone).runs).toEqual([])
})

test('the table stands between its markers, the rest of the page stays, and what was written is read again', () => {
  const text = 'before\n<!-- runs: generated -->\nold\n<!-- runs: end -->\nafter\n'
  const columns = ['suite', 'passed', 'figures', 'about']
  const runs = after(run).map((row) => ({ ...row, about: 'one | other' }))
  const written = withRuns({ path: 'a page', text }, columns, runs)
  expect(written).toMatch(/^before\n[\s\S]*\nafter\n$/)
  expect(written).not.toContain('old')
  expect(written).toContain('| races | 1,200 | rounds: 200; charged: 1,204 | one \\| other |')
  expect(runsOf(written)).toEqual([
    { suite: 'races', passed: '1,200', figures: 'rounds: 200; charged: 1,204', about: 'one | other' },
  ])
  expect(withRuns({ path: 'a page', text: written }, columns, runsOf(written))).toBe(written)
})

test.runIf(hasWholeHistory())('a commit counts if it is in this history, whole and not too old', () => {
  expect(whyRefused('HEAD')).toBeNull()
  expect(whyRefused('HEAD with changes')).toContain('with changes')
  expect(whyRefused('0123456789abcdef')).toContain('not in this history')
  expect(whyRefused('HEAD~301')).toMatch(/is \d+ commits old, more than 300/)
})

test.runIf(hasWholeHistory())(
  'every row of the page passed, for a commit of this history that is not too old',
  () => {
    const shown = runsOf(readFileSync(reliabilityPage, 'utf8'))
    // What is named here goes with `npm run suite -- document`, which also takes the runs that replace it.
    expect(mergeRuns(shown, [], whyRefused).refused).toEqual([])
  },
)
