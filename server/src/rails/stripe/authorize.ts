import type {
  Call,
  HoldAnswer,
  NeedsPerson,
  PaymentCard,
  RailAuthorize,
  Recalled,
} from '../../domain/buying/rails/port.ts'
import {
  answerToMaking,
  charged,
  type IntentTerms,
  makeIntent,
  meaningOf,
  moneyOf,
  readIntent,
  refused,
} from './intents.ts'
import { findIntents, outcomeOf } from './outcome-of-key.ts'
import { declineOf, errorOf, type Intent, intentOf, notNowOf, personMs } from './payment-intent.ts'
import { type StripeAnswer, type StripeApi, within } from './stripe-api.ts'
import { paymentMethodOf } from './test-payment-methods.ts'

/** `returnUrl`: where people come back to from the page of their bank; null: nobody is sent there. */
type Means = { readonly api: StripeApi; readonly returnUrl: string | null }

/** Null: Stripe does not know the card, or cannot be told the amount. */
export function termsOfAuthorization(input: RailAuthorize): IntentTerms | null {
  const money = moneyOf(input)
  const method = methodOf(input.card)
  if (money === null || method === null) return null
  const { customer } = method
  return {
    key: input.key,
    params: {
      ...money,
      allowed_payment_method_types: ['card'],
      ...(customer === null ? {} : { customer }),
      // The merchant is paid, and is whom the buyer sees on the bill.
      ...(input.payTo === undefined
        ? {}
        : { transfer_data: { destination: input.payTo }, on_behalf_of: input.payTo }),
    },
    isPaidByToken: false,
  }
}

type SavedMethod = { readonly customer: string | null; readonly id: string }

/** How Stripe knows a card: what it keeps of it itself, or a card of test mode. */
function methodOf(card: PaymentCard): SavedMethod | null {
  if (card.saved) return { customer: card.saved.customer, id: card.saved.method }
  const id = paymentMethodOf(card)
  return id === null ? null : { customer: null, id }
}

/**
 * Holds money on a card: makes the intent of the key, and confirms it without its person. Where their bank wants them, it is confirmed once
 * more with them: Stripe then says the page on which they do that, and nothing is held before.
 */
export async function authorizeCard(means: Means, input: RailAuthorize, call: Call): Promise<HoldAnswer> {
  const { api } = means
  const next = within(call)
  const [terms, method] = [termsOfAuthorization(input), methodOf(input.card)]
  if (terms === null || method === null) return refusedTerms(method)
  const made = await makeIntent(api, terms, next())
  if (made.kind === 'not_sent') return made
  if (made.kind !== 'answer') return { kind: 'unknown' }
  const intent = made.status === 200 ? intentOf(made.body) : null
  if (intent === null) return answerToMaking(made)
  const { id } = intent
  const confirmed = await api.send(
    (stripe, options) =>
      stripe.paymentIntents.confirm(
        id,
        { payment_method: method.id, off_session: true, expand: [...charged] },
        options,
      ),
    next(),
    `${input.key}:confirm`,
  )
  // The intent holds nothing without its confirmation.
  if (confirmed.kind === 'not_sent') return confirmed
  const now = await standingAfter(api, { id, confirmed }, next)
  if (!('id' in now)) return now
  return isLeftToPerson(now) ? await askPerson(means, { input, id }, next) : answerOf(now)
}

type Confirmed = { readonly id: string; readonly confirmed: StripeAnswer }

/** How an intent stands after it was confirmed; else what is known of that. What Stripe repeats to a key is how it stood then. */
async function standingAfter(
  api: StripeApi,
  { id, confirmed }: Confirmed,
  next: () => Call,
): Promise<Intent | Extract<HoldAnswer, { kind: 'not_now' | 'unknown' | 'refused' }>> {
  if (confirmed.kind !== 'answer') return { kind: 'unknown' }
  const { status, isReplayed } = confirmed
  const error = errorOf(confirmed)
  const isDeclined = status === 402 && error.type === 'card_error'
  // It was confirmed before, or it was closed.
  if (isReplayed || error.code === 'payment_intent_unexpected_state') return await readIntent(api, id, next())
  const told = intentOf(isDeclined ? error.payment_intent : confirmed.body)
  if (told !== null) return told
  if (isDeclined) return { kind: 'refused', refusal: declineOf(error) }
  return notNowOf(confirmed) ?? { kind: 'unknown' }
}

function isLeftToPerson({ state, refusal }: Intent): boolean {
  return state === 'declined' && refusal?.declineCode === needsPerson
}

/** What an issuer says who wants the person of the card. */
const needsPerson = 'authentication_required'

function refusedTerms(method: SavedMethod | null): HoldAnswer {
  return refused({ code: method === null ? 'card_unknown' : 'currency_not_supported' })
}

type Asking = { readonly input: RailAuthorize; readonly id: string }

/** Confirms an intent as if its person were there, who then is sent to a page: until they say yes on it nothing is held. */
async function askPerson(
  { api, returnUrl }: Means,
  { input, id }: Asking,
  next: () => Call,
): Promise<HoldAnswer> {
  const method = methodOf(input.card)
  if (method === null) return refusedTerms(method)
  if (returnUrl === null) return refused({ code: 'declined', declineCode: needsPerson })
  const params = { payment_method: method.id, return_url: returnUrl, expand: [...charged] }
  const confirmed = await api.send(
    (stripe, options) => stripe.paymentIntents.confirm(id, params, options),
    next(),
    `${input.key}:person`,
  )
  const now = await standingAfter(api, { id, confirmed }, next)
  return 'id' in now ? answerOf(now) : now
}

/** What an intent means for the hold that it was made for. */
function answerOf(intent: Intent): HoldAnswer {
  return meaningOf(intent) ?? personOf(intent) ?? { kind: 'unknown' }
}

function personOf({ personUrl, madeAt }: Intent): NeedsPerson | null {
  if (personUrl === null) return null
  return { kind: 'needs_person', url: personUrl, until: new Date(madeAt.getTime() + personMs) }
}

/** What became of an authorization. One that waits for its person says where; one whose person was not asked yet asks them now. */
export async function askAuthorization(means: Means, input: RailAuthorize, call: Call): Promise<Recalled> {
  const next = within(call)
  const terms = termsOfAuthorization(input)
  if (terms === null) return { kind: 'not_found' }
  const found = await findIntents(means.api, terms, next)
  if (found.kind !== 'intents') return found
  const acting = found.intents.find(({ state }) => state === 'acting')
  if (acting) return personOf(acting) ?? { kind: 'unknown' }
  const outcome = outcomeOf(found.intents)
  const left = found.intents.find(isLeftToPerson)
  if (outcome.kind !== 'refused' || left === undefined) return outcome
  const asked = await askPerson(means, { input, id: left.id }, next)
  return asked.kind === 'not_sent' ? { kind: 'unknown' } : asked
}
