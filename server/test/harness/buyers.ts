import type { Answer, RequestOptions, TestApp } from './app.ts'

export type Buyer = { profileId: string; paymentMethodId: string | null; addressId: string }

/** A profile in Berlin with an address and, by default, an enrolled card that needs no step-up. */
export async function newBuyer(
  app: TestApp,
  options: { card?: string | null; enrolled?: boolean; firstName?: string } & Pick<
    RequestOptions,
    'key'
  > = {},
): Promise<Buyer> {
  const { card = 'visa_auto_approved', enrolled = true, firstName = 'Ada', ...as } = options
  const profile = await app.post(
    '/v1/profiles',
    {
      first_name: firstName,
      last_name: 'Lovelace',
      email: 'ada@example.com',
      country: 'DE',
      addresses: [
        {
          address_type: 'both',
          line1: 'Unter den Linden 1',
          city: 'Berlin',
          postal_code: '10117',
          country: 'DE',
        },
      ],
    },
    as,
  )
  const profileId: string = profile.body.id
  const addressId: string = profile.body.addresses[0].id
  if (card === null) return { profileId, paymentMethodId: null, addressId }
  const method = await app.post(
    `/v1/profiles/${profileId}/payment_methods`,
    {
      type: 'card',
      card: {
        kind: 'existing',
        vault_token_id: card,
        cardholder_name: 'Ada Lovelace',
        agentic_credentials_enrollment_requested: enrolled,
        agentic_terms_acknowledged: enrolled,
      },
    },
    as,
  )
  return { profileId, paymentMethodId: method.body.id, addressId }
}

/** Requests one item at an unregistered shop, by default for 20.00 EUR. */
export function purchaseOf(
  buyer: { profileId?: string | undefined },
  over: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    profile_id: buyer.profileId,
    items: [
      { url: 'https://www.shop.example/tea', quantity: 2, expected_amount: 1000, expected_currency: 'EUR' },
    ],
    ...over,
  }
}

export function createPurchase(
  app: TestApp,
  buyer: Buyer,
  over: Record<string, unknown> = {},
  options: RequestOptions = {},
): Promise<Answer> {
  return app.post('/v1/purchase_intents', purchaseOf(buyer, over), options)
}
