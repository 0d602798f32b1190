import type {
  BuyingChannel,
  ChannelDeclaration,
  Offer,
  OfferAnswer,
  OfferRefusalCode,
  OfferRequest,
  PlaceAnswer,
  PlaceMemory,
  PlaceRefusal,
  PlaceRequest,
} from '../../domain/buying/channels/port.ts'
import type { Call } from '../../domain/buying/rails/port.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import { callPeer, isRecord, type PeerAnswer, turnedAwayBy } from '../../platform/egress/peer-json.ts'

type Body = Readonly<Record<string, unknown>>

/**
 * Test mode's shops: every https URL that no merchant of ours sells is bought here and nowhere else. The shop charges the credential at
 * the payment processor itself. `sandboxUrl` null: this process cannot reach the shops.
 */
export const simulatedChannel = {
  name: 'simulated',
  modes: ['test'],
  payment: 'credential',
  form: 'token',
  // They are parts of the sandbox, and answer for what they charge.
  hasStrangers: false,
  longestCallMs: 8_000,
  open: ({ sandboxUrl, egress }) =>
    sandboxUrl === null ? null : createSimulatedChannel({ shopsUrl: sandboxUrl, egress }),
} as const satisfies ChannelDeclaration<{ sandboxUrl: string | null; egress: Egress }>

/** The shops do not ask who buys, or where the goods go. */
export function createSimulatedChannel(options: { shopsUrl: string; egress: Egress }): BuyingChannel {
  const { egress } = options
  const base = options.shopsUrl.replace(/\/+$/, '')

  function post(path: string, body: unknown, key: string | undefined, call: Call): Promise<PeerAnswer> {
    assertTestMode(call)
    return callPeer(egress, {
      method: 'POST',
      url: base + path,
      body,
      ...(key === undefined ? {} : { key }),
      ...call,
    })
  }

  return {
    async offer(request, call) {
      return offerAnswer(await post('/v1/offers', offerBody(request), undefined, call), request)
    },
    async place(request, call) {
      return placeAnswer(await post('/v1/checkouts', checkoutBody(request), request.key, call))
    },
    async ask({ key }, call) {
      assertTestMode(call)
      return remembered(
        await callPeer(egress, {
          method: 'GET',
          url: `${base}/v1/checkouts?key=${encodeURIComponent(key)}`,
          ...call,
        }),
      )
    },
    async close({ key }, call) {
      return remembered(await post('/v1/checkouts/close', { key }, undefined, call))
    },
  }
}

function assertTestMode(call: Call): void {
  if (call.mode !== 'test') throw new Error('live mode never simulates')
}

function offerBody(request: OfferRequest): object {
  return {
    cart_key: request.cartKey,
    merchant: request.merchantDomain,
    currency: request.currency,
    items: request.items.map(({ url, quantity, unitAmount, variant }) => ({
      url,
      quantity,
      unit_amount: Number(unitAmount),
      ...(variant ? { variant } : {}),
    })),
    fulfillment: {
      method: request.fulfillment.method,
      fee_allowance: Number(request.fulfillment.feeAllowance),
    },
    // The shops take a ticket at its word: what is in it never leaves the vault.
    ...(request.signIn ? { sign_in: request.signIn } : {}),
  }
}

function checkoutBody(request: PlaceRequest): object {
  return {
    offer_id: request.offer.reference,
    credential: request.instrument.kind === 'credential' ? request.instrument.reference : null,
    amount: Number(request.offer.total),
    reference: request.reference,
  }
}

const refusals: Readonly<Record<string, OfferRefusalCode>> = {
  product_out_of_stock: 'product_out_of_stock',
  insufficient_stock: 'insufficient_stock',
  variant_required: 'variant_required',
  captcha_blocked: 'captcha_blocked',
}

function offerAnswer(answer: PeerAnswer, request: OfferRequest): OfferAnswer {
  if (answer.kind !== 'answer') return { kind: 'unavailable' }
  if (answer.status === 200) {
    const offer = offerOf(answer.body, request)
    return offer === null ? { kind: 'unavailable' } : { kind: 'offer', offer }
  }
  const { refusal } = answer.body
  // The shop turned the call away and did not refuse it: it has said nothing about what it sells.
  if (!isRecord(refusal) && turnedAwayBy(answer.status) !== null)
    return { kind: 'unavailable', retryAfterSeconds: answer.retryAfterSeconds }
  return offerRefusal(isRecord(refusal) ? refusal : {})
}

