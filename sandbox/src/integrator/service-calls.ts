import type { Fields } from '../fields.ts'
import type { IntegratorOptions } from './options.ts'

/** What the site's server asks the service, with its secret key. */
export type Service = {
  /** Makes a profile for the visitor; returns its id. */
  addVisitor(): Promise<string>
  /** Buys the item with this payment method, which the visitor has just asked for; returns how it ended. */
  buy(profileId: string, paymentMethodId: string): Promise<string>
}

const waitSeconds = 25

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
  return {
    async addVisitor() {
      const profile = await call('POST', '/v1/profiles', visitor)
      return String(profile.id)
    },
    async buy(profileId, paymentMethodId) {
      const intent = await call('POST', '/v1/purchase_intents', {
        profile_id: profileId,
        profile_payment_method_id: paymentMethodId,
        items: [
          { url: item.url, quantity: 1, expected_amount: item.amount, expected_currency: item.currency },
        ],
        preferences: { fulfillment: { method: 'ship', max_fee_amount: 800 } },
      })
      let now = await call('POST', `/v1/purchase_intents/${intent.id}/approve`, { approve: true })
      while (!hasEnded(now))
        now = await call(
          'GET',
          `/v1/purchase_intents/${intent.id}?wait_seconds=${waitSeconds}&after_sequence=${now.sequence}`,
        )
      return String(now.summary)
    },
  }
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
