import { setTimeout as wait } from 'node:timers/promises'
import { type Checkout, entryFor, type ShopsLine, type ShopsMemory } from './checkout.ts'
import type { Offer } from './price-offer.ts'
import { type ChargeOutcome, chargeCredential, closeCharge } from './processor-client.ts'

export type Shops = {
  memory: ShopsMemory
  processorUrl: string
  signal: AbortSignal
  commit(line: ShopsLine): void
  durable(): Promise<void>
  /** One run per key: a repeated call joins it instead of charging beside it. */
  running: Map<string, Promise<void>>
}

/** Takes a checkout from `waiting` or `charging` to its end, however often the processor has to be asked. */
export function placeOrder(shops: Shops, key: string): Promise<void> {
  const running = shops.running.get(key)
  if (running !== undefined) return running
  const run = place(shops, key)
    .catch((error: unknown) => {
      if (!shops.signal.aborted) throw error
    })
    .finally(() => shops.running.delete(key))
  shops.running.set(key, run)
  return run
}

/** Closes a key for good. `unknown` when the processor could not be asked: the caller has to ask again. */
export async function closeCheckout(
  shops: Shops,
  key: string,
): Promise<Checkout['state']['kind'] | 'unknown'> {
  const checkout = shops.memory.checkouts.get(key)
  if (checkout === undefined) {
    const closed: Checkout = {
      key,
      digest: '',
      offerId: '',
      credential: '',
      orderId: '',
      reference: '',
      state: { kind: 'closed' },
    }
    shops.commit({ kind: 'checkout', checkout: closed, entry: entryFor(undefined, closed, 'closed') })
    return 'closed'
  }
  if (checkout.state.kind === 'waiting') settle(shops, key, { kind: 'closed' })
  // A charge may be under way at this moment; only the processor can say which of the two came first.
  if (checkout.state.kind === 'charging')
    settle(shops, key, await closeCharge(shops.processorUrl, chargeKey(key)))
  const state = shops.memory.checkouts.get(key)?.state.kind
  return state === undefined || state === 'charging' ? 'unknown' : state
}

async function place(shops: Shops, key: string): Promise<void> {
  const { memory, signal } = shops
  const waiting = memory.checkouts.get(key)
  if (waiting?.state.kind === 'waiting') {
    const ms = new Date(waiting.state.dueAt).getTime() - Date.now()
    if (ms > 0) await wait(ms, undefined, { signal })
  }
  const checkout = memory.checkouts.get(key)
  const offer = memory.offers.get(checkout?.offerId ?? '')?.offer
  if (checkout === undefined || offer === undefined) return
  if (checkout.state.kind === 'waiting') {
    shops.commit({ kind: 'checkout', checkout: { ...checkout, state: { kind: 'charging' } }, entry: null })
  }
  // Charged before remembered would be a charge that nobody resumes after a crash.
  await shops.durable()
  for (let attempt = 0; memory.checkouts.get(key)?.state.kind === 'charging'; attempt++) {
    const outcome = await chargeCredential(shops.processorUrl, chargeOf(checkout, offer))
    settle(shops, key, outcome)
    if (outcome.kind === 'unknown') await wait(Math.min(100 * 2 ** attempt, 5_000), undefined, { signal })
  }
}

function chargeOf(checkout: Checkout, offer: Offer) {
  return {
    key: chargeKey(checkout.key),
    credential: checkout.credential,
    amount: offer.total,
    currency: offer.currency,
    merchant: offer.merchant,
    reference: checkout.reference,
  }
}

function chargeKey(key: string): string {
  return `shop:${key}`
}

/** The one place where a checkout ends; an end that is already there stays. */
function settle(shops: Shops, key: string, outcome: ChargeOutcome): void {
  const checkout = shops.memory.checkouts.get(key)
  if (checkout === undefined || outcome.kind === 'unknown') return
  if (checkout.state.kind !== 'charging' && checkout.state.kind !== 'waiting') return
  const ended: Checkout = { ...checkout, state: endOf(outcome) }
  const result = outcome.kind === 'declined' ? `refused:payment_declined:${outcome.code}` : ended.state.kind
  const offer = shops.memory.offers.get(checkout.offerId)?.offer
  shops.commit({ kind: 'checkout', checkout: ended, entry: entryFor(offer, ended, result) })
}

function endOf(outcome: Exclude<ChargeOutcome, { kind: 'unknown' }>): Checkout['state'] {
  switch (outcome.kind) {
    case 'charged':
      return { kind: 'placed', transactionId: outcome.transactionId }
    case 'closed':
      return { kind: 'closed' }
    case 'declined':
      return {
        kind: 'refused',
        refusal: {
          code: 'payment_declined',
          message: 'The payment was declined',
          decline_code: outcome.code,
        },
      }
    default:
      return outcome satisfies never
  }
}
