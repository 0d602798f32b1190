import { createHash, X509Certificate } from 'node:crypto'
import type { Browser } from 'puppeteer-core'
import type { Mode } from '../../contract/context.ts'
import { isAtSandbox, type SandboxNames } from '../../platform/egress/egress.ts'
import type { Log } from '../../platform/logs/logs.ts'
import { openVisitProxy, type VisitProxy } from '../guard/visit-proxy.ts'
import { chromiumArguments } from './chromium-arguments.ts'
import { ChromiumFailure } from './chromium-failure.ts'
import { type LaunchedChromium, launchChromium } from './launch.ts'
import type { ChromiumUser } from './own-user.ts'
import { hasSharedMemory } from './shared-memory.ts'
import type { ChromiumBinary } from './unpack.ts'

export type ChromiumSettings = {
  readonly binary: () => Promise<ChromiumBinary>
  readonly user: ChromiumUser
  readonly profiles: string
  /** A root user has no sandbox in Chromium, and neither has a system without user namespaces. */
  readonly mayRunUnsandboxed: boolean
  readonly sandboxNames: SandboxNames | null
  readonly display: string | null
  /** A Chromium that nobody uses for this long is stopped. */
  readonly idleMs: number
  readonly log: Log
}

/** A Chromium while a visit uses it. */
type UsedChromium = { readonly browser: Browser; readonly proxy: VisitProxy; release(): void }

type KnownChromium = {
  readonly version: string | null
  readonly sandbox: 'on' | 'missing' | 'unknown'
  readonly remedy: string | null
}

export type Chromiums = {
  /** `share`: whose visit it is. Throws a `ChromiumFailure` where there is none for this mode. */
  use(mode: Mode, share: string): Promise<UsedChromium>
  known(): Promise<KnownChromium>
  serves(mode: Mode, known: KnownChromium): boolean
  pids(): number[]
  close(): Promise<void>
}

const sandboxRemedy =
  'Chromium has no sandbox of its own here. Allow unprivileged user namespaces (sysctl user.max_user_namespaces=10000; on Ubuntu also ' +
  'kernel.apparmor_restrict_unprivileged_userns=0; in a container a seccomp profile that allows clone and unshare), or run as a user that ' +
  'has them, and start the browser again. Test mode alone can do without: PROKURA_BROWSER_UNSANDBOXED=test'

/**
 * One Chromium for each tenant, which is of one mode, started at its first use and stopped when nobody has used it for a while. What a page
 * does to its Chromium, and be it that it ends, is done to the tenant alone that buys there. The modes could not share one anyway: the key of
 * the sandbox's shops is believed in test mode alone.
 */
export function keepChromiums(settings: ChromiumSettings): Chromiums {
  const kept = new Map<string, KeptChromium>()
  let isClosed = false
  const binary = once(settings.binary)
  const known = once(() => lookAt(settings, binary))
  // What is shown there are test mode's pages and those of the sandbox.
  const isOnlyTried = (mode: Mode) => mode === 'test' || isAtSandbox(settings.sandboxNames, mode)
  const serves = (mode: Mode, { version, sandbox }: KnownChromium) =>
    version !== null && (sandbox === 'on' || (isOnlyTried(mode) && settings.mayRunUnsandboxed))
  return {
    async use(mode, share) {
      const found = await known()
      if (!serves(mode, found)) throw new ChromiumFailure(found.remedy ?? sandboxRemedy)
      if (isClosed) throw new ChromiumFailure('The browser is stopping.')
      const name = `${mode} ${share}`
      for (const [other, one] of kept)
        if (other !== name && one.isIdle) {
          kept.delete(other)
          void one.stop()
        }
      const one = kept.get(name) ?? new KeptChromium(mode, settings, binary)
      kept.set(name, one)
      return one.use(found.sandbox === 'on')
    },
    known,
    serves,
    pids: () => [...kept.values()].flatMap((one) => one.pids()),
    async close() {
      isClosed = true
      for (const one of kept.values()) await one.stop()
    },
  }
}

type Running = { readonly chromium: LaunchedChromium; readonly proxy: VisitProxy }

class KeptChromium {
  readonly #mode: Mode
  readonly #settings: ChromiumSettings
  readonly #binary: () => Promise<ChromiumBinary>
  #running: Promise<Running> | null = null
  #live: Running | null = null
  #users = 0
  #idle: NodeJS.Timeout | null = null

  constructor(mode: Mode, settings: ChromiumSettings, binary: () => Promise<ChromiumBinary>) {
    this.#mode = mode
    this.#settings = settings
    this.#binary = binary
  }

