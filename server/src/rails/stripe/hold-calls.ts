import type { Call, RailAnswer, RailCapture, RailMemory, RailObject } from '../../domain/buying/rails/port.ts'
import { isRecord } from '../../platform/egress/peer-json.ts'
import { fromStripe, toStripe } from './currencies.ts'
import { cancelIntent, readIntent, refused } from './intents.ts'
import { errorOf, type Intent, intentOf, keyField, notNowOf } from './payment-intent.ts'
import { type StripeApi, within } from './stripe-api.ts'

/** Captures a hold. It needs no key: an intent is captured once, whatever is sent, and it says itself whether it was. */
export async function captureIntent(
  api: StripeApi,
  { reference, amount, currency }: Omit<RailCapture, 'key'>,
  call: Call,
): Promise<RailAnswer> {
  const next = within(call)
  const told = toStripe(amount, currency)
  if (told === null) return refused({ code: 'currency_not_supported' })
  const params = { amount_to_capture: told }
  const said = await api.send(
    (stripe, options) => stripe.paymentIntents.capture(reference, params, options),
    next(),
  )
  if (said.kind === 'not_sent') return said
  if (said.kind !== 'answer') return { kind: 'unknown' }
  const intent = said.status === 200 ? intentOf(said.body) : null
  if (intent?.state === 'captured') return capturedAs(intent, amount)
  const { code } = errorOf(said)
  if (code === 'amount_too_large') return refused({ code: 'over_authorized_amount' })
  if (code !== 'payment_intent_unexpected_state' && code !== 'charge_expired_for_capture')
    return notNowOf(said) ?? { kind: 'unknown' }
  const now = await readIntent(api, reference, next())
  if (!('id' in now)) return now
  if (now.state === 'canceled') return refused({ code: endOf(now) })
  return now.state === 'captured' ? capturedAs(now, amount) : { kind: 'unknown' }
}

/** What ended the hold of an intent that was canceled. */
function endOf({ hasLapsed }: Intent): string {
  return hasLapsed ? 'authorization_expired' : 'authorization_voided'
}

/** An intent is captured once: one that was captured for something else was so before. */
function capturedAs({ object }: Intent, amount: bigint): RailAnswer {
  // guard captured-for-what-was-asked: an intent that another call has captured for something else is not this capture
  return object.capturedAmount === amount
    ? { kind: 'done', value: object }
    : refused({ code: 'already_captured' })
}

export async function voidIntent(api: StripeApi, reference: string, call: Call): Promise<RailAnswer> {
  const next = within(call)
  const said = await cancelIntent(api, reference, next())
  if (said.kind === 'not_sent') return said
  if (said.kind !== 'answer') return { kind: 'unknown' }
  const intent = said.status === 200 ? intentOf(said.body) : null
  if (intent?.state === 'canceled') return { kind: 'done', value: intent.object }
  if (errorOf(said).code !== 'payment_intent_unexpected_state') return notNowOf(said) ?? { kind: 'unknown' }
  const now = await readIntent(api, reference, next())
  if (!('id' in now)) return now
  if (now.state === 'canceled') return { kind: 'done', value: now.object }
  return now.state === 'captured' ? refused({ code: 'already_captured' }) : { kind: 'unknown' }
}

/** What became of a capture or a release: the hold itself shows it. */
export async function askHold(
  api: StripeApi,
  { step, reference }: { step: 'capture' | 'void'; reference: string },
  call: Call,
): Promise<RailMemory> {
  const hold = await readIntent(api, reference, call)
  if (!('id' in hold)) return hold
  switch (hold.state) {
    case 'captured':
      return step === 'capture' ? { kind: 'done', value: hold.object } : refused({ code: 'already_captured' })
    case 'canceled':
      return step === 'void' ? { kind: 'done', value: hold.object } : refused({ code: endOf(hold) })
    case 'held':
      return { kind: 'not_found' }
    case 'open':
    case 'declined':
    case 'acting':
    case 'pending':
      return { kind: 'unknown' }
    default:
      return hold.state satisfies never
  }
}

