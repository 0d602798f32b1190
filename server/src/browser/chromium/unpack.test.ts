import { createHash } from 'node:crypto'
import { createWriteStream, existsSync } from 'node:fs'
import {
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createBrotliCompress } from 'node:zlib'
import { type PackOptions, pack } from 'tar-fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkOf, extractOnce } from './unpack.ts'

let home: string
const place = (...names: string[]) => join(home, ...names)

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'prokura-unpack-'))
  await mkdir(place('packed', 'lib'), { recursive: true })
  await writeFile(place('packed', 'lib', 'a.so.1'), 'a', { mode: 0o600 })
})
afterEach(() => rm(home, { recursive: true }))

async function archive(options: PackOptions = {}): Promise<string> {
  const path = place('archive.tar.br')
  await pipeline(pack(place('packed'), options), createBrotliCompress(), createWriteStream(path))
  return path
}

test('an archive is unpacked with its links, readable, as files of this user', async () => {
  await symlink('a.so.1', place('packed', 'lib', 'a.so'))
  await extractOnce(
    await archive({ map: (header) => ({ ...header, uid: 12_345, gid: 12_345 }) }),
    place('to'),
  )
  expect(await readFile(place('to', 'lib', 'a.so'), 'utf8')).toBe('a')
  expect(await readlink(place('to', 'lib', 'a.so'))).toBe('a.so.1')
  const { mode, uid } = await stat(place('to', 'lib', 'a.so.1'))
  expect([mode & 0o755, uid]).toEqual([0o755, process.geteuid?.()])
})

test.each(['../../outside', '/etc', '..'])('a link to %s is refused, and nothing is left', async (target) => {
  await symlink(target, place('packed', 'link'))
  await expect(extractOnce(await archive(), place('to'))).rejects.toThrow('link is not a valid symlink')
  expect(await readdir(home)).toEqual(['archive.tar.br', 'packed'])
})

test.each(['../outside', '/outside'])('what is called %s stays below the folder', async (name) => {
  const path = await archive({
    map: (header) => (header.type === 'file' ? { ...header, name } : header),
  })
  await extractOnce(path, place('to'))
  expect(await readFile(place('to', 'outside'), 'utf8')).toBe('a')
  expect([existsSync(place('outside')), existsSync('/outside')]).toEqual([false, false])
})

test('an archive that ends in the middle leaves nothing', async () => {
  const path = await archive()
  await writeFile(path, (await readFile(path)).subarray(0, 40))
  await expect(extractOnce(path, place('to'))).rejects.toThrow()
  expect(await readdir(home)).toEqual(['archive.tar.br', 'packed'])
})

test.each([
  ['was written to', (path: string) => writeFile(path, 'other')],
  [
    'was replaced',
    async (path: string) => {
      await writeFile(`${path}.new`, 'other')
      await rename(`${path}.new`, path)
    },
  ],
  ['is gone', (path: string) => rm(path)],
] as const)(
  'a file that %s after it was checked is refused, also with its size and times as before',
  async (_how, change) => {
    const [path, sumFile] = [place('program'), place('program.sha256')]
    await writeFile(path, 'whole')
    await writeFile(sumFile, createHash('sha256').update('whole').digest('hex'))
    const check = checkOf(path, sumFile, home)
    await check()
    await check()
    const { atime, mtime, ctimeMs } = await stat(path)
    await change(path)
    // Two changes within one tick of the file system's clock have one time.
    while (existsSync(path)) {
      await utimes(path, atime, mtime)
      if ((await stat(path)).ctimeMs !== ctimeMs) break
    }
    await expect(check()).rejects.toThrow('is not the Chromium that was unpacked there')
  },
)

test('a file that was other from the start is refused', async () => {
  const [path, sumFile] = [place('program'), place('program.sha256')]
  await writeFile(path, 'other')
  await writeFile(sumFile, createHash('sha256').update('whole').digest('hex'))
  await expect(checkOf(path, sumFile, home)()).rejects.toThrow('is not the Chromium that was unpacked there')
})
