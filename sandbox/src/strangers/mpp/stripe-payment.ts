import { isObject } from '../../fields.ts'
import type { CardOutcome } from '../shop/card-processor.ts'
import type { Order } from '../shop/memory.ts'

const secretKey = 'sk_test_stranger'
const timeoutMs = 10_000

/** A shared payment token, charged as a seller does it: an intent, confirmed by the token, then captured. */
export async function payByStripe(
  stripeUrl: string,
  { order, token }: { order: Order; token: string },
): Promise<CardOutcome> {
  const { id, number, amount, priced } = order
  const intent = await post(`${stripeUrl}/v1/payment_intents`, `mpp:${id}:create`, {
    amount: String(amount),
    currency: priced.currency.toLowerCase(),
    capture_method: 'manual',
    description: `mpp:${number}`,
  })
  if (intent.kind !== 'approved') return intent
  const path = `${stripeUrl}/v1/payment_intents/${intent.id}`
  const confirmed = await post(`${path}/confirm`, `mpp:${id}:confirm`, {
    'payment_method_data[shared_payment_granted_token]': token,
  })
  return confirmed.kind === 'approved' ? post(`${path}/capture`, `mpp:${id}:capture`, {}) : confirmed
}

async function post(url: string, key: string, fields: Record<string, string>): Promise<CardOutcome> {
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${secretKey}`, 'idempotency-key': key },
      body: new URLSearchParams(fields),
      signal: AbortSignal.timeout(timeoutMs),
    })
    const body: unknown = await answer.json()
    if (!isObject(body)) return { kind: 'unknown' }
    if (answer.ok) {
      const isDone = body.status === 'requires_action' ? undefined : String(body.id)
      return isDone === undefined
        ? { kind: 'declined', code: 'authentication_required' }
        : { kind: 'approved', id: isDone }
    }
    const { code, message }: Record<string, unknown> = isObject(body.error) ? body.error : {}
    return { kind: 'declined', code: String(code ?? message ?? answer.status) }
  } catch {
    return { kind: 'unknown' }
  }
}
