import type { Frame, Page } from 'puppeteer-core'
import { FieldNames } from '../reading/named-fields.ts'
import type { PageSnapshot } from '../reading/page-snapshot.ts'
import { coverOf, elementOf, leaveFields, quietOf, standingIn, takeSnapshot } from './page-script.ts'
import type { Visit } from './visit.ts'
import { trafficOf } from './watch-network.ts'

/** Nothing has changed for so long: the page waits for its buyer. */
const quietMs = 90
/** A page that never comes to rest is read as it is. */
const restlessMs = 2_000
/** What an answer of the network may take before the page is no longer waited for. */
const answerMs = 8_000
const settleMs = 25_000
/** A page that answers nothing for so long is given up. */
const deafMs = 30_000
const pressTries = 8

/** The visit has been ended from outside. */
export class VisitEnded extends Error {}

/** The page, or the browser, did not answer. */
export class ShopUnavailable extends Error {}

export type Tab = Awaited<ReturnType<typeof openTab>>

/** A page, and the hands of who buys at it. */
export async function openTab(visit: Visit) {
  const { page } = visit
  const traffic = await trafficOf(page)
  const names = new FieldNames()
  const check = () => {
    if (visit.signal.aborted) throw new VisitEnded('the visit has been ended')
  }
  /** Once navigation, answers and changes of the document have come to rest. */
  async function settled(longestMs = settleMs): Promise<void> {
    const endMs = performance.now() + longestMs
    while (performance.now() < endMs) {
      check()
      const state = await Promise.race([
        quietNow(page),
        traffic.change(answerMs).then(() => 'changed' as const),
      ])
      if (state === 'complete' && traffic.pending(answerMs) === 0) return
      if (state !== 'changed' && traffic.pending(answerMs) > 0) await traffic.change(quietMs)
      if (state === 'gone') await traffic.change(quietMs)
    }
    if (traffic.isNavigating()) throw new ShopUnavailable('the shop does not answer')
  }
  /** Ends with the visit, and with a page that answers nothing. */
  const guarded = <T>(work: Promise<T>): Promise<T> => withEnd(work, visit.signal)

  return {
    visit,
    page,
    traffic,
    /** What a reader of pages has called fields. Each page that is read is read with it. */
    names,
    check,
    settled,
    async open(url: string): Promise<number> {
      check()
      // Without an end of its own where the answer never comes.
      const response = await page
        .goto(url, { waitUntil: 'domcontentloaded', timeout: 25_000, signal: visit.signal })
        .catch((error: unknown) => {
          throw new ShopUnavailable(error instanceof Error ? error.message : 'no answer')
        })
      await settled()
      return response?.status() ?? traffic.status()
    },
    async read(frame: Frame = page.mainFrame()): Promise<PageSnapshot> {
      for (let tries = 0; ; tries++) {
        check()
        try {
          return names.putOn(await guarded(takeSnapshot(frame)))
        } catch (error) {
          // The document went away while it was read: the next one is read instead.
          if (
            tries === 5 ||
            frame.detached ||
            error instanceof ShopUnavailable ||
            error instanceof VisitEnded
          )
            throw error
          await settled()
        }
      }
    },
    guarded,
    /** The shop sees a visitor who has never been there. */
    async forgetShop(): Promise<void> {
      const session = await page.createCDPSession()
      const { origin } = new URL(page.url())
      await guarded(session.send('Network.clearBrowserCookies'))
      await guarded(session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' }))
      await session.detach()
    },
    /** What stands in the fields of the last snapshot: asked for only while no card has been typed. */
    standing: () => guarded(standingIn(page.mainFrame())),
    press: (ref: number, frame: Frame = page.mainFrame()) => guarded(press(page, frame, ref, check)),
    /** A page may react to it, and so another field loses it. */
    focus: (ref: number, frame: Frame = page.mainFrame()) => guarded(focus(frame, ref, check)),
    leaveFields: () => guarded(leaveFields(page.mainFrame())),
    /** `halfway` is awaited where half of the text stands there. */
    type: (ref: number, text: string, frame: Frame = page.mainFrame(), halfway?: () => Promise<void>) =>
      guarded(type(page, frame, { ref, text, check, halfway })),
    /** Where keys would mean something else. */
    put: (ref: number, text: string) => guarded(put(page.mainFrame(), { ref, text, check })),
    select: (ref: number, value: string, frame: Frame = page.mainFrame()) =>
      guarded(select(frame, ref, value, check)),
  }
}

async function withEnd<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: ended, reject } = Promise.withResolvers<never>()
  const abort = () => reject(new VisitEnded('the visit has been ended'))
  const timer = setTimeout(() => reject(new ShopUnavailable('the page does not answer')), deafMs)
  signal.addEventListener('abort', abort)
  try {
    return await Promise.race([work, ended])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}

