import { isObject } from '../../fields.ts'
import type { CardOutcome } from './card-outcome.ts'

/** The account of these shops, and the profile for which others have tokens issued. */
const secretKey = 'sk_test_stranger'
export const sellerProfile = 'profile_sandbox'

const timeoutMs = 10_000
/** What the shop calls a payment, on its intent. */
const keyField = 'shop_key'

type Paying = {
  readonly key: string
  readonly amount: number
  readonly currency: string
  readonly reference: string
}

type Said = { readonly status: number; readonly body: Readonly<Record<string, unknown>> }

/** Charges shared payment tokens as a seller does: an intent, confirmed by the token, then captured. Calls may be repeated with their keys. */
export function openStripeSeller(stripeUrl: string) {
  const intents = `${stripeUrl}/v1/payment_intents`

  async function send(
    method: 'GET' | 'POST',
    url: string,
    { key, fields }: { key?: string; fields?: Record<string, string> } = {},
  ): Promise<Said | null> {
    try {
      const answer = await fetch(url, {
        method,
        headers: {
          authorization: `Bearer ${secretKey}`,
          ...(key === undefined ? {} : { 'idempotency-key': key }),
        },
        ...(method === 'POST' ? { body: new URLSearchParams(fields) } : {}),
        signal: AbortSignal.timeout(timeoutMs),
      })
      const body: unknown = await answer.json()
      return isObject(body) ? { status: answer.status, body } : null
    } catch {
      return null
    }
  }
  const post = async (url: string, key: string, fields: Record<string, string>) =>
    outcomeOf(await send('POST', url, { key, fields }))

  return {
    /** Whether it is an intent. */
    isOwn: (id: string) => /^pi_/.test(id),
    async authorize(token: string, { key, amount, currency, reference }: Paying): Promise<CardOutcome> {
      const made = await post(intents, `${key}:create`, {
        amount: String(amount),
        currency: currency.toLowerCase(),
        capture_method: 'manual',
        description: reference,
        [`metadata[${keyField}]`]: key,
      })
      if (made.kind !== 'approved') return made
      return await post(`${intents}/${made.id}/confirm`, `${key}:confirm`, {
        'payment_method_data[shared_payment_granted_token]': token,
      })
    },
    capture: (id: string, { key, amount }: { key: string; amount: number }): Promise<CardOutcome> =>
      post(`${intents}/${id}/capture`, key, { amount_to_capture: String(amount) }),
    reverse: (id: string, key: string): Promise<CardOutcome> => post(`${intents}/${id}/cancel`, key, {}),
    async refund(id: string, { key, amount }: { key: string; amount: number }): Promise<CardOutcome> {
      return await post(`${stripeUrl}/v1/refunds`, key, { payment_intent: id, amount: String(amount) })
    },
    /** What became of an authorization whose answer was lost: one that holds nothing by now never will. */
    async settle(key: string): Promise<CardOutcome> {
      const said = await send('GET', `${intents}?limit=100`)
      if (!Array.isArray(said?.body.data)) return { kind: 'unknown' }
      const made: unknown = said.body.data.find(
        (one: unknown) => isObject(one) && isObject(one.metadata) && one.metadata[keyField] === key,
      )
      if (!isObject(made)) return { kind: 'declined', code: 'never_sent' }
      if (made.status === 'requires_capture' || made.status === 'succeeded')
        return { kind: 'approved', id: String(made.id) }
      const ended = await post(`${intents}/${String(made.id)}/cancel`, `${key}:close`, {})
      return ended.kind === 'unknown' ? ended : { kind: 'declined', code: 'closed' }
    },
  }
}

function outcomeOf(said: Said | null): CardOutcome {
  if (said === null || said.status >= 500) return { kind: 'unknown' }
  const { status, body } = said
  // Nobody is there who could confirm it.
  if (status < 300 && body.status === 'requires_action')
    return { kind: 'declined', code: 'authentication_required' }
  if (status < 300) return { kind: 'approved', id: String(body.id) }
  const { code, message }: Record<string, unknown> = isObject(body.error) ? body.error : {}
  return { kind: 'declined', code: String(code ?? message ?? status) }
}
