import { expect, test } from 'vitest'
import { readerBounds } from '../../channels/browser/page-reader.ts'
import type { ShopRequest } from '../../channels/browser/shopping-words.ts'
import { readerPageOf } from './reader-page.ts'
import { action, control, option, snapshotWith } from './snapshot.testing.ts'

const address = {
  recipientName: 'Grace Hopper',
  line1: '12 Analytical Way',
  line2: 'Flat 9b',
  city: 'Springfield',
  state: 'IL',
  postalCode: '62704',
  country: 'US',
}

const request: ShopRequest = {
  cart: 'cart_1',
  attempt: 1,
  buyer: {
    name: 'Ada Lovelace',
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.com',
    phone: '+1 217 555 0100',
    shipTo: address,
    billTo: null,
  },
  merchantDomain: 'shop.example',
  site: 'https://shop.example',
  items: [],
  startAt: null,
  currency: 'USD',
  fulfillment: { method: 'ship', speed: 'cheapest', feeAllowance: 0n },
  promoCode: 'WELCOME10',
  moreHosts: [],
}
const shown = (parts: Parameters<typeof snapshotWith>[0]) =>
  readerPageOf(snapshotWith(parts), { aim: 'go_to_payment', request })

test('what a page repeats of the buyer is shown as the name of the field, and long numbers as none', () => {
  const said =
    'Thanks ADA  Lovelace! Grace, 12 analytical\nway, Flat 9b, SPRINGFIELD 62704; ada@example.com, +1 217 555 0100, WELCOME10, 4242 4242 4242 4242'
  const page = shown({
    text: said,
    title: said,
    url: 'https://shop.example/to/ada@example.com?token=secret',
    controls: [control({ label: said, options: [option(said)], kind: 'select' })],
    actions: [action(said)],
  })
  const all = JSON.stringify(page)
  expect(all).not.toMatch(/ada|lovelace|grace|analytical|9b|springfield|62704|555|welcome|4242|secret/i)
  expect(page.text).toContain('[name]')
  expect(page.path).toBe('/to/[email]')
})

test('a word that only holds one of the buyer’s is left alone', () => {
  expect(shown({ text: 'Made in Canada, 627041 of them. Adapters.' }).text).toBe(
    'Made in Canada, 627041 of them. Adapters.',
  )
})

test('fields have states and no values; passwords and files are not shown, and a field that can be pressed is a field', () => {
  const field = control({ label: 'Street', isEmpty: false, isRequired: true })
  const page = shown({
    controls: [
      field,
      control({ label: 'Password', type: 'password' }),
      control({ label: 'Photo', kind: 'file' }),
      control({
        label: 'State',
        kind: 'select',
        options: [option('Choose', ''), option('Ohio', 'OH', { isSelected: true })],
      }),
    ],
    actions: [action('12 Main Street', { ref: field.ref }), action('Close', { isInDialog: true })],
  })
  expect(page.elements.map(({ role, name, states, options }) => [role, name, states, options])).toEqual([
    ['button', 'Close', [], []],
    ['textbox', 'Street', ['required'], []],
    ['combobox', 'State', [], ['Choose', 'Ohio']],
  ])
})

test('a page as large as one likes is shown within the bounds', () => {
  const long = 'word '.repeat(20_000)
  const page = shown({
    text: long,
    title: long,
    controls: Array.from({ length: 400 }, () =>
      control({ kind: 'select', label: long, options: Array.from({ length: 400 }, () => option(long)) }),
    ),
  })
  expect(JSON.stringify(page).length).toBeLessThanOrEqual(readerBounds.all)
  expect(page.elements.length).toBeGreaterThan(0)
})
