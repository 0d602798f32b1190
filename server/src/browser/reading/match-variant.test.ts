import { describe, expect, test } from 'vitest'
import { matchVariant } from './match-variant.ts'
import type { PageSnapshot } from './page-snapshot.ts'
import { productOf } from './product-of.ts'
import { action, control, option, snapshotWith } from './snapshot.testing.ts'
import { variantGroups } from './variant-groups.ts'

type Wanted = Parameters<typeof matchVariant>[2]

function match(snapshot: PageSnapshot, wanted: Wanted) {
  const product = productOf(snapshot)
  const result = matchVariant(variantGroups(snapshot, product), product, wanted)
  return result.kind === 'choose' ? result.steps.map(({ group, text }) => `${group}=${text}`) : result
}

const selections = (...pairs: [name: string, value: string][]): Wanted => ({
  selections: pairs.map(([name, value]) => ({ name, value })),
})

function radios(group: string, texts: readonly string[], disabled: readonly string[] = []) {
  return texts.map((label) =>
    control({ kind: 'radio', name: `option_${group}`, group, label, isDisabled: disabled.includes(label) }),
  )
}

function variant(color: string, size: string, availability = 'InStock') {
  const sku = `jacket-${color}-${size}`.toLowerCase()
  return { '@type': 'Product', sku, color, size, offers: { price: 80, priceCurrency: 'USD', availability } }
}

const jacket = snapshotWith({
  jsonLd: [
    JSON.stringify({
      '@type': 'ProductGroup',
      name: 'Jacket',
      hasVariant: [
        variant('Navy', 'M'),
        variant('Navy', 'L'),
        variant('Sand', 'M', 'OutOfStock'),
        variant('Forest', 'L'),
      ],
    }),
  ],
  controls: [...radios('Color', ['Navy', 'Sand', 'Forest']), ...radios('Size', ['M', 'L'])],
  actions: [action('Add to cart', { form: 1 })],
})

describe('three colors in two sizes', () => {
  test.each<[string, Wanted, unknown]>([
    ['by names', selections(['Color', 'navy'], ['Size', 'M']), ['Color=Navy', 'Size=M']],
    ['by names of another language', selections(['Farbe', 'Navy'], ['Größe', 'L']), ['Color=Navy', 'Size=L']],
    ['by SKU', { sku: 'jacket-forest-l' }, ['Color=Forest', 'Size=L']],
    ['by a SKU that is sold out', { sku: 'jacket-sand-m' }, { kind: 'sold_out' }],
    ['by a SKU that is not', { sku: 'jacket-pink-m' }, { kind: 'none_such' }],
    ['a value that is not', selections(['Color', 'Pink'], ['Size', 'M']), { kind: 'none_such' }],
    ['a pair that is not made', selections(['Color', 'Forest'], ['Size', 'M']), { kind: 'none_such' }],
    ['one that is sold out', selections(['Color', 'Sand'], ['Size', 'M']), { kind: 'sold_out' }],
    ['a name that is not', selections(['Flavor', 'Lemon']), { kind: 'none_such' }],
    ['two values of one name', selections(['Color', 'Navy'], ['Color', 'Sand']), { kind: 'none_such' }],
  ])('%s', (_, wanted, expected) => {
    expect(match(jacket, wanted)).toEqual(expected)
  })

  test('who wants none is asked, with the choices', () => {
    expect(match(jacket, null)).toEqual({
      kind: 'ask',
      message: 'Choose Color (Navy, Forest) and Size (M, L).',
    })
    expect(match(jacket, selections(['Color', 'Navy']))).toEqual({
      kind: 'ask',
      message: 'Choose Size (M, L).',
    })
  })

  test('what the address of the page has chosen is chosen', () => {
    const controls = jacket.controls.map((one) => ({
      ...one,
      isChecked: one.label === 'Navy' || one.label === 'L',
    }))
    const url = 'https://shop.example/product/jacket?variant=jacket-navy-l'
    expect(match({ ...jacket, url, controls }, null)).toEqual(['Color=Navy', 'Size=L'])
    expect(match({ ...jacket, controls }, null)).toMatchObject({ kind: 'ask' })
  })
})

test('one possible choice is chosen, in a select as among buttons', () => {
  const select = control({
    kind: 'select',
    label: 'Colour:',
    options: [
      option('Choose an option', ''),
      option('Blue – sold out'),
      option('Red'),
      option('Old', 'old', { isDisabled: true }),
    ],
  })
  expect(match(snapshotWith({ controls: [select] }), null)).toEqual(['Colour=Red'])
  expect(match(snapshotWith({ controls: [select] }), selections(['Color', 'Blue']))).toEqual({
    kind: 'sold_out',
  })
})

