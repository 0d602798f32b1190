import type { Plan, PlannedBuyer, PlannedProduct } from './plan.ts'

export const grace = {
  name: 'Grace',
  profile: {
    first_name: 'Grace',
    last_name: 'Hopper',
    email: 'grace@example.com',
    phone: '+12025550123',
    country: 'US',
    addresses: [
      {
        address_type: 'both' as const,
        line1: '12 Rose Lane',
        line2: 'Flat 4',
        city: 'Arlington',
        state: 'VA',
        postal_code: '22201',
        country: 'US',
      },
    ],
  },
} satisfies PlannedBuyer

export const emmy = {
  name: 'Emmy',
  profile: {
    first_name: 'Emmy',
    last_name: 'Noether',
    email: 'emmy@example.com',
    country: 'DE',
    addresses: [
      {
        address_type: 'both' as const,
        line1: 'Lange Straße 7',
        city: 'Göttingen',
        postal_code: '37073',
        country: 'DE',
      },
    ],
  },
} satisfies PlannedBuyer

export const lamp: PlannedProduct = { name: 'a lamp', path: '/lamp', price: 4900, goods: 'Desk lamp' }

export const shirts: PlannedProduct = {
  name: 'two shirts',
  path: '/shirt?id=3',
  price: 2000,
  quantity: 2,
  selections: [{ name: 'Size', value: 'L' }],
  goods: ['Shirt', 'SHIRT-L'],
}

export const plan: Plan = {
  name: 'Corner shop',
  host: 'corner.shop.test',
  processor_port: 8091,
  currency: 'EUR',
  products: [lamp, shirts],
  buyers: [grace, emmy],
  book: { command: ['sqlite3', '-header', '-csv', 'shop.db', 'select 1'] },
}
