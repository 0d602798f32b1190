import { expect, test } from 'vitest'
import type { PageSnapshot } from '../reading/page-snapshot.ts'
import { action, control, option, snapshotWith } from '../reading/snapshot.testing.ts'
import { asksWhoBuys, needsSomebody } from './asks-who-buys.ts'

const checkout = { url: 'https://shop.example/checkout', headings: ['Checkout'] }
const cart = {
  url: 'https://shop.example/cart',
  headings: ['Your cart'],
  actions: [action('Proceed to checkout', { form: 1 })],
}
const email = control({ label: 'E-mail', name: 'email', type: 'email' })
const password = control({ label: 'Password', name: 'password', type: 'password' })
const guest = (isChecked: boolean) => [
  control({ kind: 'radio', type: 'radio', name: 'account', label: 'Guest checkout', isChecked }),
  control({
    kind: 'radio',
    type: 'radio',
    name: 'account',
    label: 'Register account',
    isChecked: !isChecked,
  }),
]

const asking: readonly (readonly [string, Partial<PageSnapshot>])[] = [
  ['a name', { ...checkout, controls: [control({ label: 'Full name', name: 'name' })] }],
  ['a street alone', { ...checkout, controls: [control({ label: 'Street address', name: 'street' })] }],
  ['an e-mail address', { ...checkout, controls: [email] }],
  ['a card', { ...checkout, controls: [control({ label: 'Card number', autocomplete: 'cc-number' })] }],
  [
    'consent, at the cart',
    {
      ...cart,
      controls: [
        control({
          kind: 'checkbox',
          type: 'checkbox',
          label: 'I agree to the terms of service',
          isRequired: true,
        }),
      ],
    },
  ],
  [
    'an e-mail address of a guest that is required',
    { ...checkout, controls: [...guest(true), { ...email, isRequired: true }, password] },
  ],
]

const silent: readonly (readonly [string, Partial<PageSnapshot>])[] = [
  ['a coupon and how many', { ...cart, controls: [control({ label: 'Coupon code', name: 'coupon' })] }],
  [
    'where it goes, for an estimate',
    {
      ...cart,
      controls: [
        control({ kind: 'select', label: 'Country', name: 'country', options: [option('Germany', 'DE')] }),
        control({ label: 'ZIP code', name: 'zip' }),
      ],
    },
  ],
  ['an address for news, beside the cart', { ...cart, controls: [email] }],
  [
    'a name for a review, beside the product',
    {
      actions: [action('Add to cart')],
      controls: [control({ label: 'Your name', name: 'author' }), email],
    },
  ],
  [
    'customers to sign in',
    { ...checkout, controls: [email, password], actions: [action('Log in', { form: 1 })] },
  ],
  ['customers to sign in, beside a guest', { ...checkout, controls: [...guest(true), email, password] }],
]

test.each(asking)('a page that asks for %s asks who buys', (_what, parts) => {
  expect(asksWhoBuys(snapshotWith(parts))).toBe(true)
})

test.each(silent)('a page that asks for %s does not', (_what, parts) => {
  expect(asksWhoBuys(snapshotWith(parts))).toBe(false)
})

test('what is required in the form of a button is not left empty for nobody', () => {
  const [button = action('')] = cart.actions
  const needed = control({ label: 'Delivery note', isRequired: true, form: 1 })
  const at = (one: typeof needed) => needsSomebody(snapshotWith({ ...cart, controls: [one] }), button)
  expect(at(needed)).toBe(true)
  expect(at({ ...needed, isEmpty: false })).toBe(false)
  expect(at({ ...needed, form: 2 })).toBe(false)
  expect(at({ ...needed, isRequired: false })).toBe(false)
})
