import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { countsForMore, keptResults, type SuiteResult, withTable } from './results.ts'

const run: SuiteResult = {
  name: 'races',
  size: 'gate',
  seed: 7,
  seconds: 61,
  passed: 1200,
  failed: 0,
  figures: { rounds: 200, 'in order': 'a|b' },
  only: null,
  machine: '2 × A machine, 8 GB, linux',
  date: '2026-01-02T03:04',
  commit: 'abc1234',
}

test('a larger run replaces a smaller one, a newer run replaces an older one of its size, and a part replaces nothing', () => {
  const long: SuiteResult = { ...run, size: 'long', date: '2025-01-01T00:00' }
  expect(countsForMore(run, null)).toBe(true)
  expect(countsForMore(long, run)).toBe(true)
  expect(countsForMore(run, long)).toBe(false)
  expect(countsForMore({ ...run, date: '2026-01-02T03:05' }, run)).toBe(true)
  expect(countsForMore({ ...run, date: '2026-01-02T03:03' }, run)).toBe(false)
  expect(countsForMore({ ...run, date: '2026-01-02T03:05', failed: 1 }, run)).toBe(true)
  expect(countsForMore({ ...long, only: 'approve' }, null)).toBe(false)
})

test('the table stands between its markers, and the rest of the page stays', () => {
  const page = 'before\n<!-- results begin -->\nold\n<!-- results end -->\nafter\n'
  const written = withTable(page, [run])
  expect(written).toMatch(/^before\n/)
  expect(written).toMatch(/\nafter\n$/)
  expect(written).not.toContain('old')
  expect(written).toContain(
    '| races | gate | 1,200 | 0 | 61 s | 7 | 2026-01-02 | abc1234 | rounds: 200; in order: a\\|b |',
  )
  expect(withTable(written, [run])).toBe(written)
  expect(() => withTable('no markers', [run])).toThrow('markers')
})

test('the page shows exactly the results that are kept', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/reliability.md'), 'utf8')
  expect(withTable(page, keptResults())).toBe(page)
})
