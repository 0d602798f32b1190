import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { watchMemory } from './memory.ts'

const megabytes = 150
/** It needs its memory only when its parent has gone, and ends when nobody listens any more. */
const child = `const parent = process.ppid
  setInterval(() => { if (process.ppid !== parent) globalThis.held ??= Buffer.alloc(${megabytes} * 1048576, 1) }, 10)
  setInterval(() => process.stdout.write('.'), 50)`
const parent = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(child)}],
    { stdio: ['ignore', 'inherit', 'ignore'], detached: true })
  process.stdin.on('end', () => process.exit()).resume()`

test.runIf(existsSync('/proc/self/status'))(
  'the memory of a command is also that of what it has started, after it has gone itself',
  async () => {
    const command: ChildProcess = spawn(process.execPath, ['-e', parent], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    if (command.stdout) await once(command.stdout, 'data')
    const memory = watchMemory(command.pid ?? 0, 10)
    const alone = memory.most() ?? 0
    expect(alone).toBeGreaterThan(1)
    expect(alone).toBeLessThan(megabytes)
    command.stdin?.end()
    await expect.poll(memory.most).toBeGreaterThan(megabytes)
    memory.stop()
    command.stdout?.destroy()
  },
)
