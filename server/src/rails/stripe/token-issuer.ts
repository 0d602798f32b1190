import { confirmedPath } from '../../contract/confirmed-path.ts'
import type { Mode } from '../../contract/context.ts'
import type {
  Call,
  HoldAnswer,
  PaymentCard,
  PaymentRail,
  RailAnswer,
  RailCredential,
  RailDeclaration,
  RailMemory,
  Recalled,
} from '../../domain/buying/rails/port.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import { toStripe } from './currencies.ts'
import { refused } from './intents.ts'
import { issuedTokenOf, tokenIn } from './issued-token.ts'
import { declineOf, errorOf, notNowOf } from './payment-intent.ts'
import type { StripeAccount } from './stripe.ts'
import { openStripeApi, type StripeAnswer, type StripeApi, within } from './stripe-api.ts'
import { paymentMethodOf } from './test-payment-methods.ts'

/** Where the agent is known, and as whom. */
type TokenIssuer = Pick<StripeAccount, 'url' | 'secretKey'>

/** By mode. In a mode without one, purchases of this installation pay nobody by a shared payment token. */
export type TokenIssuers = Readonly<Partial<Record<Mode, TokenIssuer>>>

type Parts = { readonly tokenIssuers: TokenIssuers; readonly egress: Egress; readonly publicUrl?: string }

export function stripeIssuer(mode: Mode): RailDeclaration<Parts> {
  return {
    name: 'stripe_issuer',
    modes: [mode],
    issues: ['token', 'challenge'],
    open({ tokenIssuers: { [mode]: issuer }, egress, publicUrl }) {
      if (issuer === undefined) return null
      // The cards of test mode are nobody's, so nobody is sent to a bank.
      const home = mode === 'live' ? publicUrl : undefined
      const returnUrl = home === undefined ? null : new URL(confirmedPath, home).href
      return createStripeIssuer({ ...issuer, egress, returnUrl })
    },
  }
}

/**
 * Issues shared payment tokens at Stripe, as an agent: each is good for one seller, in one currency, up to a limit and until a time, and
 * Stripe itself refuses what exceeds that. It issues credentials, and does nothing else.
 *
 * What it promises, and where that ends:
 * - One key issues one token, as long as Stripe remembers keys, which is 24 hours. An issued token reserves nothing, and nobody but the
 *   seller that is given its id can use it. So to send the call again finds the token, and one whose id was lost charges nothing.
 * - Where the bank of the buyer wants them, the token waits half an hour for them at a page of their bank. Where nobody is sent there, it
 *   is revoked.
 * - To revoke is the fence: Stripe refuses every payment that is confirmed by the token afterwards.
 * - Captures are read from the token. What a seller holds and has not captured Stripe shows once the token is consumed by it, and not
 *   before. Refunds it does not show at all.
 */
export function createStripeIssuer({
  returnUrl = null,
  ...options
}: TokenIssuer & { egress: Egress; returnUrl?: string | null }): PaymentRail {
  const api = openStripeApi(options)
  const issuer = { api, returnUrl }
  const notOffered = async () => refused({ code: 'not_offered' })
  return {
    authorize: notOffered,
    chargeCredential: notOffered,
    capture: notOffered,
    void: notOffered,
    refund: notOffered,
    issueCredential: (input, call) => issueToken(issuer, input, call),
    revoke: ({ reference }, call) => revokeToken(api, reference, call),
    async get(_, reference, call) {
      const read = tokenIn(await readToken(api, reference, call))
      return 'object' in read ? { kind: 'done', value: read.object } : read
    },
    async ask(_, call, sent) {
      switch (sent?.step) {
        case 'issue_credential':
          return await askToken(issuer, sent.input, call)
        case 'revoke':
          return await askRevokedToken(api, sent.input.reference, call)
        default:
          return { kind: 'unknown' }
      }
    },
    async close(sent, call) {
      return sent.step === 'issue_credential'
        ? await closeToken(issuer, sent.input, call)
        : { kind: 'closed' }
    },
  }
}