function offerRefusal(refusal: Body): OfferAnswer {
  const message = textOf(refusal.message)
  if (refusal.code === 'sign_in_required' || refusal.code === 'sign_in_refused') {
    return { kind: 'sign_in', isRefused: refusal.code === 'sign_in_refused', message }
  }
  const session = textOf(refusal.session)
  if (refusal.code === 'sign_in_code' && session !== null)
    return { kind: 'sign_in', isRefused: false, message, code: { session } }
  const code = typeof refusal.code === 'string' ? refusals[refusal.code] : undefined
  return { kind: 'refused', code: code ?? 'merchant_unsupported', message }
}

function offerOf(body: Body, request: OfferRequest): Offer | null {
  const items: unknown[] = Array.isArray(body.items) ? body.items : []
  const lines = request.items.map((item, index) => {
    const line = items[index]
    const unitAmount = isRecord(line) ? amountOf(line.unit_amount) : null
    return {
      itemId: item.id,
      quantity: item.quantity,
      unitAmount: unitAmount ?? -1n,
      title: null,
    }
  })
  const subtotal = amountOf(body.subtotal)
  const fulfillment = amountOf(body.fulfillment)
  const tax = amountOf(body.tax)
  const total = amountOf(body.total)
  const reference = textOf(body.offer_id)
  if (subtotal === null || fulfillment === null || tax === null || total === null || reference === null)
    return null
  if (typeof body.currency !== 'string' || lines.some(({ unitAmount }) => unitAmount < 0n)) return null
  return { reference, lines, subtotal, fulfillment, tax, discount: 0n, total, currency: body.currency }
}

function placeAnswer(answer: PeerAnswer): PlaceAnswer {
  if (answer.kind === 'not_sent') return answer
  if (answer.kind === 'lost') return { kind: 'unknown' }
  const known = checkoutOf(answer.body)
  if (known.kind === 'pending') return known
  if (known.kind === 'closed') return refused('merchant_unavailable', null, null)
  if (known.kind !== 'not_found' && known.kind !== 'unknown') return known
  // The shop accepted an order under our key before we were restored from a backup.
  if (refusalCodeOf(answer.body) === 'idempotency_key_conflict') return { kind: 'unknown' }
  const error = isRecord(answer.body.error) ? answer.body.error : {}
  const reason = error.code === 'not_found' ? null : turnedAwayBy(answer.status)
  if (reason !== null) return { kind: 'not_now', reason, retryAfterSeconds: answer.retryAfterSeconds }
  // The shop accepted nothing: it does not know the offer, or did not understand the request.
  return answer.status >= 400 && answer.status < 500 && typeof error.code === 'string'
    ? refused('merchant_unavailable', null, null)
    : { kind: 'unknown' }
}

function refusalCodeOf({ refusal }: Body): unknown {
  return isRecord(refusal) ? refusal.code : undefined
}

function remembered(answer: PeerAnswer): PlaceMemory {
  if (answer.kind !== 'answer') return { kind: 'unknown' }
  const reason = turnedAwayBy(answer.status)
  if (reason !== null) return { kind: 'not_now', reason, retryAfterSeconds: answer.retryAfterSeconds }
  return answer.status === 200 ? checkoutOf(answer.body) : { kind: 'unknown' }
}

function checkoutOf(body: Body): Exclude<PlaceMemory, { kind: 'not_now' }> {
  switch (body.status) {
    case 'placed':
      return {
        kind: 'done',
        value: { orderId: textOf(body.order_id), transactionId: textOf(body.transaction_id) },
      }
    case 'pending':
      return { kind: 'pending' }
    case 'closed':
      return { kind: 'closed' }
    case 'not_found':
      return { kind: 'not_found' }
    case 'refused': {
      const refusal = isRecord(body.refusal) ? body.refusal : {}
      const code = refusal.code === 'payment_declined' ? 'payment_declined' : 'order_rejected_by_merchant'
      return refused(code, textOf(refusal.message), textOf(refusal.decline_code))
    }
    default:
      return { kind: 'unknown' }
  }
}

function refused(
  code: PlaceRefusal['code'],
  message: string | null,
  declineCode: string | null,
): { kind: 'refused'; refusal: PlaceRefusal } {
  return { kind: 'refused', refusal: { code, message, declineCode } }
}

function amountOf(value: unknown): bigint | null {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : null
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
