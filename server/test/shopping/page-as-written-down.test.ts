import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fillBuyer } from '../../src/browser/shopper/fill-fields.ts'
import { agreeableOf, pressIfAgreed, quietOf, takeSnapshot } from '../../src/browser/shopper/page-script.ts'
import { proveStep } from '../../src/browser/shopper/prove-step.ts'
import { openShopTask } from '../../src/browser/shopper/shop-task.ts'
import { trafficOf } from '../../src/browser/shopper/watch-network.ts'
import type { ShopRequest } from '../../src/channels/browser/shopping-words.ts'
import { hasChromium, openShopBrowser, type ShopBrowser } from '../harness/shop-browser.ts'

const anyRequest: ShopRequest = {
  cart: 'cart_1',
  attempt: 1,
  buyer: {
    name: 'Ada Lovelace',
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.com',
    phone: null,
    shipTo: null,
    billTo: null,
  },
  merchantDomain: 'nowhere.test',
  site: 'https://nowhere.test',
  items: [],
  currency: 'USD',
  fulfillment: { method: 'ship', speed: 'cheapest', feeAllowance: 0n },
  promoCode: null,
  startAt: null,
  moreHosts: [],
}

/** As component libraries draw them: a button, and while it is open a list at the end of the page. The states follow the country. */
const drawnLists = `<form><label for="c">Country *</label><button type="button" id="c" role="combobox" aria-expanded="false">Country</button>
  <label for="s">State</label><button type="button" id="s" role="combobox" aria-expanded="false">State</button></form><script>
  const offered = { c: () => ['Germany', 'United States'],
    s: () => c.textContent === 'United States' ? ['California', 'Oregon', 'Washington'] : [] }
  const shut = () => { document.querySelector('[role=listbox]')?.remove(); c.ariaExpanded = s.ariaExpanded = 'false' }
  for (const list of [c, s]) list.onclick = () => {
    shut()
    list.ariaExpanded = 'true'
    const box = document.createElement('div')
    box.role = 'listbox'
    for (const text of offered[list.id]()) {
      const option = document.createElement('div')
      option.role = 'option'
      option.textContent = text
      option.onclick = () => { list.textContent = text; if (list === c) s.textContent = 'State'; shut() }
      box.append(option)
    }
    document.body.append(box)
  }
  addEventListener('keydown', ({ key }) => { if (key === 'Escape') shut() })
</script>`

