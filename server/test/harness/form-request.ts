import type { ShopRequest } from '../../src/channels/browser/shopping-words.ts'
import type { Person } from '../forms/buyers.ts'

/** What is bought does not matter here: this person has its form filled in. */
export function formRequest(person: Person): ShopRequest {
  const { first, last, whole, email, phone, line1, line2, city, state, zip, country } = person
  const address = {
    recipientName: whole,
    line1,
    line2: line2 || null,
    city,
    state: state || null,
    postalCode: zip || null,
    country,
  }
  return {
    cart: 'cart_1',
    attempt: 1,
    buyer: {
      name: whole,
      firstName: first,
      lastName: last || null,
      email,
      phone: phone[0],
      shipTo: address,
      billTo: address,
    },
    merchantDomain: 'nowhere.test',
    site: 'https://nowhere.test',
    items: [],
    startAt: null,
    currency: 'USD',
    fulfillment: { method: 'ship', speed: 'cheapest', feeAllowance: 0n },
    promoCode: null,
    moreHosts: [],
  }
}
