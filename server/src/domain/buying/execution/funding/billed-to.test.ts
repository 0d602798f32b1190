import { expect, test } from 'vitest'
import type { Buyer } from '../../channels/port.ts'
import type { CardHolder, PaymentRail } from '../../rails/port.ts'
import type { CartState } from '../cart-state.ts'
import { base } from '../states.testing.ts'
import { billedToHolder } from './billed-to.ts'

const address = { line1: '1 Main St', line2: null, city: 'Springfield', state: 'IL', postalCode: '62701' }
const home = { recipientName: 'Ada Lovelace', ...address, country: 'US' }
const buyer: Buyer = {
  name: 'Ada Lovelace',
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: null,
  shipTo: home,
  billTo: home,
}
const holder: CardHolder = { name: 'Prokura Operations', ...address, city: 'Austin', country: 'US' }

/** A cart that is bought by a card; `isOurs`: it spends money of the operator's. */
function byCard(isOurs: boolean): CartState {
  const way = { kind: 'outbound', payment: 'credential', hasStrangers: true, form: 'card' } as const
  const ways = { browser: { ...way, longestCallMs: 1_000 } }
  return {
    ...base,
    cart: { ...base.cart, channel: 'browser', merchant_account_id: null },
    means: { ...base.means, ways, prefunded: isOurs ? ['sandbox'] : [] },
  }
}

const told = (state: CartState, known: CardHolder | null) =>
  billedToHolder(state, buyer, {
    rail: () => ({ readHolder: async () => known }) as unknown as PaymentRail, // nothing else is asked of it
    call: { mode: 'test', timeoutMs: 1_000 },
  })

test('a shop is told to bill the holder of an issued card, and to send the parcel to the buyer', async () => {
  const { name: recipientName, ...rest } = holder
  expect(await told(byCard(true), holder)).toEqual({ ...buyer, billTo: { recipientName, ...rest } })
})

test('a card of the buyer’s own is billed to the buyer', async () => {
  expect(await told(byCard(false), holder)).toEqual(buyer)
})

test('no page is told anything while the holder cannot be read', async () => {
  expect(await told(byCard(true), null)).toBeNull()
})
