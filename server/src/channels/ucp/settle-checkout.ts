import { createHash } from 'node:crypto'
import type {
  PlaceAnswer,
  Placed,
  PlaceMemory,
  PlaceRefusal,
  PlaceRequest,
} from '../../domain/buying/channels/port.ts'
import type { Call } from '../../domain/buying/rails/port.ts'
import type { Checkout } from '../../protocols/ucp/read-checkout.ts'
import { firstRelease } from '../../protocols/ucp/releases.ts'
import type { Business } from './businesses.ts'
import { addressOf } from './checkout-body.ts'
import type { Exchanged } from './exchange.ts'
import type { Means } from './make-offer.ts'
import { type OfferReference, readReference } from './offer-reference.ts'

/** Pays for the checkout of the offer, under one key and with the same bytes however often. */
export async function completeCheckout(
  means: Means,
  request: PlaceRequest,
  call: Call,
): Promise<PlaceAnswer> {
  const reference = referenceOf(request)
  const business = await businessOf(means, request, call)
  const { checkoutId: id } = reference
  const said = await means.exchange(
    { ...business, endpoint: reference.endpoint },
    { operation: 'complete', id, key: keyOf(request.key, 'complete'), body: paymentBody(request, reference) },
    call,
  )
  switch (said.kind) {
    case 'not_sent':
      return said
    case 'lost':
      return { kind: 'unknown' }
    case 'busy':
      return { kind: 'not_now', reason: 'busy', retryAfterSeconds: said.retryAfterSeconds }
    case 'refused':
      return turnedAway(said)
    case 'checkout': {
      const outcome = outcomeOf(said.checkout, request)
      // Nobody goes on with it: a person would have to, and may not pay for what was given up.
      if (outcome.kind === 'refused' && said.checkout.status === 'requires_escalation')
        await cancel(means, { business, reference, request }, call)
      if (outcome.kind === 'open') return refused('order_rejected_by_merchant', firstError(said.checkout))
      return outcome
    }
    default:
      return said satisfies never
  }
}

/** Looks at the checkout, and changes nothing. */
export async function askAboutCheckout(means: Means, sent: PlaceRequest, call: Call): Promise<PlaceMemory> {
  if (sent.offer.reference === null) return { kind: 'not_found' }
  const reference = referenceOf(sent)
  const business = await businessOf(means, sent, call)
  const said = await means.exchange(
    { ...business, endpoint: reference.endpoint },
    { operation: 'get', id: reference.checkoutId },
    call,
  )
  return memoryOf(said, sent)
}

/** Cancels the checkout, unless it is being paid at this moment. */
export async function closeCheckout(means: Means, sent: PlaceRequest, call: Call): Promise<PlaceMemory> {
  if (sent.offer.reference === null) return { kind: 'closed' }
  const reference = referenceOf(sent)
  const business = await businessOf(means, sent, call)
  return memoryOf(await cancel(means, { business, reference, request: sent }, call), sent)
}

async function cancel(
  means: Means,
  {
    business,
    reference: { endpoint, checkoutId: id },
    request,
  }: { business: Business; reference: OfferReference; request: PlaceRequest },
  call: Call,
): Promise<Exchanged> {
  const key = keyOf(request.key, 'cancel')
  const said = await means.exchange({ ...business, endpoint }, { operation: 'cancel', id, key }, call)
  // What is over already cannot be cancelled: it is looked at.
  if (said.kind !== 'refused') return said
  return await means.exchange({ ...business, endpoint }, { operation: 'get', id }, call)
}

function referenceOf({ offer }: PlaceRequest): OfferReference {
  const reference = readReference(offer.reference)
  if (reference === null) throw new Error('an order over UCP without its checkout')
  return reference
}

/** The keys of the business; where its profile cannot be read just now, its answers go unchecked, as those of many do. */
async function businessOf({ businesses }: Means, { site }: PlaceRequest, call: Call): Promise<Business> {
  const found = site === null ? null : await businesses.at(site, call)
  if (found?.kind === 'business') return found.business
  const endpoint = { endpoint: '', transport: 'rest', release: firstRelease } as const
  return { endpoint, capabilities: new Set(), handlers: [], keys: [] }
}

