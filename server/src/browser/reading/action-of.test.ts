import { describe, expect, test } from 'vitest'
import { intentOf, rankActions } from './action-of.ts'
import { action, control, snapshotWith } from './snapshot.testing.ts'
import type { Intent } from './words/shop-words.ts'

const names: readonly [language: string, name: string, intent: Intent | null][] = [
  ['en', 'Add to cart', 'add_to_cart'],
  ['en', 'ADD TO BAG – $48.00', 'add_to_cart'],
  ['en', 'Add to Wishlist', 'other'],
  ['en', 'Proceed to checkout', 'checkout'],
  ['en', 'Continue to shipping', 'continue'],
  ['en', 'Continue as guest', 'as_guest'],
  ['en', 'Continue shopping', 'continue_shopping'],
  ['en', 'Continue with PayPal', 'other'],
  ['en', 'Pay $27.00', 'place_order'],
  ['en', 'Save and pay', 'place_order'],
  ['en', 'Place order', 'place_order'],
  ['en', 'No thanks, I like risk', 'decline_offer'],
  ['en', 'Use address as entered', 'keep_address'],
  ['en', 'Read how our checkout has changed since last May', null],
  ['en', 'Ship it to my friend', null],
  ['de', 'In den Warenkorb', 'add_to_cart'],
  ['de', 'Zur Kasse', 'checkout'],
  ['de', 'Zahlungspflichtig bestellen', 'place_order'],
  ['de', 'Nur notwendige', 'reject_cookies'],
  ['de', 'Alle akzeptieren', 'accept_cookies'],
  ['de', 'Als Gast bestellen', 'as_guest'],
  ['de', 'Einlösen', 'apply_code'],
  // A page that does not say its language, or says another.
  ['', 'In den Warenkorb', 'add_to_cart'],
  ['de', 'Place order', 'place_order'],
]

describe('what a name says', () => {
  test.each(names)('in %s, %s', (language, name, intent) => {
    expect(intentOf(action(name), language)).toBe(intent)
  })
})

function ranked(intent: Intent, actions: readonly ReturnType<typeof action>[], language = 'en'): string[] {
  return rankActions(snapshotWith({ actions, language }), intent).map(({ name }) => name)
}

test('the button of the product comes before those of recommended goods', () => {
  const quantity = control({ type: 'number', name: 'quantity', form: 4 })
  const page = snapshotWith({
    controls: [quantity],
    actions: [
      action('Add to cart', { form: 2, area: 1_000 }),
      action('Add to cart: Teapot', { role: 'link', href: 'https://shop.example/?add=2' }),
      action('Add to cart', { form: 4, isSubmit: true, area: 9_000 }),
    ],
  })
  const found = rankActions(page, 'add_to_cart')
  expect(found[0]?.form).toBe(4)
  expect(found).toHaveLength(3)
})

test('a disabled action is none, and neither is a link of the navigation', () => {
  expect(
    ranked('continue', [
      action('Continue', { isDisabled: true }),
      action('Continue', { role: 'link', isInNavigation: true }),
      action('Next'),
    ]),
  ).toEqual(['Next'])
  expect(ranked('view_cart', [action('Cart (1)', { role: 'link', isInNavigation: true })])).toHaveLength(1)
})

test('a button that orders is never taken for one that goes on', () => {
  expect(ranked('continue', [action('Confirm and pay'), action('Continue to payment')])).toEqual([
    'Continue to payment',
  ])
  expect(ranked('continue', [action('Save and pay')])).toEqual([])
  expect(ranked('place_order', [action('Pay by card'), action('Pay later'), action('Pay now')])).toEqual([
    'Pay now',
  ])
})

test('goods may stand between the words', () => {
  expect(ranked('add_to_cart', [action('Add Steel Kettle to cart')])).toHaveLength(1)
  expect(ranked('add_to_cart', [action('Add Steel Kettle to wishlist')])).toHaveLength(0)
})

test('where no word is known, the address says what is done', () => {
  const unknown = action('hell yeah', {
    role: 'clickable',
    form: 1,
    formAction: 'https://shop.example/bag/add',
  })
  expect(ranked('add_to_cart', [unknown, action('zzz')])).toEqual(['hell yeah'])
  expect(ranked('remove', [unknown])).toEqual([])
})

test('the only way on from a form goes on, or pays if a card is asked for', () => {
  const page = snapshotWith({
    controls: [
      control({ label: 'Email', form: 1 }),
      control({ label: 'City', form: 1 }),
      control({ placeholder: '0000 0000 0000 0000', form: 2 }),
      control({ placeholder: 'MM/YY', form: 2 }),
    ],
    actions: [
      action('whatever', { role: 'clickable', form: 1 }),
      action('take my money', { role: 'clickable', form: 2 }),
    ],
  })
  expect(rankActions(page, 'continue').map(({ name }) => name)).toEqual(['whatever'])
  expect(rankActions(page, 'place_order').map(({ name }) => name)).toEqual(['take my money'])
})

test('a cross closes a dialog, and removes a line of a form', () => {
  const closing = action('×', { isInDialog: true })
  const removing = action('✕', { form: 3, formAction: 'https://shop.example/bag/remove' })
  expect(ranked('close', [removing, closing])).toEqual(['×'])
  expect(ranked('remove', [removing, closing])).toEqual(['✕'])
})

test('of two cookie buttons each is found in any language that the page does not say', () => {
  const buttons = [
    action('Alle akzeptieren', { isInDialog: true }),
    action('Nur notwendige', { isInDialog: true }),
  ]
  expect(ranked('reject_cookies', buttons, '')).toEqual(['Nur notwendige'])
  expect(ranked('accept_cookies', buttons, '')).toEqual(['Alle akzeptieren'])
})

test('names of any length are read', () => {
  const long = action('add to cart '.repeat(10_000))
  expect(() =>
    ranked(
      'add_to_cart',
      Array.from({ length: 50 }, () => long),
    ),
  ).not.toThrow()
})