/** `returnUrl`: where people come back to from the page of their bank; null: nobody is sent there. */
type Issuer = { readonly api: StripeApi; readonly returnUrl: string | null }

const tokens = '/v1/shared_payment/issued_tokens'

function pathOf(reference: string): string {
  return `${tokens}/${encodeURIComponent(reference)}`
}

function readToken(api: StripeApi, reference: string, call: Call): Promise<StripeAnswer> {
  return api.sendAboutTokens(
    (stripe, options) => stripe.rawRequest('GET', pathOf(reference), undefined, options),
    call,
    { preview: 'issued' },
  )
}

/** How Stripe knows a card: as it keeps it itself, or as a card of test mode. */
function methodOf(card: PaymentCard): string | null {
  return card.saved?.method ?? paymentMethodOf(card)
}

/** The request under the key of the credential: the same bytes whenever it is sent. Null: Stripe cannot be asked for this. */
async function send(
  { api, returnUrl }: Issuer,
  input: RailCredential,
  call: Call,
): Promise<StripeAnswer | null> {
  const { key, card, limit, currency, seller, expiresAt } = input
  const method = methodOf(card)
  const most = toStripe(limit, currency)
  if (seller === undefined || method === null || most === null) return null
  const params = {
    payment_method: method,
    seller_details: { network_business_profile: seller },
    usage_limits: {
      currency: currency.toLowerCase(),
      max_amount: most,
      expires_at: Math.floor(expiresAt.getTime() / 1000),
    },
    // Stripe then says a page of the bank, and wants nothing of its own in ours.
    ...(returnUrl === null ? {} : { return_url: returnUrl, use_stripe_sdk: false }),
  }
  return await api.sendAboutTokens(
    (stripe, options) => stripe.rawRequest('POST', tokens, params, options),
    call,
    { preview: 'issued', key },
  )
}

async function issueToken(issuer: Issuer, input: RailCredential, call: Call): Promise<HoldAnswer> {
  const next = within(call)
  const said = await send(issuer, input, next())
  if (said === null) return refused({ code: 'not_offered' })
  if (said.kind === 'not_sent') return said
  if (said.kind !== 'answer') return { kind: 'unknown' }
  const token = said.status === 200 ? issuedTokenOf(said.body) : null
  return token === null ? answerToIssuing(said) : await answerOf(issuer, token, next)
}

type Token = NonNullable<ReturnType<typeof issuedTokenOf>>

async function answerOf(
  { api }: Issuer,
  { object, isWaiting, person }: Token,
  next: () => Call,
): Promise<Extract<HoldAnswer, { kind: 'done' | 'needs_person' | 'refused' | 'unknown' }>> {
  if (!isWaiting) return { kind: 'done', value: object }
  return person ?? (await refuseToAct(api, object.reference, next))
}

type Answered = Extract<StripeAnswer, { kind: 'answer' }>
type Refusal = Extract<RailAnswer, { kind: 'refused' | 'not_now' | 'unknown' }>

function answerToIssuing(said: Answered): Refusal {
  const error = errorOf(said)
  if (said.status === 402 && error.type === 'card_error')
    return { kind: 'refused', refusal: declineOf(error) }
  const param = typeof error.param === 'string' ? error.param : ''
  const code = neverIssued.find(([part]) => param.startsWith(part))?.[1]
  if (said.status === 400 && code !== undefined) return refused({ code })
  return notNowOf(said) ?? { kind: 'unknown' }
}

/** The parts of a request for which the same request would be refused again. */
const neverIssued = [
  ['seller_details', 'seller_unknown'],
  ['payment_method', 'card_unknown'],
  ['usage_limits[expires_at]', 'credential_expired'],
  ['usage_limits', 'limit_not_supported'],
] as const

