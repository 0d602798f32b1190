import type { Desk } from '../shop/desk.ts'
import type { Product } from '../shop/goods.ts'
import type { Storefront } from '../storefront/storefront.ts'
import { storefrontRoutes } from '../storefront/storefront-routes.ts'
import type { OpenedShop } from '../web/site.ts'

const products: readonly Product[] = [
  {
    handle: 'kettle',
    name: 'Gooseneck Kettle',
    description: 'A stovetop kettle of brushed steel with a thin spout. Holds one liter.',
    price: 4900,
  },
  {
    handle: 'teapot',
    name: 'Stoneware Teapot',
    description: 'A round teapot with a bamboo handle, glazed by hand.',
    price: 3250,
  },
  {
    handle: 'last-two',
    name: 'Cast Iron Trivet',
    description: 'A trivet from the last batch. Only two are left.',
    price: 1800,
    stock: 2,
  },
  {
    handle: 'sold-out',
    name: 'Copper Pan',
    description: 'A saucepan of solid copper.',
    price: 12900,
    stock: 0,
  },
  {
    handle: 'recipe-book',
    name: 'Recipe Book (PDF)',
    description: 'Sixty recipes for a small kitchen.',
    price: 900,
    isDigital: true,
  },
]

export const classic: Storefront = {
  look: { title: 'Classic Kitchen', tagline: 'Good tools, since 1987', lang: 'en', accent: '#7a4b2a' },
  locale: 'en-US',
  products,
  currency: 'USD',
  deliveries: [
    { id: 'standard', name: 'Standard shipping', promise: '4–6 business days', price: 500 },
    { id: 'express', name: 'Express shipping', promise: '1–2 business days', price: 1500 },
  ],
  taxPercent: 8,
  isTaxIncluded: false,
  promo: { code: 'WELCOME10', percent: 10 },
  methods: [{ id: 'card', name: 'Credit card' }],
}

/** Server-rendered, page by page, guests welcome, good semantics: the shop that should be easy. */
export function openShop(desk: Desk): OpenedShop {
  return { sites: { [desk.host]: storefrontRoutes(desk, classic) } }
}
