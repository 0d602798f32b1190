import type { Call, CardHolder } from '../../domain/buying/rails/port.ts'
import { isRecord } from '../../platform/egress/peer-json.ts'
import type { StripeApi } from './stripe-api.ts'

/** Null: it cannot be read, or lacks what shops ask for. */
export async function readCardHolder(api: StripeApi, id: string, call: Call): Promise<CardHolder | null> {
  const said = await api.send((stripe, options) => stripe.issuing.cardholders.retrieve(id, {}, options), call)
  if (said.kind !== 'answer' || said.status !== 200) return null
  const { name, billing } = said.body
  const address = isRecord(billing) && isRecord(billing.address) ? billing.address : {}
  const [line1, city, country] = [address.line1, address.city, address.country].map(textOf)
  if (typeof name !== 'string' || !line1 || !city || !country) return null
  const [line2 = null, state = null, postalCode = null] = [
    address.line2,
    address.state,
    address.postal_code,
  ].map(textOf)
  return { name, line1, line2, city, state, postalCode, country }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
