import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, Frame, Page } from 'puppeteer-core'
import { describe } from 'vitest'
import { launchChromium } from '../../src/browser/chromium/launch.ts'
import { unpackedChromium } from '../../src/browser/chromium/unpack.ts'
import { patience, patientMs } from '../gate/pace.ts'
import { chromiumFolder, chromiumUser, hasChromium } from '../harness/browser.ts'

export const inChromium = describe.skipIf(!hasChromium)

/** A Chromium that finds the names below `localhost` by itself, and no others. */
export async function openChromium() {
  const profiles = mkdtempSync(join(tmpdir(), 'prokura-elements-'))
  // It runs as another user.
  chmodSync(profiles, 0o711)
  const chromium = await launchChromium({
    binary: await unpackedChromium(chromiumFolder),
    user: chromiumUser,
    profiles,
    display: null,
    argumentsFor: (profile) => [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--remote-debugging-pipe',
      `--user-data-dir=${profile}`,
      // Page and frame in one process: what drives them loses sight, now and then, of a frame that moves into another.
      '--disable-site-isolation-trials',
      '--disable-features=IsolateOrigins,site-per-process',
      '--disable-background-networking',
      '--disable-component-update',
      '--no-first-run',
      '--window-size=800,900',
      'about:blank',
    ],
  })
  return {
    browser: chromium.browser,
    /** Where it keeps what it keeps. */
    profiles,
    async close() {
      await chromium.stop()
      rmSync(profiles, { recursive: true, force: true })
    },
  }
}

const waitMs = 40_000
const askedEveryMs = 25

/** It waits as long as a busy machine takes. */
export async function openPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage()
  page.setDefaultTimeout(patientMs(60_000))
  return page
}

/** A page of the shop with its component, and what anybody has said to it. */
export type ShopPage = Awaited<ReturnType<typeof openShopPage>>

type Told = {
  readonly name: string
  readonly event?: { readonly code?: string; readonly message?: string; readonly complete?: boolean }
}

/**
 * The loader's clock stands still, so that no busy machine makes a frame late: `lapse()` lets all that it waits for be over, `beat()` is one
 * beat of its heart. With `isClockReal` they come by themselves.
 */
export async function openShopPage(browser: Browser, url: string, { isClockReal = false } = {}) {
  const page = await openPage(browser)
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(String(error)))
  await page.evaluateOnNewDocument(keepingWhatIsPrinted)
  await page.evaluateOnNewDocument(quickFrames)
  if (!isClockReal) await page.evaluateOnNewDocument(clockByHand)
  await page.goto(url)
  const events = async () => (await page.evaluate('events')) as Told[] // as the shop's page keeps them
  return {
    page,
    faults,
    events,
    async mount(options: object = {}): Promise<void> {
      await page.evaluate(`window.element = create(${JSON.stringify(options)}); element.mount('#card')`)
    },
    run: (script: string) => page.evaluate(script),
    waitFor: (name: string) => until(page, `events.some((each) => each.name === '${name}')`),
    errors: async () =>
      (await events()).flatMap(({ name, event }) => (name === 'error' ? [event?.code] : [])),
    /** The component's frame, once it shows something. */
    async frame(shown = 'form, .notice, h1'): Promise<Frame> {
      const frame = await page.waitForFrame((each) => each.url().includes('/elements/v1/frames/'))
      await there(frame, shown)
      return frame
    },
    close: () => page.close(),
  }
}

/** Asks again and again, since a call of its protocol may not last as long as a busy machine takes. */
export async function until(target: Page | Frame, condition: string): Promise<void> {
  for (const wait = patience(waitMs); ; await delay(askedEveryMs)) {
    // While a document is replaced by another, nothing answers.
    const seen = await target.evaluate(`Boolean(${condition})`).catch((error: unknown) => String(error))
    if (seen === true) return
    if (wait.isOver()) throw new Error(`this did not come true (${seen}): ${condition}`)
  }
}

export async function there(frame: Frame, selector: string): Promise<void> {
  await until(frame, `document.querySelector('${selector}')`)
}

/** As by a mouse, wherever the frame stands while its height changes. */
export async function press(frame: Frame, selector: string): Promise<void> {
  await there(frame, selector)
  await frame.evaluate(`document.querySelector('${selector}').click()`)
}

/** The window that opens. */
export async function openedBy(page: Page, work: () => Promise<unknown>): Promise<Page> {
  const browser = page.browser()
  const before = new Set(browser.targets())
  await work()
  const target = await browser.waitForTarget(
    (each) => !before.has(each) && each.url().includes('/elements/v1/ceremony'),
    { timeout: patientMs(60_000) },
  )
  const opened = await target.page()
  if (opened === null) throw new Error('what opened has no page')
  return opened
}

const keepingWhatIsPrinted = `window.printed = []
for (const name of ['debug', 'log', 'info', 'warn', 'error']) console[name] = (...words) => printed.push(words.join(' '))`

/** A frame looks once a second how a proof stands: here twenty times as often. For its words it waits two seconds: here a busy machine's. */
const quickFrames = `if (location.hostname === 'elements.localhost') {
  const set = window.setTimeout
  window.setTimeout = (work, ms, ...given) => set(work, { 1000: 50, 2000: 60000 }[ms] ?? ms, ...given)
}`

/** What takes less than a second is not the loader's. */
const clockByHand = `if (location.hostname === 'shop.localhost') {
  const kept = { Timeout: new Map(), Interval: new Map() }
  let last = 0
  for (const [kind, waiting] of Object.entries(kept)) {
    const [set, clear] = [window['set' + kind], window['clear' + kind]]
    window['set' + kind] = (work, ms) => {
      if (ms < 1000) return set(work, ms)
      waiting.set(--last, work)
      return last
    }
    window['clear' + kind] = (id) => waiting.delete(id) || clear(id)
  }
  window.lapse = () => { for (const [id, work] of [...kept.Timeout]) { kept.Timeout.delete(id); work() } }
  window.beat = () => { for (const work of [...kept.Interval.values()]) work() }
}`
