import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fillBuyer } from '../../src/browser/shopper/fill-fields.ts'
import { proveStep } from '../../src/browser/shopper/prove-step.ts'
import { openShopTask } from '../../src/browser/shopper/shop-task.ts'
import { thirdInGate } from '../gate/tenth-in-gate.ts'
import { hasChromium, openShopBrowser, type ShopBrowser } from '../harness/shop-browser.ts'
import { requestOf } from '../suites/forms/buy.ts'
import { corpusBuyers } from '../suites/forms/corpus.ts'

const [grace] = corpusBuyers.filter(({ id }) => id === 'us-flat')

const form = `<form><label>First name<input name="first" required></label><label>Last name<input name="last" required></label>
  <label>Address<input name="line" required></label><label>Apartment<input name="more"></label><label>City<input name="city" required></label>
  <label>ZIP code<input name="zip" required></label><label>Phone<input name="phone" type="tel"></label>
  <label>Notes for the courier<input name="notes"></label><button>Continue</button></form>`
const fields = 'const [first, last, line, more, city, zip, phone, notes] = document.querySelectorAll("input")'
/** Whenever somebody types. */
const always = (what: string) =>
  `<script>{ ${fields}; document.addEventListener('change', () => { ${what} }) }</script>`

/** What a script of the page does to what is typed, and what is said of it; null: it is let through. */
const rows: readonly (readonly [string, string, string | null])[] = [
  ['nothing', '', null],
  [
    'writes a phone as people do',
    `phone.value = phone.value.replace(/^\\+1(\\d{3})(\\d{3})(\\d{4})$/, '+1 ($1) $2-$3')`,
    null,
  ],
  [
    'writes names in capitals',
    'last.value = last.value.toUpperCase(); city.value = city.value.toUpperCase()',
    null,
  ],
  ['takes spaces away', 'zip.value = zip.value.trim() + " "', null],
  ['clears a field', 'line.value = ""', '“Address” at'],
  ['cuts a field', 'line.value = line.value.slice(0, 6)', '“Address” at'],
  [
    'swaps two fields',
    'if (first.value.length > 0 && last.value === "O’Neil") [first.value, last.value] = [last.value, first.value]',
    '“First name” at',
  ],
  [
    'moves a value to another field',
    'if (city.value !== "") { notes.value = city.value; city.value = "" }',
    '“City” at',
  ],
  ['copies a value to where it does not belong', 'notes.value = line.value', '“Notes for the courier” at'],
  ['replaces a digit', 'zip.value = zip.value.replace("7", "8")', '“ZIP code” at'],
  ['wants more than the buyer has', 'notes.required = true', '“Notes for the courier” at'],
]

/** What the page says of who gets it, and where. */
const shown: readonly (readonly [string, string, string | null])[] = [
  [
    'all of it',
    '<p>Mary Ann O’Neil<br>12 Rose Lane<br>Flat 3<br>Albany, NY 12207<br>United States</p>',
    null,
  ],
  ['in capitals and abbreviated', '<p>MARY ANN O’NEIL, 12 ROSE LN, ALBANY NY 12207</p>', null],
  ['nothing', '<p>Rose Lane candles, made in Vermont</p>', null],
  ['a part of the name', '<p>Ann O’Neil<br>12 Rose Lane<br>Albany NY 12207</p>', 'The name at'],
  ['no number', '<p>Mary Ann O’Neil<br>Rose Lane, Flat<br>Albany NY 12207</p>', 'The street at'],
  ['another number', '<p>Mary Ann O’Neil<br>21 Rose Lane<br>Albany NY 12207</p>', 'The street at'],
  ['another postal code', '<p>Mary Ann O’Neil<br>12 Rose Lane<br>Albany NY 12208</p>', 'The postal code at'],
  [
    'another country',
    '<p>Mary Ann O’Neil<br>12 Rose Lane<br>Albany NY 12207<br>Canada</p>',
    'The country at',
  ],
]

describe.skipIf(!hasChromium || grace === undefined)('forms that lie', () => {
  let browser: ShopBrowser
  beforeAll(async () => {
    browser = await openShopBrowser({ names: { addresses: {}, certificate: '' } }, 'none')
  })
  afterAll(() => browser.close())

  async function prove(html: string, isReview: boolean): Promise<string | null> {
    if (grace === undefined) throw new Error('there is no such buyer')
    const { visit, close } = await browser.visit('nowhere.test')
    await visit.page.setContent(`<html lang="en"><body>${html}</body></html>`)
    const task = await openShopTask(visit, requestOf(grace))
    for (let count = 0; count < 4; count++) if (!(await fillBuyer(task, await task.tab.read()))) break
    const page = await task.tab.read()
    const why = await proveStep(task, { form: page.controls[0]?.form ?? null, isReview })
    await close()
    return why
  }

  test.each(thirdInGate(rows))('a script that %s', async (_, script, expected) => {
    const why = await prove(form + always(script), false)
    if (expected === null) expect(why).toBeNull()
    else expect(why).toContain(expected)
  })

  test.each(thirdInGate(shown))('a page that shows %s', async (_, html, expected) => {
    const why = await prove(html, true)
    if (expected === null) expect(why).toBeNull()
    else expect(why).toContain(expected)
  })
})
