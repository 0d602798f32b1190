import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Item } from '../catalog/public.ts'
import { exportedItem } from '../catalog/public.ts'
import { csvHeader, csvLines } from './export-csv.ts'
import { type FileItem, readFileItems } from './file-items.ts'

function read(text: string): FileItem[] {
  const reader = readFileItems('csv', { bytes: 0, lines: 0, columns: null })
  return [...reader.push(Buffer.from(text)), ...reader.end()]
}

const faultsOf = (items: readonly FileItem[]) =>
  items.flatMap(({ faults }) => faults.map(({ line, loc, type }) => [line, loc, type]))

test('the lines of a handle are one item, whose variants and pictures they are', () => {
  const items = read(
    [
      'handle,title,categories,option1_name,option1_value,variant_sku,variant_price,media_url',
      'tea,Green tea,Tea; Hot,Weight,100 g,T-1,590,https://cdn.example/1.jpg',
      'tea,,,,500 g,T-5,2400,https://cdn.example/2.jpg',
      'tea,,,,,,,https://cdn.example/3.jpg',
      'mug,Mug,,,,,,',
    ].join('\n'),
  )
  expect(items.map(({ line, input }) => [line, input])).toEqual([
    [
      2,
      {
        handle: 'tea',
        title: 'Green tea',
        categories: ['Tea', 'Hot'],
        options: [{ name: 'Weight', values: ['100 g', '500 g'] }],
        variants: [
          { sku: 'T-1', price: 590, options: [{ name: 'Weight', value: '100 g' }] },
          { sku: 'T-5', price: 2400, options: [{ name: 'Weight', value: '500 g' }] },
        ],
        media: [1, 2, 3].map((n) => ({ url: `https://cdn.example/${n}.jpg` })),
      },
    ],
    [5, { handle: 'mug', title: 'Mug', categories: [], options: [], variants: [], media: [] }],
  ])
})

test('members of missing columns are left out, and empty cells mean that there is no value', () => {
  expect(read('handle,title\nmug,\n')[0]?.input).toEqual({ handle: 'mug', title: null })
})

test('faults name the line and the column of the file', () => {
  const items = read(
    [
      'handle,title,variant_sku,variant_price,metadata',
      'a,A,S-1,1,',
      'a,,S-2,cheap,',
      'NOT A HANDLE,B,,,',
      'c,C,,,"{""x"":1}"',
      'd,D',
      'e,E,,,',
    ].join('\n'),
  )
  expect(faultsOf(items)).toEqual([
    [3, ['variant_price'], 'int_type'],
    [4, ['handle'], 'string_pattern_mismatch'],
    [5, ['metadata', 'x'], 'string_type'],
    [6, [], 'value_error'],
  ])
  expect(items.map(({ input }) => input?.handle ?? null)).toEqual([null, null, null, null, 'e'])
})

test('a line that cannot be read takes its own item down, whichever line of it it is, and no other', () => {
  for (const lines of [
    ['a,S-0"', 'a,S-1', 'b,S-2'],
    ['a,S-1', 'a,S-0"', 'b,S-2'],
    ['a,S-1', ',"', 'b,S-2'],
  ]) {
    const items = read(['handle,variant_sku', ...lines].join('\n'))
    expect(items.map(({ input }) => input?.variants?.length ?? null)).toEqual([null, 1])
  }
})

test.each([
  ['an unknown column', 'handle,colour\n'],
  ['a column twice', 'handle,title,title\n'],
  ['nothing that names an item', 'title\n'],
  ['semicolons', 'handle;title\n'],
])('a first line with %s refuses the whole file with the reason', (_, text) => {
  expect(() => read(text)).toThrow(expect.objectContaining({ name: 'FileUnreadable' }))
})

const word = fc.string({
  unit: fc.constantFrom('a', 'B', ' ', ';', '"', ',', '\n', '[', 'é', '☕'),
  minLength: 1,
  maxLength: 6,
})
const wordOrNull = fc.option(word)
const option = fc.record({ name: word, values: fc.uniqueArray(word, { minLength: 1, maxLength: 3 }) })
const variant = fc.record({
  sku: wordOrNull,
  barcode: wordOrNull,
  title: wordOrNull,
  price: fc.option(fc.nat()),
  currency: fc.constantFrom('EUR', null),
  availability: fc.constantFrom('in_stock' as const, 'preorder' as const),
  quantity: fc.option(fc.nat(1000)),
  weight_grams: fc.option(fc.nat(1000)),
  fulfillment_label: wordOrNull,
  options: fc.uniqueArray(fc.record({ name: word, value: word }), {
    maxLength: 3,
    selector: ({ name }) => name,
  }),
})
const picture = fc.record({
  url: fc.constant('https://cdn.example/a.jpg'),
  type: fc.constantFrom('image' as const, 'video' as const),
  alt_text: wordOrNull,
})
const input = fc.record({
  name: fc.constantFrom('size', 'engraving'),
  type: fc.constantFrom('string' as const, 'date' as const),
  label: wordOrNull,
  choices: fc.constant<string[]>([]),
})
const item = fc
  .record({
    title: wordOrNull,
    description: wordOrNull,
    handle: fc.option(fc.constantFrom('a', 'b-1')),
    categories: fc.array(word, { maxLength: 3 }),
    media: fc.array(picture, { maxLength: 3 }),
    options: fc.uniqueArray(option, { maxLength: 4, selector: ({ name }) => name }),
    variants: fc.array(variant, { maxLength: 3 }),
    required_inputs: fc.uniqueArray(input, { maxLength: 2, selector: ({ name }) => name }),
    metadata: fc.dictionary(word, word, { maxKeys: 2 }),
    status: fc.constantFrom('draft' as const, 'published' as const),
  })
  .map(
    (fields): Item => ({
      account_id: 'acct_1',
      mode: 'test',
      id: 'cat_1',
      url: null,
      item_type: 'product',
      created_at: new Date(0),
      updated_at: new Date(0),
      published_at: null,
      archived_at: null,
      ...fields,
      variants: fields.variants.map((each, index) => ({ id: `var_${index}`, ...each })),
    }),
  )

test('items that are exported as CSV are read as the same items', () => {
  fc.assert(
    fc.property(item, (row) => {
      const [first, ...others] = read(csvHeader + csvLines(row))
      expect(others).toEqual([])
      expect(first?.faults).toEqual([])
      expect(first?.input).toEqual(exportedItem(row))
    }),
    { numRuns: 500 },
  )
})
