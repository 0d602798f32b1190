import { type Address, personName } from '../../buyers/profiles/public.ts'
import type { Buyer, PostalAddress } from '../channels/public.ts'
import type { LoadedIntent } from '../intents/public.ts'

type Released = Pick<LoadedIntent['intent'], 'buyer' | 'fulfillment'>

/** The buyer of a purchase, as every way of buying gets it: whom it was released for, and the address that was fixed with it. */
export function buyerOf({ buyer, fulfillment }: Released): Buyer {
  if (buyer === null) throw new Error('a purchase that runs without a buyer')
  return {
    name: personName(buyer),
    firstName: buyer.first_name,
    lastName: buyer.last_name,
    email: buyer.email,
    phone: buyer.phone,
    shipTo: addressOf(fulfillment.address),
    billTo: addressOf(buyer.bill_to === 'ship_to' ? fulfillment.address : buyer.bill_to),
  }
}

function addressOf(address: Address | null): PostalAddress | null {
  if (!address) return null
  return {
    recipientName: address.recipient_name,
    line1: address.line1,
    line2: address.line2,
    city: address.city,
    state: address.state,
    postalCode: address.postal_code,
    country: address.country,
  }
}
