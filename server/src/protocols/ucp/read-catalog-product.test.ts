import { describe, expect, test } from 'vitest'
import { readCatalogProduct } from './read-catalog-product.ts'

const variant = {
  id: 'v1',
  title: 'EU 42',
  description: { plain: '' },
  price: { amount: 12_900, currency: 'USD' },
}
const whole = { id: 'p1', title: 'Boot', description: { plain: 'Leather.' }, variants: [variant] }

const read = (value: unknown) => readCatalogProduct(value, { variantsMax: 3 })
const readWith = (change: object) => read({ ...whole, ...change })

describe('a product of another catalog', () => {
  test('is read with what it needs, and the rest is empty', () => {
    expect(read(whole)).toEqual({
      isCut: false,
      product: {
        id: 'p1',
        title: 'Boot',
        description: 'Leather.',
        handle: null,
        url: null,
        categories: [],
        media: [],
        options: [],
        variants: [
          {
            id: 'v1',
            title: 'EU 42',
            description: '',
            sku: null,
            barcodes: [],
            price: { amount: 12_900, currency: 'USD' },
            availability: { available: true, status: 'in_stock' },
            options: [],
          },
        ],
        sellerName: null,
      },
    })
  })

  test('is read with everything else that it has', () => {
    const given = readWith({
      handle: 'boot',
      url: 'https://shop.example/boot',
      categories: [{ value: 'Footwear > Boots', taxonomy: 'merchant' }],
      media: [
        { type: 'image', url: 'https://cdn.example/1.jpg', alt_text: 'A <b>boot</b>' },
        { type: 'model_3d', url: 'https://cdn.example/1.glb' },
      ],
      options: [{ name: 'Size', values: [{ label: '42' }, { label: '43' }] }],
      variants: [
        {
          ...variant,
          sku: 'S',
          barcodes: [{ type: 'EAN', value: '4000000000000' }],
          availability: { available: false, status: 'preorder' },
          options: [{ name: 'Size', label: '42' }],
          seller: { name: 'Shop <i>Ltd</i>' },
        },
      ],
    })?.product
    expect(given).toMatchObject({
      handle: 'boot',
      url: 'https://shop.example/boot',
      categories: ['Footwear > Boots'],
      media: [{ type: 'image', url: 'https://cdn.example/1.jpg', alt_text: 'A boot' }],
      options: [{ name: 'Size', values: ['42', '43'] }],
      variants: [
        {
          sku: 'S',
          barcodes: [{ type: 'ean', value: '4000000000000' }],
          availability: { available: false, status: 'preorder' },
          options: [{ name: 'Size', label: '42' }],
        },
      ],
      sellerName: 'Shop Ltd',
    })
  })

  test.each<[string, unknown]>([
    ['nothing', null],
    ['a list', [whole]],
    ['no id', { ...whole, id: undefined }],
    ['an empty id', { ...whole, id: '' }],
    ['a number for an id', { ...whole, id: 7 }],
    ['an id that is too long', { ...whole, id: 'x'.repeat(181) }],
    ['half a letter in an id', { ...whole, id: 'x\ud800' }],
    ['no title', { ...whole, title: '' }],
    ['nothing but markup for a title', { ...whole, title: '<script>x</script>' }],
    ['no description', { ...whole, description: 'text' }],
    ['no variants', { ...whole, variants: [] }],
    ['variants that are none', { ...whole, variants: 'many' }],
    ['no price', { ...whole, variants: [{ ...variant, price: undefined }] }],
    [
      'a price that is text',
      { ...whole, variants: [{ ...variant, price: { amount: '12900', currency: 'USD' } }] },
    ],
    ['half a cent', { ...whole, variants: [{ ...variant, price: { amount: 1.5, currency: 'USD' } }] }],
    ['a price below zero', { ...whole, variants: [{ ...variant, price: { amount: -1, currency: 'USD' } }] }],
    [
      'more than there is',
      { ...whole, variants: [{ ...variant, price: { amount: 1e13, currency: 'USD' } }] },
    ],
    ['money for tests', { ...whole, variants: [{ ...variant, price: { amount: 1, currency: 'XTS' } }] }],
    [
      'money that nobody has',
      { ...whole, variants: [{ ...variant, price: { amount: 1, currency: 'ABC' } }] },
    ],
    [
      'money in small letters',
      { ...whole, variants: [{ ...variant, price: { amount: 1, currency: 'usd' } }] },
    ],
  ])('is none with %s', (_, value) => {
    expect(read(value)).toBeNull()
  })

  test('loses variants that cannot be read or are too many, and says so', () => {
    const some = [
      variant,
      { ...variant, id: 'bad', price: null },
      { ...variant, id: 'v2' },
      { ...variant, id: 'v4' },
    ]
    const found = readWith({ variants: some })
    expect(found?.product.variants.map(({ id }) => id)).toEqual(['v1', 'v2'])
    expect(found?.isCut).toBe(true)
  })

  test.each([
    ['javascript:alert(1)'],
    ['http://shop.example/boot'],
    ['data:text/html,x'],
    ['https://user:pass@shop.example/'],
    ['//shop.example/boot'],
    [7],
  ])('has no address where it says %j', (url) => {
    expect(readWith({ url, media: [{ type: 'image', url }] })?.product).toMatchObject({
      url: null,
      media: [],
    })
  })

  test('has no address that is too long', () => {
    expect(readWith({ url: `https://shop.example/${'x'.repeat(3_000)}` })?.product.url).toBeNull()
  })

  test('has the address of its first variant where it has none itself', () => {
    const url = 'https://shop.example/boot?variant=1'
    expect(readWith({ variants: [{ ...variant, url }] })?.product.url).toBe(url)
  })

  test.each([
    [undefined, true, 'in_stock'],
    [{}, true, 'in_stock'],
    [{ available: false }, false, 'out_of_stock'],
    [{ status: 'discontinued' }, false, 'discontinued'],
    [{ available: true, status: 'made up' }, true, 'in_stock'],
    [{ available: 'yes' }, true, 'in_stock'],
  ])('that says of its availability %j can be bought: %s', (availability, available, status) => {
    const found = readWith({ variants: [{ ...variant, availability }] })
    expect(found?.product.variants[0]?.availability).toEqual({ available, status })
  })
})
