import { hash } from 'node:crypto'
import type { Address } from '../../../buyers/profiles/public.ts'
import type { IntentBuyer, IntentRow } from '../intent.ts'

/**
 * The digest of what a person is shown who approves on a page of ours: what is bought at which cap, who buys it, where it goes and where
 * the bill goes. Each of these decides what the approval means, and may be changed by others while the page is open.
 */
export function termsDigest(
  intent: Pick<
    IntentRow,
    | 'id'
    | 'currency'
    | 'expected_amount'
    | 'max_allowed_amount'
    | 'items'
    | 'fulfillment'
    | 'reapproval'
    | 'retry'
  >,
  { first_name, last_name, email, phone, bill_to }: IntentBuyer,
): Buffer {
  const { fulfillment, items, reapproval, retry } = intent
  const terms = [
    [intent.id, intent.currency, `${intent.expected_amount}`, `${intent.max_allowed_amount}`],
    items.map(({ id, url, quantity, unit_amount }) => [id, url, quantity, unit_amount]),
    reapproval && [reapproval.cart_id, reapproval.expected_amount, reapproval.max_allowed_amount],
    retry?.cart_ids ?? null,
    [fulfillment.method, fulfillment.speed, fulfillment.address && placeOf(fulfillment.address)],
    [first_name, last_name, email, phone, bill_to === 'ship_to' ? bill_to : bill_to && placeOf(bill_to)],
  ]
  return hash('sha256', JSON.stringify(terms), 'buffer')
}

function placeOf({ recipient_name, line1, line2, city, state, postal_code, country }: Address) {
  return [recipient_name, line1, line2, city, state, postal_code, country]
}
