import { expect, test } from 'vitest'
import type { ShopAddress, ShopRequest } from '../../channels/browser/shopping-words.ts'
import { control, snapshotWith } from '../reading/snapshot.testing.ts'
import { buyerEntries } from './buyer-fields.ts'

const address = (line1: string): ShopAddress => ({
  recipientName: 'Ada Lovelace',
  line1,
  line2: null,
  city: 'Portland',
  state: 'OR',
  postalCode: '97201',
  country: 'US',
})
const buyer = {
  name: 'Ada Lovelace',
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: null,
  shipTo: address('12 Goods Lane'),
  billTo: address('99 Bill Street'),
}
const request = { buyer, fulfillment: { method: 'ship' } } as unknown as ShopRequest // nothing else of it is looked at

/** The street that is typed where a page asks for one address, which it calls that of who pays, with a box about another one. */
function streetBesideBox(label: string, isChecked: boolean, of = request): string | undefined {
  const street = control({ label: 'Address', name: 'payment_address_1' })
  const box = control({ kind: 'checkbox', type: 'checkbox', label, isChecked })
  return buyerEntries(snapshotWith({ controls: [street, box] }), of)[0]?.text
}

test.each([
  ['My delivery and billing addresses are the same', false],
  ['Ship to a different address', true],
])('where the box “%s” is %s, the address of who pays is asked for first', (label, isChecked) => {
  expect(streetBesideBox(label, isChecked)).toBe('99 Bill Street')
  // While it stands otherwise, the goods would go to that address.
  expect(streetBesideBox(label, !isChecked)).toBe('12 Goods Lane')
})

test('without such a box one address alone is that of the goods, whatever it is called', () => {
  expect(streetBesideBox('Subscribe to the newsletter', false)).toBe('12 Goods Lane')
  expect(streetBesideBox('Subscribe to the newsletter', true)).toBe('12 Goods Lane')
})

test('where it is chosen that the goods go to the address of who pays, they go there', () => {
  const asked = control({ label: 'Address', name: 'billing[street]' })
  const choice = (label: string, isChecked: boolean) =>
    control({ kind: 'radio', type: 'radio', name: 'use', label, isChecked })
  const page = snapshotWith({
    controls: [asked, choice('Ship to this address', true), choice('Ship to different address', false)],
  })
  expect(buyerEntries(page, request)[0]?.text).toBe('12 Goods Lane')
})
