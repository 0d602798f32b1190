import { describe, expect, test } from 'vitest'
import { linesOf } from './lines-of.ts'
import { type Pairs, rows, snapshotWith } from './snapshot.testing.ts'
import { saysDelivery, saysDeliveryLater } from './total-rows.ts'
import { shownTotals, totalsOf } from './totals-of.ts'

function read(currency: string, language: string, ...groups: Pairs[]) {
  const totals = totalsOf(snapshotWith({ language, ...rows(...groups) }), { currency })
  if (totals === null) return null
  const { subtotal, fulfillment, fees, tax, discount, total, isTaxIncluded } = totals
  return `${subtotal} +${fulfillment} +${fees} ${isTaxIncluded ? 'incl ' : '+'}${tax} -${discount} = ${total} ${totals.currency}`
}

const plain: Pairs = [
  ['Subtotal', '$20.00'],
  ['Shipping', '$5.00'],
  ['Tax', '$2.00'],
  ['Total', '$27.00'],
]

const sums: readonly [what: string, currency: string, language: string, pairs: Pairs, expected: string][] = [
  [
    'two sums of which none is called a total',
    'PLN',
    'pl',
    [
      ['Wartość produktów', '11,99 zł'],
      ['Dostawa', '5,00 zł'],
      ['Wartość zamówienia', '16,99 zł'],
    ],
    '1199 +500 +0 +0 -0 = 1699 PLN',
  ],
  ['in English', 'USD', 'en', plain, '2000 +500 +0 +200 -0 = 2700 USD'],
  [
    'with a discount below zero, and a fee',
    'USD',
    'en',
    [
      ['Subtotal (2 items)', '$20.00'],
      ['Discount (WELCOME10)', '-$2.00'],
      ['Shipping – Standard', 'Free'],
      ['Service fee', '$1.00'],
      ['Sales tax', '$1.44'],
      ['Order total', '$20.44'],
    ],
    '2000 +0 +100 +144 -200 = 2044 USD',
  ],
  [
    'with a discount that is written without a sign, and taken off already',
    'USD',
    'en',
    [
      ['Subtotal', '$18.00'],
      ['Discount', '$2.00'],
      ['Total', '$18.00'],
    ],
    '1800 +0 +0 +0 -0 = 1800 USD',
  ],
  [
    'with what is due for its total',
    'USD',
    'en',
    [
      ['Subtotal:', '$20.00'],
      ['Payment Due:', 'USD $20.00'],
    ],
    '2000 +0 +0 +0 -0 = 2000 USD',
  ],
  [
    'with tax inside, in German',
    'EUR',
    'de',
    [
      ['Zwischensumme', '1.249,00 €'],
      ['Versandkosten', '4,90 €'],
      ['Gesamtsumme', '1.253,90 €'],
      ['inkl. 19 % MwSt.', '200,20 €'],
    ],
    '124900 +490 +0 incl 20020 -0 = 125390 EUR',
  ],
  [
    'with tax inside that is only called tax',
    'GBP',
    'en',
    [
      ['Subtotal', '£12.00'],
      ['VAT', '£2.00'],
      ['Total', '£12.00'],
    ],
    '1200 +0 +0 incl 200 -0 = 1200 GBP',
  ],
  [
    'with the tax in the line of the total',
    'GBP',
    'en',
    [
      ['Subtotal', '£12.00'],
      ['Total', '£12.00 (includes £2.00 VAT)'],
    ],
    '1200 +0 +0 incl 200 -0 = 1200 GBP',
  ],
  [
    'with tax in two rows, and one of no amount',
    'CAD',
    'en-ca',
    [
      ['Subtotal', '$100.00'],
      ['Shipping', 'Calculated at next step'],
      ['GST', '$5.00'],
      ['PST', '$7.00'],
      ['Total', 'CAD $112.00'],
    ],
    '10000 +0 +0 +1200 -0 = 11200 CAD',
  ],
  [
    'of goods without a subtotal',
    'USD',
    '',
    [
      ['Glow serum ×1', '$48.00'],
      ['shipping', '$5.00'],
      ['tax', '$4.24'],
      ['total', '$57.24'],
    ],
    '4800 +500 +0 +424 -0 = 5724 USD',
  ],
  [
    'in a language that the page does not name',
    'EUR',
    '',
    [
      ['Zwischensumme', '€ 10,00'],
      ['Gesamtsumme', '€ 10,00'],
    ],
    '1000 +0 +0 +0 -0 = 1000 EUR',
  ],
  [
    'a total of the basket, the delivery and a total of the order',
    'USD',
    'en',
    [
      ['Basket total', '$9.99'],
      ['Standard shipping', '$6.00'],
      ['Order total', '$15.99'],
    ],
    '999 +600 +0 +0 -0 = 1599 USD',
  ],
  [
    'a delivery that is called by its carrier',
    'USD',
    'en',
    [
      ['Sub-Total', '$20.00'],
      ['Postmaster Express', '$5.00'],
      ['Total', '$25.00'],
    ],
    '2000 +500 +0 +0 -0 = 2500 USD',
  ],
  [
    'a charge, points and a rounding that no word is known of',
    'USD',
    'en',
    [
      ['Sub-Total', '$20.00'],
      ['Low order charge', '$3.00'],
      ['Reward points (200)', '-$2.00'],
      ['Öre', '-$0.01'],
      ['Total', '$20.99'],
    ],
    '2000 +0 +300 +0 -201 = 2099 USD',
  ],
  [
    'in another currency than is expected',
    'USD',
    'en',
    [
      ['Subtotal', '€20.00'],
      ['Total', '€20.00'],
    ],
    '2000 +0 +0 +0 -0 = 2000 EUR',
  ],
]

