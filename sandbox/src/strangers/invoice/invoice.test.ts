import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStrangers, type Strangers } from '../../../test/open-strangers.ts'
import { cardTyped, goToPayment } from '../../../test/shopper.ts'

const shop = 'https://invoice.shop.test'

let strangers: Strangers
beforeAll(async () => {
  strangers = await openStrangers()
})
afterAll(() => strangers.close())

test.each([
  ['desk-lamp', {}, 'order confirmed:invoice', '0/0/0'],
  ['desk-lamp', { payment_method: 'card' }, 'charge captured', '0/6912/0'],
  ['invoice-only', {}, 'order confirmed:invoice', '0/0/0'],
  ['installments', {}, 'order confirmed:installments', '0/0/0'],
  ['confirms-unpaid', {}, 'order confirmed:card', '0/0/0'],
  ['free-sample', {}, 'order confirmed:card', '0/0/0'],
  ['club', {}, 'charge captured', '0/1609/0'],
  ['trial', {}, 'order confirmed:card', '0/0/0'],
])('%s with %j ends as %s, and the card was asked for %s', async (handle, chosen, last, totals) => {
  const shopper = strangers.shopper()
  await goToPayment(shopper, `${shop}/product/${handle}`)
  const card = await strangers.issueCard({ limit: 100_000, merchant: 'invoice.shop.test' })
  const done = await shopper.submit('/checkout/payment', { ...cardTyped(card), ...chosen })
  expect(done.body).toContain('Thank you. Your order has been received.')
  expect([(await strangers.results('invoice')).at(-1), await strangers.totals(card)]).toEqual([last, totals])
})

test('invoice is chosen beforehand, and terms that repeat are said on the pages', async () => {
  const shopper = strangers.shopper()
  const { body } = await goToPayment(shopper, `${shop}/product/desk-lamp`)
  expect(body).toContain('value="invoice" checked')
  const trial = await strangers.shopper().open(`${shop}/product/trial`)
  expect(trial.body).toContain('renews automatically')
})

test('what is not sold on invoice can not be had on invoice', async () => {
  const shopper = strangers.shopper()
  await goToPayment(shopper, `${shop}/product/club`)
  const { body } = await shopper.submit('/checkout/payment', { payment_method: 'invoice' })
  expect(body).toContain('Invalid payment method.')
})
