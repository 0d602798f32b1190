import type {
  BuyingChannel,
  OfferAnswer,
  OfferRequest,
  PlaceAnswer,
  Placed,
  PlaceMemory,
  PlaceRequest,
} from '../../../src/domain/buying/channels/port.ts'
import type { ModelRail } from './rail.ts'
import { offeredBy, readUrl, type Scenario, scenarioOf } from './scenarios.ts'

type Checkout = { request: PlaceRequest; scenario: Scenario; placed: Placed | null; isClosed: boolean }

/** What a shop answers besides the numbers of order and payment. */
type Given = (request: PlaceRequest) => Partial<Placed>

/**
 * The shops behind every URL that no merchant of ours sells, in this process: each item's URL says how its shop behaves. `given`: what
 * one way of buying gets, and others do not.
 */
export function createModelShops(rail: ModelRail, given: Given = () => ({})): BuyingChannel {
  const checkouts = new Map<string, Checkout>()

  function charge(checkout: Checkout): PlaceAnswer {
    const { request } = checkout
    const { instrument } = request
    const answer = rail.charge({
      key: `shop:${request.key}`,
      credential: instrument.kind === 'credential' ? instrument.reference : '',
      amount: request.offer.total,
      merchant: request.merchantDomain,
    })
    if ('code' in answer) {
      const { declineCode } = answer
      return { kind: 'refused', refusal: { code: 'payment_declined', message: null, declineCode } }
    }
    checkout.placed = { orderId: `S-${request.key}`, transactionId: answer.reference, ...given(request) }
    return { kind: 'done', value: checkout.placed }
  }

  return {
    offer: async (request) => offerOf(request),
    async place(request) {
      const known = checkouts.get(request.key)
      if (known) return known.placed ? { kind: 'done', value: known.placed } : { kind: 'unknown' }
      const scenario = scenarioOf(
        request.items.map(({ url }) => readUrl(url)),
        attemptOf(request.key),
      )
      const checkout: Checkout = { request, scenario, placed: null, isClosed: false }
      if (scenario === 'lost_not_placed') return { kind: 'unknown' }
      checkouts.set(request.key, checkout)
      switch (scenario) {
        case 'rejected':
          return {
            kind: 'refused',
            refusal: { code: 'order_rejected_by_merchant', message: 'No', declineCode: null },
          }
        case 'late':
        case 'stuck':
          return { kind: 'pending' }
        case 'lost_placed':
        case 'mute_charged':
          charge(checkout)
          return { kind: 'unknown' }
        case 'mute_uncharged':
          return { kind: 'unknown' }
        default:
          return charge(checkout)
      }
    },
    ask: async ({ key }) => {
      const checkout = checkouts.get(key)
      if (!checkout) return { kind: 'not_found' }
      if (checkout.scenario === 'late' && !checkout.placed && !checkout.isClosed) charge(checkout)
      return rememberedOf(checkout)
    },
    close: async ({ key }) => {
      const checkout = checkouts.get(key)
      if (!checkout) return { kind: 'closed' }
      if (!checkout.placed) checkout.isClosed = true
      return rememberedOf(checkout)
    },
  }
}

/** Over UCP, a page of the order. */
export function orderPageOf({ key, merchantDomain }: PlaceRequest): Partial<Placed> {
  return { orderUrl: `https://${merchantDomain}/orders/${encodeURIComponent(key)}` }
}

/** A paid request is answered with what was bought, and there is no order. */
export function answerOf({ key }: PlaceRequest): Partial<Placed> {
  const bytes = Buffer.from(resultOf(key.split(':').slice(0, 2).join(':')))
  return { orderId: null, result: { bytes, contentType: 'application/json', receipt: null } }
}

/** What an API answers whose price was paid, for an attempt of a cart such as `cart_…:1`: the buyer reads these bytes. */
export function resultOf(attempt: string): string {
  return JSON.stringify({ answer_to: attempt })
}

function rememberedOf({ scenario, placed, isClosed }: Checkout): PlaceMemory {
  if (scenario === 'mute_charged' || scenario === 'mute_uncharged') return { kind: 'unknown' }
  if (placed) return { kind: 'done', value: placed }
  return isClosed ? { kind: 'closed' } : { kind: 'pending' }
}

/** Of `cart_…:1`, or of a key that begins so. */
function attemptOf(key: string): number {
  return Number(key.split(':')[1])
}

function offerOf(request: OfferRequest): OfferAnswer {
  const attempt = attemptOf(request.cartKey)
  const scenario = scenarioOf(
    request.items.map(({ url }) => readUrl(url)),
    attempt,
  )
  if (scenario === 'silent') return { kind: 'unavailable' }
  if (scenario === 'out_of_stock') return { kind: 'refused', code: 'product_out_of_stock', message: null }
  if (scenario === 'sign_in') return { kind: 'sign_in', isRefused: false, message: null }
  const asked = offeredBy(
    request.items.map(({ url, unitAmount, quantity }) => ({
      ...readUrl(url),
      unit: Number(unitAmount),
      quantity,
    })),
    { attempt, feeAllowance: Number(request.fulfillment.feeAllowance) },
  )
  const { subtotal, fee, tax } = asked
  return {
    kind: 'offer',
    offer: {
      reference: `offer ${request.cartKey}`,
      lines: request.items.map(({ id, quantity }, index) => ({
        itemId: id,
        quantity,
        unitAmount: BigInt(asked.units[index] ?? 0),
        title: null,
        listing: null,
      })),
      subtotal: BigInt(subtotal),
      fulfillment: BigInt(fee),
      tax: BigInt(tax),
      discount: 0n,
      total: BigInt(subtotal + fee + tax),
      currency: request.currency,
    },
  }
}
