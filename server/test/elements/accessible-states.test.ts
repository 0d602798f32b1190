import { readFileSync } from 'node:fs'
import { join } from 'node:path'
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
import { addedCard, type ElementsStandIn, refusal, savedCard, startStandIn } from './stand-in.ts'

const axe = readFileSync(join(import.meta.dirname, '../../../node_modules/axe-core/axe.min.js'), 'utf8')
const choosing = { component: 'AddOrSelectPaymentMethod', purchaseIntentId: 'pi_1' }
const payments = '/elements/v1/payment_methods'

let standIn: ElementsStandIn
let chromium: Awaited<ReturnType<typeof openChromium>>
let shop: ShopPage
const seen: string[] = []

async function open(shown: string, options: object = {}): Promise<Frame> {
  shop = await openShopPage(chromium.browser, standIn.shop)
  await shop.mount(options)
  const frame = await shop.frame(shown)
  // The page's axe asks the frame's, which would answer no page of another origin.
  for (const place of [shop.page, frame])
    await place.evaluate(`${axe}; axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] })`)
  return frame
}

/** What axe finds wrong with a state and the page around it, in light and in dark. */
async function judge(state: string, frame: Frame): Promise<void> {
  for (const theme of ['light', 'dark']) {
    await shop.run(`element.update({ appearance: { theme: '${theme}' } })`)
    await until(frame, `getComputedStyle(document.documentElement).colorScheme === '${theme}'`)
    const { faults, inFrame } = (await shop.run(`axe.run().then(({ violations, passes }) => ({
      faults: violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
      inFrame: passes.filter(({ nodes }) => nodes.some(({ target }) => target.length > 1)).length }))`)) as {
      faults: unknown[]
      inFrame: number
    }
    expect([state, theme, faults]).toEqual([state, theme, []])
    expect(inFrame).toBeGreaterThan(5)
  }
  seen.push(state)
}

async function submit(frame: Frame, shown: string): Promise<void> {
  await press(frame, '.test-card')
  await press(frame, 'form > .button')
  await there(frame, shown)
}

