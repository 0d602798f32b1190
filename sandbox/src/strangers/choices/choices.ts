import type { Desk } from '../shop/desk.ts'
import type { Product, Variant } from '../shop/goods.ts'
import type { Storefront } from '../storefront/storefront.ts'
import { storefrontRoutes } from '../storefront/storefront-routes.ts'
import type { OpenedShop } from '../web/site.ts'

const colors = ['Navy', 'Sand', 'Forest'] as const
const sizes = ['S', 'M', 'L', 'XL'] as const
const fits = ['Regular', 'Slim'] as const

/** Slim is not made in Sand; XL costs more; the stock of a variant is what is left over. */
function jacketVariants(): Variant[] {
  return colors.flatMap((Color) =>
    fits.flatMap((Fit) =>
      sizes.flatMap((Size) => {
        if (Color === 'Sand' && Fit === 'Slim') return []
        const sku = `jacket-${Color}-${Fit}-${Size}`.toLowerCase()
        const stock = Color === 'Forest' && Size === 'M' ? 0 : Size === 'S' ? 1 : 20
        return [{ sku, choice: { Color, Fit, Size }, price: Size === 'XL' ? 9900 : 8900, stock }]
      }),
    ),
  )
}

const products: readonly Product[] = [
  {
    handle: 'jacket',
    name: 'Field Jacket',
    description: 'A jacket of waxed cotton, in three colors, four sizes and two fits.',
    price: 8900,
    options: { Color: colors, Fit: fits, Size: sizes },
    variants: jacketVariants(),
  },
  {
    handle: 'mug',
    name: 'Enamel Mug',
    description: 'One mug in two colors. Blue is sold out.',
    price: 1500,
    options: { Color: ['White', 'Blue'] },
    variants: [
      { sku: 'mug-white', choice: { Color: 'White' }, price: 1500, stock: 50 },
      { sku: 'mug-blue', choice: { Color: 'Blue' }, price: 1500, stock: 0 },
    ],
  },
  {
    handle: 'napkins',
    name: 'Linen Napkin',
    description: 'Sold from six pieces on.',
    price: 700,
    minimum: 6,
    stock: 100,
  },
]

const choices: Storefront = {
  look: { title: 'Many Choices', tagline: 'Made to fit', lang: 'en', accent: '#22573a' },
  locale: 'en-US',
  products,
  currency: 'USD',
  deliveries: [
    { id: 'standard', name: 'Standard shipping', promise: '5 business days', price: 700 },
    { id: 'pickup', name: 'Store pickup', promise: 'tomorrow', price: 0 },
  ],
  taxPercent: 7,
  isTaxIncluded: false,
  promo: null,
  methods: [{ id: 'card', name: 'Credit card' }],
}

/** Variants in three dimensions, some of which do not exist or are sold out, and a minimum quantity. */
export function openShop(desk: Desk): OpenedShop {
  return { sites: { [desk.host]: storefrontRoutes(desk, choices) } }
}
