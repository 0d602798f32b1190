import type { Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { takeSnapshot } from '../../src/browser/shopper/page-script.ts'
import type { Visit } from '../../src/browser/shopper/visit.ts'
import { thirdInGate } from '../gate/tenth-in-gate.ts'
import {
  type BrowserWorld,
  hasChromium,
  offered,
  shopRequest,
  startBrowserWorld,
} from '../harness/browser.ts'

/** Nine of these are more than a page may be read into; the suite `neighbours` has pages that hold half a gigabyte. */
const huge = `'x'.repeat(4e6)`
/** Longer than a message of Chromium may be. */
const overlong = `'x'.repeat(36e6)`
const giants: readonly [string, string][] = [
  [
    'meta',
    `for (let i = 0; i < 9; i++) { const one = document.createElement('meta'); one.name = 'og:title'; one.content = ${huge}; document.head.append(one) }`,
  ],
  [
    'JSON-LD',
    `for (let i = 0; i < 9; i++) { const one = document.createElement('script'); one.type = 'application/ld+json'; one.text = ${huge}; document.head.append(one) }`,
  ],
  [
    'microdata',
    `const scope = document.createElement('div'); scope.setAttribute('itemscope', ''); scope.setAttribute('itemtype', ${huge}); document.body.append(scope)
      for (let i = 0; i < 9; i++) { const one = document.createElement('b'); one.setAttribute('itemprop', ${huge}); one.textContent = ${huge}; scope.append(one) }`,
  ],
  [
    'titles and texts',
    `document.title = ${huge}; for (const name of ['h1', 'p', 'button', 'label', 'legend', 'dt', 'dd']) { const one = document.createElement(name); one.textContent = ${huge}; document.body.append(one) }`,
  ],
  [
    'attributes',
    `for (let i = 0; i < 9; i++) { const one = document.createElement('input'); for (const name of ['name', 'id', 'autocomplete', 'placeholder', 'title', 'aria-label', 'inputmode']) one.setAttribute(name, ${huge}); document.body.append(one) }`,
  ],
  [
    'options',
    `for (let i = 0; i < 20; i++) { const one = document.createElement('select'); for (let j = 0; j < 200; j++) one.add(new Option('x'.repeat(2e4), 'x'.repeat(900))); document.body.append(one) }`,
  ],
  [
    'elements',
    `for (let i = 0; i < 4e4; i++) document.body.append(Object.assign(document.createElement('button'), { textContent: 'Press ' + i }))`,
  ],
  [
    'links',
    `for (let i = 0; i < 5000; i++) { const one = document.createElement('a'); one.href = 'https://classic.shop.test/' + 'x'.repeat(2e4); one.textContent = 'Go'; document.body.append(one) }`,
  ],
]
const messages: readonly [string, string][] = [
  ['a body', `fetch('/', { method: 'POST', body: ${overlong} })`],
  ['words in the console', `for (let i = 0; i < 3; i++) console.log(${overlong}, i)`],
  ['an error', `setTimeout(() => { throw new Error(${overlong}) })`],
  ['a flood of words', `setInterval(() => { for (let i = 0; i < 1e4; i++) console.log(i) })`],
  [
    'a hidden part',
    `const root = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'closed' }); const one = document.createElement('p'); one.title = ${overlong}; root.append(one)`,
  ],
  ['addresses', `for (let i = 0; i < 50; i++) fetch('/?' + 'x'.repeat(1e6)).catch(() => {})`],
]
/** What the page of one tenant does to itself, to the browser and to others. */
describe.skipIf(!hasChromium)('a page that attacks the browser', () => {
  let world: BrowserWorld
  beforeAll(async () => {
    world = await startBrowserWorld()
  })
  afterAll(() => world?.stop())

  const loop = `setTimeout(() => { for (;;); }, 50)`
  const never = new AbortController().signal
  const works = new Map<string, (visit: Visit) => Promise<void>>()
  const priceFor = (share: string, work: (visit: Visit) => Promise<void>) => {
    works.set(share, work)
    world.script = async (visit, { cart }) => {
      await works.get(cart)?.(visit)
      return offered
    }
    return world.port.price(shopRequest('classic', { cart: share }), {
      mode: 'test',
      share,
      signal: never,
      onEvidence: () => undefined,
    })
  }
  const run = (page: Page, script: string) => page.evaluate(script).then(() => page.evaluate('1'))

  test.each([
    ['loops', loop],
    [
      'is ended by its own memory',
      `setTimeout(() => { const all = []; for (;;) all.push(new Array(1e6).fill(all.length)) }, 50)`,
    ],
    ['loops in a promise', `void (async () => { for (;;) await 0 })()`],
  ])('one that %s is ended, with its renderer, and its merchant is why', async (_name, script) => {
    const said = await priceFor('loud', async ({ page }) => {
      await page.goto('https://classic.shop.test/')
      await run(page, script)
      await new Promise(() => undefined)
    })
    expect(said).toEqual({ kind: 'refused', code: 'merchant_unavailable', message: null })
    expect(await world.browser.health()).toMatchObject({ visits: 0 })
  })

  test('a crash of its process ends it at once', async () => {
    const said = await priceFor('loud', async ({ page }) => {
      await page.goto('chrome://crash').catch(() => undefined)
      await new Promise(() => undefined)
    })
    expect(said).toMatchObject({ kind: 'refused', code: 'merchant_unavailable' })
  })

  test.each(thirdInGate(giants))(
    'what is written down of a page with huge %s is bounded, and its picture is or is not',
    async (_name, script) => {
      const lengths: number[] = []
      const said = await priceFor('loud', async ({ page, evidence }) => {
        await page.goto('https://classic.shop.test/product/kettle')
        await page.evaluate(`{ ${script} }`)
        lengths.push(JSON.stringify(await takeSnapshot(page.mainFrame())).length)
        await evidence('product', null)
      })
      // A page that takes longer than a page may to be read is ended, as one that hangs.
      expect(['offer', 'refused']).toContain(said.kind)
      for (const length of lengths) expect(length).toBeLessThan(8e6)
    },
  )

  test.each(thirdInGate(messages))(
    '%s that is too long for us ends the visit of its tenant at most',
    async (_name, script) => {
      const [here, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
      const other = priceFor('quiet', async ({ page }) => {
        await page.goto('https://classic.shop.test/product/kettle')
        here.resolve()
        await go.promise
        await page.title()
      })
      await Promise.race([here.promise, other])
      const said = await priceFor('loud', async ({ page, evidence }) => {
        await page.goto('https://classic.shop.test/product/kettle')
        await page.evaluate(`{ ${script} }`)
        await evidence('product', null)
      })
      expect(['offer', 'refused', 'unavailable']).toContain(said.kind)
      go.resolve()
      expect(await other).toMatchObject({ kind: 'offer' })
    },
  )
})
