import { expect, test } from 'vitest'
import type { BookOrder } from './book.ts'
import { type Ended, judge, minorOf } from './judge.ts'
import { parcelFaults } from './parcel.ts'
import { emmy, grace, lamp, plan, shirts } from './plan.testing.ts'
import type { PlannedBuyer, PlannedProduct, Purchases } from './plan.ts'

const order: BookOrder = {
  number: '7',
  total: '54.0000',
  currency: 'EUR',
  status: 'Paid',
  parcel: {
    name: 'Grace Hopper',
    street: '12 Rose Lane',
    line2: 'Flat 4',
    postal_code: '22201',
    city: 'Arlington',
    state: 'VA',
    country: 'United States',
    phone: '(202) 555-0123',
    email: 'Grace@example.com',
  },
  lines: [{ goods: 'Desk lamp', quantity: '1.0000', options: '' }],
}
const bought: Ended = {
  status: 'succeeded',
  code: null,
  why: '',
  amount: 5400,
  channel: 'browser',
  orderId: '#7',
  orders: [order],
  charges: [5400],
}
const failed: Ended = { ...bought, status: 'failed', code: 'merchant_unsupported', orders: [], charges: [] }

const about = (
  more: Partial<Purchases> = {},
  product: PlannedProduct = lamp,
  buyer: PlannedBuyer = grace,
) => ({
  plan: { ...plan, paid: ['Paid'], ...more },
  product,
  buyer,
})

test('one order and one charge that are as planned are bought', () => {
  expect(judge(about(), bought)).toEqual({ verdict: 'bought', wrong: [] })
  expect(judge(about({ expected: [{ total: 5400 }] }), bought).verdict).toBe('bought')
})

const another = (change: Partial<BookOrder>): Ended => ({ ...bought, orders: [{ ...order, ...change }] })

test.each<[string, Ended, string]>([
  ['two orders', { ...bought, orders: [order, { ...order, number: '8' }] }, 'order 7 (Paid), order 8 (Paid)'],
  ['no order', { ...bought, orders: [] }, 'the book has 0 orders more'],
  ['no charge', { ...bought, charges: [] }, '0 cards were charged'],
  ['two charges', { ...bought, charges: [5400, 5400] }, '2 cards were charged'],
  ['a charge of another sum', { ...bought, charges: [5500] }, 'the order is 5400, and 5500 was charged'],
  ['a purchase that says another sum', { ...bought, amount: 5399 }, 'the purchase says 5399'],
  ['another way of buying', { ...bought, channel: 'ucp' }, 'it was bought by ucp'],
  ['a total that is none', another({ total: 'EUR 54' }), 'is no amount'],
  ['another currency', another({ currency: 'USD' }), 'in USD'],
  ['an order that waits for money', another({ status: 'Pending' }), '“Pending”'],
  ['the number of another order', { ...bought, orderId: '#8' }, 'has the order number #8, not 7'],
  ['other goods', another({ lines: [{ goods: 'Shirt', quantity: '1', options: '' }] }), 'not 1 “Desk lamp”'],
  [
    'another quantity',
    another({ lines: [{ goods: 'Desk lamp', quantity: '2', options: '' }] }),
    'sold 2 “Desk lamp”',
  ],
  [
    'goods beside what was wanted',
    another({ lines: [...order.lines, { goods: 'Warranty', quantity: '1', options: '' }] }),
    'sold 1.0000 “Desk lamp”, 1 “Warranty”',
  ],
  [
    'an option that nobody chose',
    another({ lines: [{ goods: 'Desk lamp', quantity: '1', options: 'Wrap: gift' }] }),
    'none was chosen',
  ],
])('%s is wrong', (_, ended, said) => {
  const { verdict, wrong } = judge(about(), ended)
  expect(verdict).toBe('wrong')
  expect(wrong.join('\n')).toContain(said)
})

test('a total that is known has to be that', () => {
  expect(judge(about({ expected: [{ total: 5399 }] }), bought).wrong).toEqual([
    'the total is 5400, and has to be 5399',
  ])
})

