import { type ChildProcess, spawn } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import puppeteer, { type Browser, type ConnectionTransport } from 'puppeteer-core'
import { ChromiumFailure } from './chromium-failure.ts'
import { messageReader } from './message-reader.ts'
import { asRoot, type ChromiumUser } from './own-user.ts'
import type { ChromiumBinary } from './unpack.ts'

type LaunchOptions = {
  readonly binary: ChromiumBinary
  readonly user: ChromiumUser
  /** Each start gets a new, empty folder in it. */
  readonly profiles: string
  readonly argumentsFor: (profile: string) => readonly string[]
  /** For a window on a screen. */
  readonly display: string | null
}

export type LaunchedChromium = {
  readonly browser: Browser
  readonly pid: number
  readonly exited: Promise<void>
  /** Ends it at once. A context that is still open ends with it. */
  stop(): Promise<void>
}

const startMs = 30_000
/** For one call of its protocol: a page that hangs must not hold a visit for longer. */
const callMs = 30_000

/** Starts Chromium, which we speak to over two pipes: there is no port that another process could find. */
export async function launchChromium(options: LaunchOptions): Promise<LaunchedChromium> {
  await options.binary.check()
  const profile = newProfile(options)
  const child = start(options, profile)
  const words = lastWords(child)
  const exited = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  }).then(() => asRoot(() => rmSync(profile, { recursive: true, force: true })))
  const stop = async () => {
    asRoot(() => child.kill('SIGKILL'))
    await exited
  }
  const late = setTimeout(() => void stop(), startMs)
  try {
    const browser = await Promise.race([
      puppeteer.connect({ transport: pipesOf(child), defaultViewport: null, protocolTimeout: callMs }),
      exited.then(() => {
        throw new ChromiumFailure(words())
      }),
    ])
    return { browser, pid: child.pid ?? 0, exited, stop }
  } catch (error) {
    await stop()
    throw error
  } finally {
    clearTimeout(late)
  }
}

function newProfile({ profiles, user }: LaunchOptions): string {
  return asRoot(() => {
    mkdirSync(profiles, { recursive: true, mode: 0o711 })
    const profile = mkdtempSync(join(profiles, 'profile-'))
    if (user !== null) chownSync(profile, user.uid, user.gid)
    return profile
  })
}

function start({ binary, user, argumentsFor, display }: LaunchOptions, profile: string): ChildProcess {
  return asRoot(() =>
    spawn(binary.path, [...argumentsFor(profile)], {
      cwd: '/',
      // Nothing of our own environment.
      env: {
        HOME: profile,
        TMPDIR: profile,
        LANG: 'en_US.UTF-8',
        ...binary.env,
        ...(display === null ? {} : { DISPLAY: display }),
      },
      stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
      ...(user === null ? {} : { uid: user.uid, gid: user.gid }),
    }),
  )
}

/** What it says when it ends before it was ready. */
function lastWords(child: ChildProcess): () => string {
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-4_000)
  })
  child.once('error', (error) => {
    said += error.message
  })
  return () => {
    const fatal = said.split('\n').findLast((line) => /FATAL|sandbox|error while loading/i.test(line))
    return `Chromium ended before it was ready: ${fatal ?? (said.trim().split('\n').at(-1) || 'it said nothing')}`
  }
}

/** The protocol over pipes. Whose pages say more than `readMessages` takes loses its Chromium, and with it no visit of another tenant. */
function pipesOf(child: ChildProcess): ConnectionTransport {
  const [, , , to, from] = child.stdio as [null, null, Readable, Writable, Readable] // as `start` asks for
  let isOver = false
  const end = () => {
    isOver = true
    from.destroy()
    asRoot(() => child.kill('SIGKILL'))
  }
  const transport: ConnectionTransport = {
    send: (message) => {
      if (!to.destroyed) to.write(`${message}\0`)
    },
    close: () => to.destroy(),
  }
  const read = messageReader((message) => {
    // What it throws, or rejects, is about one message. Thrown from here, it would end the process and the visits of all.
    try {
      const heard: unknown = transport.onmessage?.(message)
      if (heard instanceof Promise) heard.catch(end)
    } catch {
      end()
    }
  })
  from.on('data', (chunk: Buffer) => {
    if (!isOver && !read(chunk)) end()
  })
  to.on('error', () => undefined)
  from.on('error', () => undefined)
  from.once('close', () => transport.onclose?.())
  return transport
}
