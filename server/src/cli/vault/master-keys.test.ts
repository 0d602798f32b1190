import { chmodSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from '../../platform/config/config.ts'
import { addKeyToFile } from '../../platform/secrets/keys.ts'
import { openMasterKeys } from './master-keys.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'master-keys-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a key that is added while it runs is the current one after the next look, and the old one stays', async () => {
  const keys = openMasterKeys(readConfig({ PROKURA_STATE_DIR: folder }))
  const file = join(folder, 'vault-master.keys')
  expect([keys.source, statSync(file).mode & 0o777]).toEqual([file, 0o600])
  const first = keys.provider().currentId
  keys.reload()
  expect(keys.provider().currentId).toBe(first)
  const added = await addKeyToFile(file)
  keys.reload()
  expect(keys.provider().currentId).toBe(added)
  expect(keys.provider().key(first).type).toBe('secret')
})

test('a file that others may read is refused, and so are both places at once', () => {
  const env = { PROKURA_STATE_DIR: folder }
  openMasterKeys(readConfig(env))
  chmodSync(join(folder, 'vault-master.keys'), 0o640)
  expect(() => openMasterKeys(readConfig(env))).toThrow('chmod 600')
  const both = { PROKURA_VAULT_KEYS_FILE: 'x', PROKURA_VAULT_KEYS: 'y' }
  expect(() => readConfig(both)).toThrow('PROKURA_VAULT_KEYS_FILE and PROKURA_VAULT_KEYS are both set')
})

test('keys of the environment that cannot be read are a sentence without them', () => {
  const config = readConfig({ PROKURA_VAULT_KEYS: 'k1:hunter2' })
  expect(() => openMasterKeys(config)).toThrow('PROKURA_VAULT_KEYS cannot be used: key 1 is not')
  expect(() => openMasterKeys(config)).not.toThrow('hunter2')
})
