import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runsOf, whyRefused } from '../../server/test/documented-runs.ts'
import { hasWholeHistory } from '../../server/test/history.ts'
import { mergeRows } from './documented.ts'

const row = (bench: string, what: string, when: string, commit = 'abc1234') => ({ bench, what, when, commit })
const known = () => null

test('a new measurement replaces all rows of its benchmark, an older one none, and what is of no commit of this history goes', () => {
  const shown = [
    row('create', 'ratio', '2026-01-02'),
    row('create', 'CPU', '2026-01-02'),
    row('idle', 'CPU', '2026-01-02'),
  ]
  const newer = [row('create', 'ratio', '2026-01-03')]
  expect(mergeRows(shown, newer, known).runs).toEqual([shown[2], ...newer])
  expect(mergeRows(shown, [row('create', 'ratio', '2026-01-01')], known).runs).toEqual(shown)
  const gone = (commit: string) => (commit === 'gone' ? 'its commit is gone' : null)
  expect(mergeRows([row('idle', 'CPU', '2026-01-02', 'gone')], newer, gone)).toEqual({
    runs: newer,
    refused: ['idle: its commit is gone'],
  })
  expect(mergeRows(shown, [row('idle', 'CPU', '2026-01-03', 'gone')], gone).runs).toEqual(shown)
})

test.runIf(hasWholeHistory())(
  'every row of the page is of a commit of this history that is not too old',
  () => {
    const shown = runsOf(readFileSync(join(import.meta.dirname, '../../docs/performance.md'), 'utf8'))
    // What is named here goes with `npm run bench -- document`, which also takes the measurements that replace it.
    expect(mergeRows(shown, [], whyRefused).refused).toEqual([])
  },
)
