import { expect, test } from 'vitest'
import { runCommand } from './run-command.ts'

const cwd = import.meta.dirname
const limitMs = 20_000
const ignored = (): void => undefined

test('the result of a command is its exit code, and its output is kept from both streams', async () => {
  const script = `console.log('said'); console.error('complained'); process.exitCode = 3`
  const result = await runCommand({ args: ['-e', script], cwd, limitMs, onLine: ignored })
  expect(result.exitCode).toBe(3)
  expect(result.output).toContain('said')
  expect(result.output).toContain('complained')
})

test('a command that takes longer than its limit is ended and has failed', async () => {
  const args = ['-e', 'setInterval(() => undefined, 1000)']
  const result = await runCommand({ args, cwd, limitMs: 200, onLine: ignored })
  expect(result.exitCode).not.toBe(0)
  expect(result.output).toContain('its limit')
})

const silent = ['-e', 'setInterval(() => undefined, 1000)']

test('a command that hangs without output is ended and has failed, and its output says why', async () => {
  const result = await runCommand({
    args: silent,
    cwd,
    limitMs,
    quietMs: 300,
    measure: () => 1,
    onLine: ignored,
  })
  expect(result.exitCode).not.toBe(0)
  expect(result.output).toContain('no progress')
})

test('a slow command that makes progress is not ended, however long it takes', async () => {
  const script = `let left = 12; const timer = setInterval(() => { console.log(left); if (--left === 0) clearInterval(timer) }, 250)`
  const result = await runCommand({ args: ['-e', script], cwd, limitMs, quietMs: 1_500, onLine: ignored })
  expect(result.exitCode).toBe(0)
})

test('on a busy machine the limit is longer by the factor by which it is slower', async () => {
  const startedMs = performance.now()
  const result = await runCommand({
    args: silent,
    cwd,
    limitMs,
    quietMs: 200,
    measure: () => 6,
    onLine: ignored,
  })
  expect(result.output).toContain('6.0 times as slow')
  expect(performance.now() - startedMs).toBeGreaterThan(1_200)
})

test('a command that dies of a signal has failed', async () => {
  const args = ['-e', `process.kill(process.pid, 'SIGKILL')`]
  const result = await runCommand({ args, cwd, limitMs, onLine: ignored })
  expect(result).toMatchObject({ exitCode: 1, output: expect.stringContaining('SIGKILL') })
})

test('lines are reported while the command runs', async () => {
  const lines: string[] = []
  await runCommand({ args: ['-e', `console.log('one')`], cwd, limitMs, onLine: (line) => lines.push(line) })
  expect(lines).toEqual(['one'])
})

test('what it and its children have used is told', async () => {
  // Counted in computing, not by the clock: on a busy machine a process has only a part of it.
  const busy = 'while (process.cpuUsage().user < 400_000);'
  const script = `${busy} require('node:child_process').spawnSync(process.execPath, ['-e', '${busy}'])`
  const { cpu } = await runCommand({ args: ['-e', script], cwd, limitMs, onLine: ignored })
  expect(cpu.user).toBeGreaterThan(0.75)
  expect(cpu.user + cpu.system).toBeLessThan(10)
})
