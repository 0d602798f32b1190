import type { Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ShopEvidence } from '../../src/channels/browser/shopping-words.ts'
import { type BrowserWorld, hasChromium, shopRequest, startBrowserWorld } from '../harness/browser.ts'

/** What is masked cannot be seen: pictures of two pages that differ in nothing else are the same picture, byte for byte. */
describe.skipIf(!hasChromium)('a picture of a page', () => {
  let world: BrowserWorld
  beforeAll(async () => {
    world = await startBrowserWorld()
  })
  afterAll(() => world?.stop())

  async function pictures(
    shop: string,
    works: readonly ((page: Page) => Promise<unknown>)[],
  ): Promise<ShopEvidence[]> {
    const taken: ShopEvidence[] = []
    world.script = async ({ page, evidence }) => {
      for (const work of works) {
        await page.goto(`https://${shop}.shop.test/`)
        await work(page)
        await evidence('payment', '$27.00')
      }
      return { kind: 'unavailable', why: 'the test is over' }
    }
    await world.port.price(shopRequest(shop), {
      mode: 'test',
      share: 'buyer',
      signal: new AbortController().signal,
      onEvidence: (one) => taken.push(one),
    })
    expect(taken.length, await world.log()).toBe(works.length)
    return taken
  }

  /** Round corners are drawn with a shade of difference from one time to the next. */
  const straight = '<style>* { border: 0 !important; border-radius: 0 !important }</style>'
  const write =
    (html: string, script = '') =>
    (page: Page) =>
      page.evaluate(`document.body.innerHTML = ${JSON.stringify(html + straight)}; ${script}`)

  const same = async (
    shop: string,
    first: (page: Page) => Promise<unknown>,
    second: (page: Page) => Promise<unknown>,
  ) => {
    const [one, other] = await pictures(shop, [first, second])
    return one?.picture.equals(other?.picture ?? Buffer.alloc(0)) ?? false
  }

  const long = (a: string, b: string) => [a, b] as const
  test.each([
    ['an input', long('<input value="4242424242424242">', '<input value="5555555555554444">')],
    ['a password', long('<input type=password value="a">', '<input type=password value="abcdef">')],
    ['a placeholder', long('<input placeholder="Ada">', '<input placeholder="Grace Hopper">')],
    ['a text area', long('<textarea>12 Analytical Way</textarea>', '<textarea>1 Main Street</textarea>')],
    [
      'a choice',
      long(
        '<select style="width:9em"><option>Illinois</select>',
        '<select style="width:9em"><option>Alaska</select>',
      ),
    ],
    [
      'an edited text',
      long('<p contenteditable>one <b>two</b></p>', '<p contenteditable>six <b>ten</b></p>'),
    ],
    [
      'a long number',
      long('<p>Card 4242 4242 4242 4242</p>', '<p>Card 5555-5555-5555-4444</p>'.replaceAll('-', ' ')),
    ],
    [
      'a long number in pieces',
      long(
        '<p><span>4242</span><span>4242</span><b>4242</b><i>4242</i></p>',
        '<p><span>5555</span><span>5555</span><b>5555</b><i>4444</i></p>',
      ),
    ],
    [
      'a frame of payment',
      long(
        '<iframe src="https://fields.pay.test/?1"></iframe>',
        '<iframe src="https://page.pay.test/"></iframe>',
      ),
    ],
  ])('does not show %s', async (_, [a, b]) => {
    expect(await same('classic', write(a), write(b))).toBe(true)
  })

  test.each(['open', 'closed'])('does not show inputs and long numbers in %s roots', async (mode) => {
    const root = (value: string) =>
      write(
        '<div id=host></div>',
        `document.getElementById('host').attachShadow({ mode: '${mode}' }).innerHTML = '<input value="${value}"><p>${value}</p>'`,
      )
    expect(await same('classic', root('4242424242424242'), root('5555555555554444'))).toBe(true)
  })

  test.each([
    ['a price', '<p>$27.00</p>', '<p>$28.00</p>'],
    ['a short number', '<p>Order 10012345678</p>', '<p>Order 10012345679</p>'],
    ['a button', '<input type=submit value="Pay now">', '<input type=submit value="Pay later">'],
  ])('shows %s', async (_, a, b) => {
    expect(await same('classic', write(a), write(b))).toBe(false)
  })

  test('leaves the page as it was', async () => {
    const html =
      '<p id=n>4242 4242 4242 4242</p><input id=i value=x><iframe src="https://fields.pay.test/"></iframe>'
    const state = `JSON.stringify([document.body.innerHTML, document.adoptedStyleSheets.length, document.getElementById('i').value])`
    const seen: unknown[] = []
    world.script = async ({ page, evidence }) => {
      await page.goto('https://classic.shop.test/')
      await write(html)(page)
      seen.push(await page.evaluate(state))
      await evidence('payment', null)
      seen.push(await page.evaluate(state))
      return { kind: 'unavailable', why: 'over' }
    }
    await world.price()
    expect(seen[0]).toContain('4242 4242')
    expect(seen[1]).toBe(seen[0])
  })

  test('is a PNG of a megabyte at most, whatever the page shows', async () => {
    const noise = write(
      '<canvas id=c width=1280 height=1600></canvas>',
      `const c = document.getElementById('c').getContext('2d'); const d = c.createImageData(1280, 1600)
       for (let at = 0; at < d.data.length; at += 1) d.data[at] = at % 4 === 3 ? 255 : Math.random() * 256
       c.putImageData(d, 0, 0)`,
    )
    const [one] = await pictures('classic', [noise])
    expect(one?.picture.subarray(1, 4).toString()).toBe('PNG')
    expect(one?.picture.length).toBeLessThanOrEqual(1_048_576)
    expect(one?.picture.length).toBeGreaterThan(10_000)
  })

  test('is not given where the page shows other numbers as soon as they are masked', async () => {
    const taken: ShopEvidence[] = []
    world.script = async ({ page, evidence }) => {
      await page.goto('https://classic.shop.test/')
      await write(
        '<p id=n>4242424242424242</p>',
        `new MutationObserver(() => { const n = document.getElementById('n'); if (n.innerText.includes('•')) n.innerText = '5555555555554444' })
          .observe(document.body, { subtree: true, characterData: true, childList: true })`,
      )(page)
      await evidence('payment', null)
      return { kind: 'unavailable', why: 'over' }
    }
    await world.port.price(shopRequest('classic'), {
      mode: 'test',
      share: 'buyer',
      signal: new AbortController().signal,
      onEvidence: (one) => taken.push(one),
    })
    expect(taken).toEqual([])
  })
})
