import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { addKeyToFile, envKeyProvider, fileKeyProvider, KeyMaterialError, UnknownKeyError } from './keys.ts'

const folder = mkdtempSync(join(tmpdir(), 'prokura-keys-'))
afterAll(() => rmSync(folder, { recursive: true }))

const keyA = Buffer.alloc(32, 1).toString('base64')
const keyB = Buffer.alloc(32, 2).toString('base64')

test('the key file is created once, for its owner only, and leaves nothing beside it', () => {
  const path = join(folder, 'fresh', '..', 'created.key')
  const first = fileKeyProvider(path)
  const second = fileKeyProvider(path)
  expect(second.currentId).toBe(first.currentId)
  expect(second.key(first.currentId).equals(first.key(first.currentId))).toBe(true)
  expect(first.key(first.currentId).symmetricKeySize).toBe(32)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder).filter((name) => name.startsWith('created.key'))).toEqual(['created.key'])
})

test('two key files hold different keys', () => {
  const one = fileKeyProvider(join(folder, 'one.key'))
  const other = fileKeyProvider(join(folder, 'other.key'))
  expect(one.key(one.currentId).equals(other.key(other.currentId))).toBe(false)
})

test('an added key becomes current, the old one stays, and a running provider can open what the new one sealed', async () => {
  const path = join(folder, 'rotated.key')
  const running = fileKeyProvider(path)
  const added = await addKeyToFile(path)
  const restarted = fileKeyProvider(path)
  expect(restarted.currentId).toBe(added)
  expect(restarted.rootId).toBe(running.rootId)
  expect(restarted.key(running.currentId).equals(running.key(running.currentId))).toBe(true)
  expect(running.currentId).not.toBe(added)
  expect(running.key(added).equals(restarted.key(added))).toBe(true)
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('additions at the same time wait for each other, and no key is lost', async () => {
  const path = join(folder, 'together.key')
  fileKeyProvider(path)
  const added = await Promise.all([addKeyToFile(path), addKeyToFile(path)])
  const keys = fileKeyProvider(path)
  for (const id of added) expect(keys.key(id).symmetricKeySize).toBe(32)
})

test('the lock of a killed addition does not keep others out, and is removed', async () => {
  const path = join(folder, 'killed.key')
  fileKeyProvider(path)
  for (const left of ['', '999999999 1']) {
    writeFileSync(`${path}.lock`, left)
    const added = await addKeyToFile(path)
    expect(fileKeyProvider(path).currentId).toBe(added)
  }
  expect(readdirSync(folder).filter((name) => name.startsWith('killed.key'))).toEqual(['killed.key'])
})

test('keys that are not proven get no other one beside them', async () => {
  const path = join(folder, 'unproven.key')
  fileKeyProvider(path)
  const before = readFileSync(path, 'utf8')
  const refuse = () => Promise.reject(new Error('not the keys of the database'))
  await expect(addKeyToFile(path, refuse)).rejects.toThrow('not the keys of the database')
  expect(readFileSync(path, 'utf8')).toBe(before)
})

test('a file that is no key file is refused with the reason', async () => {
  const path = join(folder, 'garbage.key')
  writeFileSync(path, 'garbage\n', { mode: 0o600 })
  const cases = [
    [join(folder, 'missing.key'), /there is no such file/],
    [folder, /it is not a file/],
    [path, /key 1 is not "id:" and 32 bytes/],
  ] as const
  for (const [file, words] of cases) {
    await expect(addKeyToFile(file)).rejects.toThrow(KeyMaterialError)
    await expect(addKeyToFile(file)).rejects.toThrow(words)
  }
  expect(() => fileKeyProvider(folder)).toThrow(/it is not a file/)
  expect(readFileSync(path, 'utf8')).toBe('garbage\n')
})

test('a key file that others can read is refused', () => {
  const path = join(folder, 'open.key')
  fileKeyProvider(path)
  chmodSync(path, 0o640)
  expect(() => fileKeyProvider(path)).toThrow(KeyMaterialError)
})

test('environment keys are ordered from oldest to current', () => {
  const provider = envKeyProvider(`a:${keyA}, b:${keyB}`)
  expect([provider.rootId, provider.currentId]).toEqual(['a', 'b'])
  expect(provider.key('a').export()).toEqual(Buffer.alloc(32, 1))
})

test.each([
  '',
  ',',
  keyA,
  `a:${keyA.slice(4)}`,
  `a:${keyA}${keyA}`,
  `a:${keyA},a:${keyB}`,
  `ä:${keyA}`,
  `a: ${keyA}`,
])('damaged key material is refused without being repeated: "%s"', (value) => {
  expect(() => envKeyProvider(value)).toThrow(KeyMaterialError)
  try {
    envKeyProvider(value)
  } catch (error) {
    expect(inspect(error)).not.toContain('AQEBAQEB')
  }
})

test('an unknown key id is its own error', () => {
  const provider = fileKeyProvider(join(folder, 'unknown.key'))
  expect(() => provider.key('nope')).toThrow(UnknownKeyError)
  expect(() => envKeyProvider(`a:${keyA}`).key('b')).toThrow(UnknownKeyError)
})

test('printing a provider shows no key material', () => {
  expect(inspect(envKeyProvider(`a:${keyA}`), { depth: 9, showHidden: true })).not.toMatch(
    /AQEBAQEB|01 01 01|0101/,
  )
})
