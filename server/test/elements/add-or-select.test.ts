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
import { addedCard, type ElementsStandIn, refusal, savedCard, startStandIn } from './stand-in.ts'

const payments = '/elements/v1/payment_methods'
const approvals = '/elements/v1/purchase_intent/payment_verifications'
const purchase = { purchaseIntentId: 'pi_1' }

let standIn: ElementsStandIn
let chromium: Awaited<ReturnType<typeof openChromium>>
let shop: ShopPage
let frame: Frame

async function open(options: object = purchase, shown = 'form'): Promise<void> {
  shop = await openShopPage(chromium.browser, standIn.shop)
  await shop.mount({ component: 'AddOrSelectPaymentMethod', ...options })
  frame = await shop.frame(shown)
}

function sentTo(path: string) {
  return standIn.received.filter((each) => each.path === path)
}

/** Begins to pay, as the page's own button does. */
async function pay(): Promise<void> {
  await shop.run('void pay()')
}

async function outcome(): Promise<unknown> {
  await until(shop.page, 'outcomes.length > 0')
  return shop.run('outcomes.shift()')
}

async function paid(): Promise<unknown> {
  await pay()
  return outcome()
}

/** The page knows which window its next click has to open. */
async function announced(): Promise<void> {
  await until(shop.page, `heard.findLast(({ data }) => data?.kind === 'window')?.data.url`)
}

async function choose(card: string, shown: string): Promise<void> {
  await press(frame, `input[value=${card}]`)
  await there(frame, shown)
}

async function inWindow(selector: string, work: () => Promise<unknown>): Promise<void> {
  const window = await openedBy(shop.page, work)
  await window.waitForSelector(selector)
  await window.click(selector)
}

async function texts(selector: string): Promise<string[]> {
  return frame.$$eval(selector, (all) => all.map((each) => String(Reflect.get(each, 'innerText'))))
}

async function focused(id: string): Promise<void> {
  await expect.poll(() => frame.evaluate('document.activeElement.id')).toBe(id)
}

const nothingProven = {
  temporary_cvc_token_id: null,
  agentic_credentials_preference: null,
  payment_verification: null,
}

