import { expect, test } from 'vitest'
import { assertHasSomewhereToGo } from './requests.ts'

type Shipped = Parameters<typeof assertHasSomewhereToGo>[0]
const fulfillment: Shipped['fulfillment'] = {
  method: 'ship',
  speed: 'cheapest',
  address_id: null,
  max_fee_amount: null,
  address: null,
  country: 'US',
}
const address: Shipped['fulfillment']['address'] = {
  id: 'addr_1',
  address_type: 'shipping',
  is_default: true,
  recipient_name: 'Ada Lovelace',
  line1: '1 Main St',
  line2: null,
  city: 'Springfield',
  state: 'IL',
  postal_code: '62701',
  country: 'US',
}

test('nothing without an address to ship to is paid for, unless it is older than the rule', () => {
  const look = (ship_to: Shipped['ship_to'], to: typeof address | null) => () =>
    assertHasSomewhereToGo({ ship_to, fulfillment: { ...fulfillment, address: to } })
  expect(look('awaited', null)).toThrow('shipped to nobody')
  expect(look('awaited', address)).toThrow('shipped to nobody')
  expect(look('frozen', null)).toThrow('shipped to nobody')
  expect(look('frozen', address)).not.toThrow()
  expect(look(null, null)).not.toThrow()
})
