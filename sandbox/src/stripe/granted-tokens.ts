import { accounts } from './accounts.ts'
import type { Form } from './form.ts'
import type { Fact, Intent, Memory, Token } from './memory.ts'
import { nextAction } from './next-action.ts'
import { noSuch, StripeError } from './stripe-error.ts'
import { outcomeOf, type TestCard, testCards } from './test-cards.ts'
import { type Asked, newId, type Operations, seconds } from './work.ts'

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
      const token = issuedToken(asked)
      return {
        body: renderIssuedToken(token, asked),
        facts: [{ kind: 'token', value: token }, tokenEntry(token, asked, 'issue')],
      }
    },
  },
  {
    method: 'GET',
    path: `${issued}/:id`,
    operation: 'read_issued',
    work: (asked) => ({ body: renderIssuedToken(issuedIn(asked), asked) }),
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
        body: renderIssuedToken(token, asked),
        facts: [{ kind: 'token', value: token }, tokenEntry(token, asked, 'revoke')],
      }
    },
  },
  {
    method: 'POST',
    path: helpers,
    operation: 'grant',
    work(asked) {
      const value = grantToken(asked)
      return { body: renderToken(value, asked.nowMs), facts: [{ kind: 'token', value }] }
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
function grantToken({ form, memory, account, nowMs }: Asked): Token {
  const method = form.required('payment_method')
  if (cardBehind(memory, method) === undefined) throw noSuch('PaymentMethod', 'payment_method')
  return {
    id: newId('spt'),
    payment_method: method,
    currency: form.required('usage_limits[currency]').toLowerCase(),
    max_amount: form.requiredNumber('usage_limits[max_amount]'),
    expires_at: form.requiredNumber('usage_limits[expires_at]'),
    deactivated_reason: null,
    seller: null,
    issued_by: null,
    is_live: account.isLive,
    asking: null,
    is_authenticated: false,
    amount_captured: 0,
    created_ms: nowMs,
  }
}

/** The card of a payment method that is kept, or of the name of a test card. */
function cardBehind({ methods }: Memory, method: string): TestCard | undefined {
  return testCards[methods.get(method)?.card ?? method]
}

const sellerParam = 'seller_details[network_business_profile]'

/**
 * A token for one seller. Where the bank of its buyer wants them, it can be used once they have confirmed it: at a page, if the request says
 * that it opens pages and where they come back to.
 */
function issuedToken(asked: Asked): Token {
  const { form, account, memory, nowMs } = asked
  const seller = form.required(sellerParam)
  if (!Object.values(accounts).some(({ profile }) => profile === seller)) throw noSuch('profile', sellerParam)
  const [returnUrl, bySdk] = [form.text('return_url'), form.flag('use_stripe_sdk')]
  if (bySdk === false && returnUrl === null)
    throw new StripeError(400, { param: 'return_url', message: 'It is needed where use_stripe_sdk is false' })
  const token = { ...grantToken(asked), seller, issued_by: account.profile }
  if (token.expires_at * 1000 <= nowMs)
    throw new StripeError(400, { param: 'usage_limits[expires_at]', message: 'It has expired already' })
  const card = cardBehind(memory, token.payment_method)
  const isSetUp = memory.methods.get(token.payment_method)?.is_set_up ?? false
  const verdict = card && outcomeOf(card, { isOffSession: true, isSetUp, isAuthenticated: false })
  const isAsked = bySdk === false && verdict !== 'approved' && verdict !== 'acting'
  return isAsked && verdict?.code === 'authentication_required'
    ? { ...token, asking: { return_url: returnUrl, asked_ms: nowMs } }
    : token
}

/** The holder of the card has said yes or no. What Stripe makes of a no it does not say; here the token can be used no more. */
export function tokenConfirmed(token: Token, isYes: boolean): Fact {
  const value = isYes
    ? { ...token, asking: null, is_authenticated: true }
    : { ...token, asking: null, deactivated_reason: 'revoked' as const }
  return { kind: 'token', value }
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
  { profile, memory, nowMs }: { profile: string; memory: Memory; nowMs: number },
) {
  if (token === undefined || (token.seller !== null && token.seller !== profile))
    throw noSuch('SharedPaymentGrantedToken', tokenParam)
  const limit = (message: string) => new StripeError(400, { param: tokenParam, message })
  if (token.deactivated_reason !== null) throw limit('The shared payment token was deactivated.')
  if (token.asking !== null) throw limit('The shared payment token waits for its customer.')
  if (token.expires_at * 1000 <= nowMs) throw limit('The shared payment token has expired.')
  if (token.currency !== intent.currency) throw limit('The shared payment token is for another currency.')
  if (token.max_amount < intent.amount)
    throw limit('The amount exceeds the usage limits of the shared payment token.')
  const card = cardBehind(memory, token.payment_method)
  const kept = memory.methods.get(token.payment_method)
  // The bank of a card that is kept was asked when the token was issued.
  const paying = {
    isOffSession: kept !== undefined,
    isSetUp: kept?.is_set_up ?? false,
    isAuthenticated: token.is_authenticated,
  }
  return card === undefined ? 'approved' : outcomeOf(card, paying)
}

function renderToken(token: Token, nowMs: number): object {
  const { id, currency, max_amount, expires_at } = token
  const reason = reasonOf(token, nowMs)
  return {
    id,
    object: 'shared_payment.granted_token',
    created: seconds(token.created_ms),
    livemode: token.is_live,
    usage_limits: { currency, max_amount, expires_at },
    deactivated_at: reason === null ? null : Math.floor(nowMs / 1000),
    deactivated_reason: reason,
  }
}

/** A token as the agent that has issued it sees it. */
function renderIssuedToken(token: Token, { nowMs, pagesUrl }: Pick<Asked, 'nowMs' | 'pagesUrl'>): object {
  const reason = reasonOf(token, nowMs)
  const asking = reason === null ? token.asking : null
  return {
    ...renderToken(token, nowMs),
    object: 'shared_payment.issued_token',
    next_action: asking === null ? null : nextAction(pagesUrl, 'token', token.id, asking),
    payment_method: token.payment_method,
    seller_details: { external_id: null, network_business_profile: token.seller },
    status: reason !== null ? 'deactivated' : asking === null ? 'active' : 'requires_action',
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
