import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { ReadyLine } from '../src/cli/up/start-up.ts'
import { patientMs } from './gate/pace.ts'
import { serviceEnvironment } from './harness/up.ts'

const root = join(import.meta.dirname, '../..')
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'prokura-by-hand-'))
})
afterAll(async () => {
  // Processes that a failed test left running.
  for (const pid of ups.filter(isAlive)) process.kill(pid, 'SIGTERM')
  await vi.waitFor(() => expect(ups.filter(isAlive)).toEqual([]), { timeout: patientMs(20_000) })
  await rm(folder, { recursive: true, force: true })
})

/** The processes that hold a state folder. */
const ups: number[] = []

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
  const ended = once(child, 'exit') as Run['ended'] // as Node documents it
  return { child, lines, ended }
}

/** Its ready line, and its process, which has claimed the folder. */
async function ready({ lines, ended }: Run, state: string): Promise<ReadyLine & { up: number }> {
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
  const up = Number((await readFile(join(state, 'up.lock'), 'utf8')).split(' ')[0])
  ups.push(up)
  return { ...JSON.parse(line ?? ''), up }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('npm start that gets its signal by process id alone ends with 0 and leaves nothing running', async () => {
  const state = join(folder, 'npm-start')
  const started = run('npm', ['start', '--', '--state', state, '--port', '0', '--json'])
  await endsWholly(started, await ready(started, state), 'SIGTERM')
})

test('./prokura is the process that was started, from any folder and by any name, and ends in the same way', async () => {
  const link = join(folder, 'by-another-name')
  await symlink(join(root, 'prokura'), link)
  const state = join(folder, 'linked')
  const started = run(link, ['up', '--state', state, '--port', '0', '--json'], folder)
  const known = await ready(started, state)
  expect(known.up).toBe(started.child.pid)
  await endsWholly(started, known, 'SIGINT')
})

async function endsWholly(
  started: Run,
  { base_url, pids: children, up }: ReadyLine & { up: number },
  signal: NodeJS.Signals,
): Promise<void> {
  expect((await fetch(`${base_url}/readyz`)).status).toBe(200)
  const pids = [up, ...Object.values(children)]
  expect(pids.length).toBeGreaterThanOrEqual(5)
  const toldAt = performance.now()
  started.child.kill(signal)
  expect(await started.ended).toEqual([0, null])
  await expect.poll(() => pids.filter(isAlive)).toEqual([])
  // What a drain may take: eight seconds for API and workers, and what the others need.
  expect(performance.now() - toldAt).toBeLessThan(patientMs(12_000))
  await expect(fetch(`${base_url}/readyz`)).rejects.toThrow()
}

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
