import type { Stripe } from 'stripe'
import type { AskedBank, BankAnswer, CardBank } from '../../domain/buying/verifications/port.ts'
import type { Egress } from '../../platform/egress/egress.ts'
import { isRecord } from '../../platform/egress/peer-json.ts'
import { errorOf, keyField, pageOf } from './payment-intent.ts'
import type { StripeAccount } from './stripe.ts'
import { openStripeApi, type StripeAnswer, within } from './stripe-api.ts'

/**
 * The banks of cards that Stripe keeps, by 3-D Secure: a setup of the card is made that wants its person, who says yes on a page of their
 * bank. A bank that lets it pass without asking anybody has said nothing.
 */
export function createStripeBank({
  egress,
  ...account
}: StripeAccount & { readonly egress: Egress }): CardBank {
  const api = openStripeApi({ ...account, egress })

  async function standing(reference: string, call: Parameters<CardBank['answerTo']>[1]) {
    const said = await api.send(
      (stripe, options) => stripe.setupIntents.retrieve(reference, {}, options),
      call,
    )
    return said.kind === 'answer' && said.status === 200 ? answerOf(said.body.status) : 'away'
  }

  return {
    async ask({ key, kept, returnUrl }, call) {
      if (kept === null) return { kind: 'away' }
      const next = within(call)
      const params = {
        customer: kept.customer,
        payment_method: kept.method,
        usage: 'off_session' as const,
        allowed_payment_method_types: ['card'],
        payment_method_options: { card: { request_three_d_secure: 'challenge' as const } },
        confirm: true,
        return_url: returnUrl,
        metadata: { [keyField]: key },
      } satisfies Stripe.SetupIntentCreateParams
      const said = await api.send(
        (stripe, options) => stripe.setupIntents.create(params, options),
        next(),
        key,
      )
      const asked = askedIn(said, returnUrl)
      if (asked.kind === 'away' || asked.answer !== 'pending' || said.kind !== 'answer' || !said.isReplayed)
        return asked
      // What is repeated is how it stood when the bank was asked.
      const answer = await standing(asked.reference, next())
      return answer === 'away' ? { kind: 'away' } : { ...asked, answer }
    },
    answerTo: (reference, call) => standing(reference, call),
  }
}

function askedIn(said: StripeAnswer, returnUrl: string): AskedBank {
  if (said.kind !== 'answer') return { kind: 'away' }
  const setup = said.status === 200 ? said.body : errorOf(said).setup_intent
  if (!isRecord(setup) || typeof setup.id !== 'string') return { kind: 'away' }
  const url = pageOf(setup.next_action)
  // A bank that has asked nobody proves nobody.
  if (url === null) return { kind: 'asked', reference: setup.id, url: returnUrl, answer: 'refused' }
  return { kind: 'asked', reference: setup.id, url, answer: 'pending' }
}

function answerOf(status: unknown): BankAnswer | 'away' {
  if (status === 'requires_action') return 'pending'
  if (status === 'succeeded') return 'confirmed'
  return typeof status === 'string' ? 'refused' : 'away'
}