/** A UUID, as the protocol asks for, that follows from our own key. */
function keyOf(key: string, operation: 'complete' | 'cancel'): string {
  const hash = createHash('sha256').update(`ucp ${operation} ${key}`).digest('hex')
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `a${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-')
}

function paymentBody(
  { instrument, buyer, offer }: PlaceRequest,
  { endpoint, handlerId }: OfferReference,
): object {
  if (instrument.kind !== 'credential') throw new Error('an order over UCP is paid with a credential')
  const { billTo } = buyer
  const paid = {
    id: 'instrument_1',
    handler_id: handlerId,
    type: 'card',
    selected: true,
    ...(billTo === null ? {} : { billing_address: addressOf(billTo, buyer) }),
    credential: {
      type: offer.seller === undefined ? 'token' : 'shared_payment_token',
      token: instrument.reference,
    },
  }
  return endpoint.release === firstRelease
    ? { payment_data: paid, risk_signals: {} }
    : { payment: { instruments: [paid] } }
}

type Outcome =
  | { readonly kind: 'done'; readonly value: Placed }
  | { readonly kind: 'refused'; readonly refusal: PlaceRefusal }
  | { readonly kind: 'pending' }
  /** It is over, and nothing was ordered. */
  | { readonly kind: 'closed' }
  /** It can still be completed. */
  | { readonly kind: 'open' }

function outcomeOf(checkout: Checkout, { offer }: PlaceRequest): Exclude<Outcome, { kind: 'closed' }> {
  const { status, order, messages, totals } = checkout
  switch (status) {
    case 'completed':
      return {
        kind: 'done',
        value: { orderId: order?.id ?? null, transactionId: null, orderUrl: order?.url ?? null },
      }
    case 'complete_in_progress':
      return { kind: 'pending' }
    case 'requires_escalation':
      return refused('payment_authentication_failed', firstError(checkout))
    case 'canceled':
      return refused('order_rejected_by_merchant', firstError(checkout))
    case 'incomplete':
    case 'ready_for_complete': {
      const codes = messages.filter(({ type }) => type === 'error').map(({ code }) => code)
      if (codes.includes('payment_failed')) return refused('payment_declined', firstError(checkout))
      if (codes.some((code) => code === 'out_of_stock' || code === 'item_unavailable'))
        return refused('product_out_of_stock', firstError(checkout))
      if (totals !== null && BigInt(totals.total) !== offer.total)
        return refused('price_changed', firstError(checkout))
      return { kind: 'open' }
    }
    default:
      return status satisfies never
  }
}

function memoryOf(said: Exchanged, sent: PlaceRequest): PlaceMemory {
  switch (said.kind) {
    case 'busy':
      return { kind: 'not_now', reason: 'busy', retryAfterSeconds: said.retryAfterSeconds }
    case 'not_sent':
    case 'lost':
      return { kind: 'unknown' }
    case 'refused':
      return said.status === 404 || said.code === 'not_found' ? { kind: 'not_found' } : { kind: 'unknown' }
    case 'checkout': {
      if (said.checkout.status === 'canceled') return { kind: 'closed' }
      const outcome = outcomeOf(said.checkout, sent)
      return outcome.kind === 'open' ? { kind: 'not_found' } : outcome
    }
    default:
      return said satisfies never
  }
}

/** An error about the call: it says that nothing was done, or leaves that open. */
function turnedAway({ status, code, content }: Extract<Exchanged, { kind: 'refused' }>): PlaceAnswer {
  if (status === 402 || code === 'payment_failed') return refused('payment_declined', content || null)
  if (code === 'out_of_stock' || /\bstock\b/i.test(content)) return refused('product_out_of_stock', content)
  // Another request has our key, or the checkout is past this: only looking at it says what became of ours.
  if (status === 409) return { kind: 'unknown' }
  if (status === 401 || status === 403) return refused('merchant_unsupported', content || null)
  return refused('order_rejected_by_merchant', content || null)
}

function firstError({ messages }: Checkout): string | null {
  return messages.find(({ type }) => type === 'error')?.content || null
}

function refused(
  code: PlaceRefusal['code'],
  message: string | null,
): { kind: 'refused'; refusal: PlaceRefusal } {
  return { kind: 'refused', refusal: { code, message, declineCode: null } }
}
