import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStrangers, type Strangers } from '../../../test/open-strangers.ts'
import { cardTyped, goToPayment } from '../../../test/shopper.ts'

const shop = 'https://hosted.shop.test'

let strangers: Strangers
beforeAll(async () => {
  strangers = await openStrangers()
})
afterAll(() => strangers.close())

async function atPayPage(handle: string) {
  const shopper = strangers.shopper()
  await goToPayment(shopper, `${shop}/product/${handle}`)
  const seen = await shopper.submit('/checkout/payment')
  expect(seen.url.hostname).toBe('page.pay.test')
  const card = await strangers.issueCard({ limit: 50_000, merchant: 'hosted.shop.test' })
  return { shopper, card, path: seen.url.pathname }
}

test('the card is typed at the payment company, and the buyer comes back to a confirmation', async () => {
  const { shopper, card, path } = await atPayPage('notebook')
  const done = await shopper.submit(path, cardTyped(card))
  expect([done.url.hostname, done.url.pathname]).toEqual(['hosted.shop.test', '/order/100001'])
  expect([done.body.includes('Thank you'), await strangers.totals(card)]).toEqual([true, '0/2592/0'])
})

test('a bank that only looks lets the payment pass', async () => {
  const { shopper, card, path } = await atPayPage('frictionless')
  const bank = await shopper.submit(path, cardTyped(card))
  expect(bank.url.hostname).toBe('acs.bank.test')
  const done = await shopper.submit(bank.url.pathname)
  expect([done.body.includes('Thank you'), await strangers.totals(card)]).toEqual([true, '0/10152/0'])
})

test('a challenge charges nothing until the code is right', async () => {
  const { shopper, card, path } = await atPayPage('challenge')
  const bank = await shopper.submit(path, cardTyped(card))
  const wrong = await shopper.submit(bank.url.pathname, { otp: '000000' })
  expect([wrong.body.includes('not right'), await strangers.totals(card)]).toEqual([true, '0/0/0'])
  const early = await shopper.open(
    `https://page.pay.test/authenticated/${bank.url.pathname.split('/').at(-1)}`,
  )
  expect([early.status, await strangers.totals(card)]).toEqual([404, '0/0/0'])
  await shopper.open(bank.url.href)
  const done = await shopper.submit(bank.url.pathname, { otp: '482913' })
  expect([done.body.includes('Thank you'), await strangers.totals(card)]).toEqual([true, '0/16632/0'])
})

test('who comes back without paying has ordered nothing', async () => {
  const { shopper, card } = await atPayPage('notebook')
  const session = shopper.seen.url.pathname.split('/').at(-1)
  const back = await shopper.open(`${shop}/payment/return?session=${session}`)
  expect([back.url.pathname, await strangers.totals(card)]).toEqual(['/checkout/payment', '0/0/0'])
})

test('two pages of payment for one cart charge once', async () => {
  const { shopper, card, path } = await atPayPage('notebook')
  await shopper.open(`${shop}/checkout/payment`)
  const second = await shopper.submit('/checkout/payment')
  await shopper.submit(second.url.pathname, cardTyped(card))
  await shopper.open(`https://page.pay.test${path}`)
  await shopper.submit(path, cardTyped(card))
  expect(await strangers.totals(card)).toBe('0/2592/0')
})
