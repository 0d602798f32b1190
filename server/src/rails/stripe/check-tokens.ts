import type { Call } from '../../domain/buying/rails/port.ts'
import type { Finding } from './check-account.ts'
import { errorOf } from './payment-intent.ts'
import type { StripeApi } from './stripe-api.ts'

/** Whether the account may issue shared payment tokens, as far as a question shows it that changes nothing. */
export async function checkTokens(
  api: StripeApi,
  { isOn }: { isOn: boolean },
  call: Call,
): Promise<readonly Finding[]> {
  const what = 'tokens'
  if (!isOn)
    return [
      {
        what,
        state: 'ok',
        says: 'Live mode pays nobody over UCP and MPP: PROKURA_STRIPE_TOKENS is off.',
      },
    ]
  const said = await api.sendAboutTokens(
    (stripe, options) =>
      stripe.rawRequest('GET', '/v1/shared_payment/issued_tokens/spt_of_nobody', undefined, options),
    call,
    { preview: 'issued' },
  )
  if (said.kind !== 'answer') return [{ what, state: 'unknown', says: 'Stripe did not answer. Try again.' }]
  const { code } = errorOf(said)
  // Who may ask is told that there is no such token.
  if (said.status === 404 && code === 'resource_missing')
    return [{ what, state: 'ok', says: 'The key may read them. Issuing is tried by the first use.' }]
  return [
    {
      what,
      state: 'lacks',
      says: `Stripe answered ${said.status} to a question about shared payment tokens. Ask Stripe to let your account issue them, allow the key to, or set PROKURA_STRIPE_TOKENS=off.`,
    },
  ]
}