test('a select is matched by what is written before the price', () => {
  const select = control({
    kind: 'select',
    label: 'Size',
    options: [option('L (+$5.00)', '1'), option('XL (+$9.00)', '2')],
  })
  expect(match(snapshotWith({ controls: [select] }), selections(['Size', 'XL']))).toEqual([
    'Size=XL (+$9.00)',
  ])
  expect(match(snapshotWith({ controls: [select] }), { id: '1' })).toEqual(['Size=L (+$5.00)'])
})

describe('buttons that choose', () => {
  const sizes = ['41', '42', '43'].map((name) => action(name, { area: 2_000, isDisabled: name === '43' }))
  const page = snapshotWith({
    actions: [
      action('Menu', { isInNavigation: true }),
      ...sizes,
      action('Add to bag', { isDisabled: true }),
      action('Zoom'),
    ],
  })

  test('are those before the button that adds, also while that is disabled', () => {
    expect(match(page, selections(['Size', '42']))).toEqual(['=42'])
    expect(match(page, selections(['Size', '43']))).toEqual({ kind: 'sold_out' })
    expect(match(page, selections(['Size', '44']))).toEqual({ kind: 'none_such' })
    expect(match(page, null)).toEqual({ kind: 'ask', message: 'Choose variant (41, 42).' })
  })

  test('are found by their names where the page lists its variants', () => {
    const jsonLd = [
      JSON.stringify({
        '@type': 'ProductGroup',
        name: 'Runner',
        hasVariant: ['41', '42'].map((size) => variant('Red', size)),
      }),
    ]
    expect(match({ ...page, jsonLd }, selections(['size', '42'], ['color', 'Red']))).toEqual(['size=42'])
  })
})

describe('buttons in lists of the form', () => {
  const inList = (list: number, listName: string, names: readonly string[]) =>
    names.map((name) => action(name, { form: 1, list, listName, area: 2_000 }))
  const page = (...lists: ReturnType<typeof inList>[]) =>
    snapshotWith({ actions: [...lists.flat(), action('Add to cart', { form: 1 })] })
  const colors = inList(1, 'Color', ['Navy', 'Sand'])
  const sizes = inList(2, 'Size:', ['M', 'L'])

  test.each([
    ['one choice of each', selections(['Color', 'Sand'], ['Size', 'L']), ['Color=Sand', 'Size=L']],
    ['in another order', selections(['Size', 'M'], ['Color', 'Navy']), ['Color=Navy', 'Size=M']],
    ['one missing', selections(['Size', 'M']), { kind: 'ask', message: 'Choose Color (Navy, Sand).' }],
    ['one that is not there', selections(['Color', 'Rust'], ['Size', 'M']), { kind: 'none_such' }],
  ])('are choices by the name above each list: %s', (_, wanted, expected) => {
    expect(match(page(colors, sizes), wanted)).toEqual(expected)
  })

  test('a list without a name, or of another form, asks for nothing while a named one is the choice', () => {
    const thumbnails = inList(3, '', ['Front', 'Back'])
    const elsewhere = inList(4, 'Language', ['EN', 'DE']).map((one) => ({ ...one, form: 2 }))
    for (const lists of [
      [thumbnails, sizes],
      [elsewhere, sizes],
      [thumbnails, elsewhere, sizes],
    ])
      expect(match(page(...lists), selections(['Size', 'L']))).toEqual(['Size=L'])
  })
})

test('the quantity, the order of a list and an address are no choices', () => {
  const snapshot = snapshotWith({
    controls: [
      control({ kind: 'select', name: 'qty', options: [option('1'), option('2')] }),
      control({ kind: 'select', name: 'orderby', options: [option('Price'), option('New')] }),
      control({ kind: 'select', label: 'Country', options: [option('DE'), option('US')] }),
      control({ kind: 'checkbox', label: 'Gift wrap' }),
    ],
  })
  expect(match(snapshot, null)).toEqual([])
})

test('buying once goes before a subscription', () => {
  const controls = radios('Purchase', ['One-time purchase', 'Subscribe and save 10%'])
  expect(match(snapshotWith({ controls }), null)).toEqual(['Purchase=One-time purchase'])
})

test('a page without choices has the one that is wanted, unless it names another', () => {
  const page = (sku: string) =>
    snapshotWith({ jsonLd: [JSON.stringify({ '@type': 'Product', name: 'Kettle', sku })] })
  expect(match(page('k-1'), { sku: 'k-1' })).toEqual([])
  expect(match(page('k-2'), { sku: 'k-1' })).toEqual({ kind: 'none_such' })
  expect(match(snapshotWith({}), { sku: 'k-1' })).toEqual([])
  expect(match(snapshotWith({}), null)).toEqual([])
})
