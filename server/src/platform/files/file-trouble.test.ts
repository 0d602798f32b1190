import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { FileTrouble, fileWords, isThere, makeFolder, troubleOf, withFileWords } from './file-trouble.ts'

const folder = mkdtempSync(join(tmpdir(), 'prokura-files-'))
const file = join(folder, 'file')
writeFileSync(file, 'text')
afterAll(() => rmSync(folder, { recursive: true }))

function thrownBy(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('nothing was thrown')
}

test('a missing file and an existing one differ, also below a file', () => {
  expect([isThere(folder), isThere(file), isThere(join(folder, 'no')), isThere(join(file, 'no'))]).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('a folder is made with all folders above it, and an existing one stays', () => {
  const deep = join(folder, 'a', 'b', 'c')
  makeFolder(deep, 0o700)
  makeFolder(deep, 0o755)
  expect(statSync(deep).mode & 0o777).toBe(0o700)
})

test.each([
  [
    'below a file',
    () => makeFolder(join(file, 'logs'), 0o755),
    `${file} is a file, and a folder is needed there.`,
  ],
  [
    'in place of a file',
    () => makeFolder(file, 0o755),
    `${file} already exists, and it is not what is needed`,
  ],
  [
    'from a folder',
    () => withFileWords(folder, () => readFileSync(folder)),
    `${folder} is a folder, and a file is needed`,
  ],
  [
    'below a folder that is missing',
    () => withFileWords(folder, () => writeFileSync(join(folder, 'no', 'x.csv'), '')),
    `There is no folder ${join(folder, 'no')}. Create it`,
  ],
  [
    'what is missing',
    () => withFileWords(folder, () => readFileSync(join(folder, 'no'))),
    `There is no file or folder ${join(folder, 'no')}.`,
  ],
])('says in a sentence what is wrong: %s', (_, work, words) => {
  const error = thrownBy(work)
  expect(error).toBeInstanceOf(FileTrouble)
  expect(String(error)).toContain(words)
})

// Node's own way never returns here.
test.runIf(process.platform === 'linux')('a place that takes no folder is refused at once', () => {
  expect(String(thrownBy(() => makeFolder('/proc/prokura/logs', 0o755)))).toContain(
    'The system makes no folder at /proc/prokura.',
  )
})

test('an error that is no refusal of a file stays as it is', () => {
  const spawned = Object.assign(new Error('spawn x ENOENT'), {
    code: 'ENOENT',
    syscall: 'spawn x',
    path: 'x',
  })
  const connected = Object.assign(new Error('connect'), { code: 'ENOENT', syscall: 'connect', address: '/x' })
  for (const error of [spawned, connected, new TypeError('a bug'), 'text', null]) {
    expect(fileWords(error)).toBeNull()
    expect(troubleOf(error)).toBe(error)
  }
})

test.runIf(process.geteuid?.() !== 0)('a folder that one may not enter is not an empty one', () => {
  const closed = join(folder, 'closed')
  mkdirSync(closed)
  chmodSync(closed, 0)
  expect(String(thrownBy(() => isThere(join(closed, 'x'))))).toContain(
    `may not enter the folder ${closed}: it belongs`,
  )
})
