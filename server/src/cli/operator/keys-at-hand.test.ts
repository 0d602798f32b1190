import { tmpdir } from 'node:os'
import { expect, test } from 'vitest'
import { readConfig } from '../../platform/config/config.ts'
import { keysTrouble } from './keys-at-hand.ts'

test.each([
  [{ PROKURA_KEYS: 'hunter2' }, /^PROKURA_KEYS cannot be used: key 1 is not "id:" and 32 bytes/],
  [{ PROKURA_KEYS_FILE: '/nope/keys' }, /^PROKURA_KEYS_FILE names \/nope\/keys, which is not there\. /],
  [{ PROKURA_KEYS_FILE: tmpdir() }, /cannot be used: it is not a file\./],
])('unusable keys are reported before anything starts, and never shown: %o', (env, words) => {
  const said = keysTrouble(readConfig(env))
  expect(said).toMatch(words)
  expect(said).not.toContain('hunter2')
})

test('keys that the first start makes are not missed', () => {
  expect(keysTrouble(readConfig({ PROKURA_STATE_DIR: '/nope' }))).toBeNull()
})
