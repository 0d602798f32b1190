import { chmodSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { dirname } from 'node:path'
import type { ReaderPage } from '../../channels/browser/page-reader.ts'
import {
  type BrowserLine,
  lineBytesMax,
  lineCutter,
  readLine,
  type ShopAsk,
  writeLine,
} from '../../channels/browser/shopping-wire.ts'
import type { ShopEvidence } from '../../channels/browser/shopping-words.ts'
import type { Log } from '../../platform/logs/logs.ts'
import { assertOwnFolder, OpenSocket } from '../../platform/vault-client/private-socket.ts'
import { readAsk } from './read-ask.ts'

/** One worker that waits for one answer. */
export type Caller = {
  /** Ends when the worker has gone, or was silent for too long. */
  readonly signal: AbortSignal
  evidence(evidence: ShopEvidence): void
  /** The grant for a card; null: there is none, or the worker has gone. */
  wantsCard(origin: string): Promise<string | null>
  /** A move on this page, as the worker says it; null: it has none. */
  wantsMove(page: ReaderPage): Promise<unknown>
}

type DoorOptions = { readonly log: Log; readonly silenceMs?: number }

type Answer = Extract<BrowserLine, { answer: unknown }>['answer']

const connectionsMax = 256
/** A worker says something at least every five seconds (`beatMs`), and may miss it once. */
const usualSilenceMs = 10_000

/** Listens on a Unix socket in a folder of ours. Who may enter the folder may ask. */
export async function openShopDoor(
  path: string,
  serve: (ask: ShopAsk, caller: Caller) => Promise<Answer>,
  options: DoorOptions,
): Promise<{ close(): Promise<void> }> {
  assertOwnFolder(dirname(path))
  // What a process that was killed has left behind is in the way, and one that runs is not to be replaced.
  if (await isServed(path)) throw new OpenSocket(`Another browser process already serves ${path}`)
  rmSync(path, { force: true })
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    hear(socket, serve, options)
  })
  server.maxConnections = connectionsMax
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  chmodSync(path, 0o660)
  return {
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

function isServed(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

function hear(
  socket: Socket,
  serve: (ask: ShopAsk, caller: Caller) => Promise<Answer>,
  { log, silenceMs = usualSilenceMs }: DoorOptions,
): void {
  const gone = new AbortController()
  const grants = new Waiting<string>()
  const moves = new Waiting<unknown>()
  let isAsked = false
  const say = (line: BrowserLine) => {
    if (!socket.destroyed) socket.write(writeLine(line))
  }
  const silence = setTimeout(() => socket.destroy(), silenceMs)
  const caller: Caller = {
    signal: gone.signal,
    evidence: (evidence) => say({ evidence }),
    wantsCard(origin) {
      return gone.signal.aborted ? Promise.resolve(null) : grants.ask(() => say({ wants_card: { origin } }))
    },
    wantsMove(page) {
      return gone.signal.aborted ? Promise.resolve(null) : moves.ask(() => say({ wants_move: page }))
    },
  }
  const start = async (ask: ShopAsk) => {
    try {
      socket.end(writeLine({ answer: await serve(ask, caller) }))
    } catch (error) {
      log.error({ err: error }, 'browser: a question failed on our side')
      socket.destroy()
    }
  }
  const cut = lineCutter(lineBytesMax.fromWorker, (text) => {
    silence.refresh()
    const said = readLine(text)
    if (!isAsked) {
      isAsked = true
      const ask = readAsk(said)
      if (ask === null) {
        log.warn('browser: a question at the door is not understood')
        socket.destroy()
      } else void start(ask)
    } else if (typeof said === 'object' && said !== null) {
      if ('grant' in said) grants.answer(typeof said.grant === 'string' ? said.grant : null)
      if ('move' in said) moves.answer(said.move)
    }
  })
  socket.on('data', (chunk: Buffer) => {
    if (!cut(chunk)) socket.destroy()
  })
  // A worker that has said its last word has gone, too.
  socket.on('end', () => socket.destroy())
  socket.on('error', () => socket.destroy())
  socket.once('close', () => {
    clearTimeout(silence)
    gone.abort()
    grants.answer(null)
    moves.answer(null)
  })
}

/** One question to the worker at a time; another one in the meantime is answered null. */
class Waiting<T> {
  #resolve: ((answer: T | null) => void) | null = null

  ask(say: () => void): Promise<T | null> {
    if (this.#resolve !== null) return Promise.resolve(null)
    return new Promise((resolve) => {
      this.#resolve = resolve
      say()
    })
  }

  answer(answer: T | null): void {
    this.#resolve?.(answer)
    this.#resolve = null
  }
}
