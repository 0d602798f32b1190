import type { Frame } from 'puppeteer-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import {
  inChromium,
  openChromium,
  openShopPage,
  press,
  type ShopPage,
  there,
  until,
} from './open-chromium.ts'
import { addedCard, type ElementsStandIn, refusal, startStandIn } from './stand-in.ts'

const budget = { amount: 5000, currency: 'EUR', interval: 'month' }
const budgets = '/elements/v1/payment_methods/pm_1/standing_budgets'

let standIn: ElementsStandIn
let chromium: Awaited<ReturnType<typeof openChromium>>
let shop: ShopPage
let frame: Frame

async function open(options: object): Promise<void> {
  shop = await openShopPage(chromium.browser, standIn.shop)
  await shop.mount({ clientSecret: 'pr_cs_test_1', ...options })
  frame = await shop.frame('form, .notice, h1')
}

async function submit(...consents: string[]): Promise<void> {
  await press(frame, '.test-card')
  for (const consent of consents) await press(frame, consent)
  await press(frame, 'form > .button')
  await there(frame, 'h1')
}

async function heard(): Promise<unknown> {
  const events = await shop.events()
  return events.filter(({ name }) => name === 'error' || name === 'complete')
}

const asked = () => standIn.received.filter(({ path }) => path === budgets)
const text = (selector: string) => frame.$eval(selector, (element) => element.textContent)

inChromium('a standing budget', () => {
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

  test('is shown in words, has a consent of its own, and is made once the card is there', async () => {
    const policy = { id: 'pol_1', object: 'policy' }
    standIn.answers.set(budgets, () => ({ status: 201, body: policy }))
    await open({ budget, locale: 'en' })
    expect(await text('label[for=budget]')).toBe('Your agents may spend up to €50.00 a month with this card.')
    // Without the consent to agents there is nothing to consent to.
    await until(frame, `document.getElementById('budget').disabled`)
    await submit('#consent', '#budget')
    await shop.waitFor('complete')
    expect(asked().map(({ body }) => body)).toEqual([
      { budget: { ...budget, expires_at: null }, temporary_cvc_token_id: 'pr_cvc_test_1' },
    ])
    expect(await heard()).toEqual([{ name: 'complete', event: { payment_method: addedCard(), policy } }])
    expect(await text('.ending')).toContain('up to €50.00 a month')
  })

  test('that is refused leaves the card added, and the page hears why', async () => {
    standIn.answers.set(budgets, () => refusal(409, 'card_not_proven'))
    await open({ budget, locale: 'en' })
    await submit('#consent', '#budget')
    await shop.waitFor('complete')
    expect(await heard()).toEqual([
      { name: 'error', event: { code: 'card_not_proven', message: 'The server says card_not_proven.' } },
      { name: 'complete', event: { payment_method: addedCard(), policy: null } },
    ])
    expect(await text('.ending')).toContain('The budget was not set')
  })

  test.each([
    ['378282246310005', '1111'],
    // Of a network that is none of those that the form knows.
    ['6759649826438453', '111'],
  ])(
    'is not made with %s, whose brand lets no agent pay, whatever was consented to before',
    async (number, code) => {
      await open({ budget, locale: 'en' })
      await press(frame, '.test-card')
      await press(frame, '#consent')
      await press(frame, '#budget:not(:disabled)')
      for (const [field, text] of [
        ['number', number],
        ['code', code],
      ]) {
        await frame.$eval(`#card-${field}`, (input) => (input as unknown as { select(): void }).select())
        await shop.page.keyboard.type(String(text))
      }
      await until(frame, `document.querySelector('#consent') === null`)
      expect(await text('p.consent')).toContain('the security code is asked for at each purchase')
      await press(frame, 'form > .button')
      await shop.waitFor('complete')
      const [added] = standIn.received.filter(({ path }) => path === '/elements/v1/payment_methods')
      expect(JSON.stringify(added?.body)).not.toContain('agentic')
      expect(asked()).toEqual([])
    },
  )

  test('that nobody consents to, or that is none, is not made', async () => {
    await open({ budget })
    await submit('#consent')
    await shop.waitFor('complete')
    expect(await heard()).toEqual([
      { name: 'complete', event: { payment_method: addedCard(), policy: null } },
    ])
    await shop.close()
    await open({ budget: { ...budget, amount: '50' } })
    expect(await frame.$('#budget')).toBeNull()
    await shop.waitFor('error')
    expect(await heard()).toMatchObject([{ event: { code: 'invalid_budget' } }])
    expect(asked()).toEqual([])
  })
})
