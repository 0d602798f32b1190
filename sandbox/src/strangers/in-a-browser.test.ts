import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { hasChromium, openBrowser } from '../../test/browser.ts'
import { openStrangers, type Strangers } from '../../test/open-strangers.ts'
import { buyer, type IssuedCard } from '../../test/shopper.ts'

type Browser = Awaited<ReturnType<typeof openBrowser>>

/** What scripts, frames and pages of others do can only be seen where they run. */
describe.skipIf(!hasChromium)('in Chromium', () => {
  let strangers: Strangers
  let browser: Browser
  beforeAll(async () => {
    strangers = await openStrangers()
  })
  afterAll(() => strangers.close())
  beforeEach(async () => {
    browser = await openBrowser(strangers.facts)
  })
  afterEach(() => browser.close())

  const says = (words: string) => expect.poll(() => browser.text()).toContain(words)

  async function fill(fields: Record<string, string>): Promise<void> {
    for (const [name, value] of Object.entries(fields)) {
      await browser.click(`[name="${name}"]`)
      await browser.type(value)
    }
  }

  const cardFields = ({ number, expiry, cvc }: IssuedCard) => ({
    card_number: number,
    card_expiry: expiry,
    card_cvc: cvc,
  })

  async function goToPayment(product: string): Promise<void> {
    await browser.open(product)
    await browser.click('.single_add_to_cart_button')
    await browser.click('.checkout-button')
    await browser.click('a[href="/checkout/address"]')
    const { country: _, ...typed } = buyer
    await fill(typed)
    await browser.click('form.checkout button')
    await browser.click('input[value="standard"]')
    await browser.click('form.checkout button')
    await browser.click('#payment-form h2')
  }

  test('the shop that its script draws is bought from, with the card in a frame of another origin', async () => {
    await browser.open('https://app.shop.test/products/runner')
    await browser.click('[role=radio]:nth-child(3)')
    await browser.click('main .primary')
    await browser.click('dialog .primary')
    const { country: _, ...typed } = buyer
    await fill(typed)
    await browser.press('Tab')
    await browser.click('input[value="air"]')
    await says('$151.58')
    const card = await strangers.issueCard({ limit: 15_158, merchant: 'app.shop.test' })
    await browser.clickInside('iframe', { x: 60, y: 20 })
    for (const value of [card.number, card.expiry, card.cvc]) {
      await browser.type(value)
      await browser.press('Tab')
    }
    expect(await browser.evaluate('document.querySelector("iframe").contentDocument')).toBe(null)
    await browser.click('iframe ~ .primary')
    await says('Thank you for your order')
    expect(await strangers.totals(card)).toBe('0/15158/0')
  })

  test('the page of payment and the bank that only looks lead back to the shop by themselves', async () => {
    await goToPayment('https://hosted.shop.test/product/frictionless')
    await browser.click('#place_order')
    await browser.click('[name=card_number]')
    expect(await browser.evaluate('location.hostname')).toBe('page.pay.test')
    const card = await strangers.issueCard({ limit: 10_152, merchant: 'hosted.shop.test' })
    await fill(cardFields(card))
    await browser.click('form.panel button')
    await says('Your order has been received')
    expect([await browser.evaluate('location.hostname'), await strangers.totals(card)]).toEqual([
      'hosted.shop.test',
      '0/10152/0',
    ])
  })

  test('the mess can be bought from, once its wall and its pop-up are out of the way', async () => {
    await browser.open('https://messy.shop.test/p/7731')
    await browser.click('.wall .btn')
    await browser.click('.pop .x')
    await browser.click('.hero .btn')
    await browser.click('.tiny')
    await browser.click('.card > .btn')
    await fill({
      f1: buyer.email,
      f2: 'Ada Lovelace',
      f3: '12 Analytical Way',
      f5: 'Springfield',
      f7: '62704',
    })
    await browser.click('form .btn')
    await browser.click('form:nth-of-type(2) .opt')
    const card = await strangers.issueCard({ limit: 4425, merchant: 'messy.shop.test' })
    await fill({ p1: card.number, p2: card.expiry, p3: card.cvc })
    await browser.click('form .btn')
    await says('you’re all set')
    expect(await strangers.totals(card)).toBe('0/4425/0')
  })

  test('price, stock and button follow the variant that is chosen', async () => {
    const shown = () =>
      browser.evaluate(`[document.querySelector('.price').innerText, document.querySelector('.stock').innerText,
        document.querySelector('form.cart button').disabled].join(' ')`)
    const jacket = 'https://choices.shop.test/product/jacket?variant=jacket-forest-slim'
    await browser.open(`${jacket}-xl`)
    await expect.poll(shown).toBe('$99.00 In stock false')
    await browser.click('input[value="M"]')
    expect(await shown()).toBe('$89.00 Out of stock true')
    await browser.click('input[value="L"]')
    expect(await shown()).toBe('$89.00 In stock false')
  })

  test('scripts of the hostile shop do their harm: they submit by themselves, and send the card away', async () => {
    await goToPayment('https://hostile.shop.test/product/submits-while-typing')
    const card = await strangers.issueCard({ limit: 2700, merchant: 'hostile.shop.test' })
    await fill(cardFields(card))
    await says('Your order has been received')
    expect(await strangers.totals(card)).toBe('0/2700/0')
    await goToPayment('https://hostile.shop.test/product/sends-keys-away')
    await fill({ card_number: card.number })
    await expect.poll(() => strangers.results('hostile')).toContain('attack keys received a card number')
  })
})
