import { createHash } from 'node:crypto'
import {
  closeSync,
  fdatasync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  realpathSync,
  write,
} from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

type DurableLog<T> = {
  /** Resolves when the entry, and everything appended before it, is on disk. */
  append(entry: T): Promise<void>
  /** Resolves when everything appended so far is on disk. An answer may only be sent after this. */
  durable(): Promise<void>
  close(): Promise<void>
}

/**
 * An append-only file of JSON lines that survives kill -9: existing entries are handed to `replay` in order, then new ones
 * are appended. Entries that arrive while the disk is busy share the next write and the next fsync.
 */
export async function openDurableLog<T>(path: string, replay: (entry: T) => void): Promise<DurableLog<T>> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const release = await holdAlone(join(realpathSync(dirname(path)), basename(path)))
  const fd = openSync(path, 'a+', 0o600)
  syncFolder(dirname(path))
  replayLines(fd, path, replay)
  const writer = createWriter(fd)
  let closed = false
  return {
    // A call that was delayed past the end has no effect and no answer, as if it had never arrived.
    append: (entry) => (closed ? new Promise(() => {}) : writer.add(`${JSON.stringify(entry)}\n`)),
    durable: () => (closed ? new Promise(() => {}) : writer.durable()),
    close: async () => {
      closed = true
      await writer.durable()
      closeSync(fd)
      await release()
    },
  }
}

type Batch = { lines: string[]; done: Promise<void>; resolve: () => void }

function createWriter(fd: number) {
  let open: Batch | undefined
  let running: Batch | undefined

  function add(line: string): Promise<void> {
    if (open === undefined) {
      open = newBatch()
      // The next turn of the loop, so that all requests read in this one share the fsync.
      if (running === undefined) setImmediate(flush)
    }
    open.lines.push(line)
    return open.done
  }

  function flush(): void {
    const batch = open
    if (batch === undefined) return
    open = undefined
    running = batch
    writeAll(fd, Buffer.from(batch.lines.join('')), () => {
      fdatasync(fd, (error) => {
        // A memory that cannot be written must not answer: the process dies here and is started again from the file.
        if (error !== null) throw error
        running = undefined
        batch.resolve()
        flush()
      })
    })
  }

  function durable(): Promise<void> {
    return open?.done ?? running?.done ?? Promise.resolve()
  }

  return { add, durable }
}

function newBatch(): Batch {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { lines: [], done: promise, resolve }
}

function writeAll(fd: number, bytes: Buffer, done: () => void): void {
  write(fd, bytes, 0, bytes.length, null, (error, written) => {
    if (error !== null) throw error
    if (written === bytes.length) done()
    else writeAll(fd, bytes.subarray(written), done)
  })
}

function replayLines<T>(fd: number, path: string, replay: (entry: T) => void): void {
  const chunk = Buffer.alloc(1 << 20)
  let carry = Buffer.alloc(0)
  let goodBytes = 0
  let damaged: string | undefined
  for (let offset = 0; ; ) {
    const read = readSync(fd, chunk, 0, chunk.length, offset)
    if (read === 0) break
    offset += read
    const bytes = Buffer.concat([carry, chunk.subarray(0, read)])
    let start = 0
    for (let end = bytes.indexOf(10, start); end !== -1; end = bytes.indexOf(10, start)) {
      // Only the end of the file can be torn by a crash; damage before it means that someone else wrote here.
      if (damaged !== undefined) throw new Error(`${basename(path)}: ${damaged}`)
      const entry = parseLine<T>(bytes.toString('utf8', start, end))
      if (entry === undefined) damaged = `a damaged line after byte ${goodBytes}`
      else {
        replay(entry)
        goodBytes += end + 1 - start
      }
      start = end + 1
    }
    carry = Buffer.from(bytes.subarray(start))
  }
  if (carry.length > 0 && damaged !== undefined) throw new Error(`${basename(path)}: ${damaged}`)
  ftruncateSync(fd, goodBytes)
  fsyncSync(fd)
}

function parseLine<T>(line: string): T | undefined {
  try {
    // The file is written by this module alone, from values of type T.
    return JSON.parse(line) as T
  } catch {
    return undefined
  }
}

function syncFolder(folder: string): void {
  const fd = openSync(folder, 'r')
  fsyncSync(fd)
  closeSync(fd)
}

/**
 * Two processes that append to one file would each remember half of the truth. A listening socket is a lock that the kernel
 * takes back even after kill -9; a predecessor that is on its way out gets a few seconds to leave.
 */
async function holdAlone(path: string): Promise<() => Promise<void>> {
  const name = `prokura-sandbox-${createHash('sha256').update(path).digest('hex').slice(0, 24)}`
  // Abstract sockets exist on Linux only; elsewhere the ports are what collides.
  if (process.platform !== 'linux') return async () => {}
  for (let attempt = 0; attempt < 50; attempt++) {
    const server = await tryListen(`\0${join(tmpdir(), name)}`)
    if (server !== undefined) return () => new Promise((resolve) => server.close(() => resolve()))
    await wait(100)
  }
  throw new Error(`${basename(path)} is in use by another sandbox process`)
}

function tryListen(path: string): Promise<Server | undefined> {
  const server = createServer((socket) => socket.destroy())
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(undefined) : reject(error),
    )
    server.listen({ path }, () => {
      server.unref()
      resolve(server)
    })
  })
}
