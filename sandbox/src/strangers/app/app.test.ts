import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStrangers, type Strangers } from '../../../test/open-strangers.ts'
import { buyer } from '../../../test/shopper.ts'

const shop = 'https://app.shop.test'

let strangers: Strangers
beforeAll(async () => {
  strangers = await openStrangers()
})
afterAll(() => strangers.close())

async function readyToPay() {
  const shopper = strangers.shopper()
  await shopper.postJson(`${shop}/api/cart/lines`, { sku: 'runner-42', quantity: 1 })
  await shopper.postJson('/api/checkout', buyer)
  const { body } = await shopper.postJson('/api/checkout', { ...buyer, delivery: 'air' })
  const card = await strangers.issueCard({ limit: 15_158, merchant: 'app.shop.test' })
  const typed = { number: card.number, expiry: card.expiry, cvc: card.cvc }
  return { shopper, card, typed, cart: JSON.parse(body) }
}

test('the page is empty until its script runs, and the script and the frame are there', async () => {
  const shopper = strangers.shopper()
  expect((await shopper.open(`${shop}/products/runner`)).body).toContain('<div id="root"></div>')
  expect((await shopper.open('/assets/app-client.js')).type).toBe('text/javascript')
  expect((await shopper.open('https://fields.pay.test/frame?merchant=app.shop.test')).body).toContain(
    'cc-number',
  )
})

test('a token of the frame pays, once, and the shop never sees the card', async () => {
  const { shopper, card, typed, cart } = await readyToPay()
  expect(cart).toMatchObject({ shipping: '$19.00', tax: '$8.58', total: '$151.58' })
  const made = await shopper.postJson('https://fields.pay.test/tokens', {
    ...typed,
    merchant: 'app.shop.test',
  })
  const { token } = JSON.parse(made.body)
  const placed = await shopper.postJson(`${shop}/api/orders`, { token })
  expect([placed.status, await strangers.totals(card)]).toEqual([201, '0/15158/0'])
  const again = await shopper.postJson(`${shop}/api/orders`, { token })
  expect(again.body).toBe(placed.body)
  expect(await strangers.results('app')).toEqual(['order opened', 'charge authorized', 'charge captured'])
})

test('a token of another merchant pays nothing here', async () => {
  const { shopper, card, typed } = await readyToPay()
  const made = await shopper.postJson('https://fields.pay.test/tokens', { ...typed, merchant: 'evil.test' })
  const { status } = await shopper.postJson(`${shop}/api/orders`, { token: JSON.parse(made.body).token })
  expect([status, await strangers.totals(card)]).toEqual([422, '0/0/0'])
})

test('a size that is sold out can not be put into the bag', async () => {
  const { status } = await strangers
    .shopper()
    .postJson(`${shop}/api/cart/lines`, { sku: 'runner-43', quantity: 1 })
  expect(status).toBe(422)
})
