import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStrangers, type Strangers } from '../../../test/open-strangers.ts'
import { control } from '../../../test/run-sandbox.ts'
import { cardTyped, goToPayment } from '../../../test/shopper.ts'

const shop = 'https://slow.shop.test'
const total = 3240

let strangers: Strangers
beforeAll(async () => {
  strangers = await openStrangers()
})
afterAll(() => strangers.close())

async function buy(handle: string) {
  const shopper = strangers.shopper()
  await goToPayment(shopper, `${shop}/product/${handle}`)
  const card = await strangers.issueCard({ limit: total, merchant: 'slow.shop.test' })
  const answer = await shopper.submit('/checkout/payment', cardTyped(card)).then(
    ({ status, url }) => `${status} ${url.pathname.replace(/\d+/, 'N')}`,
    () => 'broken',
  )
  return { shopper, card, answer }
}

test.each([
  ['steady', '200 /order/N', `0/${total}/0`],
  ['dies-before-charge', 'broken', '0/0/0'],
  ['dies-after-charge', 'broken', `0/${total}/0`],
  ['error-after-order', '500 /checkout/payment', `0/${total}/0`],
  ['error-before-order', '500 /checkout/payment', '0/0/0'],
])('%s answers %s, and the card was asked for %s', async (handle, expected, totals) => {
  const { card, answer } = await buy(handle)
  expect([answer, await strangers.totals(card)]).toEqual([expected, totals])
})

test('an order whose answer was lost is there for the one who comes back, and a second press orders nothing', async () => {
  const { shopper, card } = await buy('dies-after-charge')
  const back = await shopper.open(`${shop}/checkout/payment`)
  expect(back.body).toContain('Thank you. Your order has been received.')
  expect(await strangers.totals(card)).toBe(`0/${total}/0`)
})

test('a charge that comes late lands, and the page that waits for it says so', async () => {
  const { shopper, card, answer } = await buy('processing')
  expect(answer).toBe('200 /order/N')
  expect(shopper.seen.body).toContain('Your order is being processed')
  await expect.poll(() => strangers.totals(card)).toBe(`0/${total}/0`)
  const { body } = await shopper.open(shopper.seen.url.href)
  expect(body).toContain('Thank you')
})

test('a charge that comes late is refused by a card that was revoked meanwhile', async () => {
  // More time for a busy machine to revoke it in.
  const late = { match: { operation: 'authorize_card', reference_contains: 'slow:' }, fault: 'delay=3000' }
  await control(`${strangers.processorUrl}/control/faults`, late)
  const { card, answer } = await buy('dies-then-charges')
  expect(answer).toBe('broken')
  expect(await strangers.revoke(card)).toMatchObject({ status: 'revoked', authorized: 0 })
  await expect.poll(() => strangers.results('slow')).toContain('charge declined:card_revoked')
  expect(await strangers.totals(card)).toBe('0/0/0')
})