test('the options that were chosen have to stand in the book as whole words', () => {
  const sold = (options: string) => ({
    ...another({ lines: [{ goods: 'shirt-l', quantity: '2', options }] }),
  })
  expect(judge(about({}, shirts), sold('Size: L')).verdict).toBe('bought')
  expect(judge(about({}, shirts), sold('Size: XL')).wrong.join()).toContain('without “L”')
  expect(judge(about({}, shirts), sold('')).verdict).toBe('wrong')
  expect(judge(about({}, { ...shirts, options: ['Large'] }), sold('Size: Large')).verdict).toBe('bought')
})

test('what was not bought leaves nothing: else it is wrong, also where it had to be refused', () => {
  expect(judge(about(), failed)).toEqual({ verdict: 'not_bought', wrong: [] })
  for (const left of [{ orders: [order] }, { charges: [5400] }])
    for (const expected of [[], [{ refused: true as const }]])
      expect(judge(about({ expected }), { ...failed, ...left }).verdict).toBe('wrong')
})

test('what has to be refused is, with a code that was named', () => {
  const refused = (codes: true | string[]) => about({ expected: [{ refused: codes }] })
  expect(judge(refused(true), failed).verdict).toBe('refused')
  expect(judge(refused(['merchant_unsupported']), failed).verdict).toBe('refused')
  expect(judge(refused(['price_changed']), failed).verdict).toBe('not_bought')
  expect(judge(refused(true), bought)).toEqual({ verdict: 'wrong', wrong: ['it had to be refused'] })
})

test.each([
  ['name', 'Grace M. Hopper'],
  ['name', 'Grace'],
  ['street', '21 Rose Lane'],
  ['street', '12 Rose Lane 4'],
  ['line2', ''],
  ['line2', 'Flat 4 grace@example.com'],
  ['postal_code', '2220'],
  ['city', ''],
  ['state', 'Avon'],
  ['country', 'United Kingdom'],
  ['phone', '555-0123'],
  ['phone', '+1 202 555 01234'],
  ['phone', ''],
  ['email', 'grace@example.org'],
] as const)('a parcel with another %s (“%s”) is wrong', (field, cell) => {
  expect(parcelFaults({ ...order.parcel, [field]: cell }, grace)).toHaveLength(1)
})

test.each([
  { street: '12 Rose Lane, Flat 4', line2: '' },
  { street: '12 ROSE LANE', line2: 'flat 4' },
  { street: 'Rose Lane', number: '12', line2: 'Flat 4' },
  { postal_code: '222 01', phone: '+12025550123' },
  { country: 'US' },
])('a parcel that is parted or written otherwise is right: %o', (cells) => {
  expect(parcelFaults({ ...order.parcel, ...cells }, grace)).toEqual([])
})

test.each([
  { street: '12', number: 'Rose Lane', line2: 'Flat 4' },
  { street: 'Rose Lane', number: '4', line2: 'Flat 12' },
  { street: '12 Rose Lane', number: '12', line2: 'Flat 4' },
])('the parts of an address have to be in their places: %o', (cells) => {
  expect(parcelFaults({ ...order.parcel, ...cells }, grace)).toHaveLength(1)
})

test('what a buyer lacks stays empty on the parcel, and the plan may say what else is right', () => {
  const parcel = {
    name: 'Emmy Noether',
    street: 'Lange Straße 7',
    postal_code: '37073',
    city: 'Göttingen',
    state: '',
    country: 'Germany',
    phone: '',
  }
  expect(parcelFaults(parcel, emmy)).toEqual([])
  expect(parcelFaults({ ...parcel, state: 'Bayern', phone: '030 1234567' }, emmy)).toHaveLength(2)
  const saying = { ...emmy, parcel: { state: ['', 'Niedersachsen'], street: 'Lange Str. 7' } }
  expect(parcelFaults({ ...parcel, state: 'Niedersachsen' }, saying)).toHaveLength(1)
  expect(parcelFaults({ ...parcel, state: 'Niedersachsen', street: 'Lange Str. 7' }, saying)).toEqual([])
})

test('sums of books are read in minor units of their currency', () => {
  expect(minorOf('54', 'USD')).toBe(5400)
  expect(minorOf('54.005', 'USD')).toBe(5401)
  expect(minorOf('54.0049', 'USD')).toBe(5400)
  expect(minorOf('54.0000', 'JPY')).toBe(54)
  expect(minorOf('1.2345', 'KWD')).toBe(1235)
  for (const text of ['', '-1', '1,50', '1.', '$5', '1e3']) expect(minorOf(text, 'USD')).toBeNull()
})
