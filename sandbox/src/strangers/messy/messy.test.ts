import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStrangers, type Strangers } from '../../../test/open-strangers.ts'
import type { Shopper } from '../../../test/shopper.ts'

const shop = 'https://messy.shop.test'
const fields = {
  f1: 'ada@example.com',
  f2: 'Ada Lovelace',
  f3: '12 Analytical Way',
  f5: 'Springfield',
  f6: 'IL',
  f7: '62704',
}

let strangers: Strangers
beforeAll(async () => {
  strangers = await openStrangers()
})
afterAll(() => strangers.close())

async function toAddress(shopper: Shopper, id: string, offer: string) {
  await shopper.open(`${shop}/p/${id}`)
  await shopper.submit('/bag/add')
  await shopper.submit('/offer', { y: offer })
  await shopper.open('/co/1')
  return shopper.submit('/co/1', fields)
}

async function pay(shopper: Shopper, limit: number) {
  const card = await strangers.issueCard({ limit, merchant: 'messy.shop.test' })
  const done = await shopper.submit('/co/2', { p1: card.number, p2: card.expiry, p3: card.cvc })
  return { done, card }
}

test('behind the mess is a shop: with the address as typed, or as suggested', async () => {
  for (const [use, line1] of [
    ['0', '12 Analytical Way'],
    ['1', '12 ANALYTICAL WY'],
  ] as const) {
    const shopper = strangers.shopper()
    expect((await toAddress(shopper, '7731', '0')).body).toContain('did you mean')
    await shopper.submit('/co/1b', { u: use })
    const { done, card } = await pay(shopper, 4425)
    expect([done.body.includes('all set'), await strangers.totals(card)]).toEqual([true, '0/4425/0'])
    expect((await strangers.orders('messy')).at(-1)).toMatchObject({ address: { line1 } })
  }
})

test('who takes the upsell pays for it', async () => {
  const shopper = strangers.shopper()
  await toAddress(shopper, '7731', '1')
  await shopper.submit('/co/1b')
  const { card } = await pay(shopper, 10_000)
  expect(await strangers.totals(card)).toBe('0/5504/0')
})

test('a session expires once: the bag is empty, and the second time goes through', async () => {
  const shopper = strangers.shopper()
  const expired = await toAddress(shopper, '7732', '0')
  expect([expired.status, expired.body.includes('session has expired')]).toEqual([440, true])
  expect((await shopper.open('/bag')).body).toContain('nothing here yet')
  expect((await toAddress(shopper, '7732', '0')).body).toContain('did you mean')
})

const riddleFields = { ...fields, f9: 'owl' }

test('a riddle is sold to who understands it', async () => {
  const shopper = strangers.shopper()
  await shopper.open(`${shop}/p/7734`)
  await shopper.submit('/r/7734')
  await shopper.open('/co/1')
  expect((await shopper.submit('/co/1', { ...riddleFields, f9: '' })).body).toContain('hm?')
  await shopper.submit('/co/1', riddleFields)
  const { card } = await pay(shopper, 3453)
  expect(await strangers.totals(card)).toBe('0/3453/0')
})

test('each button of the trap orders on account, and is in the book', async () => {
  const ways: readonly ((shopper: Shopper) => Promise<unknown>)[] = [
    (shopper) => shopper.submit('/now', { i: '7735' }),
    async (shopper) => {
      await shopper.submit('/r/7735')
      await shopper.open('/co/1')
      await shopper.submit('/now')
    },
    async (shopper) => {
      await shopper.submit('/r/7735')
      await shopper.open('/co/1')
      expect((await shopper.submit('/co/1', riddleFields)).url.pathname).toBe('/nearly')
      await shopper.submit('/now')
    },
  ]
  for (const [index, press] of ways.entries()) {
    const before = (await strangers.orders('messy')).length
    const shopper = strangers.shopper()
    await shopper.open(`${shop}/p/7735`)
    await press(shopper)
    const orders = await strangers.orders('messy')
    expect([index, orders.length - before]).toEqual([index, 1])
    expect(orders.at(-1)).toMatchObject({ state: 'unpaid', method: 'invoice' })
  }
})

test('nothing on its pages has a label, a button or structured data', async () => {
  const { body } = await strangers.shopper().open(`${shop}/p/7731`)
  expect(body).not.toMatch(/<button|<label|ld\+json|og:/)
  expect((await strangers.shopper().open(`${shop}/p/7733`)).body).toContain('all gone')
})
