/**
 * A process between Prokura and the PostgreSQL that it started. Every process that uses the server holds a stream to it (the one that
 * started it as descriptor 3, others over a unix socket). The kernel closes that stream however its holder dies, and when the last stream
 * is closed PostgreSQL is stopped. Without this process PostgreSQL would outlive a killed parent and keep the folder locked.
 */
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { createServer, Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { findPostmaster, isAlive, servesFolder } from './postmaster.ts'

const fastStopMs = 4_000
const immediateStopMs = 800

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    binary: { type: 'string', default: '' },
    data: { type: 'string', default: '' },
    control: { type: 'string', default: '' },
    uid: { type: 'string' },
    gid: { type: 'string' },
    adopt: { type: 'string' },
  },
})

const holders = new Set<Socket>()
const recentLines: string[] = []
let isStopping = false
let isReady = false
let pid = 0

// A terminal's Ctrl-C or a service manager signals the whole group; the holders decide when the database stops, which is last.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)

hold(new Socket({ fd: 3, allowHalfOpen: true }))
rmSync(values.control, { force: true })
const server = createServer({ allowHalfOpen: true }, hold)
server.listen(values.control)
pid = values.adopt === undefined ? launch() : Number(values.adopt)
await watch()

function hold(holder: Socket): void {
  holder.on('error', () => undefined)
  if (isStopping) {
    holder.destroy()
    return
  }
  holders.add(holder)
  holder.resume()
  holder.on('end', () => void release(holder))
  holder.on('close', () => void release(holder))
  if (isReady) tell(holder, { kind: 'ready', pid })
}

async function release(holder: Socket): Promise<void> {
  if (!holders.delete(holder)) return
  if (holders.size > 0 || isStopping) {
    holder.end()
    return
  }
  isStopping = true
  // Closing removes its path, before the server has ended and the next supervisor needs the path.
  server.close()
  await stop()
  holder.end(() => process.exit(0))
  setTimeout(() => process.exit(0), 500)
}

function launch(): number {
  const child = spawn(values.binary, positionals, {
    cwd: values.data,
    // Nothing of our environment: it may hold secrets, and PG* variables would change the server's settings.
    env: { LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(values.uid === undefined ? {} : { uid: Number(values.uid) }),
    ...(values.gid === undefined ? {} : { gid: Number(values.gid) }),
  })
  child.on('error', (error) => log(error.message))
  createInterface({ input: child.stderr }).on('line', log)
  return child.pid ?? 0
}

/** Reports readiness once, and exits when the server has ended: its holders notice and start another. */
async function watch(): Promise<void> {
  while (isRunning()) {
    if (!isReady && findPostmaster(values.data)?.isReady) {
      isReady = true
      broadcast({ kind: 'ready', pid })
    }
    await delay(isReady ? 200 : 15)
  }
  if (isStopping) return
  // The pipe may still hold the server's last words.
  await delay(20)
  broadcast({ kind: 'failed', detail: recentLines.join('\n') })
  for (const holder of holders) holder.end()
  setTimeout(() => process.exit(1), 100)
}

async function stop(): Promise<void> {
  for (const [signal, patienceMs] of [
    ['SIGINT', fastStopMs],
    ['SIGQUIT', immediateStopMs],
    ['SIGKILL', 200],
  ] as const) {
    if (isRunning()) process.kill(pid, signal)
    const deadline = performance.now() + patienceMs
    while (isRunning() && performance.now() < deadline) await delay(10)
  }
}

function isRunning(): boolean {
  // A process that inherited an orphan may never reap it, and then its process id outlives it.
  return values.adopt === undefined ? isAlive(pid) : servesFolder(pid, values.data)
}

function log(line: string): void {
  recentLines.push(line)
  if (recentLines.length > 20) recentLines.shift()
  broadcast({ kind: 'log', line })
}

function broadcast(message: Record<string, unknown>): void {
  for (const holder of holders) tell(holder, message)
}

function tell(holder: Socket, message: Record<string, unknown>): void {
  if (holder.writable) holder.write(`${JSON.stringify(message)}\n`)
}
