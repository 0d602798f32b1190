import { expect, test } from 'vitest'
import { Problem, ValidationProblem } from '../../../contract/problem.ts'
import type { ItemRow, Variant, VariantWrite } from './item.ts'
import { remaining } from './take-stock.ts'
import { findVariant, stockFor, writtenVariants } from './variants.ts'

const red: Variant = {
  id: 'var_red',
  sku: 'R-1',
  barcode: null,
  title: 'Red',
  price: 500,
  currency: 'EUR',
  availability: 'in_stock',
  quantity: 3,
  options: [
    { name: 'Color', value: 'Red' },
    { name: 'Size', value: 'M' },
  ],
  weight_grams: null,
  fulfillment_label: null,
}
const blue: Variant = {
  ...red,
  id: 'var_blue',
  sku: 'B-1',
  quantity: null,
  options: [
    { name: 'Color', value: 'Blue' },
    { name: 'Size', value: 'M' },
  ],
}

function item(variants: Variant[]): ItemRow {
  const at = new Date('2030-01-01T00:00:00Z')
  return {
    account_id: 'acct_m',
    mode: 'test',
    id: 'cat_1',
    handle: null,
    title: 'Shirt',
    description: null,
    url: null,
    url_key: null,
    item_type: 'product',
    categories: [],
    media: [],
    options: [],
    variants,
    required_inputs: [],
    status: 'published',
    metadata: {},
    seq: 1,
    created_at: at,
    updated_at: at,
    published_at: at,
    archived_at: null,
  }
}

test.each([
  [{ id: 'var_red' }, red],
  [{ sku: 'B-1' }, blue],
  [{ selections: [{ name: 'color', value: 'BLUE' }] }, blue],
  [{ selections: [{ name: 'Size', value: 'M' }] }, 'required'],
  [{}, 'required'],
  [null, 'required'],
  [{ id: 'var_red', sku: 'B-1' }, 'not_found'],
  [{ selections: [{ name: 'Color', value: 'Green' }] }, 'not_found'],
] as const)('the choice %j among two variants finds %j', (choice, found) => {
  expect(findVariant(item([red, blue]), choice)).toEqual(found)
})

test('an only variant needs no choice, but a wrong choice does not find it', () => {
  expect(findVariant(item([red]), undefined)).toEqual(red)
  expect(findVariant(item([red]), { sku: 'B-1' })).toBe('not_found')
  expect(findVariant(item([]), undefined)).toBe('not_found')
})

test.each([
  [{ quantity: 3 }, 3, 'available'],
  [{ quantity: 3 }, 4, 'insufficient_stock'],
  [{ quantity: 0 }, 1, 'product_out_of_stock'],
  [{ quantity: null }, 10_000, 'available'],
  [{ quantity: 0, availability: 'preorder' }, 1, 'available'],
  [{ quantity: 0, availability: 'backorder' }, 1, 'available'],
  [{ quantity: 9, availability: 'out_of_stock' }, 1, 'product_out_of_stock'],
  [{ quantity: 9, availability: 'discontinued' }, 1, 'product_out_of_stock'],
] as const)('stock of %j for %i is %s', (changes, quantity, answer) => {
  expect(stockFor({ ...red, ...changes }, quantity)).toBe(answer)
})

const facts = { currency: null, newId: () => 'var_new' as const }

function write(written: VariantWrite[], known: Variant[] = [], currency: string | null = null): Variant[] {
  return writtenVariants(written, known, { ...facts, currency })
}

test('a variant that is named by its id keeps members that are left out, others are new, and the rest is removed', () => {
  expect(write([{ id: 'var_red', price: 600 }, { title: 'Green' }], [red, blue])).toEqual([
    { ...red, price: 600 },
    {
      id: 'var_new',
      sku: null,
      barcode: null,
      title: 'Green',
      price: null,
      currency: null,
      availability: 'in_stock',
      quantity: null,
      options: [],
      weight_grams: null,
      fulfillment_label: null,
    },
  ])
})

test("a price takes the merchant's currency unless it names its own, and needs one of them", () => {
  expect(write([{ price: 1 }], [], 'EUR')[0]?.currency).toBe('EUR')
  expect(write([{ price: 1, currency: 'usd' }], [], 'EUR')[0]?.currency).toBe('USD')
  expect(() => write([{ price: 1 }])).toThrow(ValidationProblem)
})

test('a variant of another item is unknown here, and ids and SKUs are given once', () => {
  expect(() => write([{ id: 'var_elsewhere' }], [red])).toThrow(Problem)
  expect(() => write([{ id: 'var_red' }, { id: 'var_red' }], [red])).toThrow(ValidationProblem)
  expect(() => write([{ id: 'var_red' }, { id: 'var_blue', sku: 'R-1' }], [red, blue])).toThrow(
    ValidationProblem,
  )
})

test('everything that is wrong with the variants of an item is named at once', () => {
  const known = ['var_1', 'var_2', 'var_3'].map((id) => ({
    ...red,
    id,
    price: null,
    currency: null,
    sku: null,
  }))
  const written = [
    { id: 'var_1', price: 1, sku: 'a' },
    { id: 'var_2', sku: 'a' },
    { id: 'var_3', price: 2 },
  ]
  const refusal = () => write(written, known)
  expect(refusal).toThrow(ValidationProblem)
  try {
    refusal()
  } catch (error) {
    expect(error instanceof ValidationProblem && error.issues.map(({ loc }) => loc.slice(2))).toEqual([
      [0, 'currency'],
      [1, 'sku'],
      [2, 'currency'],
    ])
  }
})

test('confirmed units leave the counted stock, never below zero, and nothing else moves', () => {
  const shirt = { id: 'cat_1', variants: [red, blue] } as const
  const take = (variantId: string, quantity: number, itemId = 'cat_1') => ({ itemId, variantId, quantity })
  const onShelf = { ...shirt, variants: [...shirt.variants] }
  expect(remaining(onShelf, [take('var_red', 1), take('var_red', 1)])).toEqual([
    { ...red, quantity: 1 },
    blue,
  ])
  expect(remaining(onShelf, [take('var_red', 5)])).toEqual([{ ...red, quantity: 0 }, blue])
  expect(remaining(onShelf, [take('var_blue', 5)])).toBeNull()
  expect(remaining(onShelf, [take('var_red', 1, 'cat_2')])).toBeNull()
})
