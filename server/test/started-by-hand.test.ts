import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ReadyLine } from '../src/cli/start-up.ts'
import { patientMs } from './gate/pace.ts'
import { serviceEnvironment } from './harness/up.ts'

const root = join(import.meta.dirname, '../..')
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prokura-by-hand-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

type Run = { child: ChildProcess; lines: string[]; ended: Promise<[number | null, NodeJS.Signals | null]> }

/** As somebody types it into a shell that runs nothing but this: what is told to its process is told to it alone. */
function run(command: string, args: readonly string[], cwd = root): Run {
  const child = spawn(command, args, {
    cwd,
    env: serviceEnvironment(),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => lines.push(line))
  const ended = once(child, 'close') as Run['ended'] // as Node documents it
  return { child, lines, ended }
}

async function readyLine({ lines, ended }: Run): Promise<ReadyLine> {
  let line: string | undefined
  const early = ended.then(() => {
    throw new Error(`it ended before it was ready: ${lines.join('\n')}`)
  })
  const seen = expect
    .poll(() => {
      line = lines.find((one) => one.startsWith('{'))
      return line
    })
    .toBeDefined()
  await Promise.race([seen, early])
  return JSON.parse(line ?? '')
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test.each([
  ['npm start', 'npm', ['start', '--']],
  ['./prokura up', './prokura', ['up']],
])(
  '%s that is told to stop by its process id alone ends with 0 and leaves nothing running',
  async (what, command, args) => {
    const state = join(folder, what.replaceAll(/\W/g, '-'))
    const started = run(command, [...args, '--state', state, '--port', '0', '--json'])
    const ready = await readyLine(started)
    expect((await fetch(`${ready.base_url}/readyz`)).status).toBe(200)
    const pids = Object.values(ready.pids)
    expect(pids.length).toBeGreaterThanOrEqual(4)

    const toldAt = performance.now()
    started.child.kill('SIGTERM')
    expect(await started.ended).toEqual([0, null])
    await expect.poll(() => pids.filter(isAlive)).toEqual([])
    // What a drain may take: eight seconds for API and workers, and what the others need.
    expect(performance.now() - toldAt).toBeLessThan(patientMs(12_000))
    await expect(fetch(`${ready.base_url}/readyz`)).rejects.toThrow()
  },
)

test('./prokura is the process that was started, wherever it is called from and by whatever name', async () => {
  const link = join(folder, 'by-another-name')
  await symlink(join(root, 'prokura'), link)
  const started = run(link, ['up', '--state', join(folder, 'linked'), '--port', '0', '--json'], folder)
  const { pids, base_url } = await readyLine(started)
  expect((await fetch(`${base_url}/readyz`)).status).toBe(200)
  started.child.kill('SIGINT')
  expect(await started.ended).toEqual([0, null])
  await expect.poll(() => Object.values(pids).filter(isAlive)).toEqual([])
})

test('./prokura hands on the exit code, and its version', async () => {
  for (const [args, code, said] of [
    [['--version'], 0, /^\d+\.\d+\.\d+$/],
    [['status', '--state', join(folder, 'nowhere')], 1, /There is no state folder at/],
    [['frobnicate'], 1, /unknown command 'frobnicate'/],
  ] as const) {
    const started = run('./prokura', args)
    expect([args, await started.ended]).toEqual([args, [code, null]])
    expect(started.lines[0]).toMatch(said)
  }
})