inChromium('every state can be used by everybody', () => {
  beforeAll(async () => {
    ;[standIn, chromium] = await Promise.all([startStandIn(), openChromium()])
  })
  afterAll(async () => {
    await chromium.close()
    await standIn.stop()
  })
  afterEach(async () => {
    await shop.close()
    standIn.reset()
  })

  test('the card with its billing address, and what is missing of it', async () => {
    const frame = await open('select', { billingAddress: 'full', clientSecret: 'pr_cs_test_1' })
    await judge('billing address', frame)
    await press(frame, 'form > .button')
    await there(frame, '#billing-line1-error')
    await judge('wrong address', frame)
  })

  test('from loading to a card that is added', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    standIn.answers.set('/elements/v1/sessions', async () => {
      await promise
      return { status: 201, body: { session: 'pr_es_test_1', vault_url: standIn.vault } }
    })
    const frame = await open('.bone')
    await judge('loading', frame)
    resolve()
    await press(frame, 'form > .button')
    await there(frame, '.error')
    await judge('wrong fields', frame)
    standIn.answers.set('/cards', () => null)
    await submit(frame, '.notice')
    await judge('offline', frame)
    const adding = Promise.withResolvers<ReturnType<typeof refusal>>()
    standIn.answers.set('/cards', () => adding.promise)
    await submit(frame, '.spinner')
    await judge('submitting', frame)
    adding.resolve(refusal(422, 'card_refused', { param: 'number' }))
    await there(frame, '#card-number-error')
    await judge('refused', frame)
    standIn.answers.clear()
    const waiting = (method: string) => addedCard({ next_action: { type: 'verify_payment_method', method } })
    const steps = ['passkey']
    standIn.answers.set(payments, () => ({ status: 201, body: waiting('otp') }))
    standIn.answers.set(`${payments}/pm_1/verify`, () => {
      const next = steps.shift()
      return { body: next === undefined ? addedCard() : waiting(next) }
    })
    await submit(frame, '#otp')
    await judge('one-time password', frame)
    await frame.type('#otp', '123456')
    standIn.needs.set('pm_1', 'passkey')
    await press(frame, '.button')
    await there(frame, 'a.button')
    await judge('Create a passkey', frame)
    await press(frame, '.quiet')
    await there(frame, '.mark')
    await judge('added', frame)
  })

  test('what cannot go on', async () => {
    standIn.answers.set('/elements/v1/sessions', () => refusal(403, 'origin_not_allowed'))
    await judge('not allowed', await open('.notice'))
    await shop.close()
    standIn.answers.set('/elements/v1/sessions', () => refusal(410, 'session_expired'))
    await judge('over', await open('.ending'))
    expect(seen).toHaveLength(12)
  })

  test('from cards to choose from to one that is proven', async () => {
    standIn.cards.push(
      savedCard('pm_otp', { is_default: true }),
      savedCard('pm_cvc', { brand: 'amex' }),
      savedCard('pm_old', { year: 2024 }),
      savedCard('pm_key'),
    )
    standIn.needs.set('pm_otp', 'otp').set('pm_cvc', 'cvc').set('pm_key', 'passkey')
    const frame = await open('#proof', choosing)
    await judge('code of the bank', frame)
    await shop.run('void pay()')
    await there(frame, '.error')
    await judge('code is missing', frame)
    await press(frame, 'input[value=another]')
    await there(frame, '#card-number')
    await judge('another card', frame)
    await press(frame, 'input[value=pm_cvc]')
    await until(frame, `document.querySelector('label[for=proof]')?.textContent === 'Security code'`)
    await judge('code again', frame)
    await press(frame, 'input[value=pm_key]')
    await until(frame, `document.querySelector('.choice .hint')?.textContent.includes('passkey')`)
    await judge('passkey is next', frame)
    await shop.run('window.open = () => null; void pay()')
    await there(frame, 'a.button')
    await judge('window is blocked', frame)
    await press(frame, '.quiet')
    await until(shop.page, 'outcomes.length === 2')
    standIn.needs.set('pm_cvc', 'none')
    await shop.close()
    const again = await open('fieldset', choosing)
    await press(again, 'input[value=pm_cvc]')
    await shop.run('void pay()')
    await there(again, '.mark')
    await judge('chosen', again)
    expect(seen).toHaveLength(19)
  })

  test('a choice of cards fits into a narrow page in every language, and nothing of it moves once it is ready', async () => {
    standIn.cards.push(savedCard('pm_mc', { brand: 'mastercard' }), savedCard('pm_old', { year: 2024 }))
    standIn.needs.set('pm_mc', 'otp')
    shop = await openShopPage(chromium.browser, standIn.shop)
    // A phone of 375 pixels at 200 %.
    await shop.page.setViewport({ width: 188, height: 350 })
    await shop.run(`new PerformanceObserver((list) => {
      for (const { value } of list.getEntries()) events.push({ name: 'shift', value })
    }).observe({ type: 'layout-shift' })`)
    await shop.mount(choosing)
    const frame = await shop.frame('#proof')
    await shop.run('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))')
    expect((await shop.events()).findLast(({ name }) => name !== 'change')?.name).toBe('ready')
    const overflowing = `[...document.querySelectorAll('#root *')].filter((each) =>
      each.scrollWidth > each.clientWidth + 1 && !each.matches('.heard, span, b, input')).map((each) => each.outerHTML)`
    for (const locale of ['de', 'fr', 'es', 'it', 'nl', 'pt', 'ja', 'en', 'ar']) {
      await shop.run(`element.update({ locale: '${locale}' })`)
      await until(frame, `document.documentElement.lang === '${locale === 'ar' ? 'en' : locale}'`)
      expect([locale, await frame.evaluate(overflowing)]).toEqual([locale, []])
      expect(await frame.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    }
  })
})
