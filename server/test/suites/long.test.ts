import { expect, test } from 'vitest'
import { gateSuites } from './list.ts'
import { dueParts, type LongState, partsOf } from './long.ts'

const parts = partsOf(['fuzz'])
const passed = { passed: 9, failed: 0, skipped: 0, seconds: 1 }
const state: LongState = {
  ...{ commit: 'abc1234', seed: 7 },
  done: { races: passed, kills: { ...passed, failed: 1 } },
}
const names = (given: LongState | null, now = { commit: 'abc1234', seed: 7 }) =>
  dueParts(parts, given, now).map(({ name }) => name)

test('the long run has every suite of the gate in its long size, those of money also with a transaction for each step, the self-checks over 200 seeds, and the tests in their whole size', () => {
  const alone = parts.filter(({ env }) => env?.PROKURA_BATCH === '1').map(({ name }) => name)
  const suites = gateSuites.map(({ name }) => name)
  expect(parts.map(({ name }) => name)).toEqual([
    ...suites,
    ...alone,
    'fuzz self-check',
    'tests in their whole size',
  ])
  expect(alone).toContain('races, one at a time')
  for (const name of alone) expect(suites).toContain(name.replace(', one at a time', ''))
  for (const { args } of parts.slice(0, -2)) expect(args.slice(-2)).toEqual(['--size', 'long'])
  expect(parts.at(-2)?.args.slice(-3)).toEqual(['--self-check', '--seeds', '200'])
})

test('a part that passed is not run again, and one that failed is', () => {
  expect(names(state)).not.toContain('races')
  expect(names(state)).toContain('kills')
})

test('another commit, another seed, or a tree with changes begins again', () => {
  expect(names(null)).toHaveLength(parts.length)
  expect(names(state, { commit: 'def5678', seed: 7 })).toHaveLength(parts.length)
  expect(names(state, { commit: 'abc1234', seed: 8 })).toHaveLength(parts.length)
  const changed = { commit: 'abc1234 with changes', seed: 7 }
  expect(names({ ...state, ...changed }, changed)).toHaveLength(parts.length)
})
