import { expect, test } from 'vitest'
import { hasWholeHistory } from '../../history.ts'
import { isOfOurHistory, keepsPromise, namedVersion, versionAt } from './previous-version.ts'

test.each([
  ['5.12.8', '5.12.8', true],
  ['5.12.8', '5.13.0', true],
  ['^5.12.8', '6.0.0', false],
  ['0.29.9', '0.29.10', true],
  ['0.29.9', '0.30.0', false],
  ['0.0.3', '0.0.4', false],
  ['1.2.3', '11.2.3', false],
])('an older version that wants %s runs with %s installed: %s', (wanted, installed, runs) => {
  expect(keepsPromise(wanted, installed)).toBe(runs)
})

test.runIf(hasWholeHistory())(
  'the version that an upgrade begins with came before this one, and its migrations are ours',
  () => {
    const version = versionAt(namedVersion())
    expect(version && isOfOurHistory(version)).toBe(true)
  },
)
