import { expect, test } from 'vitest'
import { fits } from './fits.ts'

const of = (...cores: number[]) => cores.map((each) => ({ cores: each }))

test.each([
  ['as long as there are cores', 0.7, [0.7, 0.6], true],
  ['not on cores that others keep busy', 0.7, [0.7, 0.7], false],
  ['what judges times, not beside anything', Number.POSITIVE_INFINITY, [0.1], false],
  ['not anything beside what judges times', 0.1, [Number.POSITIVE_INFINITY], false],
  ['what needs more than the machine has, alone', 64, [], true],
])('a step starts beside others: %s', (_, cores, running, may) => {
  expect(fits({ cores }, of(...running), 2)).toBe(may)
})
