import type { Browser, Frame, Page } from 'puppeteer-core'
import { openPage, openShopPage, press, type ShopPage, there, until } from '../open-chromium.ts'
import { type ElementsStandIn, ownPagePath } from '../stand-in.ts'

/** Where a state is brought about: a browser, a server that plays along, and what is open. */
export type Stage = {
  readonly standIn: ElementsStandIn
  /** A component in a page of an integrator. */
  mount(options?: object, shown?: string): Promise<void>
  /** A page of ours. `first` runs before it does. */
  visit(page: 'approval' | 'ceremony', shown: string, first?: string): Promise<void>
  press(selector: string): Promise<void>
  type(selector: string, text: string): Promise<void>
  there(selector: string): Promise<void>
  until(condition: string): Promise<void>
  /** In the page around a component. */
  inShop(script: string): Promise<void>
  /** In the document that a person sees: that of the frame, or the page of ours. */
  inside(): Frame
  page(): Page
  close(): Promise<void>
}

/** What a person can come to see, and how. The language plays no part in it. */
export type ShownState = {
  readonly name: string
  readonly where: 'frame' | 'approval' | 'ceremony'
  show(stage: Stage): Promise<void>
}

/** An answer that does not come while the state is looked at. */
export const never = () => new Promise<never>(() => undefined)

const sold = [
  { id: 'item_1', url: 'https://mugs.example/items/blue-mug', quantity: 2, expected_amount: 1250 },
  { id: 'item_2', url: 'https://tea.example/items/green-tea', quantity: 1, expected_amount: 300 },
]

/** `language`: of the browser. */
export function openStage(browser: Browser, standIn: ElementsStandIn, language = 'en'): Stage {
  let shop: ShopPage | null = null
  let page: Page | null = null
  let frame: Frame | null = null
  Object.assign(standIn.purchase, { items: sold })
  const inside = () => {
    if (frame === null) throw new Error('nothing is open')
    return frame
  }
  return {
    standIn,
    inside,
    page() {
      if (page === null) throw new Error('nothing is open')
      return page
    },
    async mount(options = {}, shown?: string) {
      shop = await openShopPage(browser, standIn.shop)
      page = shop.page
      await shop.mount(options)
      frame = await shop.frame(shown)
    },
    async visit(name, shown, first = '') {
      page = await openPage(browser)
      await page.evaluateOnNewDocument(
        `Object.defineProperty(navigator, 'languages', { value: ['${language}'] }); ${first}`,
      )
      await page.goto(`${standIn.elements}${ownPagePath(name)}#token`)
      frame = page.mainFrame()
      await there(frame, shown)
    },
    press: (selector) => press(inside(), selector),
    async type(selector, text) {
      await there(inside(), selector)
      await inside().type(selector, text)
    },
    there: (selector) => there(inside(), selector),
    until: (condition) => until(inside(), condition),
    async inShop(script) {
      await shop?.run(script)
    },
    async close() {
      await page?.close()
      ;[shop, page, frame] = [null, null, null]
      standIn.reset()
    },
  }
}
