import type { Frame } from 'puppeteer-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  inChromium,
  openChromium,
  openedBy,
  openShopPage,
  press,
  type ShopPage,
  there,
  until,
} from './open-chromium.ts'
import { addedCard, type ElementsStandIn, refusal, startStandIn } from './stand-in.ts'

const number = '4000056655665556'
const otp = { type: 'verify_payment_method', method: 'otp' }
const passkey = { type: 'verify_payment_method', method: 'passkey' }
const popup = { type: 'verify_payment_method', method: 'popup' }
const payments = '/elements/v1/payment_methods'
const verify = `${payments}/pm_1/verify`

let standIn: ElementsStandIn
let chromium: Awaited<ReturnType<typeof openChromium>>
let shop: ShopPage
let frame: Frame

async function open(options: object = {}): Promise<void> {
  shop = await openShopPage(chromium.browser, standIn.shop)
  await shop.mount(options)
  frame = await shop.frame('form, .notice, h1')
}

function sentTo(path: string) {
  return standIn.received.filter((each) => each.path === path)
}

async function value(id: string): Promise<unknown> {
  return frame.evaluate(`document.getElementById('${id}').value`)
}

/** The focus is there, or comes there: what has it is moved after what is shown. */
async function focused(id: string): Promise<void> {
  await expect.poll(() => frame.evaluate('document.activeElement.id')).toBe(id)
}

/** Each press after the last has arrived: page and frame are processes of their own. */
async function tab(...selectors: string[]): Promise<void> {
  for (const selector of selectors) {
    await pressed('Tab')
    await until(frame, `document.hasFocus() && document.activeElement.matches('${selector}')`)
  }
}

async function pressed(...keys: Parameters<ShopPage['page']['keyboard']['press']>[0][]): Promise<void> {
  for (const key of keys) await shop.page.keyboard.press(key)
}

async function submitTestCard(shown: string): Promise<void> {
  await press(frame, '.test-card')
  await press(frame, 'form > .button')
  await there(frame, shown)
}

/** The person goes to the window by its link, and does something there. */
async function inWindow(link: string, selector: string): Promise<void> {
  const window = await openedBy(shop.page, () => press(frame, link))
  await window.waitForSelector(selector)
  await window.click(selector)
}

async function text(selector: string): Promise<string> {
  return String(await frame.$eval(selector, (element) => element.textContent))
}

