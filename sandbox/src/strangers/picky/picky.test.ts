import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStrangers, type Strangers } from '../../../test/open-strangers.ts'
import { pickyAddress, pickyForms } from './picky-forms.ts'

let strangers: Strangers
beforeAll(async () => {
  strangers = await openStrangers()
})
afterAll(() => strangers.close())

test('each product is sold, and its checkout asks what its form says', async () => {
  for (const [handle, { fields }] of Object.entries(pickyForms)) {
    const shopper = strangers.shopper()
    await shopper.open(`https://picky.shop.test/product/${handle}`)
    await shopper.submit('/cart/add', {})
    const { body } = await shopper.open('https://picky.shop.test/checkout/address')
    for (const { name, label } of fields) {
      expect(body).toContain(`for="${name}"`)
      expect(body).toContain(label)
    }
  }
})

test('what belongs to several fields is kept apart', () => {
  const typed = new URLSearchParams({ first: 'Ada', last: 'King Lovelace', dial: '+44', phone: '7700900123' })
  expect(pickyAddress(typed).address).toMatchObject({ name: 'Ada|King Lovelace', phone: '+44|7700900123' })
})
