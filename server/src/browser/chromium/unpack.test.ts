import { createWriteStream, existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createBrotliCompress } from 'node:zlib'
import { type PackOptions, pack } from 'tar-fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { extractOnce } from './unpack.ts'

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
