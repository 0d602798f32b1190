import type { Stripe } from 'stripe'
import type { Account } from '../accounts.ts'
import { noSuch } from '../stripe-error.ts'
import { newId, type Operations, seconds } from '../work.ts'
import type { Cardholder } from './memory.ts'

export const cardholderOperations: Operations = [
  {
    method: 'POST',
    path: '/v1/issuing/cardholders',
    operation: 'create_cardholder',
    work({ form, nowMs, account }) {
      for (const part of ['line1', 'city', 'country', 'postal_code'])
        form.required(`billing[address][${part}]`)
      const value: Cardholder = {
        id: newId('ich'),
        name: form.required('name'),
        email: form.text('email'),
        phone_number: form.text('phone_number'),
        type: form.oneOf('type', ['company', 'individual']) ?? 'individual',
        address: form.group('billing[address]'),
        metadata: form.group('metadata'),
        created_ms: nowMs,
      }
      return {
        body: renderCardholder(value, account),
        facts: [{ kind: 'issuing', fact: { kind: 'cardholder', value } }],
      }
    },
  },
  {
    method: 'GET',
    path: '/v1/issuing/cardholders/:id',
    operation: 'read_cardholder',
    work({ memory, call, account }) {
      const cardholder = memory.issuing.cardholders.get(call.params.id ?? '')
      if (cardholder === undefined) throw noSuch('cardholder', 'id', 404)
      return { body: renderCardholder(cardholder, account) }
    },
  },
]

export function renderCardholder(cardholder: Cardholder, { isLive }: Account): Stripe.Issuing.Cardholder {
  const { city, country, line1, line2, postal_code, state } = cardholder.address
  return {
    id: cardholder.id,
    object: 'issuing.cardholder',
    billing: {
      address: {
        city: city ?? null,
        country: country ?? null,
        line1: line1 ?? null,
        line2: line2 ?? null,
        postal_code: postal_code ?? null,
        state: state ?? null,
      },
    },
    company: null,
    created: seconds(cardholder.created_ms),
    email: cardholder.email,
    individual: null,
    livemode: isLive,
    metadata: cardholder.metadata,
    name: cardholder.name,
    phone_number: cardholder.phone_number,
    preferred_locales: null,
    requirements: { disabled_reason: null, past_due: [] },
    spending_controls: null,
    status: 'active',
    type: cardholder.type,
  }
}
