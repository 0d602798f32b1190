import { type Fields, isObject } from '../fields.ts'
import type { IntegratorOptions } from './options.ts'

/** What the site's server asks the service, with its secret key. */
export type Service = {
  /** Makes a profile for the visitor; returns its id. */
  addVisitor(): Promise<string>
  /** What lets a page of the site ask the visitor for more than a card. */
  letPageAsk(profileId: string): Promise<{ client_secret: string }>
  /** Buys the item with this payment method, which the visitor has just asked for; returns how it ended. */
  buy(profileId: string, paymentMethodId: string): Promise<string>
  /** Asks for the item; the visitor chooses a card and confirms. */
  order(profileId: string): Promise<Order>
  /** Approves it with what the component of the page has come to. */
  approve(id: string, output: Fields): Promise<Order>
  /** How it stands once that has changed, or some seconds are over. */
  look(id: string): Promise<Order>
}

/** A purchase as the page shows it. `element`: the component that a person needs now; null: none. */
type Order = {
  readonly id: string
  readonly status: string
  readonly summary: string
  readonly element: string | null
}

const waitSeconds = 25
/** For a page that shows how it goes. */
const lookSeconds = 2

export function openService({ url, key, item }: Pick<IntegratorOptions, 'url' | 'key' | 'item'>): Service {
  async function call(method: string, path: string, body?: Fields): Promise<Fields> {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const said = (await answer.json()) as Fields
    if (!answer.ok)
      throw new Error(`${method} ${path} was answered ${answer.status}: ${JSON.stringify(said)}`)
    return said
  }
  const create = (who: Fields) =>
    call('POST', '/v1/purchase_intents', {
      ...who,
      items: [{ url: item.url, quantity: 1, expected_amount: item.amount, expected_currency: item.currency }],
      preferences: { fulfillment: { method: 'ship', max_fee_amount: 800 } },
    })
  return {
    async addVisitor() {
      const profile = await call('POST', '/v1/profiles', visitor)
      return String(profile.id)
    },
    async letPageAsk(profileId) {
      const body = { profile_id: profileId, components: ['AddPaymentMethod'] }
      const { client_secret } = await call('POST', '/v1/elements/client_secrets', body)
      return { client_secret: String(client_secret) }
    },
    async buy(profileId, paymentMethodId) {
      const intent = await create({ profile_id: profileId, profile_payment_method_id: paymentMethodId })
      let now = await call('POST', `/v1/purchase_intents/${intent.id}/approve`, { approve: true })
      while (!hasEnded(now))
        now = await call(
          'GET',
          `/v1/purchase_intents/${intent.id}?wait_seconds=${waitSeconds}&after_sequence=${now.sequence}`,
        )
      return String(now.summary)
    },
    order: async (profileId) => orderOf(await create({ profile_id: profileId })),
    async approve(id, output) {
      const given = Object.fromEntries(Object.entries(output).filter(([, value]) => value !== null))
      const path = `/v1/purchase_intents/${encodeURIComponent(id)}/approve`
      return orderOf(await call('POST', path, { approve: true, ...given }))
    },
    async look(id) {
      const path = `/v1/purchase_intents/${encodeURIComponent(id)}?wait_seconds=${lookSeconds}`
      return orderOf(await call('GET', path))
    },
  }
}

function orderOf({ id, status, summary, next_action }: Fields): Order {
  const element =
    isObject(next_action) && typeof next_action.element === 'string' ? next_action.element : null
  return { id: String(id), status: String(status), summary: String(summary), element }
}

function hasEnded({ status }: Fields): boolean {
  return ['succeeded', 'failed', 'cancelled', 'declined'].includes(String(status))
}

const visitor: Fields = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  country: 'US',
  addresses: [
    {
      address_type: 'both',
      line1: '1 Analytical Way',
      city: 'Portland',
      state: 'OR',
      postal_code: '97201',
      country: 'US',
    },
  ],
}
