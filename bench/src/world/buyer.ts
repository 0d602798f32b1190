import type { World } from './world.ts'

/** A profile with an address and an enrolled card, of the first account, or of the account of the given key. */
export async function makeBuyer(world: World, key?: string): Promise<string> {
  const profile = await world.call(
    'POST',
    '/v1/profiles',
    {
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
    },
    key,
  )
  await world.call(
    'POST',
    `/v1/profiles/${profile.id}/payment_methods`,
    {
      type: 'card',
      card: {
        kind: 'existing',
        vault_token_id: 'visa_auto_approved',
        agentic_credentials_enrollment_requested: true,
        agentic_terms_acknowledged: true,
      },
    },
    key,
  )
  return profile.id
}

/** One item of the sandbox's own merchant. */
export function purchaseBody(world: World, profileId: string): object {
  const { item_url, item_price, item_currency } = world.ready.sandbox
  return {
    profile_id: profileId,
    items: [{ url: item_url, quantity: 1, expected_amount: item_price, expected_currency: item_currency }],
    preferences: { fulfillment: { method: 'ship', max_fee_amount: 800 } },
    reference_id: 'bench',
    metadata: { order: 'bench' },
  }
}
