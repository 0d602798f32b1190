import type { Mode } from '../../contract/context.ts'
import type { CardRequest } from '../../domain/buying/card-authorizations/port.ts'
import { isRecord } from '../../platform/egress/peer-json.ts'
import type { Secret } from '../../platform/secrets/secret.ts'
import { fromStripe } from './currencies.ts'
import { isSignedBy } from './webhook-signature.ts'

/** By mode, the secret of the endpoint that Stripe asks about charges of issued cards. */
export type AuthorizationSecrets = Readonly<Partial<Record<Mode, Secret>>>

type Message = { readonly body: Uint8Array; readonly signature: string | undefined; readonly nowMs: number }

/** `unsigned`: Stripe has not sent this. `odd`: it has, and it is no question about a card that makes sense. */
type Read =
  | { readonly kind: 'request'; readonly request: CardRequest }
  | { readonly kind: 'odd' }
  | { readonly kind: 'unsigned' }

/** What a merchant asks of a card, from the message in which Stripe asks about it. */
export function readAuthorizationRequest(secrets: AuthorizationSecrets, message: Message): Read {
  const modes: readonly Mode[] = ['live', 'test']
  const mode = modes.find((one) => {
    const secret = secrets[one]
    return secret !== undefined && isSignedBy(secret, message)
  })
  if (mode === undefined) return { kind: 'unsigned' }
  const event = parsed(message.body)
  const isAsked = event?.type === 'issuing_authorization.request' && event.livemode === (mode === 'live')
  const object = isAsked && isRecord(event.data) ? event.data.object : null
  const request = requestOf(object, mode)
  return request === null ? { kind: 'odd' } : { kind: 'request', request }
}

function requestOf(object: unknown, mode: Mode): CardRequest | null {
  if (!isRecord(object) || typeof object.id !== 'string') return null
  const { id, card, pending_request: pending, merchant_data: merchant, request_history: history } = object
  if (!isRecord(card) || !isRecord(pending) || !isRecord(merchant) || !Array.isArray(history)) return null
  const { network_id, name, country } = merchant
  if (typeof card.id !== 'string' || typeof pending.currency !== 'string') return null
  if (typeof network_id !== 'string' || typeof pending.merchant_currency !== 'string') return null
  const currency = pending.currency.toUpperCase()
  const amount = fromStripe(pending.amount, currency)
  if (amount === null) return null
  return {
    mode,
    reference: card.id,
    authorization: id,
    // Those before this one have their answers in the history.
    request: history.length,
    amount,
    // A merchant that charges in another currency is not the one whose price was agreed, whatever it is converted to.
    currency: pending.merchant_currency.toUpperCase() === currency ? currency : pending.merchant_currency,
    country: typeof country === 'string' ? country : null,
    merchant: { id: network_id, name: typeof name === 'string' ? name : '' },
  }
}

function parsed(body: Uint8Array): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'))
    return isRecord(value) ? value : null
  } catch {
    return null
  }
}
