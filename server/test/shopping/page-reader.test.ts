import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runPriceTask } from '../../src/browser/shopper/price-task.ts'
import { openShopTask } from '../../src/browser/shopper/shop-task.ts'
import { movesMax, type ReaderPage } from '../../src/channels/browser/page-reader.ts'
import { elementCalled, scriptedReader } from '../../src/channels/browser/scripted-reader.testing.ts'
import { shopRequest } from '../harness/browser.ts'
import { meant, namesAs } from '../harness/odd-reader.ts'
import { click, fill, understands } from '../harness/riddle-reader.ts'
import { hasChromium } from '../harness/shop-browser.ts'
import { american, openTown, type Town, told } from '../harness/shopping-trip.ts'
import { holdAgainstShop } from './hold-against-shop.ts'

const riddle = { shop: 'messy', path: '/p/7734' }
const trap = { shop: 'messy', path: '/p/7735' }

describe.skipIf(!hasChromium)('a page reader', () => {
  let town: Town
  beforeAll(async () => {
    town = await openTown()
  })
  afterAll(() => town.close())

  /** Orders of the buyer, and of nobody: who presses a button too early has told no name. */
  const ordersOf = async (email: string) => [
    ...(await town.orders('messy', email)),
    ...(await town.orders('messy', '')),
  ]

  test('buys where the rules are stuck, and without it nothing is bought', async () => {
    const reader = scriptedReader(understands)
    const [helped, alone] = await Promise.all([town.buy({ ...riddle, reader }), town.buy(riddle)])
    expect(told(helped)).toBe('3453 USD, placed')
    await holdAgainstShop(town, riddle, helped)
    const [order] = await town.orders('messy', helped.email)
    expect(order?.address).toMatchObject({
      name: 'Ada Lovelace',
      line1: american.line1,
      city: american.city,
      region: 'IL',
      postalCode: '62704',
    })
    expect(told(alone)).toBe('merchant_unsupported')
    await holdAgainstShop(town, riddle, alone)
    expect(reader.seen.length).toBeLessThanOrEqual(movesMax)
    // What was typed, and what the pages said of it.
    const shown = JSON.stringify(reader.seen)
    for (const typed of [helped.email, 'Lovelace', 'Analytical', 'Springfield', '62704', 'IL"'])
      expect(shown).not.toContain(typed)
    expect(shown).not.toMatch(/0000 0000|MM\/YY|CVV/)
  })

  test('is not asked where the rules know the way, nor where the shop says why not', async () => {
    const reader = scriptedReader(() => ({ move: 'stuck' }))
    const trips = await Promise.all([
      town.buy({ shop: 'classic', path: '/product/teapot', reader }),
      town.buy({ shop: 'classic', path: '/product/sold-out', reader }),
      town.buy({ shop: 'invoice', path: '/product/invoice-only', reader }),
      town.buy({ shop: 'closed', path: '/product/members-only', reader }),
    ])
    expect(trips.map(told)).toEqual([
      '4050 USD, placed',
      'product_out_of_stock',
      'merchant_unsupported',
      'sign_in',
    ])
    expect(reader.seen).toEqual([])
  })

  const product = (page: ReaderPage) => elementCalled(page, /Buy now/) !== undefined
  const address = (page: ReaderPage) => elementCalled(page, /onward/) !== undefined
  const end = (page: ReaderPage) => page.path === '/nearly'

  test.concurrent.each<[string, (page: ReaderPage) => boolean, (page: ReaderPage) => unknown]>([
    ['a button that buys at once', product, (page) => click(page, /Buy now/)],
    ['a link to another domain', product, (page) => click(page, /our friends/)],
    ['a reference that is not there', product, () => ({ move: 'click', ref: 99_999 })],
    ['nothing', product, () => Promise.reject(new Error('no model'))],
    ['the button that orders', address, (page) => click(page, /Place order/)],
    ['a field of a card', address, (page) => fill(page, /friends call/, 'card_number')],
    ['the last button of a page in its own words', end, (page) => click(page, /ooh yes/)],
  ])('that says %s is not obeyed, and not asked again', async (_name, isThere, answer) => {
    const there: ReaderPage[] = []
    const reader = scriptedReader((page) => {
      if (!isThere(page)) return understands(page)
      there.push(page)
      return answer(page)
    })
    const trip = await town.buy({ ...trap, reader })
    expect(told(trip)).toBe('merchant_unsupported')
    expect(await ordersOf(trip.email)).toEqual([])
    expect(there).toHaveLength(1)
  })

  test('that never comes to an end is asked a few times, and a page that has not changed once', async () => {
    let turn = 0
    const turns = scriptedReader((page) => {
      turn += 1
      if (!elementCalled(page, /friends call/)) return understands(page)
      // Each choice makes another page of it.
      return turn % 2
        ? fill(page, /friends call/, 'full_name')
        : { move: 'choose', ref: page.elements.find((one) => one.options.length)?.ref, option: 'by owl' }
    })
    const backs = scriptedReader(() => ({ move: 'back' }))
    const stuck = scriptedReader(() => ({ move: 'stuck' }))
    const trips = await Promise.all([turns, backs, stuck].map((reader) => town.buy({ ...riddle, reader })))
    expect(trips.map(told)).toEqual(trips.map(() => 'merchant_unsupported'))
    expect(turns.seen.length).toBeLessThanOrEqual(movesMax)
    expect([backs.seen.length, stuck.seen.length]).toEqual([1, 1])
    for (const { email } of trips) expect(await ordersOf(email)).toEqual([])
  })

  /** Who the shop would send the goods to, of each of its orders. */
  const parcels = async (email: string) =>
    (await town.orders('picky', email)).map(({ address }) => [
      address?.name,
      address?.line1,
      address?.city,
      address?.postalCode,
    ])
  const right = (name: string) => [[name, american.line1, american.city, american.postalCode]]

  test('says what is required and not understood, before a person is asked; without it, the person is', async () => {
    const [first, second] = [scriptedReader(namesAs(meant)), scriptedReader(namesAs(meant))]
    const answers = { where_do_we_knock: american.line1 }
    const [some, all, asked] = await Promise.all([
      town.buy({ shop: 'picky', path: '/product/odd-words', reader: first, answers }),
      town.buy({ shop: 'picky', path: '/product/odd-all', reader: second, answers }),
      town.buy({ shop: 'picky', path: '/product/odd-words', answers }),
    ])
    expect([some, all, asked].map(told)).toEqual(Array(3).fill('1836 USD, placed'))
    expect(await parcels(some.email)).toEqual(right('Ada|Lovelace'))
    expect(await parcels(all.email)).toEqual(right('Ada Lovelace'))
    expect(await parcels(asked.email)).toEqual(right('Ada|Lovelace'))
    expect([some, all].map((trip) => trip.asked)).toEqual([[], []])
    expect(asked.asked.map(({ fields }) => fields.map(({ name }) => name))).toEqual([['where_do_we_knock']])
    expect([first.seen.length, second.seen.length]).toEqual([1, 5])
    const shown = JSON.stringify([first.seen, second.seen])
    for (const typed of [all.email, 'Lovelace', 'Analytical', 'Springfield', '62704', '4242'])
      expect(shown).not.toContain(typed)
  })

  const swapped = (one: string, other: string): typeof meant =>
    meant.map(([name, field]) => [name, field === one ? other : field === other ? one : field])
  const everything = (field: string): typeof meant => [[/./, field]]

  const asked = 'needs_input'
  const ended = 'merchant_unsupported'
  const placed = '1836 USD, placed'

  test.concurrent.each<[string, string, (page: ReaderPage) => unknown, string]>([
    ['takes the name for the street', 'odd-all', namesAs(swapped('full_name', 'line1')), asked],
    ['takes the street for the city', 'odd-all', namesAs(swapped('line1', 'city')), asked],
    ['takes the name for an address of mail', 'odd-all', namesAs(swapped('full_name', 'email')), asked],
    ['takes the city for its code', 'odd-all', namesAs(swapped('city', 'postal_code')), asked],
    ['takes the street for a second line', 'odd-words', namesAs([[/knock/, 'line2']]), asked],
    ['takes the street for what the form has', 'odd-words', namesAs(everything('city')), asked],
    ['takes all for the country', 'odd-all', namesAs(everything('country')), asked],
    ['wants a card there', 'odd-words', namesAs([[/knock/, 'card_number']]), asked],
    ['wants a password there', 'odd-words', namesAs([[/knock/, 'password']]), asked],
    ['names another field than it is asked about', 'odd-words', (page) => fill(page, /City/, 'line1'), asked],
    ['presses the button instead', 'odd-words', (page) => click(page, /Continue/), asked],
    ['obeys the page', 'odd-orders', (page) => click(page, /Continue/), asked],
    ['chooses what costs more', 'odd-all', namesAs(meant, 'loudly, for $4.00'), asked],
    [
      'chooses where the goods go',
      'odd-point',
      namesAs(meant, 'Pasila, Ratapihantie 6, 00520 Helsinki'),
      asked,
    ],
    ['says nothing of use', 'odd-words', () => 'Sure! It is the street.', asked],
    ['is not there', 'odd-words', () => Promise.reject(new Error('no model')), asked],
    ['is slow', 'odd-words', (page) => delay(1_000).then(() => namesAs(meant)(page)), placed],
    ['takes a PIN for a code', 'odd-pin', namesAs([...meant, [/PIN/, 'postal_code']]), ended],
  ])(
    'that %s has nothing sent anywhere else: it is asked from a person',
    async (_name, form, answer, end) => {
      const reader = scriptedReader(answer)
      const trip = await town.buy({ shop: 'picky', path: `/product/${form}`, reader })
      expect(told(trip)).toBe(end)
      const isPlaced = end === placed
      expect(await parcels(trip.email)).toEqual(isPlaced ? right('Ada|Lovelace') : [])
      expect([trip.card?.captured ?? 0, trip.fetched.length]).toEqual(isPlaced ? [1836, 1] : [0, 0])
      expect(reader.seen.length).toBeLessThanOrEqual(movesMax)
      if (trip.price.kind === 'needs_input')
        expect(JSON.stringify(trip.price.fields)).not.toMatch(/PIN|card_|password/)
    },
  )

  test('is asked about what the shop insists on only once it was left empty, too', async () => {
    const reader = scriptedReader(namesAs(meant))
    const trip = await town.buy({ shop: 'picky', path: '/product/odd-missed', reader, answers: {} })
    expect([told(trip), trip.asked]).toEqual([placed, []])
    expect(await parcels(trip.email)).toEqual(right('Ada|Lovelace'))
  })

  test('is not believed where the shop does not show what it took: the way is gone anew, and a person is asked', async () => {
    const reader = scriptedReader(namesAs(meant))
    const answers = { where_do_we_knock: american.line1 }
    const trip = await town.buy({ shop: 'picky', path: '/product/odd-blind', reader, answers })
    expect(told(trip)).toBe(placed)
    expect([reader.seen.length, trip.asked.length]).toEqual([1, 1])
    expect(await parcels(trip.email)).toEqual(right('Ada|Lovelace'))
    expect(trip.card?.captured).toBe(1836)
  })

  test('is gone once the visit signs in, and a checkout that was begun elsewhere knows its buyer', async () => {
    const item = { id: 'item-1', title: null, quantity: 1, unitAmount: 12_000n, variant: null }
    const url = 'https://closed.shop.test/product/members-only'
    const request = shopRequest('closed', {
      items: [{ ...item, url }],
      buyer: {
        name: 'Ada Lovelace',
        firstName: 'Ada',
        lastName: 'Lovelace',
        email: 'ada@example.com',
        phone: null,
        shipTo: american,
        billTo: american,
      },
    })
    const { visit, close } = await town.browser.visit('closed.shop.test')
    const secret = { username: 'ada@example.com', password: 'correct-horse-7', code: null }
    const signIn = { secret: async () => secret, code: async () => null }
    const reader = scriptedReader(() => ({ move: 'stuck' }))
    const task = await openShopTask(visit, request, { reader, signIn })
    expect(task.help?.reader).toBe(reader)
    expect((await runPriceTask(task)).kind).toBe('offer')
    expect(task.help).toBeNull()
    const handedOver = await openShopTask(visit, { ...request, startAt: 'https://closed.shop.test/checkout' })
    expect([task.isIntroduced, handedOver.isIntroduced]).toEqual([true, true])
    await close()
  })

  test('who puts a second one into the cart has the purchase refused, not the buyer charged', async () => {
    let bags = 0
    const reader = scriptedReader((page) => {
      if (elementCalled(page, /to the moon/)) bags += 1
      return elementCalled(page, /to the moon/) && bags === 1 ? { move: 'back' } : understands(page)
    })
    const trip = await town.buy({ ...riddle, reader })
    expect(told(trip)).toBe('merchant_changed')
    await holdAgainstShop(town, riddle, trip)
  })
})
