import type { Frame } from 'puppeteer-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { countryCodes } from '../../src/schema/formats.ts'
import {
  inChromium,
  openChromium,
  openShopPage,
  press,
  type ShopPage,
  there,
  until,
} from './open-chromium.ts'
import { type ElementsStandIn, startStandIn } from './stand-in.ts'

const addresses = '/elements/v1/billing_addresses'

let standIn: ElementsStandIn
let chromium: Awaited<ReturnType<typeof openChromium>>
let shop: ShopPage
let frame: Frame

async function open(options: object): Promise<void> {
  shop = await openShopPage(chromium.browser, standIn.shop)
  await shop.mount({ clientSecret: 'pr_cs_test_1', billingAddress: 'full', locale: 'en', ...options })
  frame = await shop.frame('form')
}

function sentTo(path: string) {
  return standIn.received.filter((each) => each.path === path)
}

async function focused(id: string): Promise<void> {
  await expect.poll(() => frame.evaluate('document.activeElement.id')).toBe(id)
}

const text = (selector: string) => frame.$eval(selector, (element) => element.textContent)

/** As a browser fills in a form that it knows: all at once, without keys. */
async function autofill(values: Record<string, string>): Promise<void> {
  await frame.evaluate(`for (const [token, value] of Object.entries(${JSON.stringify(values)})) {
    const field = document.querySelector('[autocomplete$="' + token + '"]')
    field.value = value
    field.dispatchEvent(new Event('input', { bubbles: true }))
    field.dispatchEvent(new Event('change', { bubbles: true }))
  }`)
}

inChromium('a billing address', () => {
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

  test('is filled in with the card by the browser, and goes to the server without its number', async () => {
    await open({})
    await autofill({
      'cc-number': '4242424242424242',
      'cc-exp': '01/2030',
      'cc-csc': '111',
      'cc-name': 'Ada Lovelace',
      country: 'AT',
      'address-line1': 'Ring 1',
      'postal-code': ' 1010 ',
      'address-level2': 'Wien',
    })
    await until(shop.page, `events.some(({ event }) => event?.complete === true)`)
    await press(frame, 'form > .button')
    await shop.waitFor('complete')
    expect(sentTo(addresses).map(({ body }) => body)).toEqual([
      { country: 'AT', line1: 'Ring 1', postal_code: '1010', city: 'Wien', recipient_name: 'Ada Lovelace' },
    ])
    expect(sentTo('/elements/v1/payment_methods')[0]?.body.billing_address).toEqual({ id: 'addr_1' })
  })

  test('that lacks something is marked there, by what the form knows and by what the server says', async () => {
    await open({})
    await press(frame, '.test-card')
    await frame.select('#billing-country', '')
    await press(frame, 'form > .button')
    await focused('billing-country')
    expect(await text('#billing-country-error')).toBe('Choose the country or region.')
    expect(await text('#billing-city-error')).toBe('Enter the city.')
    await frame.select('#billing-country', 'AT')
    await frame.type('#billing-line1', 'Ring 1')
    await frame.type('#billing-city', 'Wien')
    const fault = (field: string, msg: string) => ({
      status: 422,
      body: { detail: [{ loc: ['body', field], msg }] },
    })
    standIn.answers.set(addresses, () => fault('postal_code', 'Send it.'))
    await press(frame, 'form > .button')
    await focused('billing-postal_code')
    expect(await text('#billing-postal_code-error')).toContain('every address in this country has one')
    await frame.type('#billing-postal_code', '1010')
    await until(frame, `document.querySelector('.error') === null`)
    standIn.answers.set(addresses, () => fault('city', 'Too long.'))
    await press(frame, 'form > .button')
    await focused('billing-city')
    await there(frame, '#billing-city-error')
    // The card was never tried, and is still there.
    expect(sentTo('/cards')).toEqual([])
    standIn.answers.clear()
    await press(frame, 'form > .button')
    await shop.waitFor('complete')
    expect(sentTo('/cards')).toHaveLength(1)
  })

  test('is asked for where the page does, with the names of countries in its language', async () => {
    await open({ locale: 'de' })
    expect(await text('legend')).toBe('Rechnungsadresse')
    const countries = await frame.$$eval('option', (all) =>
      all.map(({ value, textContent }) => [value, textContent]),
    )
    const [, ...known] = countries.map(([code = '']) => code)
    expect(known.toSorted()).toEqual(countryCodes().toSorted())
    const names = countries.map(([, name]) => name)
    expect(names.slice(0, 4)).toEqual(['', 'Afghanistan', 'Ägypten', 'Ålandinseln'])
    await shop.close()
    await open({ billingAddress: 'never' })
    expect(await frame.$('select')).toBeNull()
    await shop.close()
    for (const [options, code] of [
      [{ billingAddress: 'some' }, 'invalid_billing_address'],
      [{ clientSecret: undefined }, 'client_secret_required'],
    ] as const) {
      await open(options)
      expect(await frame.$('select')).toBeNull()
      await until(shop.page, `events.some(({ name }) => name === 'error')`)
      expect(await shop.errors()).toEqual([code])
      await shop.close()
    }
    await open({})
  })
})
