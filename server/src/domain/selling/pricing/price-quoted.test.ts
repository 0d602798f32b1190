import { expect, test } from 'vitest'
import type { Item } from '../catalog/public.ts'
import { taxAtSubtotal, taxOf } from './amounts.ts'
import { priceQuoted, type QuotedListing } from './price-quoted.ts'

const now = new Date('2026-06-01T12:00:00.000Z')

/** A published thing of which there are five, at 10.00 in the catalog. */
function listing(over: Partial<Item> = {}, variant: Partial<Item['variants'][number]> = {}): QuotedListing {
  const item: Item = {
    account_id: 'acct_1',
    mode: 'test',
    id: 'cat_1',
    handle: null,
    title: 'Thing',
    description: null,
    url: null,
    item_type: 'product',
    categories: [],
    media: [],
    options: [],
    variants: [
      {
        id: 'var_1',
        sku: 'T-1',
        barcode: null,
        title: null,
        price: 1000,
        currency: 'EUR',
        availability: 'in_stock',
        quantity: 5,
        options: [],
        weight_grams: null,
        fulfillment_label: null,
        ...variant,
      },
    ],
    required_inputs: [],
    status: 'published',
    metadata: {},
    created_at: now,
    updated_at: now,
    published_at: now,
    archived_at: null,
    ...over,
  }
  return { item, variantId: 'var_1' }
}

const quote = { total: 1000n, currency: 'EUR', quantity: 3, title: 'Thing' }

test('a quoted price is the total, with nothing on top and nothing off, and its units are a part of it', () => {
  expect(priceQuoted(quote, listing())).toEqual({
    kind: 'priced',
    lines: [
      {
        quantity: 3,
        unitAmount: 333n,
        title: 'Thing',
        listing: { itemId: 'cat_1', variantId: 'var_1', sku: 'T-1' },
      },
    ],
    subtotal: 1000n,
    fulfillment: 0n,
    tax: 0n,
    discount: 0n,
    total: 1000n,
    currency: 'EUR',
    taxBasisPoints: null,
  })
})

test('a quoted item without a variant of a catalog has no listing and no stock', () => {
  expect(priceQuoted(quote, null)).toMatchObject({ kind: 'priced', lines: [{ listing: null }] })
})

test.each<[string, QuotedListing, string | null]>([
  ['is gone', { item: null, variantId: 'var_1' }, 'product_not_found'],
  ['is not published', listing({ status: 'archived' }), 'product_not_found'],
  ['has lost its variant', { ...listing(), variantId: 'var_2' }, 'product_not_found'],
  ['is sold out', listing({}, { quantity: 0 }), 'product_out_of_stock'],
  ['is less than was quoted', listing({}, { quantity: 2 }), 'insufficient_stock'],
  ['has no catalog price', listing({}, { price: null, currency: null }), null],
  ['has a catalog price in another currency', listing({}, { currency: 'USD' }), null],
])('the quoted thing that %s', (_, listed, code) => {
  const price = priceQuoted(quote, listed)
  expect(price.kind === 'refused' ? price.refusals : []).toEqual(
    code === null ? [] : [{ line: 0, code, message: null }],
  )
})

test.each([
  ['10 % of 1.255 dinars', 1255n, 1000, 126n],
  ['8 % of one yen', 1n, 800, 0n],
  ['8 % of seven yen', 7n, 800, 1n],
  ['half a unit', 5n, 1000, 1n],
  ['less than half a unit', 4999n, 1, 0n],
])('tax is rounded half a unit up: %s', (_, merchandise, basisPoints, tax) => {
  expect(taxOf(merchandise, basisPoints)).toBe(tax)
})

test('at another price the tax follows its rate, and without a rate it stays the same part of the price', () => {
  expect(taxOf(1999n, 825)).toBe(165n)
  expect(taxAtSubtotal({ subtotal: 2000n, tax: 140n, taxBasisPoints: 700 }, 1999n)).toBe(140n)
  expect(taxAtSubtotal({ subtotal: 2000n, tax: 126n, taxBasisPoints: null }, 1000n)).toBe(63n)
  expect(taxAtSubtotal({ subtotal: 0n, tax: 0n, taxBasisPoints: null }, 1000n)).toBe(0n)
})
