import { cpus } from 'node:os'
import type { CDPSession } from 'puppeteer-core'

/** What a page can do that ends its visit: nobody buys at such a page. */
export type PageFault = 'its page does not answer' | 'its page has crashed'

/** How often a renderer is asked whether it is there. */
const askMs = 1_000
/** How many seconds of its own time it may leave that open. */
const deafMax = 5
/** How many it may on a machine that gives it no time. */
const starvedMax = 30
/** A second in which the processors rested this long was the page's own: it could have answered. */
const restMs = 200

/**
 * The renderers of a visit: of its page, its windows and its frames of other sites. One whose script never ends answers nothing, and would
 * hold the place of its visit for as long as a purchase may take.
 */
export class Renderers {
  readonly #root: CDPSession
  readonly #onFault: (fault: PageFault) => void
  /** Each with the question that it has not answered yet. */
  readonly #watched = new Map<CDPSession, Open | null>()
  #timer: NodeJS.Timeout | null = null
  #isAsking = false
  #isOver = false

  /** `root`: a session of their Chromium itself. */
  constructor(root: CDPSession, onFault: (fault: PageFault) => void) {
    this.#root = root
    this.#onFault = onFault
  }

  /** Watches the one that this session speaks to, for as long as it does. */
  watch(session: CDPSession): void {
    if (this.#isOver) return
    session.once('Inspector.targetCrashed', () => this.#fail(session, 'its page has crashed'))
    this.#watched.set(session, null)
    this.#timer ??= setInterval(() => void this.#look(), askMs).unref()
  }

  stop(): void {
    this.#isOver = true
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#watched.clear()
  }

  async #look(): Promise<void> {
    const used = await this.#used()
    // A Chromium that has no time either says nothing about its pages.
    if (used === null) return
    for (const [session, open] of this.#watched) {
      if (session.detached) this.#watched.delete(session)
      else if (open === null) this.#ask(session, used)
      else {
        open.own += ownSecond(open.at, used)
        open.all += 1
        open.at = used
        if (open.own >= deafMax || open.all >= starvedMax)
          return this.#fail(session, 'its page does not answer')
      }
    }
  }

  #ask(session: CDPSession, at: Used): void {
    const open = { own: 0, all: 0, at }
    this.#watched.set(session, open)
    // That it could not be evaluated is an answer as well.
    const answered = () => {
      if (this.#watched.get(session) === open) this.#watched.set(session, null)
    }
    session.send('Runtime.evaluate', { expression: '0', silent: true }).then(answered, answered)
  }

  /** Null: Chromium has not answered the question before this one. */
  async #used(): Promise<Used | null> {
    if (this.#isAsking) return null
    this.#isAsking = true
    try {
      const { processInfo } = await this.#root.send('SystemInfo.getProcessInfo')
      const seconds = processInfo.filter(({ type }) => type === 'renderer').map(({ cpuTime }) => cpuTime)
      return { seconds: seconds.reduce((sum, one) => sum + one, 0), restedMs: restedMs() }
    } catch {
      return null
    } finally {
      this.#isAsking = false
    }
  }

  #fail(session: CDPSession, fault: PageFault): void {
    if (this.#isOver) return
    this.stop()
    // It is ended by Chromium's main process: its own main thread hears nothing.
    if (fault === 'its page does not answer') session.send('Page.crash').catch(() => undefined)
    this.#onFault(fault)
  }
}

/** A question that is open: for how many seconds of the page's own time, and in all. */
type Open = { own: number; all: number; at: Used }

/** Processor time: what the renderers of a Chromium have used, and what nobody on the machine has. */
type Used = { readonly seconds: number; readonly restedMs: number }

/** How much of the time since was the page's. Where all processors were busy, it had what it used, and may have waited for the rest. */
function ownSecond(before: Used, after: Used): number {
  return after.restedMs - before.restedMs >= restMs ? 1 : Math.min(1, after.seconds - before.seconds)
}

function restedMs(): number {
  return cpus().reduce((sum, { times }) => sum + times.idle, 0)
}