  async use(isSandboxed: boolean): Promise<UsedChromium> {
    this.#users += 1
    this.#stayAwake()
    const running = this.#running ?? this.#start(isSandboxed)
    this.#running = running
    let isReleased = false
    const release = () => {
      if (isReleased) return
      isReleased = true
      this.#users -= 1
      if (this.#users === 0) this.#rest()
    }
    try {
      const { chromium, proxy } = await running
      return { browser: chromium.browser, proxy, release }
    } catch (error) {
      release()
      throw error
    }
  }

  pids(): number[] {
    return this.#live === null ? [] : [this.#live.chromium.pid]
  }

  get isIdle(): boolean {
    return this.#users === 0
  }

  async stop(): Promise<void> {
    this.#stayAwake()
    const running = this.#running
    this.#running = null
    this.#live = null
    const found = await running?.catch(() => null)
    await found?.chromium.stop()
    await found?.proxy.close()
  }

  #start(isSandboxed: boolean): Promise<Running> {
    const { log } = this.#settings
    const starting = launch(this.#settings, this.#mode, this.#binary, isSandboxed)
    const forget = () => {
      if (this.#running !== starting) return
      this.#running = null
      this.#live = null
    }
    starting.then((running) => {
      const { chromium, proxy } = running
      if (this.#running === starting) this.#live = running
      // Its pipes close before it is known to have ended, and whoever comes in between gets a new one.
      chromium.browser.once('disconnected', () => {
        if (this.#running === starting)
          log.warn({ mode: this.#mode }, 'browser: Chromium has ended by itself')
        forget()
        void chromium.stop().then(() => proxy.close())
      })
      if (!chromium.browser.connected) forget()
    }, forget)
    return starting
  }

  #rest(): void {
    this.#idle = setTimeout(() => void this.stop(), this.#settings.idleMs)
    this.#idle.unref()
  }

  #stayAwake(): void {
    if (this.#idle !== null) clearTimeout(this.#idle)
    this.#idle = null
  }
}

async function launch(
  settings: ChromiumSettings,
  mode: Mode,
  binary: () => Promise<ChromiumBinary>,
  isSandboxed: boolean,
): Promise<Running> {
  const { sandboxNames, user, profiles, display } = settings
  const proxy = await openVisitProxy({ mode, sandboxNames })
  try {
    const chromium = await launchChromium({
      binary: await binary(),
      user,
      profiles,
      display,
      argumentsFor: (profile) =>
        chromiumArguments({
          profile,
          proxyUrl: proxy.url,
          keyPin: isAtSandbox(sandboxNames, mode) ? keyPinOf(sandboxNames.certificate) : null,
          isSandboxed,
          isHeaded: display !== null,
          sharesMemory: hasSharedMemory(),
        }),
    })
    return { chromium, proxy }
  } catch (error) {
    await proxy.close()
    throw error
  }
}

/** Starts it once with its own sandbox, so that it is known before anybody buys whether there is one. */
async function lookAt(
  settings: ChromiumSettings,
  binary: () => Promise<ChromiumBinary>,
): Promise<KnownChromium> {
  const probe = async (isSandboxed: boolean) => {
    const launched = await launch(settings, 'live', binary, isSandboxed)
    try {
      const version = await launched.chromium.browser.version()
      // A renderer is the first process that the sandbox walls off.
      await (await launched.chromium.browser.newPage()).evaluate('1')
      return version
    } finally {
      await launched.chromium.stop()
      await launched.proxy.close()
    }
  }
  const isRoot = settings.user === null && process.getuid?.() === 0
  const walled = isRoot ? null : await probe(true).catch(() => null)
  if (walled !== null) return { version: walled, sandbox: 'on', remedy: null }
  try {
    return { version: await probe(false), sandbox: 'missing', remedy: sandboxRemedy }
  } catch (error) {
    const remedy =
      error instanceof ChromiumFailure ? error.message : `Chromium does not start: ${String(error)}`
    return { version: null, sandbox: 'unknown', remedy }
  }
}

function once<T>(work: () => Promise<T>): () => Promise<T> {
  let started: Promise<T> | null = null
  return () => {
    started ??= work()
    return started
  }
}

/** A certificate's public key as Chromium is told to believe it: its SHA-256, in base64. */
function keyPinOf(certificate: string): string {
  const key = new X509Certificate(certificate).publicKey.export({ type: 'spki', format: 'der' })
  return createHash('sha256').update(key).digest('base64')
}
