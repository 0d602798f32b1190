import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { thirdInGate } from '../gate/tenth-in-gate.ts'
import { hasChromium } from '../harness/shop-browser.ts'
import { american, openTown, type Town, told, type Wish } from '../harness/shopping-trip.ts'

const british = {
  ...american,
  line1: '221B Baker Street',
  city: 'London',
  state: null,
  postalCode: 'NW1 6XE',
  country: 'GB',
}
const dutch = {
  ...american,
  line1: 'Prinsengracht 263-A',
  city: 'Amsterdam',
  state: null,
  postalCode: '1016 GV',
  country: 'NL',
}
const spanish = {
  ...american,
  recipientName: 'María José García López',
  line1: 'Calle Mayor, 12, 3º B',
  city: 'Madrid',
  state: null,
  postalCode: '28013',
  country: 'ES',
}
const flat = { ...american, line1: '12 Rose Lane', line2: 'Flat 3' }

type Row = readonly [
  what: string,
  wish: Omit<Wish, 'shop'>,
  expected: string,
  kept: Record<string, string> | null,
]

/** What is asked, for whom, what comes of it, and what the shop's own book got of it. */
const rows: readonly Row[] = [
  [
    'a card of loyalty before the card',
    { path: '/product/loyalty' },
    '1836 USD, placed',
    { line1: american.line1 },
  ],
  [
    'a card with a beginning and an end',
    { path: '/product/valid-from' },
    '1836 USD, placed',
    { line1: american.line1 },
  ],
  [
    'numbers of other things',
    { path: '/product/dni', shipTo: flat },
    '1836 USD, placed',
    { line1: '12 Rose Lane', line2: 'Flat 3', region: '' },
  ],
  [
    'a number that the buyer does not have',
    { path: '/product/dni-needed', answers: { identification_number: 'X-1234567' } },
    '1836 USD, placed',
    { region: 'X-1234567' },
  ],
  [
    'a list of counties for a buyer without one',
    { path: '/product/county', shipTo: british, answers: { state: 'Kent' } },
    '1836 USD, placed',
    { region: 'Kent' },
  ],
  [
    'a phone that the buyer lacks, told as it is dialed at home',
    { path: '/product/short-phone', answers: { phone: '(503) 555-0123' } },
    '1836 USD, placed',
    { phone: '5035550123' },
  ],
  [
    'a phone beside a list of dial codes',
    { path: '/product/dial', shipTo: british, answers: { phone: '07700 900123' } },
    '1836 USD, placed',
    { phone: '+44|7700900123' },
  ],
  [
    'much that no buyer has',
    {
      path: '/product/asks-all',
      answers: {
        phone: '+15035550123',
        how_did_you_hear_of_us: 'A newspaper',
        delivery_date: '2031-03-04',
        floors_without_a_lift: '3',
        name_on_the_doorbell: 'Lovelace',
      },
    },
    '1836 USD, placed',
    { phone: '+15035550123', region: 'n|2031-03-04|3|Lovelace' },
  ],
  [
    'a PIN',
    { path: '/product/asks-pin', answers: { phone: '+15035550123', your_pin: '1234' } },
    'merchant_unsupported',
    null,
  ],
  [
    'a password that looks like a word',
    { path: '/product/asks-password', answers: { kennwort: 'x' } },
    'merchant_unsupported',
    null,
  ],
  [
    'a field that says one thing and is called another',
    { path: '/product/asks-slyly', answers: { favorite_number: '7' } },
    'merchant_unsupported',
    null,
  ],
  [
    'a field that takes no answer',
    { path: '/product/takes-nothing', answers: { name_on_the_doorbell: 'Lovelace' } },
    'merchant_unsupported',
    null,
  ],
  [
    'a short field for a phone',
    { path: '/product/short-phone', buyer: { phone: '+15035550123' } },
    '1836 USD, placed',
    { phone: '5035550123' },
  ],
  [
    'a short field for a phone of another country',
    { path: '/product/short-phone', shipTo: british, buyer: { phone: '+447700900123' } },
    'needs_input',
    null,
  ],
  [
    'the number of a house, and a code without room for its space',
    { path: '/product/house', shipTo: dutch },
    '1836 USD, placed',
    { line1: 'Prinsengracht|263-A', postalCode: '1016GV' },
  ],
  [
    'a list of dial codes',
    { path: '/product/dial', shipTo: british, buyer: { phone: '+447700900123' } },
    '1836 USD, placed',
    { phone: '+44|7700900123' },
  ],
  [
    'names of several words',
    {
      path: '/product/names',
      shipTo: spanish,
      buyer: { name: 'María José García López', firstName: 'María José', lastName: 'García López' },
    },
    '1836 USD, placed',
    { name: 'María José|García López', line1: 'Calle Mayor, 12, 3º B', region: '' },
  ],
  ['a salutation', { path: '/product/title' }, '1836 USD, placed', { region: 'Mx' }],
  ['a script that swaps two names', { path: '/product/swaps' }, 'merchant_unsupported', null],
  ['a shop that cuts the street', { path: '/product/cuts' }, 'merchant_unsupported', null],
  [
    'a script that cuts the number of the card',
    { path: '/product/forgets' },
    '1836 USD, merchant_unsupported (typed)',
    null,
  ],
]

describe.skipIf(!hasChromium)('shops with forms', () => {
  let town: Town
  beforeAll(async () => {
    town = await openTown()
  })
  afterAll(() => town.close())

  test('what a shop asks is told with its words, kinds and choices, once; what is secret is not among it', async () => {
    const all = await town.buy({ shop: 'picky', path: '/product/asks-all' })
    expect(all.price).toEqual({
      kind: 'needs_input',
      host: 'picky.shop.test',
      message: null,
      session: null,
      fields: [
        { name: 'phone', label: 'Phone', kind: 'text', max_length: 200 },
        {
          name: 'how_did_you_hear_of_us',
          label: 'How did you hear of us?',
          kind: 'choice',
          options: ['A friend', 'A newspaper'],
        },
        { name: 'delivery_date', label: 'Delivery date', kind: 'date' },
        { name: 'floors_without_a_lift', label: 'Floors without a lift', kind: 'number' },
        { name: 'name_on_the_doorbell', label: 'Name on the doorbell', kind: 'text', max_length: 30 },
      ],
    })
    const pin = await town.buy({ shop: 'picky', path: '/product/asks-pin', answers: {} })
    expect([pin.asked, pin.price]).toEqual([
      [],
      expect.objectContaining({ kind: 'refused', message: expect.stringContaining('Your PIN') }),
    ])
    const deaf = await town.buy({
      shop: 'picky',
      path: '/product/takes-nothing',
      answers: { name_on_the_doorbell: 'Lovelace' },
    })
    expect(deaf.asked).toHaveLength(1)
  })

  test.concurrent.each(thirdInGate(rows))('%s', async (_name, wish, expected, kept) => {
    const trip = await town.buy({ shop: 'picky', ...wish })
    expect(told(trip)).toBe(expected)
    const orders = await town.orders('picky', trip.email)
    if (kept === null) {
      expect(orders).toEqual([])
      expect(trip.card ?? { authorized: 0, captured: 0 }).toMatchObject({ authorized: 0, captured: 0 })
      const said = trip.placed ?? trip.price
      expect('fields' in said ? said.fields[0]?.label : 'message' in said ? said.message : null).toEqual(
        expect.any(String),
      )
      return
    }
    expect(orders.map(({ address }) => address)).toEqual([
      expect.objectContaining({ ...kept, city: wish.shipTo?.city ?? american.city }),
    ])
  })
})
