import type { Stripe } from 'stripe'
import type { Account } from './accounts.ts'
import { customerIn } from './customers.ts'
import type { Fact, Memory, Method } from './memory.ts'
import { noSuch, StripeError } from './stripe-error.ts'
import { type Decline, type TestCard, testCards } from './test-cards.ts'
import { type Asked, newId, type Operations, page, seconds } from './work.ts'

export const paymentMethodOperations: Operations = [
  {
    method: 'POST',
    path: '/v1/payment_methods',
    operation: 'create_method',
    work(asked) {
      const { form, nowMs, account } = asked
      if (form.required('type') !== 'card')
        throw new StripeError(400, { param: 'type', message: 'Only cards are known here' })
      const token = form.required('card[token]')
      const card = token.replace(/^tok_/, 'pm_card_')
      if (testCards[card] === undefined) throw noSuch('token', 'card[token]')
      const value: Method = {
        ...methodOf(card, nowMs),
        billing_name: form.text('billing_details[name]'),
        metadata: form.group('metadata'),
      }
      return { body: renderMethod(value, account), facts: [{ kind: 'method', value }] }
    },
  },
  {
    method: 'GET',
    path: '/v1/payment_methods',
    operation: 'list_methods',
    work(asked) {
      const { form, memory, account } = asked
      const [customer] = [form.required('customer'), form.text('type')]
      const kept = [...memory.methods.values()].filter((one) => one.customer === customer)
      return { body: page(asked, kept, (one) => renderMethod(one, account)) }
    },
  },
  {
    method: 'GET',
    path: '/v1/payment_methods/:id',
    operation: 'read_method',
    work: ({ memory, call, account }) => ({
      body: renderMethod(methodIn(memory, call.params.id ?? '', 404), account),
    }),
  },
  {
    method: 'POST',
    path: '/v1/payment_methods/:id/attach',
    operation: 'attach_method',
    work(asked) {
      const { form, memory, call, account } = asked
      const { method, isNew } = methodNamed(asked, call.params.id ?? '')
      const value = attached(memory, method, form.required('customer'))
      return { body: renderMethod(value, account), facts: [...isNew, { kind: 'method', value }] }
    },
  },
  {
    method: 'POST',
    path: '/v1/payment_methods/:id/detach',
    operation: 'detach_method',
    work({ memory, call, account }) {
      const method = methodIn(memory, call.params.id ?? '', 404)
      if (method.customer === null)
        throw new StripeError(400, {
          message:
            'The payment method you provided is not attached to a customer so detachment is impossible.',
        })
      const value = { ...method, customer: null, is_set_up: false }
      return { body: renderMethod(value, account), facts: [{ kind: 'method', value }] }
    },
  },
]

/** Kept for a customer, for good: a method that was taken from one cannot be given to another. */
export function attached(memory: Memory, method: Method, customer: string): Method {
  customerIn(memory, customer)
  if (method.customer === customer) return method
  if (method.customer !== null)
    throw new StripeError(400, { message: 'This PaymentMethod is attached to another customer.' })
  const { onAttach } = cardOf(method)
  if (onAttach !== 'approved') throw declinedBy(onAttach)
  return { ...method, customer }
}

function methodOf(card: string, nowMs: number): Method {
  return {
    id: newId('pm'),
    card,
    customer: null,
    is_set_up: false,
    billing_name: null,
    metadata: {},
    created_ms: nowMs,
  }
}

function methodIn(memory: Memory, id: string, status = 400): Method {
  const method = memory.methods.get(id)
  if (method === undefined) throw noSuch('PaymentMethod', 'payment_method', status)
  return method
}

/** The method of an id. The name of a test card makes a method of its own each time. */
export function methodNamed(
  { memory, nowMs }: Asked,
  id: string,
): { method: Method; isNew: Extract<Fact, { kind: 'method' }>[] } {
  if (testCards[id] === undefined) return { method: methodIn(memory, id), isNew: [] }
  const value = methodOf(id, nowMs)
  return { method: value, isNew: [{ kind: 'method', value }] }
}

export function cardOf({ card }: Pick<Method, 'card'>): TestCard {
  const known = testCards[card]
  if (known === undefined) throw new Error(`a method of no known card: ${card}`)
  return known
}

export function declinedBy(decline: Decline, more: object = {}): StripeError {
  return new StripeError(402, {
    type: 'card_error',
    ...decline,
    message: decline.code === 'authentication_required' ? authenticationNeeded : 'Your card was declined.',
    ...more,
  })
}

const authenticationNeeded = 'Your card was declined. This transaction requires authentication.'

export function renderMethod(method: Method, { isLive }: Account): Stripe.PaymentMethod {
  const { brand, last4 } = cardOf(method)
  return {
    id: method.id,
    object: 'payment_method',
    allow_redisplay: 'unspecified',
    billing_details: { address: null, email: null, name: method.billing_name, phone: null, tax_id: null },
    card: {
      brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' },
      country: 'US',
      display_brand: brand,
      exp_month: 1,
      exp_year: 2040,
      fingerprint: `fp_${last4}`,
      funding: 'credit',
      generated_from: null,
      last4,
      networks: { available: [brand], preferred: null },
      regulated_status: 'unregulated',
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: seconds(method.created_ms),
    customer: method.customer,
    customer_account: null,
    livemode: isLive,
    metadata: method.metadata,
    type: 'card',
  }
}
