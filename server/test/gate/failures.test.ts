import { expect, test } from 'vitest'
import { failureLines } from './failures.ts'

test.each([
  [
    'of a suite',
    '… kills 15 s\nFAILED M2: one too many\n  points   3\nkills: 5 s, 1 passed, 1 failed\n',
    ['FAILED M2: one too many'],
  ],
  [
    'of vitest, each once and without its colors',
    '\u001b[31m   × a test 5ms\u001b[39m\n FAIL  a.test.ts > a test\nAssertionError: no\n FAIL  a.test.ts > a test\n ✓ other\n',
    ['   × a test 5ms', ' FAIL  a.test.ts > a test', 'AssertionError: no'],
  ],
  ['of a step that says it in its own words', 'a\n\nit ended badly\n', ['a', 'it ended badly']],
])('the lines %s that say what failed', (_, output, lines) => {
  expect(failureLines(output)).toEqual(lines)
})

test('a step that fails everywhere says how much is left out', () => {
  const output = Array.from({ length: 100 }, (_, number) => `FAILED ${number} ${'x'.repeat(500)}`).join('\n')
  const lines = failureLines(output)
  expect(lines).toHaveLength(41)
  expect(lines.at(-1)).toBe('… and 60 more lines')
  expect(Math.max(...lines.map((line) => line.length))).toBe(300)
})