inChromium('AddOrSelectPaymentMethod', () => {
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

  test('shows what is bought and for how much at most, and the cards, by keys alone', async () => {
    standIn.cards.push(
      savedCard('pm_old', { last4: '1111', year: 2024 }),
      savedCard('pm_amex', { brand: 'amex', last4: '0005' }),
      savedCard('pm_visa', { is_default: true }),
    )
    standIn.needs.set('pm_amex', 'cvc')
    await open({ ...purchase, locale: 'de', preference: 'prefer' })
    expect(await texts('h2')).toEqual(['mugs.example', 'tea.example'])
    expect(await texts('.purchase li:first-child bdi, .cap b')).toEqual([
      '2 × blue-mug',
      '25,00\u00a0$',
      '1 × tea.example',
      '3,00\u00a0$',
      '33,60\u00a0$',
    ])
    expect(
      await frame.$$eval('input[type=radio]', (all) =>
        all.map((each) => ['value', 'checked', 'disabled'].map((name) => Reflect.get(each, name))),
      ),
    ).toEqual([
      ['pm_visa', true, false],
      ['pm_amex', false, false],
      ['pm_old', false, true],
      ['another', false, false],
    ])
    expect(await texts('.choice .aside')).toEqual([
      'Gültig bis 01/2035',
      'Gültig bis 01/2035',
      'Abgelaufen 01/2024',
    ])
    await shop.page.focus('#before')
    await shop.page.keyboard.press('Tab')
    await until(frame, `document.hasFocus() && document.activeElement.value === 'pm_visa'`)
    await shop.page.keyboard.press('ArrowDown')
    await there(frame, '#proof')
    await shop.page.keyboard.press('Tab')
    await focused('proof')
    await shop.page.keyboard.press('Tab')
    await until(shop.page, `document.activeElement.id === 'after'`)
    expect(sentTo('/elements/v1/sessions')[0]?.body).toMatchObject({ purchase_intent_id: 'pi_1' })
    expect(sentTo(approvals).map(({ body }) => body)).toEqual([
      { profile_payment_method_id: 'pm_visa', agentic_credentials_preference: 'prefer' },
      { profile_payment_method_id: 'pm_amex', agentic_credentials_preference: 'prefer' },
    ])
    await choose('pm_visa', 'fieldset')
    expect(await paid()).toEqual({
      output: {
        ...nothingProven,
        profile_payment_method_id: 'pm_visa',
        agentic_credentials_preference: 'prefer',
      },
    })
    await there(frame, '.mark')
  })

  test('a card that needs its code again asks for it, and the code goes to the vault alone', async () => {
    standIn.cards.push(savedCard('pm_amex', { brand: 'amex', last4: '0005' }))
    standIn.needs.set('pm_amex', 'cvc')
    await open()
    expect(await paid()).toMatchObject({ code: 'incomplete' })
    await focused('proof')
    expect(await texts('.error')).toEqual(['Enter the security code.'])
    await shop.page.keyboard.type('739')
    expect(await paid()).toMatchObject({ code: 'incomplete' })
    expect(sentTo('/cvcs')).toEqual([])
    await shop.page.keyboard.type('59')
    standIn.answers.set('/cvcs', () => refusal(422, 'card_refused', { param: 'cvc' }))
    expect(await paid()).toMatchObject({ code: 'card_refused' })
    standIn.answers.clear()
    // Pressed twice: one call, and one answer.
    expect(
      await shop.run(
        '(() => { const first = element.authorize(); return first === element.authorize() && first.then(() => 1) })()',
      ),
    ).toBe(1)
    expect(
      sentTo('/cvcs')
        .map(({ body }) => body)
        .at(-1),
    ).toEqual({ cvc: '7395', card_brand: 'amex' })
    const output = {
      ...nothingProven,
      profile_payment_method_id: 'pm_amex',
      temporary_cvc_token_id: 'pr_cvc_test_again',
    }
    expect((await shop.events()).filter(({ name }) => name === 'complete')).toEqual([
      { name: 'complete', event: output },
    ])
    const told = String(await shop.run('JSON.stringify(heard.map(({ data }) => data))'))
    expect(told).not.toContain('7395')
    // Whoever comes back has to prove it anew.
    expect(await paid()).toMatchObject({ code: 'incomplete' })
  })

  test('the code of the bank proves a card; wrong three times it proves nothing, and something else is asked', async () => {
    standIn.cards.push(savedCard('pm_visa'))
    standIn.needs.set('pm_visa', 'otp')
    await open()
    expect(await paid()).toMatchObject({ code: 'incomplete' })
    await focused('proof')
    await shop.page.keyboard.type('000000')
    for (const time of [1, 2, 3]) {
      if (time === 3) standIn.needs.set('pm_visa', 'cvc')
      expect([time, await paid()]).toMatchObject([time, { code: 'verification_failed' }])
    }
    await until(frame, `document.querySelector('label[for=proof]').textContent === 'Security code'`)
    standIn.needs.set('pm_visa', 'otp')
    await choose('another', '#card-number')
    await shop.run(`element.unmount(); element.mount('#card')`)
    frame = await shop.frame('#proof')
    await frame.type('#proof', '123456')
    expect(await paid()).toEqual({
      output: {
        ...nothingProven,
        profile_payment_method_id: 'pm_visa',
        payment_verification: { method: 'otp', assertion: expect.stringContaining('pv_') },
      },
    })
  })

  test('a passkey is used in a window that the click opens; what is refused there is refused', async () => {
    standIn.cards.push(savedCard('pm_visa'), savedCard('pm_mc', { brand: 'mastercard' }))
    standIn.needs.set('pm_visa', 'passkey').set('pm_mc', 'popup')
    await open()
    await announced()
    await inWindow('#refuse', pay)
    expect(await outcome()).toMatchObject({ code: 'verification_failed' })
    await there(frame, '.notice')
    await until(frame, `document.querySelector('.choice .hint') !== null`)
    await expect.poll(() => sentTo(approvals).length).toBe(2)
    await announced()
    await inWindow('#confirm', pay)
    expect(await outcome()).toEqual({
      output: {
        ...nothingProven,
        profile_payment_method_id: 'pm_visa',
        payment_verification: { method: 'passkey', assertion: expect.stringContaining('pv_') },
      },
    })
    await press(frame, '.quiet')
    await choose('pm_mc', '.choice .hint')
    await expect
      .poll(() => texts('.choice .hint'))
      .toEqual(['Your bank asks you to confirm, in a window that opens.'])
    await announced()
    const window = await openedBy(shop.page, pay)
    await until(
      frame,
      `document.querySelector('.waiting')?.textContent === 'Go on in the window that has opened.'`,
    )
    // Once the server has said that it is open, another one can be asked for; until then there is only a way out.
    await until(frame, `document.querySelectorAll('.quiet').length === 2`)
    await window.close()
    // It decides nothing that the window is gone: the person says what is next.
    await press(frame, '.quiet')
    await inWindow('#confirm', () => press(frame, 'a.button'))
    expect(await outcome()).toMatchObject({ output: { payment_verification: { method: 'popup' } } })
  })

  test('a window that the browser blocks has a link in its place, and one that does not come in time too', async () => {
    standIn.cards.push(savedCard('pm_visa'))
    standIn.needs.set('pm_visa', 'passkey')
    await open()
    await shop.run('window.opened = []; window.open = (url) => (opened.push(url), null)')
    await announced()
    await pay()
    await there(frame, 'a.button')
    const link = await frame.$eval('a.button', (each) =>
      ['href', 'target', 'rel'].map((name) => Reflect.get(each, name)),
    )
    expect(link).toEqual([await shop.run('opened[0]'), '_blank', 'noopener noreferrer'])
    await press(frame, '.quiet')
    expect(await outcome()).toMatchObject({ code: 'cancelled' })
    // One that opens something else than what was meant.
    await shop.run('window.open = () => window')
    await announced()
    await pay()
    await there(frame, 'a.button')
    expect(await texts('.waiting')).toEqual(['The window did not open. You can open it here.'])
    await inWindow('#confirm', () => press(frame, 'a.button'))
    expect(await outcome()).toMatchObject({ output: { payment_verification: { method: 'passkey' } } })
  })

  test('another card is typed, added and proven in one go; what was typed outlives a look at the others', async () => {
    standIn.cards.push(savedCard('pm_visa'))
    standIn.needs.set('pm_visa', 'none').set('pm_1', 'otp')
    await open()
    await choose('another', '#card-number')
    expect(await paid()).toMatchObject({ code: 'incomplete' })
    await focused('card-number')
    await press(frame, '.test-card')
    await choose('pm_visa', 'fieldset')
    await choose('another', '#card-number')
    expect(await frame.evaluate(`document.getElementById('card-number').value`)).toBe('4242 4242 4242 4242')
    standIn.answers.set('/cards', () => refusal(422, 'card_refused', { param: 'number' }))
    expect(await paid()).toMatchObject({ code: 'card_refused' })
    await focused('card-number')
    standIn.answers.clear()
    const next_action = { type: 'verify_payment_method', method: 'otp' }
    standIn.answers.set(`POST ${payments}`, () => ({ status: 201, body: addedCard({ next_action }) }))
    await pay()
    await there(frame, '#otp')
    standIn.needs.set('pm_1', 'cvc')
    await press(frame, '.quiet')
    // The code that was typed with the number is still there.
    expect(await outcome()).toEqual({
      output: {
        ...nothingProven,
        profile_payment_method_id: 'pm_1',
        temporary_cvc_token_id: 'pr_cvc_test_1',
      },
    })
    expect(sentTo('/cvcs')).toEqual([])
  })

  test('a session that may see no cards has the form alone, and proves by the code', async () => {
    standIn.cards.push(savedCard('pm_visa'))
    standIn.answers.set('/elements/v1/sessions', () => ({
      status: 201,
      body: { session: 'pr_es_test_1', vault_url: standIn.vault, may: ['write'], mode: 'test' },
    }))
    await open()
    expect(await frame.$('fieldset')).toBeNull()
    await press(frame, '.test-card')
    expect(await paid()).toEqual({
      output: {
        ...nothingProven,
        profile_payment_method_id: 'pm_1',
        temporary_cvc_token_id: 'pr_cvc_test_1',
      },
    })
    expect([
      ...sentTo(approvals),
      ...standIn.received.filter(({ path }) => path.includes('verifications')),
    ]).toEqual([])
    // The code was used. The card is known now, and its code is asked again.
    expect(await paid()).toMatchObject({ code: 'incomplete' })
    await frame.type('#proof', '111')
    expect(await paid()).toMatchObject({ output: { temporary_cvc_token_id: 'pr_cvc_test_again' } })
  })

  test('for a profile nothing is proven: a card is chosen, or added', async () => {
    standIn.cards.push(savedCard('pm_visa', { is_default: true }))
    await open({ preference: 'never' })
    expect(await frame.$('.purchase')).toBeNull()
    expect(await paid()).toEqual({
      output: {
        ...nothingProven,
        profile_payment_method_id: 'pm_visa',
        agentic_credentials_preference: 'never',
      },
    })
    expect(sentTo(approvals)).toEqual([])
    expect((await shop.events()).map(({ name }) => name)).toEqual(['ready', 'change', 'complete'])
  })

  test('what the server refuses is said to the person and to the page', async () => {
    standIn.answers.set('/elements/v1/purchase_intent', () => null)
    await open(purchase, '.notice')
    expect(await texts('.notice')).toEqual([expect.stringContaining('No connection')])
    standIn.answers.clear()
    standIn.cards.push(savedCard('pm_visa'), savedCard('pm_mc', { brand: 'mastercard' }))
    standIn.answers.set(approvals, () => refusal(409, 'not_approvable'))
    await press(frame, '.button')
    await there(frame, 'fieldset')
    expect(await texts('.notice')).toEqual([expect.stringContaining('no longer waiting for you')])
    expect(await paid()).toMatchObject({ code: 'not_approvable' })
    standIn.answers.set(approvals, () => refusal(410, 'session_expired'))
    standIn.answers.set('/elements/v1/sessions', () => refusal(410, 'session_expired'))
    expect(await paid()).toMatchObject({ code: 'session_expired' })
    await there(frame, '.ending')
    standIn.answers.clear()
    await press(frame, '.button')
    await there(frame, 'fieldset')
    expect(await paid()).toMatchObject({ output: { profile_payment_method_id: 'pm_visa' } })
    expect(await shop.errors()).toEqual(['offline', 'not_approvable'])
  })
})
