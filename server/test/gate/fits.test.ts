import { expect, test } from 'vitest'
import { fits } from './fits.ts'

type Step = readonly [cores: number, memory: number]
const needs = ([cores, memory]: Step) => ({ cores, memory })

test.each<[string, Step, Step[], boolean]>([
  [
    'as long as there are cores',
    [0.7, 1],
    [
      [0.7, 1],
      [0.6, 1],
    ],
    true,
  ],
  [
    'not on cores that others keep busy',
    [0.7, 1],
    [
      [0.7, 1],
      [0.7, 1],
    ],
    false,
  ],
  ['not in memory that others need', [0.1, 500], [[0.1, 501]], false],
  ['as long as there is memory', [0.1, 500], [[0.1, 500]], true],
  ['what judges times, not beside anything', [Number.POSITIVE_INFINITY, 1], [[0.1, 1]], false],
  ['not anything beside what judges times', [0.1, 1], [[Number.POSITIVE_INFINITY, 1]], false],
  ['what needs more than the machine has, alone', [64, 64_000], [], true],
])('a step starts beside others: %s', (_, step, running, may) => {
  expect(fits(needs(step), running.map(needs), { cores: 2, memory: 1000 })).toBe(may)
})
