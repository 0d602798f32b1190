import { expect, test } from 'vitest'
import type { Variant } from './item.ts'
import { offerFault } from './publishable.ts'

const options = [
  { name: 'Size', values: ['S', 'L'] },
  { name: 'Colour', values: ['Red'] },
]

function variantOf(...chosen: [string, string][]): Variant {
  return {
    id: 'var_1',
    sku: null,
    barcode: null,
    title: null,
    price: 100,
    currency: 'EUR',
    availability: 'in_stock',
    quantity: null,
    weight_grams: null,
    fulfillment_label: null,
    options: chosen.map(([name, value]) => ({ name, value })),
  }
}

test.each<[string, Variant[], boolean]>([
  [
    'each of them chooses differently',
    [variantOf(['Size', 'S']), variantOf(['size', 'l'], ['Colour', 'red'])],
    true,
  ],
  ['one of them leaves the choice open', [variantOf(), variantOf(['Size', 'S'])], true],
  ['one of them chooses what there is not', [variantOf(['Size', 'XL'])], false],
  ['one of them chooses by a name that there is not', [variantOf(['Weight', 'S'])], false],
  ['one of them chooses twice', [variantOf(['Size', 'S'], ['SIZE', 'L'])], false],
  [
    'two of them choose the same',
    [variantOf(['Size', 'S'], ['Colour', 'Red']), variantOf(['Colour', 'red'], ['Size', 's'])],
    false,
  ],
])('of an item with options: %s', (_, variants, isPublishable) => {
  expect(offerFault({ title: 'Mug', variants, options }) === null).toBe(isPublishable)
})

test('an item needs a name and a price, and without options its variants choose nothing that is checked', () => {
  expect(offerFault({ title: 'Mug', variants: [variantOf(['Any', 'thing'])], options: [] })).toBeNull()
  expect(offerFault({ title: null, variants: [variantOf()], options: [] })).not.toBeNull()
  expect(
    offerFault({ title: 'Mug', variants: [{ ...variantOf(), price: null }], options: [] }),
  ).not.toBeNull()
})
