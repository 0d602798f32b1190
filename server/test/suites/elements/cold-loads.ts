import { setTimeout as delay } from 'node:timers/promises'
import type { Browser } from 'puppeteer-core'
import { openChromium } from '../../elements/open-chromium.ts'
import { type ElementsStandIn, refusal, startStandIn } from '../../elements/stand-in.ts'
import { patientMs } from '../../gate/pace.ts'
import { hasChromium } from '../../harness/browser.ts'
import { seededRandom } from '../random.ts'
import { eachOf, type SuiteRun } from '../suite.ts'

const sizes = { gate: 4, long: 100 } as const
/** One load after the other would wait for the other's patience. */
const atOnce = 2

/** What a network and a server do to a call. */
const faults = ['none', 'none', 'none', 'none', 'none', 'slow', 'late', 'cut', 'refused', 'broken'] as const
type Fault = (typeof faults)[number]
type Plan = Readonly<
  Record<'/elements/v1/bootstraps' | '/elements/v1/frames' | '/elements/v1/sessions', Fault>
>

const faultMs = { slow: 400, late: 4_000 } as const

/** Shows a component again and again in a browser that has nothing of it, over networks that fail: each time it is ready, or says why not. */
export async function checkColdLoads({ size, seed, tally }: SuiteRun): Promise<void> {
  if (!hasChromium) return tally.skip('there is no Chromium for this platform')
  const random = seededRandom(seed)
  const pick = (): Fault => faults[Math.floor(random() * faults.length)] ?? 'none'
  const plans = Array.from(
    { length: sizes[size] },
    (): Plan => ({
      '/elements/v1/bootstraps': pick(),
      '/elements/v1/frames': pick(),
      '/elements/v1/sessions': pick(),
    }),
  )
  const chromium = await openChromium()
  const ends: Record<string, number> = {}
  try {
    await eachOf(plans, atOnce, async (plan) => {
      const standIn = await startStandIn()
      for (const [path, fault] of Object.entries(plan)) fail(standIn, path, fault)
      const [what, wrong] = await load(chromium.browser, standIn.shop)
      await standIn.stop()
      ends[what] = (ends[what] ?? 0) + 1
      const isAll = Object.values(plan).every((fault) => fault === 'none' || fault === 'slow')
      if (wrong !== null) tally.fail(`${JSON.stringify(plan)}: ${wrong}`)
      else if (isAll && what !== 'ready') tally.fail(`nothing failed, and it ended with ${what}`)
      else tally.pass()
    })
  } finally {
    await chromium.close()
  }
  for (const [what, count] of Object.entries(ends)) tally.figure(what, count)
}

function fail(standIn: ElementsStandIn, path: string, fault: Fault): void {
  if (fault === 'none') return
  standIn.answers.set(path, async () => {
    if (fault === 'cut') return null
    if (fault === 'refused') return refusal(403, 'origin_not_allowed')
    if (fault === 'broken') return { status: 500, body: 'no JSON' }
    await delay(faultMs[fault])
    standIn.answers.delete(path)
    return 'usual'
  })
}

type Heard = {
  readonly name: string
  readonly event?: { readonly code?: unknown; readonly message?: unknown }
}

/** How it ended, and what is wrong with that. */
async function load(browser: Browser, url: string): Promise<[string, string | null]> {
  const context = await browser.createBrowserContext()
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(patientMs(60_000))
    await page.goto(url)
    await page.evaluate(`create().mount('#card')`)
    await page.waitForFunction(`events.some(({ name }) => name === 'ready' || name === 'error')`, {
      polling: 50,
    })
    const events = (await page.evaluate('events')) as Heard[]
    const [first] = events.filter(({ name }) => name === 'ready' || name === 'error')
    if (first?.name === 'ready') return ['ready', null]
    const { code, message } = first?.event ?? {}
    const isTyped = typeof code === 'string' && typeof message === 'string' && message.length > 10
    return [String(code), isTyped ? null : `an error without a code or a sentence: ${JSON.stringify(first)}`]
  } finally {
    await context.close()
  }
}