export async function refundIntent(
  api: StripeApi,
  { key, reference, amount, currency }: RailCapture,
  call: Call,
): Promise<RailAnswer> {
  const told = toStripe(amount, currency)
  if (told === null) return refused({ code: 'currency_not_supported' })
  const next = within(call)
  const intent = await api.send(
    (stripe, options) =>
      stripe.paymentIntents.retrieve(reference, { expand: ['latest_charge.transfer'] }, options),
    next(),
  )
  if (intent.kind === 'not_sent') return intent
  if (intent.kind !== 'answer') return { kind: 'not_sent', retryable: true }
  if (intent.status !== 200) return notNowOf(intent) ?? { kind: 'unknown' }
  const params = {
    payment_intent: reference,
    amount: told,
    metadata: { [keyField]: key },
    ...(isPaidToMerchant(intent.body, told) ? { reverse_transfer: true } : {}),
  }
  const said = await api.send((stripe, options) => stripe.refunds.create(params, options), next(), key)
  if (said.kind === 'not_sent') return said
  if (said.kind !== 'answer') return { kind: 'unknown' }
  if (said.status === 200) return outcomeOfRefund(said.body) ?? { kind: 'unknown' }
  const { code, param } = errorOf(said)
  // guard disputed-refunds-end: the bank has the money, so asking again would never end
  if (code === 'charge_disputed') return refused({ code })
  // More than is left has no code of its own.
  if (code === 'charge_already_refunded' || (said.status === 400 && param === 'amount'))
    return refused({ code: 'over_captured_amount' })
  return notNowOf(said) ?? { kind: 'unknown' }
}

/**
 * What a merchant was paid it gives back, as long as the transfer has so much left. A dispute that was won has left none: the merchant was
 * paid again by another transfer, which no refund reverses.
 */
function isPaidToMerchant(intent: Readonly<Record<string, unknown>>, amount: number): boolean {
  const { transfer_data: data, latest_charge: charge } = intent
  if (!isRecord(data)) return false
  const transfer = isRecord(charge) && isRecord(charge.transfer) ? charge.transfer : {}
  if (typeof transfer.amount !== 'number' || typeof transfer.amount_reversed !== 'number') return true
  return transfer.amount - transfer.amount_reversed >= amount
}

/** The list of an intent's refunds is never late, and each has the key that made it. */
export async function askRefund(
  api: StripeApi,
  { key, reference }: RailCapture,
  call: Call,
): Promise<RailMemory> {
  const query = { payment_intent: reference, limit: 100 }
  const said = await api.send((stripe, options) => stripe.refunds.list(query, options), call)
  if (said.kind !== 'answer') return { kind: 'unknown' }
  if (said.status !== 200 || !Array.isArray(said.body.data)) return notNowOf(said) ?? { kind: 'unknown' }
  const made: unknown = said.body.data.find(
    (one: unknown) => isRecord(one) && isRecord(one.metadata) && one.metadata[keyField] === key,
  )
  if (isRecord(made)) return outcomeOfRefund(made) ?? { kind: 'unknown' }
  return said.body.has_more === true ? { kind: 'unknown' } : { kind: 'not_found' }
}

type Refunded = Extract<RailAnswer, { kind: 'done' | 'refused' }>

/** A refund that is on its way counts as made: what fails later is a matter between Stripe and the operator. */
function outcomeOfRefund(body: Readonly<Record<string, unknown>>): Refunded | null {
  const { id, status, currency, payment_intent: intent } = body
  if (typeof id !== 'string' || typeof currency !== 'string' || typeof intent !== 'string') return null
  const own = currency.toUpperCase()
  const amount = fromStripe(body.amount, own)
  if (amount === null) return null
  if (status === 'failed' || status === 'canceled') return refused({ code: 'refund_failed' })
  if (status !== 'succeeded' && status !== 'pending') return null
  const value: RailObject = {
    reference: id,
    status: 'refunded',
    amount,
    capturedAmount: 0n,
    currency: own,
    captureReference: intent,
  }
  return { kind: 'done', value }
}
