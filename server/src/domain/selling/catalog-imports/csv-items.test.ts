import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exportedItem, type Item } from '../catalog/public.ts'
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

/** The faults of one line with this price, quantity and barcode. */
function faultsWith(cells: { price?: string; quantity?: string; barcode?: string }): string[] {
  const quotedCells = [cells.price ?? '', cells.quantity ?? '', cells.barcode ?? ''].map(
    (cell) => `"${cell}"`,
  )
  const [item] = read(`handle,variant_price,variant_quantity,variant_barcode\nlamp,${quotedCells.join()}\n`)
  return (item?.faults ?? []).map(({ line, loc, msg }) => `${line} ${loc.join('.')}: ${msg}`)
}

test.each(['49.00', '49,00', '$49.00', '49.0', '4.9E+03', '4900.00', '1 999', 'cheap'])(
  'the price %s is told its unit, and never read as another one',
  (price) => {
    expect(faultsWith({ price })).toEqual([
      '2 variant_price: Input should be an amount in minor units, an integer: $49.00 is 4900',
    ])
  },
)

test.each(['4900', ' 4900 ', '4900.0'])('the price %j is 4900', (price) => {
  const [item] = read(`handle,variant_price\nlamp,"${price}"\n`)
  expect(item?.input?.variants).toEqual([{ price: 4900 }])
})

test('a quantity of a spreadsheet is a number, and a part of a unit is refused', () => {
  expect(faultsWith({ quantity: ' 2.0 ' })).toEqual([])
  expect(faultsWith({ quantity: '2.5' })).toEqual([
    '2 variant_quantity: Input should be a valid integer, got a number with a fractional part',
  ])
})

test('a barcode that a spreadsheet has rounded is refused, and a SKU that looks like a number stays text', () => {
  expect(faultsWith({ barcode: '5.01235E+12' })).toEqual([
    '2 variant_barcode: Value error, a spreadsheet has rounded the barcode: set the format of its column to text, and write it again',
  ])
  const [item] = read('handle,variant_sku,variant_barcode\na,00123,05012345678900\na,1E5,\n')
  expect(item?.input?.variants).toEqual([
    { sku: '00123', barcode: '05012345678900' },
    { sku: '1E5', barcode: null },
  ])
})

test.each([
  ['handle;title;variant_price\nlamp;Lampe;4900\n', 'semicolons'],
  ['handle\ttitle\tvariant_price\nlamp\tLampe\t4900\n', 'tabs'],
])('a file whose cells are separated otherwise is refused once, with what separates them', (text, name) => {
  expect(() => read(text)).toThrow(`The cells of the first line are separated by ${name}.`)
})

test.each(['utf16le', 'utf16le with its mark', 'utf16be with its mark'])(
  'a file in %s is refused once',
  (kind) => {
    const little = Buffer.from(
      `${kind.includes('mark') ? '\uFEFF' : ''}handle,title\nlamp,Lampe\n`,
      'utf16le',
    )
    const bytes = kind.startsWith('utf16be') ? little.swap16() : little
    for (const format of ['csv', 'json_lines'] as const) {
      const reader = readFileItems(format, { bytes: 0, lines: 0, columns: null })
      // Also where the first part is one byte.
      expect(() => [...reader.push(bytes.subarray(0, 1)), ...reader.push(bytes.subarray(1))]).toThrow(
        'UTF-16',
      )
    }
  },
)

test('a quote that stays open is one fault, and the lines below are read', () => {
  const lines = Array.from({ length: 10_000 }, (_, at) => (at === 0 ? 'a0,"open' : `a${at},Item`))
  const items = read(`handle,title\n${lines.join('\n')}\n`)
  expect(faultsOf(items).map(([line]) => line)).toEqual([2])
  expect(items).toHaveLength(10_000)
})