describe('a summary that adds up', () => {
  test.each(sums)('%s', (_, currency, language, pairs, expected) => {
    expect(read(currency, language, pairs)).toBe(expected)
  })

  test('stands beside a small cart, and twice, or each row in a box of its own', () => {
    const cart: Pairs = [
      ['Kettle', '$20.00'],
      ['Total', '$20.00'],
    ]
    const expected = '2000 +500 +0 +200 -0 = 2700 USD'
    expect(read('USD', 'en', plain, cart)).toBe(expected)
    expect(read('USD', 'en', cart, plain)).toBe(expected)
    expect(read('USD', 'en', plain, plain)).toBe(expected)
    expect(read('USD', 'en', ...plain.map((row) => [row]))).toBe(expected)
  })

  test('is found in lines of text where there are no rows', () => {
    const text = 'Your order\nSubtotal\n$20.00\nShipping: $5.00\nTax $2.00\nTotal\n$27.00\nPay'
    expect(totalsOf(snapshotWith({ text }), { currency: 'USD' })).toMatchObject({
      subtotal: 2000n,
      fulfillment: 500n,
      tax: 200n,
      total: 2700n,
    })
  })
})

describe('no summary', () => {
  test.each<[string, Pairs[]]>([
    ['nothing', []],
    ['a total alone', [[['Total', '$27.00']]]],
    [
      'a sum that is wrong',
      [
        [
          ['Subtotal', '$20.00'],
          ['Shipping', '$5.00'],
          ['Total', '$27.00'],
        ],
      ],
    ],
    [
      'two sums that add up to different totals',
      [
        plain,
        [
          ['Subtotal', '$40.00'],
          ['Shipping', '$5.00'],
          ['Total', '$45.00'],
        ],
      ],
    ],
    [
      'amounts in two currencies',
      [
        [
          ['Subtotal', '€20.00'],
          ['Total', '$20.00'],
        ],
      ],
    ],
    [
      'a currency that cannot be the one expected',
      [
        [
          ['Subtotal', '20.00 kr'],
          ['Total', '20.00 kr'],
        ],
      ],
    ],
  ])('%s', (_, groups) => {
    expect(read('USD', 'en', ...groups)).toBeNull()
  })

  test('a currency with a sign of several is not guessed', () => {
    expect(read('EUR', 'en', plain)).toBeNull()
  })
})

test('every total that is shown is told, once for each amount', () => {
  const page = snapshotWith(
    rows(plain, [
      ['Amount due', '$29.00'],
      ['Total', '$27.00'],
    ]),
  )
  expect(shownTotals(page, { currency: 'USD' }).map(({ text }) => text)).toEqual(['$27.00', '$29.00'])
})

test('thousands of rows and long lines are read', () => {
  const many = Array.from({ length: 5_000 }, (_, index) => ['Total '.repeat(50), `$${index}.00`] as const)
  expect(() => read('USD', 'en', many)).not.toThrow()
  const text = `${'total $5 '.repeat(4_000)}\n${'Total $1.00\n'.repeat(3_000)}`
  expect(() => totalsOf(snapshotWith({ text }), { currency: 'USD' })).not.toThrow()
  expect(() => linesOf(snapshotWith({ text }), ['total', 'x'])).not.toThrow()
})

test.each([
  ['Shipping', 'Select shipping method', 'en', true],
  ['Shipping', 'Calculated at next step', 'en', true],
  ['Versand', 'Wird im nächsten Schritt berechnet', 'de', true],
  ['Shipping', '$5.00', 'en', false],
  ['Shipping', 'Free', 'en', false],
  ['Versand', 'Kostenlos', 'de', false],
  ['Tax', 'Calculated at next step', 'en', false],
])('a summary with %s: %s (%s) has no price of the delivery yet: %s', (label, value, language, isLater) => {
  const rows = [
    { label: 'Subtotal', value: '$49.50', group: 1 },
    { label, value, group: 1 },
    { label: 'Total', value: '$49.50', group: 1 },
  ]
  const hint = { currency: 'USD', language }
  expect(saysDeliveryLater(snapshotWith({ rows, language }), hint)).toBe(isLater)
  // The same words beside the ways of delivery are no line of a summary.
  const apart = rows.map((row, index) => ({ ...row, group: index }))
  expect(saysDeliveryLater(snapshotWith({ rows: apart, language }), hint)).toBe(false)
})

test.each<[pairs: Pairs, language: string, isSaid: boolean]>([
  [plain, 'en', true],
  [
    [
      ['Basket total', '$20.00'],
      ['Free shipping', '$0.00'],
      ['Order total', '$20.00'],
    ],
    'en',
    true,
  ],
  [
    [
      ['Zwischensumme', '20,00 €'],
      ['Versand', 'kostenlos'],
      ['Summe', '20,00 €'],
    ],
    'de',
    true,
  ],
  [
    [
      ['Subtotal', '$20.00'],
      ['Shipping', 'Calculated at the next step'],
      ['Total', '$20.00'],
    ],
    'en',
    false,
  ],
  [[['Basket total', '$20.00']], 'en', false],
])('a summary that has a price of the delivery: %j', (pairs, language, isSaid) => {
  expect(
    saysDelivery(snapshotWith({ language, ...rows(pairs) }), {
      currency: language === 'de' ? 'EUR' : 'USD',
      language,
    }),
  ).toBe(isSaid)
})