/** Nobody is sent to where it is confirmed: the token ends, so that nobody can confirm it later. */
async function refuseToAct(
  api: StripeApi,
  reference: string,
  next: () => Call,
): Promise<Extract<RailAnswer, { kind: 'refused' | 'unknown' }>> {
  const ended = await revokeToken(api, reference, next())
  return ended.kind === 'done' && ended.value.status === 'voided'
    ? refused({ code: 'declined', declineCode: 'authentication_required' })
    : { kind: 'unknown' }
}

/** To revoke needs no key: it can be done any number of times, and the token says how it stands. */
async function revokeToken(api: StripeApi, reference: string, call: Call): Promise<RailAnswer> {
  const next = within(call)
  const said = await api.sendAboutTokens(
    (stripe, options) => stripe.rawRequest('POST', `${pathOf(reference)}/revoke`, {}, options),
    next(),
    { preview: 'issued' },
  )
  if (said.kind === 'not_sent') return said
  if (said.kind !== 'answer') return { kind: 'unknown' }
  const revoked = said.status === 200 ? issuedTokenOf(said.body) : null
  if (revoked !== null) return { kind: 'done', value: revoked.object }
  const refusal = notNowOf(said) ?? ({ kind: 'unknown' } as const)
  if (refusal.kind !== 'not_now' || refusal.reason !== 'not_understood') return refusal
  // It was used up, it has expired, or it was revoked before.
  const now = tokenIn(await readToken(api, reference, next()))
  if (!('object' in now)) return now
  return now.object.status === 'authorized' ? refusal : { kind: 'done', value: now.object }
}

/** What became of a revoke: the token itself shows it. */
async function askRevokedToken(api: StripeApi, reference: string, call: Call): Promise<RailMemory> {
  const now = tokenIn(await readToken(api, reference, call))
  if (!('object' in now)) return now
  return now.object.status === 'authorized' ? { kind: 'not_found' } : { kind: 'done', value: now.object }
}

/** The token of a key as it stands now. `wasWaiting`: its buyer was asked when it was issued. */
async function findToken(
  issuer: Issuer,
  input: RailCredential,
  next: () => Call,
): Promise<
  | { readonly kind: 'token'; readonly token: Token; readonly wasWaiting: boolean }
  | Exclude<RailMemory, { kind: 'done' }>
> {
  const said = await send(issuer, input, next())
  if (said === null) return { kind: 'closed' }
  // A failure that Stripe repeats has named no token to anybody, and the key never makes another one.
  if (said.kind === 'failed' && said.isReplayed) return { kind: 'closed' }
  if (said.kind !== 'answer') return { kind: 'unknown' }
  const made = said.status === 200 ? issuedTokenOf(said.body) : null
  if (made === null) return answerToIssuing(said)
  // What is repeated is how the token stood when it was issued.
  const now = tokenIn(await readToken(issuer.api, made.object.reference, next()))
  return 'object' in now ? { kind: 'token', token: now, wasWaiting: made.isWaiting } : now
}

async function askToken(issuer: Issuer, input: RailCredential, call: Call): Promise<Recalled> {
  const next = within(call)
  const found = await findToken(issuer, input, next)
  if (found.kind !== 'token') return found
  // A token that nobody has confirmed can have been used by nobody.
  if (found.wasWaiting && found.token.object.status === 'voided')
    return refused({ code: 'authentication_failed' })
  return await answerOf(issuer, found.token, next)
}

async function closeToken(issuer: Issuer, input: RailCredential, call: Call): Promise<RailMemory> {
  const next = within(call)
  const found = await findToken(issuer, input, next)
  if (found.kind !== 'token') return found
  const ended = await revokeToken(issuer.api, found.token.object.reference, next())
  if (ended.kind === 'done') return ended.value.status === 'voided' ? { kind: 'closed' } : ended
  return ended.kind === 'not_now' ? ended : { kind: 'unknown' }
}
