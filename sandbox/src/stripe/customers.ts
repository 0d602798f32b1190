import type { Stripe } from 'stripe'
import type { Customer, Memory } from './memory.ts'
import { metadataSearched } from './metadata-search.ts'
import { noSuch } from './stripe-error.ts'
import { type Asked, newId, type Operations, page, seconds } from './work.ts'

export const customerOperations: Operations = [
  {
    method: 'POST',
    path: '/v1/customers',
    operation: 'create_customer',
    work(asked) {
      const { form, nowMs } = asked
      const value: Customer = {
        id: newId('cus'),
        name: form.text('name'),
        email: form.text('email'),
        description: form.text('description'),
        metadata: form.group('metadata'),
        created_ms: nowMs,
        is_deleted: false,
      }
      return { body: renderCustomer(value, asked), facts: [{ kind: 'customer', value }] }
    },
  },
  {
    method: 'GET',
    path: '/v1/customers',
    operation: 'list_customers',
    work: (asked) => ({
      body: page(asked, asked.memory.customers.values(), (one) => renderCustomer(one, asked)),
    }),
  },
  {
    method: 'GET',
    path: '/v1/customers/search',
    operation: 'search',
    work: (asked) =>
      metadataSearched(asked, asked.memory.customers.values(), (one) => renderCustomer(one, asked)),
  },
  {
    method: 'GET',
    path: '/v1/customers/:id',
    operation: 'read_customer',
    work(asked) {
      const customer = asked.memory.customers.get(asked.call.params.id ?? '')
      if (customer === undefined) throw noSuch('customer', 'id', 404)
      return { body: customer.is_deleted ? deleted(customer) : renderCustomer(customer, asked) }
    },
  },
  {
    method: 'DELETE',
    path: '/v1/customers/:id',
    operation: 'delete_customer',
    work({ memory, call }) {
      const value = { ...customerIn(memory, call.params.id ?? '', 404), is_deleted: true }
      const kept = [...memory.methods.values()].filter(({ customer }) => customer === value.id)
      return {
        body: deleted(value),
        facts: [
          { kind: 'customer', value },
          ...kept.map((one) => ({ kind: 'method' as const, value: { ...one, customer: null } })),
        ],
      }
    },
  },
]

export function customerIn(memory: Memory, id: string, status = 400): Customer {
  const customer = memory.customers.get(id)
  if (customer === undefined || customer.is_deleted) throw noSuch('customer', 'customer', status)
  return customer
}

function deleted({ id }: Customer): Stripe.DeletedCustomer {
  return { id, object: 'customer', deleted: true }
}

function renderCustomer(
  { id, name, email, description, metadata, created_ms }: Customer,
  { account }: Asked,
): Stripe.Customer {
  return {
    id,
    object: 'customer',
    address: null,
    balance: 0,
    created: seconds(created_ms),
    currency: null,
    default_source: null,
    delinquent: false,
    description,
    discount: null,
    email,
    invoice_prefix: null,
    invoice_settings: {
      custom_fields: null,
      default_payment_method: null,
      footer: null,
      rendering_options: null,
    },
    livemode: account.isLive,
    metadata,
    name,
    phone: null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  }
}