describe.skipIf(!hasChromium)('a page as the script in it writes it down', () => {
  let browser: ShopBrowser
  beforeAll(async () => {
    browser = await openShopBrowser({ names: { addresses: {}, certificate: '' } }, 'none')
  })
  afterAll(() => browser.close())

  async function show(html: string) {
    const { visit, close } = await browser.visit('nowhere.test')
    await visit.page.setContent(html)
    const frame = visit.page.mainFrame()
    return { page: visit.page, frame, close, snapshot: () => takeSnapshot(frame) }
  }

  test('what nobody sees is not in it', async () => {
    const { snapshot, close } = await show(`<p>seen</p><p hidden>one</p><p style="display:none">two</p>
      <p style="visibility:hidden">three</p><p style="opacity:0">four</p><p style="position:absolute;left:-9999px">five</p>
      <button hidden>press me</button><input type="hidden" value="six"><template>seven</template>`)
    const { text, actions, controls } = await snapshot()
    expect([text, actions, controls]).toEqual(['seen', [], []])
    await close()
  })

  test('a field is required where it says so, or where a star stands beside it, written or drawn', async () => {
    const { snapshot, close } =
      await show(`<style>.must label::before { content: '* ' } .late::after { content: '*' }</style><form>
      <input id="a" required><input id="b" aria-required="true"><label for="c">City *</label><input id="c">
      <p class="must"><label for="d">Region</label><select id="d"><option></select></p><label for="e" class="late">Area</label><input id="e">
      <label for="f"><span class="late">Zone</span></label><input id="f"><input id="g" placeholder="Phone*">
      <table><tr><td>Street *:</td><td><input id="h"></td></tr></table><label><input type="checkbox" id="i"> I agree *</label>
      <label for="k">City</label><input id="k"><label for="l">5 * 3 boxes</label><input id="l"><label for="m">** Hint</label><input id="m">
      <label for="n">Password *</label><input type="password" id="n"><label><input type="radio" name="o" id="o"> Express *</label></form>`)
    const { controls } = await snapshot()
    expect(controls.filter(({ isRequired }) => isRequired).map(({ id }) => id)).toEqual([...'abcdefghi'])
    expect(controls.filter(({ isRequired }) => !isRequired).map(({ id }) => id)).toEqual([...'klmno'])
    await close()
  })

  test('a link to a part leads to its own page, whatever the base of the page is', async () => {
    const { page, snapshot, close } = await show(
      `<base href="https://nowhere.test/shop/"><a href="#step-2">Step 2</a><a href="terms#2">Terms</a>`,
    )
    expect((await snapshot()).actions.map(({ href }) => href)).toEqual([
      `${page.url()}#step-2`,
      'https://nowhere.test/shop/terms#2',
    ])
    await close()
  })

  test('a page is at rest once what folds has folded; what turns for ever, or for long, is not waited for', async () => {
    const { page, frame, close } = await show(`<style>#a { transition: height 600ms; height: 0 }
      @keyframes turn { to { rotate: 1turn } } #b { animation: turn 1s infinite } #c { animation: turn 60s }</style>
      <div id="a"></div><div id="b">b</div><div id="c">c</div>`)
    const rest = async () => {
      const begunMs = performance.now()
      await quietOf(frame, { quietMs: 50, maxMs: 5_000 })
      return performance.now() - begunMs
    }
    expect(await rest()).toBeLessThan(1_500)
    await page.evaluate(`document.querySelector('#a').style.height = '100px'`)
    await rest()
    expect(await page.evaluate(`document.querySelector('#a').offsetHeight`)).toBe(100)
    await close()
  })

  test('what is struck through is marked in its line, by an element or a style, and small cents are cents', async () => {
    const { snapshot, close } =
      await show(`<style>.old{text-decoration:line-through}.c{font-size:60%}</style><h1>Kettle</h1>
      <p><del>$60.00</del> <b>$45.00</b></p><p class="old">List <span>$70.00</span></p><p>$24<span class="c">99</span></p><p>Qty 24<span>99</span></p>`)
    const { text, struck } = await snapshot()
    expect(text.split('\n')).toEqual(['Kettle', '$60.00 $45.00', 'List $70.00', '$24⁹⁹', 'Qty 2499'])
    expect(struck).toEqual([
      { line: 1, text: '$60.00' },
      { line: 2, text: 'List $70.00' },
    ])
    await close()
  })

  test('no value of a text field is in it, and whether one is empty is', async () => {
    const { page, snapshot, close } = await show(
      '<label>Number<input name="a"></label><label>Code<input name="b"></label><textarea name="c"></textarea><label>Owner<input name="d" onclick="0"></label>',
    )
    await page.type('[name=a]', '4242424242424242')
    await page.type('[name=c]', 'a secret')
    await page.type('[name=d]', 'a secret')
    const written = await snapshot()
    expect(JSON.stringify(written)).not.toMatch(/4242|secret/)
    expect(written.controls.map(({ label, isEmpty }) => [label, isEmpty])).toEqual([
      ['Number', false],
      ['Code', true],
      ['', false],
      ['Owner', false],
    ])
    await close()
  })

  test('names come from labels, from the page and from pictures; shadow roots that are open are looked into', async () => {
    const { snapshot, close } = await show(`<label for="x">Street <em>address</em></label><input id="x">
      <button aria-label="Close">×</button><button><img alt="Search" width="20" height="20"></button>
      <div onclick="0">gimme</div><div id="host"></div>
      <script>document.getElementById('host').attachShadow({ mode: 'open' }).innerHTML = '<button>inside</button>'</script>`)
    const { controls, actions } = await snapshot()
    expect(controls.map(({ label }) => label)).toEqual(['Street address'])
    expect(actions.map(({ name, role }) => [name, role])).toEqual([
      ['Close', 'button'],
      ['Search', 'button'],
      ['gimme', 'clickable'],
      ['inside', 'button'],
    ])
    await close()
  })

  test('what stands side by side is a row, and raised cents are no digits of the dollars', async () => {
    const { snapshot, close } = await show(`<table><tr><th>Total</th><td>$27.00</td></tr></table>
      <div><span>Shipping</span><span>$5.00</span></div><dl><dt>Tax</dt><dd>$2.00</dd></dl>
      <p><span>$</span><b>34</b><sup>99</sup></p>`)
    const { rows, text } = await snapshot()
    expect(rows.map(({ label, value }) => [label, value])).toEqual(
      expect.arrayContaining([
        ['Total', '$27.00'],
        ['Shipping', '$5.00'],
        ['Tax', '$2.00'],
      ]),
    )
    expect(text).toContain('$34⁹⁹')
    await close()
  })

  test('boxes that a script draws belong together by their group, and the native ones beside them are nobody’s', async () => {
    const radio = (
      label: string,
      isChecked: boolean,
    ) => `<label><span role="radio" tabindex="0" aria-checked="${isChecked}"
      style="display:inline-block;width:12px;height:12px"></span><input type="radio" aria-hidden="true"
      style="position:absolute;opacity:0;width:1px;height:1px">${label}</label>`
    const { snapshot, close } =
      await show(`<form><div role="radiogroup">${radio('Standard $5.00', true)}${radio('Express $15.00', false)}</div>
      <div role="radiogroup">${radio('Credit card', false)}</div><label><input type="radio" name="own">Native</label></form>`)
    const { controls } = await snapshot()
    const groups = Map.groupBy(controls, ({ name }) => name)
    expect(
      [...groups.values()].map((group) => group.map(({ label }) => label.replace('$', ' $').split(' ')[0])),
    ).toEqual([['Standard', 'Express'], ['Credit'], ['Native']])
    expect(controls.map(({ isChecked }) => isChecked)).toEqual([true, false, false, false])
    await close()
  })

  test('buttons of a list in a form have its name, and a class says which of them is chosen', async () => {
    const { snapshot, close } =
      await show(`<form><div><div><span>Color</span></div><ul><li class="selected"><button>Navy</button></li>
      <li class="un-selected"><button>Sand</button></li></ul></div><div><label>Size</label><ul><li><button class="swatch--active">M</button></li>
      <li><button class="hover:active">L</button></li></ul></div><button class="selected">Add</button></form>
      <p>Elsewhere</p><ul><li class="active"><button>Tab</button></li></ul>`)
    const { actions } = await snapshot()
    expect(actions.map(({ name, listName, isPressed }) => [name, listName, isPressed])).toEqual([
      ['Navy', 'Color', true],
      ['Sand', 'Color', false],
      ['M', 'Size', true],
      ['L', 'Size', false],
      ['Add', '', false],
      ['Tab', '', false],
    ])
    const [navy, sand, medium] = actions
    expect(navy?.list).toBe(sand?.list)
    expect(navy?.list).not.toBe(medium?.list)
    await close()
  })

  test.each([
    ['US', 'OR', ['United States', 'Oregon']],
    ['DE', null, ['Germany', 'State']],
    ['FR', null, ['Country', 'State']],
  ])(
    'a list that a script draws is opened for %s %s, and what it does not offer is left as it is',
    async (country, state, expected) => {
      const { visit, close } = await browser.visit('nowhere.test')
      await visit.page.setContent(drawnLists)
      const shipTo = {
        recipientName: 'Ada Lovelace',
        line1: '1 Way',
        line2: null,
        city: 'Portland',
        state,
        postalCode: '97201',
        country,
      }
      const task = await openShopTask(visit, {
        ...anyRequest,
        buyer: { ...anyRequest.buyer, shipTo, billTo: shipTo },
      })
      for (let count = 0; count < 4; count++) await fillBuyer(task, await task.tab.read())
      const shown = await visit.page.$$eval('[role=combobox]', (all) =>
        all.map(({ textContent }) => textContent),
      )
      expect(shown).toEqual(expected)
      expect(await visit.page.$$('[role=option]')).toEqual([])
      expect(await fillBuyer(task, await task.tab.read())).toBe(false)
      // A list that is required and shows nothing but its name keeps the step from being left.
      await visit.page.evaluate(`document.querySelector('[for=s]').textContent = 'State *'`)
      const { form = null } = (await task.tab.read()).controls[0] ?? {}
      const why = await proveStep(task, { form })
      expect(why === null).toBe(expected[1] !== 'State')
      await close()
    },
  )

  test('scripts of the page neither see nor change what writes it down', async () => {
    const { page, snapshot, close } = await show('<p>honest</p>')
    await page.evaluate(`globalThis.inPage = { snapshot: () => 'mine' }; Element.prototype.checkVisibility = () => false
      document.querySelectorAll = () => []; JSON.stringify = () => 'mine'; Array.prototype.map = () => []`)
    expect((await snapshot()).text).toBe('honest')
    expect(await page.evaluate('Object.keys(globalThis.inPage)')).toEqual(['snapshot'])
    await close()
  })

  test('a page that asks in a window of the browser is answered no, and goes on', async () => {
    const { page, snapshot, close } = await show('<p>before</p>')
    await trafficOf(page)
    await page.evaluate("document.querySelector('p').textContent = confirm('Subscribe?') ? 'yes' : 'no'")
    expect((await snapshot()).text).toBe('no')
    await close()
  })

  test('the button is pressed while the page says what was agreed to, and never when a figure, a choice or the button is another', async () => {
    const { page, frame, close } =
      await show(`<p>Total <b>$27.00</b></p><label><input type="radio" name="m">Card</label>
      <button onclick="globalThis.count = (globalThis.count ?? 0) + 1">Pay</button>`)
    const change = async (script: string) => {
      const { page: seen, agreement } = await agreeableOf(frame)
      await page.evaluate(script)
      return pressIfAgreed(frame, seen.actions[0]?.ref ?? 0, agreement)
    }
    expect(await change("document.querySelector('b').textContent = '$28.00'")).toBe('differs')
    expect(await change("document.querySelector('input').checked = true")).toBe('differs')
    expect(await change("document.querySelector('p').append(' for 2 pieces')")).toBe('differs')
    expect(await change("document.querySelector('button').disabled = true")).toBe('disabled')
    expect(
      await change(
        "document.querySelector('button').disabled = false; document.querySelector('button').outerHTML += ''",
      ),
    ).not.toBe('pressed')
    expect(await page.evaluate('globalThis.count ?? 0')).toBe(0)
    expect(await change('0')).toBe('pressed')
    expect(await page.evaluate('globalThis.count')).toBe(1)
    await close()
  })
})
