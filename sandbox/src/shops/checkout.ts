import type { Offer, Refusal, Scenario } from './price-offer.ts'
import type { SignIns } from './sign-in.ts'

/**
 * `waiting` (late confirmation) and `charging` are on their way to `placed` or `refused`; the last three are final.
 * A key that was closed before any checkout came with it is a `closed` one without an offer.
 */
export type Checkout = {
  key: string
  digest: string
  offerId: string
  credential: string
  orderId: string
  reference: string
  state:
    | { kind: 'waiting'; dueAt: string }
    | { kind: 'charging' }
    | { kind: 'placed'; transactionId: string }
    | { kind: 'refused'; refusal: Refusal & { decline_code?: string } }
    | { kind: 'closed' }
}

/** One line of the public log: what came of a checkout, or that one was lost. */
type Entry = {
  at: string
  key: string
  offer_id: string | null
  cart_key: string | null
  merchant: string | null
  order_id: string | null
  transaction_id: string | null
  amount: number | null
  currency: string | null
  reference: string | null
  result: string
}

export type StoredOffer = { offer: Offer; scenarios: Scenario[] }

export type ShopsLine =
  | { kind: 'offer'; stored: StoredOffer }
  | { kind: 'failed_once'; cartKey: string }
  | { kind: 'sign_in_refused'; cartKey: string; ticket: string }
  | { kind: 'signed_in'; cartKey: string }
  | { kind: 'checkout'; checkout: Checkout; entry: Entry | null }
  | { kind: 'entry'; entry: Entry }

export type ShopsMemory = SignIns & {
  offers: Map<string, StoredOffer>
  failedCarts: Set<string>
  checkouts: Map<string, Checkout>
  entries: Entry[]
}

export function emptyMemory(): ShopsMemory {
  return {
    offers: new Map(),
    failedCarts: new Set(),
    refused: new Map(),
    signedIn: new Set(),
    checkouts: new Map(),
    entries: [],
  }
}

export function applyLine(memory: ShopsMemory, line: ShopsLine): void {
  switch (line.kind) {
    case 'offer':
      memory.offers.set(line.stored.offer.offer_id, line.stored)
      return
    case 'failed_once':
      memory.failedCarts.add(line.cartKey)
      return
    case 'sign_in_refused':
      memory.refused.set(line.cartKey, line.ticket)
      return
    case 'signed_in':
      memory.signedIn.add(line.cartKey)
      return
    case 'checkout':
      memory.checkouts.set(line.checkout.key, line.checkout)
      if (line.entry !== null) memory.entries.push(line.entry)
      return
    case 'entry':
      memory.entries.push(line.entry)
      return
    default:
      line satisfies never
  }
}

export function entryFor(offer: Offer | undefined, checkout: Checkout, result: string): Entry {
  const placed = checkout.state.kind === 'placed' ? checkout.state : undefined
  return {
    at: new Date().toISOString(),
    key: checkout.key,
    offer_id: offer?.offer_id ?? null,
    cart_key: offer?.cart_key ?? null,
    merchant: offer?.merchant ?? null,
    order_id: placed === undefined ? null : checkout.orderId,
    transaction_id: placed?.transactionId ?? null,
    amount: offer?.total ?? null,
    currency: offer?.currency ?? null,
    reference: offer === undefined ? null : checkout.reference,
    result,
  }
}
