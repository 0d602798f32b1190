import type { Browser } from 'puppeteer-core'
import { openChromium, until } from '../../elements/open-chromium.ts'
import { type ElementsStandIn, startStandIn } from '../../elements/stand-in.ts'
import { shownStates } from '../../elements/states/every-state.ts'
import { openStage, type ShownState, type Stage } from '../../elements/states/stage.ts'
import { hasChromium } from '../../harness/browser.ts'
import { seededRandom } from '../random.ts'
import { eachOf, type SuiteRun } from '../suite.ts'
import { faultsByMeasure, faultsByRule, textsOf } from './look-at.ts'
import { untranslated } from './untranslated.ts'

const locales = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'ja', 'ar'] as const
type Locale = (typeof locales)[number]
type Look = { readonly theme: 'light' | 'dark' | 'flat' | 'auto'; readonly scheme: 'light' | 'dark' }
const looks: readonly Look[] = [
  { theme: 'light', scheme: 'dark' },
  { theme: 'dark', scheme: 'light' },
  { theme: 'flat', scheme: 'light' },
  { theme: 'auto', scheme: 'light' },
  { theme: 'auto', scheme: 'dark' },
]
/** A page of ours looks as its browser does. */
const ownLooks = looks.filter(({ theme }) => theme === 'auto')
const phone = { width: 360, height: 740 }
/** At 200 %. */
const zoomed = { width: 180, height: 370 }
/** So many states are seen in the gate, each in one language and one look. */
const gateStates = 10
/** So many rules of axe have something to say about every state. */
const rulesMin = 5

type Wanted = {
  readonly state: ShownState
  readonly locales: readonly Locale[]
  readonly looks: readonly Look[]
}

/** Every state of every component and page, in every language and look: read by the rules of accessibility, measured, and compared with the English. */
export async function checkLooks({ size, seed, tally }: SuiteRun): Promise<void> {
  if (!hasChromium) return tally.skip('there is no Chromium for this platform')
  const [chromium, ...standIns] = await Promise.all([openChromium(), startStandIn(), startStandIn()])
  const free = [...standIns]
  let cells = 0
  let misses = 0
  try {
    await checkTheJudge(chromium.browser, free[0] as ElementsStandIn, tally)
    await eachOf(wantedIn(size, seed), size === 'long' ? standIns.length : 1, async (wanted) => {
      const standIn = free.pop() as ElementsStandIn // as many as are at work at once
      const judged = await judge(chromium.browser, standIn, wanted)
      free.push(standIn)
      cells += judged.cells
      misses += judged.faults.length
      for (const fault of judged.faults) tally.fail(fault)
      tally.pass(judged.cells)
    })
  } finally {
    await chromium.close()
    for (const standIn of standIns) await standIn.stop()
  }
  tally.figure('cells seen', cells)
  tally.figure('misses', misses)
}

function wantedIn(size: SuiteRun['size'], seed: number): Wanted[] {
  const looksOf = ({ where }: ShownState) => (where === 'frame' ? looks : ownLooks)
  if (size === 'long') return shownStates.map((state) => ({ state, locales, looks: looksOf(state) }))
  const random = seededRandom(seed)
  const oneOf = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T // none is empty
  return Array.from({ length: gateStates }, () => {
    const state = oneOf(shownStates)
    return { state, locales: [oneOf(locales)], looks: [oneOf(looksOf(state))] }
  })
}

type Judged = { cells: number; readonly faults: string[] }

async function judge(browser: Browser, standIn: ElementsStandIn, wanted: Wanted): Promise<Judged> {
  const { state } = wanted
  const judged: Judged = { cells: 0, faults: [] }
  try {
    if (state.where === 'frame')
      await onStage(browser, standIn, 'en', async (stage) => {
        await state.show(stage)
        await resize(stage, phone)
        await judgeAll(stage, wanted, judged, (locale) => speak(stage, locale))
      })
    else await judgeOwnPage(browser, standIn, wanted, judged)
  } catch (error) {
    judged.faults.push(`${state.name}: ${error}`)
  }
  return judged
}

/** A page of ours speaks as its browser does, so that each language is another browser. */
async function judgeOwnPage(
  browser: Browser,
  standIn: ElementsStandIn,
  wanted: Wanted,
  judged: Judged,
): Promise<void> {
  let english: readonly string[] = []
  for (const locale of new Set<Locale>(['en', ...wanted.locales]))
    await onStage(browser, standIn, locale, async (stage) => {
      await wanted.state.show(stage)
      await resize(stage, phone)
      if (locale === 'en') english = await textsOf(stage.inside())
      if (wanted.locales.includes(locale)) await judgeIn(stage, wanted, { locale, english, judged })
    })
}

async function judgeAll(
  stage: Stage,
  wanted: Wanted,
  judged: Judged,
  speakIn: (locale: Locale) => Promise<void>,
): Promise<void> {
  await speakIn('en')
  const english = await textsOf(stage.inside())
  for (const locale of wanted.locales) {
    await speakIn(locale)
    await judgeIn(stage, wanted, { locale, english, judged })
  }
}

