import type { Call } from '../../domain/buying/rails/port.ts'
import { isRecord } from '../../platform/egress/peer-json.ts'
import { fromStripe } from './currencies.ts'
import type { StripeApi } from './stripe-api.ts'

/** What the cards of the Issuing program can still spend of a currency: Stripe takes off what merchants hold. Null: it does not say. */
export async function readCardFunds(api: StripeApi, currency: string, call: Call): Promise<bigint | null> {
  const said = await api.send((stripe, options) => stripe.balance.retrieve({}, options), call)
  const issuing: unknown = said.kind === 'answer' && said.status === 200 ? said.body.issuing : null
  const available: unknown = isRecord(issuing) ? issuing.available : null
  if (!Array.isArray(available)) return null
  const own: unknown = available.find(
    (one: unknown) => isRecord(one) && one.currency === currency.toLowerCase(),
  )
  return isRecord(own) ? fromStripe(own.amount, currency) : 0n
}
