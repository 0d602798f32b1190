import { randomBytes } from 'node:crypto'
import type { Form } from './form.ts'
import type { Intent, Token } from './memory.ts'
import { StripeError } from './stripe-error.ts'

/** The test payment methods of Stripe that the simulator knows, with what becomes of a payment by them. */
const methods: Readonly<Record<string, 'approved' | 'acting' | { decline: string }>> = {
  pm_card_visa: 'approved',
  pm_card_mastercard: 'approved',
  pm_card_visa_chargeDeclined: { decline: 'generic_decline' },
  pm_card_visa_chargeDeclinedInsufficientFunds: { decline: 'insufficient_funds' },
  pm_card_authenticationRequired: 'acting',
}

/** A token as an agent would have shared it with this seller. */
export function grantToken(form: Form): Token {
  const method = form.required('payment_method')
  if (methods[method] === undefined) throw noSuch('PaymentMethod', 'payment_method')
  return {
    id: `spt_${randomBytes(12).toString('hex')}`,
    payment_method: method,
    currency: form.required('usage_limits[currency]').toLowerCase(),
    max_amount: form.requiredNumber('usage_limits[max_amount]'),
    expires_at: form.requiredNumber('usage_limits[expires_at]'),
    deactivated_reason: null,
    seller: null,
    issued_by: null,
    amount_captured: 0,
  }
}

const tokenParam = 'payment_method_data[shared_payment_granted_token]'

/** The token that a seller pays with. Stripe has moved it, and sellers send it in both places. */
export function tokenNamedIn(form: Form): string {
  return form.text('shared_payment_granted_token') ?? form.required(tokenParam)
}

/** What becomes of a payment by the token. What its limits forbid is an error, whatever its card says. */
export function payBy(
  token: Token | undefined,
  intent: Intent,
  { profile, nowMs }: { profile: string | null; nowMs: number },
) {
  if (token === undefined || (token.seller !== null && token.seller !== profile))
    throw noSuch('SharedPaymentGrantedToken', tokenParam)
  const limit = (message: string) => new StripeError(400, { param: tokenParam, message })
  if (token.deactivated_reason !== null) throw limit('The shared payment token was deactivated.')
  if (token.expires_at * 1000 <= nowMs) throw limit('The shared payment token has expired.')
  if (token.currency !== intent.currency) throw limit('The shared payment token is for another currency.')
  if (token.max_amount < intent.amount)
    throw limit('The amount exceeds the usage limits of the shared payment token.')
  return methods[token.payment_method] ?? 'approved'
}

export function renderToken(token: Token, nowMs: number): object {
  const { id, currency, max_amount, expires_at } = token
  const reason = reasonOf(token, nowMs)
  return {
    id,
    object: 'shared_payment.granted_token',
    livemode: false,
    usage_limits: { currency, max_amount, expires_at },
    deactivated_at: reason === null ? null : Math.floor(nowMs / 1000),
    deactivated_reason: reason,
  }
}

/** A token as the agent that has issued it sees it. */
export function renderIssuedToken(token: Token, nowMs: number): object {
  const reason = reasonOf(token, nowMs)
  return {
    ...renderToken(token, nowMs),
    object: 'shared_payment.issued_token',
    payment_method: token.payment_method,
    seller_details: { external_id: null, network_business_profile: token.seller },
    status: reason === null ? 'active' : 'deactivated',
    usage_details: { amount_captured: { value: token.amount_captured, currency: token.currency } },
  }
}

function reasonOf({ deactivated_reason, expires_at }: Token, nowMs: number): string | null {
  return deactivated_reason ?? (expires_at * 1000 <= nowMs ? 'expired' : null)
}

export function noSuch(what: string, param: string, status = 400): StripeError {
  return new StripeError(status, { code: 'resource_missing', param, message: `No such ${what}` })
}
