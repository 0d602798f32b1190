import { describe, expect, test } from 'vitest'
import { productOf } from './product-of.ts'
import { action, control, snapshotWith } from './snapshot.testing.ts'

function ld(...values: unknown[]) {
  return { jsonLd: values.map((value) => JSON.stringify(value)) }
}

const offer = {
  '@type': 'Offer',
  price: '48.00',
  priceCurrency: 'USD',
  availability: 'https://schema.org/InStock',
}
const kettle = { '@type': 'Product', name: 'Kettle', sku: 'kettle-1', offers: offer }

describe('JSON-LD', () => {
  test.each([
    ['a product', kettle],
    ['a list', [{ '@type': 'WebSite' }, kettle]],
    ['a graph', { '@graph': [{ '@type': 'BreadcrumbList' }, kettle] }],
    ['a main entity', { '@type': 'WebPage', mainEntity: kettle }],
    ['several types', { ...kettle, '@type': ['Thing', 'http://schema.org/Product'] }],
    ['offers in a list', { ...kettle, offers: [offer] }],
    ['an aggregate of one', { ...kettle, offers: { '@type': 'AggregateOffer', offers: [offer] } }],
    [
      'a low and a high price that are the same',
      {
        ...kettle,
        offers: {
          '@type': 'AggregateOffer',
          lowPrice: 48,
          highPrice: 48,
          priceCurrency: 'USD',
          availability: 'InStock',
        },
      },
    ],
    [
      'a price in a specification',
      {
        ...kettle,
        offers: { priceSpecification: [{ price: 48, priceCurrency: 'USD' }], availability: 'schema:InStock' },
      },
    ],
  ])('%s', (_, value) => {
    expect(productOf(snapshotWith(ld(value)))).toMatchObject({
      title: 'Kettle',
      sku: 'kettle-1',
      price: { amount: 4800n, currency: 'USD' },
      availability: 'in',
      variants: [],
      isSubscription: false,
      minimumQuantity: 1,
    })
  })

  test.each([
    ['1249', 'EUR', 124900n],
    ['1249.9', 'EUR', 124990n],
    ['1.249,00', 'EUR', 124900n],
    ['1200', 'JPY', 1200n],
    ['1200.00', 'JPY', 1200n],
    ['12.345', 'KWD', 12345n],
    ['12.345', 'EUR', null],
    ['abc', 'EUR', null],
    ['5', 'no currency', null],
  ])('the price %s in %s', (price, priceCurrency, amount) => {
    const page = snapshotWith({ language: 'de', ...ld({ ...kettle, offers: { price, priceCurrency } }) })
    expect(productOf(page).price?.amount ?? null).toBe(amount)
  })

  test('entities are the letters that they stand for, and markup is none', () => {
    const name = 'Men&#x27;s &amp; Boys&rsquo; Caf&eacute; &lt;b&gt;Cup &#128512;&#xd800;'
    expect(productOf(snapshotWith(ld({ ...kettle, name }))).title).toBe("Men's & Boys’ Café b Cup 😀")
  })

  test('a price that the page shows and no variant has leaves open what each of them costs', () => {
    const group = {
      '@type': 'ProductGroup',
      name: 'Jacket',
      hasVariant: ['80.00', '90.00'].map((price, at) => ({
        '@type': 'Product',
        sku: `jacket-${at}`,
        offers: { ...offer, price },
      })),
    }
    const page = (text: string) =>
      snapshotWith({ ...ld(group), headings: ['Jacket'], text: `Jacket\n${text}` })
    const prices = (text: string) =>
      productOf(page(text), 'USD').variants.map(({ price }) => price?.amount ?? null)
    expect(prices('$80.00')).toEqual([8000n, 9000n])
    expect(prices('From $80.00')).toEqual([8000n, 9000n])
    expect(prices('$64.00')).toEqual([null, null])
  })

  test('the product of the address goes before others, and recommended ones are none', () => {
    const other = { ...kettle, name: 'Teapot', url: 'https://shop.example/product/2' }
    const own = { ...kettle, url: 'https://shop.example/product/1', isRelatedTo: other }
    const list = { '@type': 'ItemList', itemListElement: [{ item: other }] }
    expect(productOf(snapshotWith(ld(list, other, own))).title).toBe('Kettle')
    expect(productOf(snapshotWith(ld(list))).title).toBeNull()
  })

  test('variants of a group have their options, prices and stock', () => {
    const variant = (color: string, size: string, availability: string, price = '80.00') => ({
      '@type': 'Product',
      sku: `jacket-${color}-${size}`,
      color,
      size,
      offers: {
        ...offer,
        price,
        availability,
        url: `https://shop.example/product/1?variant=${color}-${size}`,
      },
    })
    const group = {
      '@type': 'ProductGroup',
      name: 'Jacket',
      variesBy: ['https://schema.org/color', 'size'],
      hasVariant: [
        variant('Navy', 'M', 'InStock'),
        variant('Navy', 'XL', 'InStock', '90'),
        variant('Sand', 'M', 'OutOfStock'),
      ],
    }
    const product = productOf(snapshotWith(ld(group)))
    expect(product).toMatchObject({ title: 'Jacket', price: null, availability: 'in' })
    expect(
      product.variants.map(({ sku, id, price, availability }) => [sku, id, price?.amount, availability]),
    ).toEqual([
      ['jacket-Navy-M', 'Navy-M', 8000n, 'in'],
      ['jacket-Navy-XL', 'Navy-XL', 9000n, 'in'],
      ['jacket-Sand-M', 'Sand-M', 8000n, 'out'],
    ])
    expect(product.variants[0]?.options).toEqual([
      { name: 'color', value: 'Navy' },
      { name: 'size', value: 'M' },
    ])
  })

  test('several offers are variants', () => {
    const offers = ['41', '43'].map((size) => ({
      ...offer,
      sku: `runner-${size}`,
      availability: size === '43' ? 'SoldOut' : 'InStock',
    }))
    const product = productOf(snapshotWith(ld({ ...kettle, offers })))
    expect(product.variants.map(({ sku, availability }) => [sku, availability])).toEqual([
      ['runner-41', 'in'],
      ['runner-43', 'out'],
    ])
    expect(product.price?.amount).toBe(4800n)
  })

  test('bad, deep and long JSON says nothing and hurts nobody', () => {
    const deep = `${'{"mainEntity":'.repeat(1_000)}{}${'}'.repeat(1_000)}`
    const deepProduct = `${'['.repeat(1_000)}${JSON.stringify(kettle)}${']'.repeat(1_000)}`
    const jsonLd = ['', '{', 'null', '"x"', '[[[', deep, `${'['.repeat(100_000)}`, `"${'x'.repeat(100_000)}"`]
    expect(productOf(snapshotWith({ jsonLd })).title).toBeNull()
    expect(productOf(snapshotWith({ jsonLd: [...jsonLd, deepProduct] })).title).toBe('Kettle')
    const odd = {
      '@type': 'Product',
      name: { a: 1 },
      offers: [[null], 3, { price: {}, availability: [] }],
      hasVariant: 'x',
    }
    expect(productOf(snapshotWith(ld(odd))).price).toBeNull()
  })
})

