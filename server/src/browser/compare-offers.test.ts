import { expect, test } from 'vitest'
import type { Offer } from '../channels/browser/shopping-words.ts'
import { isStillOffered } from './compare-offers.ts'

const line = (itemId: string, quantity: number) => ({ itemId, quantity, unitAmount: 1_000n, title: itemId })
const agreed: Offer = {
  lines: [line('kettle', 1), line('cup', 4)],
  subtotal: 5_000n,
  fulfillment: 500n,
  tax: 0n,
  discount: 0n,
  total: 5_500n,
  currency: 'USD',
  reference: null,
}

test.each<[what: string, read: Partial<Offer>, isOffered: boolean]>([
  ['the same', {}, true],
  ['a lower total', { total: 5_499n, discount: 1n }, true],
  ['a higher total', { total: 5_501n, tax: 1n }, false],
  ['another currency', { currency: 'EUR' }, false],
  ['the goods in another order', { lines: [line('cup', 4), line('kettle', 1)] }, true],
  ['more of one', { lines: [line('kettle', 2), line('cup', 4)] }, false],
  ['less of one', { lines: [line('kettle', 1), line('cup', 3)] }, false],
  ['one less', { lines: [line('kettle', 1)] }, false],
  ['something else', { lines: [line('kettle', 1), line('mug', 4)] }, false],
])('read again, %s is what was agreed to: %s', (_, read, isOffered) => {
  expect(isStillOffered(agreed, { ...agreed, ...read })).toBe(isOffered)
})
