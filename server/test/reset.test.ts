import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { prokuraAlone, type Service, startService } from './harness/up.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prokura-reset-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const reset = (state: string, ...args: string[]) => prokuraAlone(['reset', '--state', state, ...args])

describe('of a service that ran', () => {
  let state: string
  let service: Service
  beforeAll(async () => {
    state = join(folder, 'state')
    service = await startService({ state, args: ['--port', '0'] })
  })

  test('reset is refused while it runs, and the service notices nothing', async () => {
    const before = await readdir(state)
    const { code, out, err } = await reset(state, '--yes')
    expect([code, out, err]).toEqual([
      1,
      '',
      `prokura: A service already uses ${state}. Stop it first, or name another folder with --state DIR.\n`,
    ])
    expect(await readdir(state)).toEqual(before)
    expect((await fetch(`${service.ready.base_url}/readyz`)).status).toBe(200)
  })

  test('reset is refused without a yes; with one it removes all, and says what', async () => {
    await service.stop()
    const unasked = await reset(state)
    expect([unasked.code, unasked.out]).toEqual([1, ''])
    expect(unasked.err).toMatch(
      /^prokura: This removes \S+ for good \(postgres, vault\.keys, .*\)\. Add --yes to do it\./,
    )

    // Nothing that a start writes is unknown to it.
    const entries = await readdir(state)
    const { code, out, err } = await reset(state, '--yes', '--json')
    expect([code, err]).toEqual([0, ''])
    const told = JSON.parse(out)
    expect(told).toEqual({ state, removed: expect.any(Array), bytes: expect.any(Number) })
    expect([...told.removed].sort()).toEqual(entries.sort())
    expect(told.bytes).toBeGreaterThan(10_000_000)
    expect(existsSync(state)).toBe(false)

    const again = await reset(state, '--yes')
    expect(again).toEqual({
      code: 0,
      out: `There is no folder ${state}, so there is nothing to remove.\n`,
      err: '',
    })
  })
})

test('a folder that is no state folder stays as it is', async () => {
  const home = join(folder, 'home')
  await mkdir(join(home, 'logs'), { recursive: true })
  await writeFile(join(home, 'diary.txt'), 'dear diary')
  const file = join(folder, 'a-file')
  await writeFile(file, 'x')
  for (const [path, why] of [
    [home, 'is not the state folder of a service'],
    [file, 'is not a folder'],
  ] as const) {
    const { code, out, err } = await reset(path, '--yes')
    expect([path, code, out]).toEqual([path, 1, ''])
    expect(err).toContain(why)
  }
  expect(await readdir(home)).toEqual(['diary.txt', 'logs'])
})

test('a file of somebody else there stops it, and is named', async () => {
  const state = join(folder, 'mixed')
  await mkdir(state)
  for (const name of ['ports.json', 'thesis.txt', 'up.lock.dead.0a1b'])
    await writeFile(join(state, name), '{}')
  const { code, out, err } = await reset(state, '--yes')
  expect([code, out]).toEqual([1, ''])
  expect(err).toContain('also holds files that the service did not write: thesis.txt. Move them away first.')
  expect((await readdir(state)).sort()).toEqual(['ports.json', 'thesis.txt', 'up.lock.dead.0a1b'])
})

test('the keys of a database that is elsewhere are not removed with the folder', async () => {
  const state = join(folder, 'elsewhere')
  await mkdir(state)
  const keys = join(state, 'vault.keys')
  await writeFile(keys, 'k1:c2VjcmV0\n')
  const environment = { DATABASE_URL: 'postgres://shop:hunter2@db.example/shop' }
  await writeFile(join(state, 'environment.json'), JSON.stringify(environment))
  const refused = await reset(state, '--yes')
  expect(refused.code).toBe(1)
  expect(refused.err).toContain(
    'It is shop on db.example, and only vault.keys of this folder can decrypt it.',
  )
  expect(refused.err).not.toContain('hunter2')
  expect(await readFile(keys, 'utf8')).toContain('k1:')

  const masters = join(state, 'vault-master.keys')
  await writeFile(masters, 'k1:c2VjcmV0\n')
  expect((await reset(state, '--yes')).err).toContain('only vault.keys and vault-master.keys of this folder')
  await rm(keys)
  expect((await reset(state, '--yes')).err).toContain('only vault-master.keys of this folder can decrypt it.')

  await rm(masters)
  expect((await reset(state, '--yes')).code).toBe(0)
  expect(existsSync(state)).toBe(false)
})

test('behind a link the folder is emptied, and nothing that it links to goes', async () => {
  const real = join(folder, 'real')
  const outside = join(folder, 'outside')
  for (const path of [real, outside]) await mkdir(path)
  await writeFile(join(real, 'ports.json'), '{}')
  await writeFile(join(outside, 'kept.txt'), 'kept')
  await symlink(outside, join(real, 'logs'))
  const link = join(folder, 'link')
  await symlink(real, link)
  expect((await reset(link, '--yes')).code).toBe(0)
  expect(await readdir(real)).toEqual([])
  expect(await readdir(outside)).toEqual(['kept.txt'])
})