test('microdata and Open Graph fill in what JSON-LD does not say', () => {
  const page = snapshotWith({
    jsonLd: [JSON.stringify({ '@type': 'Product', name: 'Kettle' })],
    microdata: [
      {
        type: 'https://schema.org/Product',
        properties: [
          { name: 'name', value: 'Other' },
          { name: 'sku', value: 'k-1' },
          { name: 'offers.availability', value: 'https://schema.org/OutOfStock' },
        ],
      },
    ],
    meta: [
      { name: 'product:price:amount', content: '48.00' },
      { name: 'product:price:currency', content: 'usd' },
    ],
  })
  expect(productOf(page)).toMatchObject({
    title: 'Kettle',
    sku: 'k-1',
    availability: 'out',
    price: { amount: 4800n, currency: 'USD' },
  })
})

describe('what is seen', () => {
  const seen = (text: string, more: Parameters<typeof snapshotWith>[0] = {}) =>
    productOf(snapshotWith({ headings: ['Kettle'], text: `Menu\n€9.00\nKettle\n${text}`, ...more }), 'USD')

  test('the price below the title, not one that was, and not that of the delivery', () => {
    expect(seen('Was $60.00\nFree shipping over $50\n$48.00\n$12.00').price).toEqual({
      amount: 4800n,
      currency: 'USD',
    })
    expect(seen('From $20.00').price).toBeNull()
    expect(seen('1.249,00 €', { language: 'de' }).price?.amount).toBe(124900n)
  })

  test('sold out is what says so and cannot be bought', () => {
    expect(seen('Sold out').availability).toBe('out')
    expect(seen('Sold out', { actions: [action('Add to cart')] }).availability).toBe('in')
    expect(seen('Only 2 left', { actions: [action('Add to cart')] }).availability).toBe('limited')
    expect(seen('Ausverkauft', { language: 'de' }).availability).toBe('out')
    expect(seen('').availability).toBeNull()
  })

  test.each([
    ['Subscription: $14.90 today, then $14.90 every month until you cancel.', true],
    ['Free trial: $0.00 today, then $19.00 per month, renews automatically.', true],
    ['$48.00', false],
    ['We sell for a month now in our new shop without any interruption or other trouble', false],
  ])('%s', (line, isSubscription) => {
    expect(seen(line).isSubscription).toBe(isSubscription)
  })

  test('buying once beside a subscription is no subscription, unless that is chosen', () => {
    const choices = (isChecked: boolean) => [
      control({ kind: 'radio', label: 'One-time purchase', isChecked: !isChecked }),
      control({ kind: 'radio', label: 'Subscribe and save 10%', isChecked }),
    ]
    const actions = [action('Add to cart')]
    expect(seen('Subscribe and save 10%', { controls: choices(false), actions }).isSubscription).toBe(false)
    expect(seen('Subscribe and save 10%', { controls: choices(true), actions }).isSubscription).toBe(true)
  })

  test.each([
    ['Minimum quantity: 6', 'en', 6],
    ['Minimum order of 12 pieces', 'en', 12],
    ['Mindestmenge: 4 Stück', 'de', 4],
    ['Minimum order $30.00', 'en', 1],
    ['Ready in 3 days', 'en', 1],
  ])('%s', (line, language, minimum) => {
    expect(seen(line, { language }).minimumQuantity).toBe(minimum)
  })
})

test('a text of any length is read', () => {
  const text = 'minimum quantity sold out $5 per month '.repeat(1_000)
  expect(() =>
    productOf(snapshotWith({ headings: ['A'], text: `A\n${text}\n${'x\n'.repeat(20_000)}` })),
  ).not.toThrow()
})
