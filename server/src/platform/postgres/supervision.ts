import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { Duplex, Readable } from 'node:stream'
import { programFiles } from '../files/program-files.ts'
import type { Account } from './account.ts'

/** Our share in a running server. The server is stopped when the last share is released, by a call or by the holder's death. */
export type Share = { pid: number; lost: Promise<void>; release(): Promise<void> }

export type Supervision = {
  binary: string
  postgresArguments: readonly string[]
  data: string
  control: string
  account: Account
  onLog: (line: string) => void
}

/** Longer than a supervisor takes to kill the server. */
const releasePatienceMs = 6_000

/** Starts a supervisor, which starts PostgreSQL, or watches the orphaned server with the process id `adopt`. */
export async function supervise(how: Supervision, patienceMs: number, adopt?: number): Promise<Share> {
  const { uid, gid } = how.account.spawn
  const named = { data: how.data, control: how.control, binary: how.binary, uid, gid, adopt }
  const flags = Object.entries(named).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}=${value}`],
  )
  const child = spawn(process.execPath, [programFiles.supervisor, ...flags, '--', ...how.postgresArguments], {
    // Its own session: a terminal's Ctrl-C must not reach PostgreSQL before the requests in flight are done.
    detached: true,
    cwd: '/',
    env: {},
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  })
  child.on('error', () => undefined)
  const complaints: string[] = []
  const [, , stderr, stream] = child.stdio
  if (!(stderr instanceof Readable) || !(stream instanceof Duplex))
    throw new Error('The supervisor of PostgreSQL could not be started')
  createInterface({ input: stderr }).on('line', (line) => complaints.push(line))
  const share = await shareOf(stream, how.onLog, patienceMs).catch((error: unknown) => {
    throw new Error([error instanceof Error ? error.message : String(error), ...complaints].join('\n'))
  })
  child.unref()
  unref(stderr)
  return share
}

/** Joins the supervisor of a server that another process started; undefined when none answers. */
export async function join(how: Supervision, patienceMs: number): Promise<Share | undefined> {
  const socket = connect({ path: how.control, allowHalfOpen: true })
  try {
    await once(socket, 'connect')
    return await shareOf(socket, how.onLog, patienceMs)
  } catch {
    socket.destroy()
    return undefined
  }
}

async function shareOf(stream: Duplex, onLog: (line: string) => void, patienceMs: number): Promise<Share> {
  const closed = new Promise<void>((resolve) => stream.once('close', resolve))
  stream.on('error', () => undefined)
  // The other side ends the stream: we may end our half first and still learn that the server has stopped.
  stream.once('end', () => stream.end())
  const pid = await firstWord(stream, closed, onLog, patienceMs)
  unref(stream)
  return {
    pid,
    lost: closed,
    async release() {
      ref(stream)
      const patience = setTimeout(() => stream.destroy(), releasePatienceMs)
      stream.end()
      await closed
      clearTimeout(patience)
    },
  }
}

function firstWord(
  stream: Duplex,
  closed: Promise<void>,
  onLog: (line: string) => void,
  patienceMs: number,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => stream.destroy(new Error('late')), patienceMs)
    // A reader passes its stream's errors on; when a supervisor is killed the connection is reset, and `closed` reports that.
    const lines = createInterface({ input: stream }).on('error', () => undefined)
    lines.on('line', (line) => {
      const message = parse(line)
      if (message.kind === 'log') onLog(message.line)
      if (message.kind === 'failed') reject(new Error(`PostgreSQL could not be started:\n${message.detail}`))
      if (message.kind !== 'ready') return
      clearTimeout(timer)
      resolve(message.pid)
    })
    void closed.then(() => {
      clearTimeout(timer)
      reject(
        new Error(
          `PostgreSQL's supervisor left before the server was ready, or it took over ${patienceMs} ms`,
        ),
      )
    })
  })
}

type Message =
  | { kind: 'log'; line: string }
  | { kind: 'ready'; pid: number }
  | { kind: 'failed'; detail: string }
  | { kind: 'other' }

function parse(line: string): Message {
  const message: unknown = JSON.parse(line)
  if (typeof message !== 'object' || message === null || !('kind' in message)) return { kind: 'other' }
  if (message.kind === 'ready' && 'pid' in message) return { kind: 'ready', pid: Number(message.pid) }
  if (message.kind === 'failed' && 'detail' in message)
    return { kind: 'failed', detail: String(message.detail) }
  if (message.kind === 'log' && 'line' in message) return { kind: 'log', line: String(message.line) }
  return { kind: 'other' }
}

// A forgotten handle must not keep a process alive; while the process waits for the server, the handle must.
function unref(stream: object): void {
  if ('unref' in stream && typeof stream.unref === 'function') stream.unref()
}

function ref(stream: object): void {
  if ('ref' in stream && typeof stream.ref === 'function') stream.ref()
}
