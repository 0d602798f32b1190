import { accounts } from './accounts.ts'
import type { Form } from './form.ts'
import type { Fact, Intent, Memory, Token } from './memory.ts'
import { noSuch, StripeError } from './stripe-error.ts'
import { outcomeOf, testCards } from './test-cards.ts'
import { type Asked, newId, type Operations } from './work.ts'

const granted = '/v1/shared_payment/granted_tokens'
const issued = '/v1/shared_payment/issued_tokens'
const helpers = '/v1/test_helpers/shared_payment/granted_tokens'

/** Shared payment tokens, which only the preview of the interface has: as sellers see them, and as agents do. */
export const tokenOperations: Operations = [
  {
    method: 'GET',
    path: `${granted}/:id`,
    operation: 'token',
    work: ({ memory, call, nowMs }) => ({ body: renderToken(grantedIn(memory, call.params.id), nowMs) }),
  },
  {
    method: 'POST',
    path: issued,
    operation: 'issue',
    work(asked) {
      const { form, account, nowMs } = asked
      const seller = form.required('seller_details[network_business_profile]')
      if (!Object.values(accounts).some(({ profile }) => profile === seller))
        throw noSuch('profile', 'seller_details[network_business_profile]')
      const token = { ...grantToken(form), seller, issued_by: account.profile }
      if (token.expires_at * 1000 <= nowMs)
        throw new StripeError(400, {
          param: 'usage_limits[expires_at]',
          message: 'It has expired already',
        })
      return {
        body: renderIssuedToken(token, nowMs),
        facts: [{ kind: 'token', value: token }, tokenEntry(token, asked, 'issue')],
      }
    },
  },
  {
    method: 'GET',
    path: `${issued}/:id`,
    operation: 'read_issued',
    work: (asked) => ({ body: renderIssuedToken(issuedIn(asked), asked.nowMs) }),
  },
  {
    method: 'POST',
    path: `${issued}/:id/revoke`,
    operation: 'revoke_issued',
    work(asked) {
      const before = issuedIn(asked)
      if (before.deactivated_reason !== null || before.expires_at * 1000 <= asked.nowMs)
        throw new StripeError(400, { message: 'The shared payment token was deactivated.' })
      const token = { ...before, deactivated_reason: 'revoked' as const }
      return {
        body: renderIssuedToken(token, asked.nowMs),
        facts: [{ kind: 'token', value: token }, tokenEntry(token, asked, 'revoke')],
      }
    },
  },
  {
    method: 'POST',
    path: helpers,
    operation: 'grant',
    work({ form, nowMs }) {
      const value = grantToken(form)
      return { body: renderToken(value, nowMs), facts: [{ kind: 'token', value }] }
    },
  },
  {
    method: 'POST',
    path: `${helpers}/:id/revoke`,
    operation: 'revoke',
    work({ memory, call, nowMs }) {
      const value = { ...grantedIn(memory, call.params.id), deactivated_reason: 'revoked' as const }
      return { body: renderToken(value, nowMs), facts: [{ kind: 'token', value }] }
    },
  },
]

/** A token as an agent would have shared it with this seller. */
function grantToken(form: Form): Token {
  const method = form.required('payment_method')
  if (testCards[method] === undefined) throw noSuch('PaymentMethod', 'payment_method')
  return {
    id: newId('spt'),
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

/** The token that a seller pays with, if it does. Stripe has moved it, and sellers send it in both places. */
export function tokenNamedIn(form: Form): string | null {
  const [now, before] = [form.text(tokenParam), form.text('shared_payment_granted_token')]
  return now ?? before
}

/** What becomes of a payment by the token. What its limits forbid is an error, whatever its card says. */
export function payBy(
  token: Token | undefined,
  intent: Intent,
  { profile, nowMs }: { profile: string; nowMs: number },
) {
  if (token === undefined || (token.seller !== null && token.seller !== profile))
    throw noSuch('SharedPaymentGrantedToken', tokenParam)
  const limit = (message: string) => new StripeError(400, { param: tokenParam, message })
  if (token.deactivated_reason !== null) throw limit('The shared payment token was deactivated.')
  if (token.expires_at * 1000 <= nowMs) throw limit('The shared payment token has expired.')
  if (token.currency !== intent.currency) throw limit('The shared payment token is for another currency.')
  if (token.max_amount < intent.amount)
    throw limit('The amount exceeds the usage limits of the shared payment token.')
  const card = testCards[token.payment_method]
  const paying = { isOffSession: false, isSetUp: false, isAuthenticated: false }
  return card === undefined ? 'approved' : outcomeOf(card, paying)
}

function renderToken(token: Token, nowMs: number): object {
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
function renderIssuedToken(token: Token, nowMs: number): object {
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

function grantedIn({ tokens }: Memory, id = ''): Token {
  const token = tokens.get(id)
  if (token === undefined) throw noSuch('SharedPaymentGrantedToken', 'id', 404)
  return token
}

function issuedIn({ memory, call, account }: Asked): Token {
  const token = memory.tokens.get(call.params.id ?? '')
  if (token === undefined || token.issued_by !== account.profile)
    throw noSuch('SharedPaymentIssuedToken', 'id', 404)
  return token
}

/** Whoever has the id of a token could not pay by it elsewhere; it stands in no log all the same. */
function tokenEntry(
  { max_amount: amount, currency, seller: reference }: Token,
  { call }: Asked,
  operation: string,
): Fact {
  const key = call.header('idempotency-key') ?? null
  const at = new Date().toISOString()
  const about = { payment_intent: null, reference, amount, currency }
  return { kind: 'entry', value: { at, operation, key, ...about, result: 'succeeded' } }
}
