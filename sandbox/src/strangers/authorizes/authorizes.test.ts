import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStrangers, type Strangers } from '../../../test/open-strangers.ts'
import { readLog } from '../../../test/run-sandbox.ts'
import { cardTyped, goToPayment } from '../../../test/shopper.ts'

const shop = 'https://authorizes.shop.test'
const total = 22_140

let strangers: Strangers
beforeAll(async () => {
  strangers = await openStrangers()
})
afterAll(() => strangers.close())

async function order(handle: string) {
  const shopper = strangers.shopper()
  await goToPayment(shopper, `${shop}/product/${handle}`)
  const card = await strangers.issueCard({ limit: total, merchant: 'authorizes.shop.test' })
  const done = await shopper.submit('/checkout/payment', cardTyped(card))
  expect(done.body).toContain('Thank you')
  return card
}

test.each([
  ['two-shipments', ['22140/0/0', '8856/13284/0', '0/22140/0', '0/22140/0'], 'captured'],
  ['part-shipped', ['22140/0/0', '8856/13284/0', '0/13284/0', '0/13284/0'], 'captured'],
  ['never-shipped', ['22140/0/0', '22140/0/0', '0/0/0', '0/0/0'], 'reversed'],
  ['late', ['22140/0/0', '22140/0/0', '22140/0/0', '0/22140/0'], 'captured'],
  ['refunded', ['22140/0/0', '0/22140/0', '0/22140/0', '0/22140/22140'], 'captured'],
  ['partly-refunded', ['22140/0/0', '0/22140/0', '0/22140/0', '0/22140/5535'], 'captured'],
])(
  '%s: the order holds, and days 3, 8 and 25 bring %j, also after the card was revoked',
  async (handle, expected, status) => {
    const card = await order(handle)
    const seen = [await strangers.totals(card)]
    expect(await strangers.revoke(card)).toMatchObject({ status: 'authorized', authorized: total })
    for (const days of [3, 5, 17]) {
      await strangers.passDays('authorizes', days)
      seen.push(await strangers.totals(card))
    }
    expect(seen).toEqual(expected)
    expect(await strangers.cardState(card)).toMatchObject({ status, takes_more: false })
  },
)

test('a card is checked for nothing before it is asked for money', async () => {
  const card = await order('late')
  const log = await readLog(strangers.processorUrl)
  const mine = log.slice(-3).map(({ operation, amount }) => `${operation} ${amount}`)
  expect(mine).toEqual([`issue_card ${total}`, 'check_card 0', `authorize_card ${total}`])
  expect(await strangers.totals(card)).toBe(`${total}/0/0`)
})

test('a shipment is charged once, however often days pass, restarts included', async () => {
  const card = await order('two-shipments')
  await strangers.passDays('authorizes', 3)
  await strangers.restart()
  await Promise.all([strangers.passDays('authorizes', 1), strangers.passDays('authorizes', 1)])
  await strangers.passDays('authorizes', 30)
  expect(await strangers.totals(card)).toBe(`0/${total}/0`)
  expect((await strangers.orders('authorizes')).at(-1)).toMatchObject({ captured: total, reversed: 0 })
})
