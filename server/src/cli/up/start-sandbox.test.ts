import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { programFiles } from '../../platform/files/program-files.ts'
import { startChild } from './child.ts'
import { listensOn } from './free-port.ts'
import { startSandbox } from './start-sandbox.ts'
import { openStateFolder } from './state-folder.ts'

test('a port that somebody took after it was chosen is left to him, and the sandbox starts with another', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'prokura-ports-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))
  const state = openStateFolder(folder, { create: true })
  const starts: string[][] = []
  const thief = createServer()
  onTestFinished(() => void thief.close())

  const sandbox = await startSandbox(state, async (args) => {
    starts.push(args)
    if (starts.length === 1)
      await new Promise<void>((resolve) => thief.listen(portOf(args), '127.0.0.1', resolve))
    return startChild({
      role: 'sandbox',
      args: [programFiles.sandbox, ...args],
      env: process.env,
      logFile: state.file('logs/sandbox.log'),
      readyTimeoutMs: 60_000,
      onRestart: () => undefined,
    })
  })
  onTestFinished(() => sandbox.stop(3000))

  const [taken, used] = [portOf(starts[0]), portOf(starts[1])]
  expect(starts).toHaveLength(2)
  expect(used).not.toBe(taken)
  expect(sandbox.ready.processor_url).toBe(`http://127.0.0.1:${used}`)
  expect(state.read('ports.json')).toMatchObject({ processor: used })
  expect(await listensOn(taken)).toBeNull()
})

test('what else keeps the sandbox from starting is said at once', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'prokura-ports-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const state = openStateFolder(folder, { create: true })
  let starts = 0
  const failing = startSandbox(state, async () => {
    starts++
    throw new Error('its memory is damaged')
  })
  await expect(failing).rejects.toThrow('its memory is damaged')
  expect(starts).toBe(1)
})

function portOf(args: readonly string[] = []): number {
  return Number(args[args.indexOf('--processor-port') + 1])
}