async function quietNow(page: Page): Promise<DocumentReadyState | 'gone'> {
  try {
    return await quietOf(page.mainFrame(), { quietMs, maxMs: restlessMs })
  } catch {
    return 'gone'
  }
}

type DocumentReadyState = 'loading' | 'interactive' | 'complete'

type PressOutcome = 'pressed' | 'covered' | 'gone'

/** A click of the mouse on the middle of an element that stays where it is. */
async function press(page: Page, frame: Frame, ref: number, check: () => void): Promise<PressOutcome> {
  let before: { x: number; y: number } | null = null
  for (let tries = 0; tries < pressTries; tries++) {
    check()
    const cover = await coverOf(frame, ref)
    if (cover.state === 'gone' || cover.state === 'hidden') return 'gone'
    if (cover.state === 'free' && before !== null && before.x === cover.x && before.y === cover.y) {
      await clickAt(page, frame, { ref, x: cover.x, y: cover.y })
      return 'pressed'
    }
    before = cover.state === 'free' ? { x: cover.x, y: cover.y } : null
  }
  return 'covered'
}

async function clickAt(page: Page, frame: Frame, at: { ref: number; x: number; y: number }): Promise<void> {
  if (frame === page.mainFrame()) return page.mouse.click(at.x, at.y)
  // Where a frame lies in the window its own document does not know.
  const element = await elementOf(frame, at.ref)
  await element?.click()
}

type Typing = {
  readonly ref: number
  readonly text: string
  readonly check: () => void
  readonly halfway: (() => Promise<void>) | undefined
}

async function focus(frame: Frame, ref: number, check: () => void): Promise<void> {
  check()
  const element = await elementOf(frame, ref)
  await element?.focus()
}

async function type(page: Page, frame: Frame, { ref, text, check, halfway }: Typing): Promise<void> {
  check()
  const element = await elementOf(frame, ref)
  if (element === null) throw new Error('the field is gone')
  await element.focus()
  await element.evaluate(selectAll)
  const half = Math.floor(text.length / 2)
  await page.keyboard.type(text.slice(0, half))
  await halfway?.()
  await page.keyboard.type(text.slice(half))
}

async function put(frame: Frame, { ref, text, check }: Omit<Typing, 'halfway'>): Promise<void> {
  check()
  const element = await elementOf(frame, ref)
  if (element === null) throw new Error('the field is gone')
  await element.focus()
  await element.evaluate(setValue, text)
}

function setValue(element: unknown, text: string): void {
  const field = element as { value: string; dispatchEvent(event: Event): boolean } // an input of a page
  field.value = text
  for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }))
}

/** What stands there is replaced by what is typed. */
function selectAll(element: unknown): void {
  if (
    typeof element === 'object' &&
    element !== null &&
    'select' in element &&
    typeof element.select === 'function'
  )
    element.select()
}

async function select(frame: Frame, ref: number, value: string, check: () => void): Promise<void> {
  check()
  const element = await elementOf(frame, ref)
  await element?.select(value)
}