inChromium('AddPaymentMethod', () => {
  beforeAll(async () => {
    ;[standIn, chromium] = await Promise.all([startStandIn(), openChromium()])
  })
  afterAll(async () => {
    await chromium.close()
    await standIn.stop()
  })
  afterEach(async () => {
    expect(shop.faults).toEqual([])
    await shop.close()
    standIn.reset()
  })

  test('a card is typed by keys alone, and its number leaves the frame to the vault and to nobody else', async () => {
    await open()
    await shop.page.focus('#before')
    await tab('summary', '.test-card', '#card-number')
    await shop.page.keyboard.type(number)
    expect(await value('card-number')).toBe('4000 0566 5566 5556')
    await tab('#card-expiry')
    await shop.page.keyboard.type('1/30')
    await tab('#card-code')
    await shop.page.keyboard.type('777')
    await tab('#card-name')
    await shop.page.keyboard.type('Ada Lovelace')
    await tab('#consent')
    await pressed('Space')
    await tab('.button')
    await pressed('Tab')
    await until(shop.page, `document.activeElement.id === 'after'`)
    await shop.page.keyboard.down('Shift')
    await tab('.button', '#consent', '#card-name')
    await shop.page.keyboard.up('Shift')
    await pressed('Enter')
    await shop.waitFor('complete')

    expect(sentTo('/cards').map(({ body }) => body)).toEqual([
      { number, exp_month: 1, exp_year: 2030, cardholder_name: 'Ada Lovelace', cvc: '777' },
    ])
    expect(sentTo(payments)[0]).toMatchObject({
      authorization: 'Bearer pr_es_test_1',
      body: { card: { cardholder_name: 'Ada Lovelace', agentic_terms_acknowledged: true } },
    })
    expect((await shop.events()).map(({ name }) => name)).toEqual(['ready', 'change', 'change', 'complete'])
    await nothingKept()
  })

  /** Neither the page, nor any storage, nor a console, nor a request to anybody but the vault has the number or the code. */
  async function nothingKept(): Promise<void> {
    const kept = `JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, printed, location.href,
      document.documentElement.outerHTML, [...document.querySelectorAll('input')].map(({ value }) => value),
      performance.getEntries().map(({ name }) => name)])`
    const texts = [
      await shop.run('JSON.stringify(heard.map(({ data }) => data))'),
      await shop.run(kept),
      await frame.evaluate(kept),
      JSON.stringify(standIn.received.filter(({ path }) => path !== '/cards')),
    ].map(String)
    expect(texts.filter((each) => each.includes('pm_1'))).toHaveLength(1)
    const secrets = new RegExp(`${number}|4000 0566|5566 5556|65665556|"777"`)
    expect(texts.filter((each) => secrets.test(each))).toEqual([])
    const stores = '[indexedDB.databases(), caches.keys()].map((asked) => asked.then(({ length }) => length))'
    expect(await frame.evaluate(`Promise.all(${stores})`)).toEqual([0, 0])
  }

  test('digits are taken as people write and paste them, and the caret stays', async () => {
    await open()
    await frame.focus('#card-number')
    await shop.page.keyboard.sendCharacter(' ４２４２-4242 4242.4242\n')
    expect(await value('card-number')).toBe('4242 4242 4242 4242')
    await pressed('Home', 'ArrowRight', 'ArrowRight', 'Delete')
    await shop.page.keyboard.type('9')
    expect([
      await value('card-number'),
      await frame.evaluate('document.activeElement.selectionStart'),
    ]).toEqual(['4292 4242 4242 4242', 3])
    await frame.focus('#card-expiry')
    await shop.page.keyboard.type('0127')
    expect(await value('card-expiry')).toBe('01 / 27')
    await pressed('Backspace', 'Backspace', 'Backspace', 'Backspace')
    expect(await value('card-expiry')).toBe('0')
    const facts = await frame.$$eval('.form input[name]', (inputs) =>
      inputs.map((input) => ['autocomplete', 'inputmode'].map((name) => input.getAttribute(name))),
    )
    expect(facts).toEqual([
      ['cc-number', 'numeric'],
      ['cc-exp', 'numeric'],
      ['cc-csc', 'numeric'],
      ['cc-name', null],
    ])
    expect(
      await frame.evaluate(
        `[...document.querySelectorAll('input[type=text]')].every((each) => parseFloat(getComputedStyle(each).fontSize) >= 16)`,
      ),
    ).toBe(true)
  })

  test('American Express has four digits of a code, and no agents', async () => {
    standIn.testCards.push({ name: 'Amex', number: '378282246310005', says: 'asks for its code' })
    await open()
    expect(await text('.test-card')).toBe('Amex asks for its code')
    await press(frame, '.test-card')
    await until(frame, `document.getElementById('card-code').value === '1111'`)
    expect(await value('card-number')).toBe('3782 822463 10005')
    expect(await text('.brand')).toBe('Amex')
    expect(await text('#card-code-hint')).toContain('4 digits on the front')
    expect(await frame.$('#consent')).toBeNull()
    await frame.focus('#card-code')
    await pressed('Backspace', 'Enter')
    await there(frame, '#card-code-error')
    expect(standIn.received.map(({ path }) => path)).not.toContain('/cards')
  })

  test('what is wrong stands at its field, and the first wrong field has the focus', async () => {
    await open()
    await press(frame, 'form > .button')
    await there(frame, '.error')
    await focused('card-number')
    const facts = await frame.$$eval('.form input[name]', (inputs) =>
      inputs.map((input) => [input.getAttribute('aria-invalid'), input.getAttribute('aria-describedby')]),
    )
    expect(facts).toEqual([
      ['true', 'card-number-error'],
      ['true', 'card-expiry-error'],
      ['true', 'card-code-hint card-code-error'],
      ['false', null],
    ])
    await press(frame, '.test-card')
    await until(frame, `document.querySelector('.error') === null`)
    standIn.answers.set('/cards', () =>
      refusal(422, 'card_refused', { param: 'exp_month', message: `Not ${number}.` }),
    )
    await press(frame, 'form > .button')
    await there(frame, '#card-expiry-error')
    await focused('card-expiry')
    expect(await text('.error')).toBe(`Not ${number}.`)
    // Whoever hears the page hears it as English.
    expect(await frame.$eval('.error', (error) => error.getAttribute('lang'))).toBe('en')
    expect((await shop.events()).at(-1)).toEqual({
      name: 'error',
      event: { code: 'card_refused', message: 'Not ….' },
    })
    await frame.type('#card-expiry', '1')
    await until(frame, `document.querySelector('.error') === null`)
    standIn.answers.set('/cards', () => ({
      ...refusal(429, 'rate_limited'),
      headers: { 'retry-after': '90' },
    }))
    await submitTestCard('.notice')
    expect(await text('.notice')).toContain('Wait 2 minutes')
  })

  test('an answer that is lost is asked for again, and no card is added twice', async () => {
    await open()
    standIn.answers.set(payments, () => null)
    await submitTestCard('.notice')
    expect(await text('form > .button')).toBe('Try again')
    standIn.answers.delete(payments)
    await press(frame, 'form > .button')
    await shop.waitFor('complete')
    expect(sentTo('/cards')).toHaveLength(1)
    expect(new Set(sentTo(payments).map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1)
    expect(sentTo(payments).length).toBeGreaterThan(1)
  })

  test('an enrollment asks for the code of the bank, then for a passkey, and is complete once', async () => {
    standIn.needs.set('pm_1', 'passkey')
    standIn.answers.set(payments, () => ({ status: 201, body: addedCard({ next_action: otp }) }))
    standIn.answers.set(verify, ({ code }) =>
      code === '123456' ? { body: addedCard({ next_action: passkey }) } : refusal(409, 'verification_failed'),
    )
    await open()
    await submitTestCard('#otp')
    await focused('otp')
    await pressed('Enter')
    await there(frame, '#otp-error')
    await shop.page.keyboard.type('000000')
    await pressed('Enter')
    await until(
      frame,
      `document.getElementById('otp-error')?.textContent.startsWith('This code is not right')`,
    )
    await pressed('Backspace', 'Backspace', 'Backspace', 'Backspace', 'Backspace', 'Backspace')
    await shop.page.keyboard.type('123456')
    await pressed('Enter')
    await until(frame, `document.getElementById('proof-title').textContent === 'Create a passkey'`)
    await inWindow('a.button', '#confirm')
    await there(frame, '.mark')
    expect(await text('.ending p')).toContain('Your agents can pay with it')
    expect(sentTo(verify).map(({ body }) => body)).toEqual([
      { method: 'otp', code: '000000' },
      { method: 'otp', code: '123456' },
    ])
    const { card, ...others } = addedCard()
    const active = { ...(card as object), agentic_credentials_status: 'active' }
    expect((await shop.events()).filter(({ name }) => name === 'complete')).toEqual([
      { name: 'complete', event: { payment_method: { ...others, card: active } } },
    ])
  })

  test('an enrollment that is refused in its window is begun again, in another', async () => {
    standIn.needs.set('pm_1', 'popup')
    standIn.answers.set(payments, () => ({ status: 201, body: addedCard({ next_action: popup }) }))
    await open()
    await submitTestCard('a.button')
    await inWindow('a.button', '#refuse')
    await there(frame, '.notice')
    expect(await text('.notice')).toContain('not confirmed')
    await press(frame, 'button.button')
    await inWindow('a.button', '#confirm')
    await shop.waitFor('complete')
    expect(await text('.ending p')).toContain('Your agents can pay with it')
    const begun = sentTo(`${payments}/pm_1/payment_verifications`)
    expect(begun).toHaveLength(2)
  })

  test('an enrollment is put off', async () => {
    standIn.needs.set('pm_1', 'popup')
    standIn.answers.set(payments, () => ({ status: 201, body: addedCard({ next_action: popup }) }))
    await open()
    await submitTestCard('a.button')
    await press(frame, '.quiet')
    await shop.waitFor('complete')
    expect(await text('.ending p')).toContain('security code is asked for')
    expect(sentTo(verify)).toEqual([])
  })

  test('a session that is over is opened anew, and what was typed is still there', async () => {
    await open()
    await press(frame, '.test-card')
    standIn.answers.set('/cards', () => refusal(410, 'session_expired'))
    standIn.answers.set('/elements/v1/sessions', () => refusal(410, 'session_expired'))
    await press(frame, 'form > .button')
    await there(frame, '.ending')
    standIn.answers.clear()
    await press(frame, '.button')
    await there(frame, 'form')
    expect(await value('card-number')).toBe('4242 4242 4242 4242')
    await press(frame, 'form > .button')
    await shop.waitFor('complete')
    const bootstraps = sentTo('/elements/v1/sessions').map(({ body }) => body.bootstrap)
    expect(new Set(bootstraps).size).toBe(2)
  })

  test('a page that may not show it is told why, in the frame and by an event', async () => {
    standIn.answers.set('/elements/v1/sessions', () => refusal(403, 'origin_not_allowed'))
    await open()
    await there(frame, '.notice')
    expect(await text('.notice')).toContain('The server says origin_not_allowed.')
    expect((await shop.events()).map(({ name }) => name)).toEqual(['error'])
  })

  test('in live mode nobody reads what is for developers', async () => {
    standIn.facts.mode = 'live'
    standIn.needs.set('pm_1', 'passkey')
    standIn.answers.set(payments, () => ({ status: 201, body: addedCard({ next_action: passkey }) }))
    standIn.answers.set('/cards', () => refusal(422, 'card_refused', { param: 'number' }))
    await open({ locale: 'de', appearance: { unknown: 1 } })
    expect(await frame.$('.test-cards')).toBeNull()
    for (const [field, typed] of [
      ['number', number],
      ['expiry', '0130'],
      ['code', '777'],
    ])
      await frame.type(`#card-${field}`, typed ?? '')
    await press(frame, 'form > .button')
    await there(frame, '#card-number-error')
    expect(await text('.error')).toContain('Diese Kartennummer wurde nicht angenommen')
    standIn.answers.delete('/cards')
    await press(frame, 'form > .button')
    await there(frame, 'a.button')
    await press(frame, '.quiet')
    await shop.waitFor('complete')
    expect(await frame.evaluate('printed')).toEqual([])
  })

  test('fits into a narrow page in every language, and from right to left', async () => {
    shop = await openShopPage(chromium.browser, standIn.shop)
    // A phone of 375 pixels at 200 %.
    await shop.page.setViewport({ width: 188, height: 350 })
    await shop.mount()
    frame = await shop.frame('form')
    await press(frame, '.test-card')
    const overflowing = `[...document.querySelectorAll('#root *')].filter((each) =>
      each.scrollWidth > each.clientWidth + 1 && !each.matches('.heard, span, b, input')).map((each) => each.outerHTML)`
    for (const [locale, language, dir] of [
      ...['de', 'fr', 'es', 'it', 'nl', 'pt', 'ja', 'en'].map((name) => [name, name, 'ltr']),
      ['ar', 'en', 'rtl'],
    ]) {
      await shop.run(`element.update({ locale: '${locale}' })`)
      await until(
        frame,
        `document.documentElement.lang === '${language}' && document.documentElement.dir === '${dir}'`,
      )
      expect([locale, await frame.evaluate(overflowing)]).toEqual([locale, []])
    }
    expect(await frame.evaluate(`getComputedStyle(document.getElementById('card-number')).direction`)).toBe(
      'ltr',
    )
  })
})