type Cell = { readonly locale: Locale; readonly english: readonly string[]; readonly judged: Judged }

async function judgeIn(
  stage: Stage,
  { state, looks }: Wanted,
  { locale, english, judged }: Cell,
): Promise<void> {
  const say = (how: string, found: readonly string[]) =>
    judged.faults.push(...found.map((fault) => `${state.name} in ${locale}, ${how}: ${fault}`))
  for (const look of looks) {
    await dress(stage, state, look)
    const { faults, seen } = await faultsByRule(stage.page(), stage.inside())
    say(`${look.theme} in a ${look.scheme} browser`, faults)
    if (seen < rulesMin) say('axe', [`it judged by ${seen} rules alone`])
    judged.cells += 1
  }
  say('words', untranslated(english, await textsOf(stage.inside()), locale))
  for (const sight of [zoomed, phone]) {
    await resize(stage, sight)
    say(`${sight.width} px`, await faultsByMeasure(stage.inside()))
    if (await stage.page().evaluate('document.documentElement.scrollWidth > innerWidth'))
      say(`${sight.width} px`, ['the page around it is wider than the screen'])
  }
}

async function onStage(
  browser: Browser,
  standIn: ElementsStandIn,
  locale: Locale,
  work: (stage: Stage) => Promise<void>,
): Promise<void> {
  const stage = openStage(browser, standIn, locale)
  try {
    await work(stage)
  } finally {
    await stage.close()
  }
}

async function speak(stage: Stage, locale: Locale): Promise<void> {
  await stage.inShop(
    `element.update({ locale: '${locale}' }); document.documentElement.dir = '${locale === 'ar' ? 'rtl' : 'ltr'}'`,
  )
  const { lang, dir } = locale === 'ar' ? { lang: 'en', dir: 'rtl' } : { lang: locale, dir: 'ltr' }
  await stage.until(
    `document.documentElement.lang === '${lang}' && document.documentElement.dir === '${dir}'`,
  )
}

async function dress(stage: Stage, { where }: ShownState, { theme, scheme }: Look): Promise<void> {
  await stage.page().emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
  if (where === 'frame') await stage.inShop(`element.update({ appearance: { theme: '${theme}' } })`)
  const shown = theme === 'auto' ? scheme : theme === 'dark' ? 'dark' : 'light'
  const corner = theme === 'flat' ? '0px' : '8px'
  await stage.until(`getComputedStyle(document.documentElement).colorScheme === '${shown}' &&
    document.documentElement.style.getPropertyValue('--border-radius') === '${corner}'`)
}

/** Until the frame is as high as what stands in it. */
async function resize(stage: Stage, sight: typeof phone): Promise<void> {
  await stage.page().setViewport(sight)
  // As on a phone, they take no room.
  const devtools = await stage.page().createCDPSession()
  await devtools.send('Emulation.setScrollbarsHidden', { hidden: true })
  const frame = stage.inside()
  if (frame === stage.page().mainFrame()) return
  await until(
    frame,
    `innerWidth < ${sight.width} && innerWidth > ${sight.width} - 60 &&
    Math.abs(innerHeight - document.getElementById('root').getBoundingClientRect().height) <= 1`,
  )
}

/** Faults that are put into a page are found, so that a page in which none is found means something. */
async function checkTheJudge(
  browser: Browser,
  standIn: ElementsStandIn,
  tally: SuiteRun['tally'],
): Promise<void> {
  await onStage(browser, standIn, 'en', async (stage) => {
    await stage.mount()
    await resize(stage, phone)
    await stage.until(`(() => {
      const plant = (tag, text, style) => {
        const planted = document.getElementById('root').appendChild(document.createElement(tag))
        planted.textContent = text
        // By script: the frame takes no styles that stand in its document.
        for (const [name, value] of Object.entries(style)) planted.style.setProperty(name, value)
      }
      plant('p', 'Too pale to be read', { color: '#ddd', background: '#fff' })
      plant('button', 'x', { 'font-size': '6px', padding: '0', border: '0' })
      plant('div', 'Cut at its side', { width: '40px', overflow: 'hidden', 'white-space': 'nowrap' })
      plant('div', '', { width: '500px', height: '1px' })
      return true
    })()`)
    await stage.until(`document.querySelectorAll('#root > *').length === 5`)
    const { faults } = await faultsByRule(stage.page(), stage.inside())
    const measured = await faultsByMeasure(stage.inside())
    const english = await textsOf(stage.inside())
    const found = [...faults, ...measured, ...untranslated(english, english, 'de')].join('\n')
    for (const planted of [
      'color-contrast',
      'smaller than a finger',
      'cut at its side',
      'wider than',
      'as in English',
    ])
      if (found.includes(planted)) tally.pass()
      else tally.fail(`a fault was put into a page and not found: ${planted}`)
  })
}
