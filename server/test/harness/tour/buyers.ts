import type { TestApp } from '../app.ts'
import { newBuyer, purchaseOf } from '../buyers.ts'
import type { Go } from './stop.ts'

export async function tourBuyers(app: TestApp, go: Go): Promise<void> {
  const { body: profile } = await go('v1_create_profile', 'POST', '/v1/profiles', person)
  const path = `/v1/profiles/${profile.id}`
  await go('v1_get_profile', 'GET', path)
  await go('v1_list_profiles', 'GET', '/v1/profiles')
  await go('v1_update_profile', 'POST', path, { first_name: 'Augusta' })
  const { body: addressed } = await go('v1_create_profile_address', 'POST', `${path}/addresses`, address)
  const first = `${path}/addresses/${addressed.addresses[0].id}`
  await go('v1_update_profile_address', 'POST', first, { line2: 'Hinterhaus' })
  await go('v1_delete_profile_address', 'DELETE', first)
  await go('v1_list_shop_answers', 'GET', `${path}/shop_answers`)
  await go('v1_delete_shop_answers', 'DELETE', `${path}/shop_answers?host=shop.example`)
  await go('v1_start_profile_issuing', 'POST', `${path}/issuing`, {})
  const signIns = `${path}/wallet_sign_ins`
  await go('v1_create_wallet_sign_in', 'POST', signIns, undefined, 'refused in test mode')
  const unknown = `${signIns}/wlt_${'0'.repeat(26)}/complete`
  await go('v1_complete_wallet_sign_in', 'POST', unknown, undefined, 'refused: there is none')
  const { body: method } = await go(
    'v1_create_profile_payment_method',
    'POST',
    `${path}/payment_methods`,
    card,
  )
  await go('v1_list_profile_payment_methods', 'GET', `${path}/payment_methods`)
  await go('v1_get_profile_payment_method', 'GET', `${path}/payment_methods/${method.id}`)
  await go('v1_update_profile_payment_method', 'POST', `${path}/payment_methods/${method.id}`, {
    label: 'Hers',
  })
  const asked = {
    ...card.card,
    vault_token_id: 'visa_otp_required',
    agentic_credentials_enrollment_requested: true,
    agentic_terms_acknowledged: true,
  }
  const pending = await app.post(`${path}/payment_methods`, { type: 'card', card: asked })
  await go('v1_verify_profile_payment_method', 'POST', `${path}/payment_methods/${pending.body.id}/verify`, {
    method: 'otp',
    code: '123456',
  })
  await go('v1_delete_profile_payment_method', 'DELETE', `${path}/payment_methods/${method.id}`)
  await go('v1_create_element_client_secret', 'POST', '/v1/elements/client_secrets', {
    profile_id: profile.id,
    components: ['AddOrSelectPaymentMethod'],
  })
  const { body: link } = await go('v1_create_onboarding_link', 'POST', '/v1/onboarding_links', {
    use_case: { type: 'account_update' },
    profile: { id: profile.id },
  })
  await go('v1_get_onboarding_link', 'GET', `/v1/onboarding_links/${link.id}`)
  await go('v1_list_onboarding_links', 'GET', '/v1/onboarding_links')
  await go('v1_revoke_onboarding_link', 'POST', `/v1/onboarding_links/${link.id}/revoke`)
  await go('v1_archive_profile', 'POST', `${path}/archive`)
}

const person = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'DE' }
const address = {
  address_type: 'both',
  line1: 'Unter den Linden 1',
  city: 'Berlin',
  postal_code: '10117',
  country: 'DE',
}
const card = { type: 'card', card: { kind: 'existing', vault_token_id: 'visa_auto_approved' } }

let opened = 0

/** A merchant of another account with one thing of 20.00 EUR. */
async function openShop(app: TestApp): Promise<{ key: string; slug: string; item: object }> {
  const seller = await app.newAccount('Seller')
  const key = seller.keys.secret_test
  const domain = `toured${++opened}.example`
  const url = `https://${domain}/thing`
  const slug = `toured-${opened}`
  await app.post('/v1/merchant', { name: 'Toured', slug, domain, currency: 'EUR' }, { key })
  await app.sql('update merchants set domain_verified_at = now() where account_id = $1', [seller.accountId])
  const thing = { title: 'Thing', url, variants: [{ price: 2000 }] }
  const { body } = await app.post('/v1/merchant/catalog_items', thing, { key })
  await app.post(`/v1/merchant/catalog_items/${body.id}/publish`, undefined, { key })
  return { key, slug, item: { url, quantity: 1, expected_amount: 2000, expected_currency: 'EUR' } }
}

async function promote(app: TestApp, key: string): Promise<void> {
  const arms = [{ kind: 'percent', value: 1000, ttl_minutes: 30 }]
  const identity = { rule: 'first_purchase' }
  const { body } = await app.post(
    '/v1/promotions',
    { name: 'Tenth', currency: 'EUR', arms, identity },
    { key },
  )
  await app.post(`/v1/promotions/${body.id}/publish`, undefined, { key })
}

export async function tourPurchases(app: TestApp, go: Go): Promise<void> {
  const buyer = await newBuyer(app)
  const wish = purchaseOf(buyer)
  const preview = '/v1/purchase_intents/preview'
  await go('v1_preview_purchase_intent', 'POST', preview, wish)
  const shops = [await openShop(app), await openShop(app)] as const
  const ofBoth = purchaseOf(buyer, { items: shops.map(({ item }) => item) })
  await go('v1_preview_purchase_intent', 'POST', preview, ofBoth, 'of two merchants of ours')
  const unknown = { url: 'https://unknown.example/mug' }
  await go('v1_check_shop', 'POST', '/v1/shops/check', unknown, 'refused where nobody knows the shop')
  await promote(app, shops[0].key)
  await go('v1_preview_purchase_intent', 'POST', preview, ofBoth, 'of which one has a promotion')
  const { body: intent } = await go('v1_create_purchase_intent', 'POST', '/v1/purchase_intents', wish)
  const path = `/v1/purchase_intents/${intent.id}`
  await go('v1_get_purchase_intent', 'GET', path)
  const past = `${path}?wait_seconds=25&after_sequence=1`
  await go('v1_get_purchase_intent', 'GET', past, undefined, 'waiting for what there is already')
  await go('v1_list_purchase_intents', 'GET', '/v1/purchase_intents')
  await go('v1_list_purchase_intents', 'GET', '/v1/purchase_intents?q=order-17', undefined, 'searched')
  await go('v1_list_purchase_intent_events', 'GET', `${path}/events`)
  await go(
    'v1_get_cart_result',
    'GET',
    `${path}/carts/cart_01jb2w9m4ye6xs3kq8t7v5c0zd/result`,
    undefined,
    'refused: there is none',
  )
  await go('v1_create_approval_link', 'POST', `${path}/approval_links`, {})
  const evidence = `${path}/evidence`
  await go('v1_list_purchase_intent_evidence', 'GET', evidence)
  const picture = `${evidence}/evd_01jb2w9m4ye6xs3kq8t7v5c0zd`
  await go('v1_get_purchase_intent_evidence', 'GET', picture, undefined, 'refused: there is none')
  await go('v1_get_purchase_intent_evidence_bundle', 'GET', `${path}/evidence_bundle`)
  await go('v1_approve_purchase_intent', 'POST', `${path}/approve`, { approve: true })
  await go('v1_get_purchase_intent', 'GET', path, undefined, 'approved')
  await go('v1_cancel_purchase_intent', 'POST', `${path}/cancel`)
  await tourToken(app, go, buyer, shops[0])
  await tourInput(app, go)
  await tourPolicies(app, go)
  await go('v1_retry_purchase_intent', 'POST', `${path}/retry`, {}, 'refused: it was cancelled')
  await go(
    'v1_reconcile_purchase_intent',
    'POST',
    `${path}/reconcile`,
    { cart_id: 'cart_01jb2w9m4ye6xs3kq8t7v5c0zd', outcome: 'not_placed' },
    'refused: there is no such cart',
  )
}

async function tourToken(
  app: TestApp,
  go: Go,
  buyer: Parameters<typeof purchaseOf>[0],
  { slug, item }: Awaited<ReturnType<typeof openShop>>,
): Promise<void> {
  const wish = purchaseOf(buyer, { items: [item], execution_method: 'payment_token' })
  const { body: intent } = await app.post('/v1/purchase_intents', wish)
  const path = `/v1/purchase_intents/${intent.id}`
  await app.post(`${path}/approve`, { approve: true })
  await go('v1_create_purchase_intent_payment_token', 'POST', `${path}/payment_tokens`, {
    merchant: { slug },
    amount: 2000,
    currency: 'EUR',
    binding: { checkout_id: 'chk_1' },
  })
}

async function tourInput(app: TestApp, go: Go): Promise<void> {
  const body = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'DE' }
  const profile = await app.post('/v1/profiles', body)
  const { body: intent } = await app.post('/v1/purchase_intents', purchaseOf({ profileId: profile.body.id }))
  const shipping_address = { line1: 'Markt 1', city: 'Jena', postal_code: '07743', country: 'DE' }
  const answer = { values: { shipping_address } }
  await go('v1_answer_purchase_intent_input', 'POST', `/v1/purchase_intents/${intent.id}/input`, answer)
}

async function tourPolicies(app: TestApp, go: Go): Promise<void> {
  const careful = await newBuyer(app)
  const { body: policy } = await go('v1_create_policy', 'POST', '/v1/policies', {
    name: 'Tour',
    currency: 'EUR',
    scope: { profile_ids: [careful.profileId] },
    limits: { per_transaction_max: 100_000, intervals: [{ interval: 'day', max_amount: 1_000_000 }] },
    approval: { mode: 'above_threshold', auto_approve_up_to: 10_000 },
  })
  await go('v1_get_policy', 'GET', `/v1/policies/${policy.id}`)
  await go('v1_list_policies', 'GET', '/v1/policies')
  await go('v1_update_policy', 'POST', `/v1/policies/${policy.id}`, { name: 'Tour again' })
  await go('v1_simulate_policy', 'POST', '/v1/policies/simulate', {
    purchase_intent: { profile_id: careful.profileId, currency_code: 'EUR', expected_amount: 2000 },
  })
  await go(
    'v1_create_purchase_intent',
    'POST',
    '/v1/purchase_intents',
    purchaseOf(careful),
    'bought unattended under a policy',
  )
  const dear = {
    items: [
      { url: 'https://www.shop.example/tea', quantity: 1, expected_amount: 50_000, expected_currency: 'EUR' },
    ],
  }
  const waiting = await app.post('/v1/purchase_intents', purchaseOf(careful, dear))
  await go(
    'v1_approve_purchase_intent',
    'POST',
    `/v1/purchase_intents/${waiting.body.id}/approve`,
    { approve: true },
    'under a policy',
  )
  await go('v1_archive_policy', 'POST', `/v1/policies/${policy.id}/archive`)
  await go('v1_unarchive_policy', 'POST', `/v1/policies/${policy.id}/unarchive`)
  await app.post(`/v1/policies/${policy.id}/archive`)

  const target = { target: { type: 'profile', id: careful.profileId } }
  await go('v1_freeze_controls', 'POST', '/v1/controls/freeze', target)
  await go('v1_unfreeze_controls', 'POST', '/v1/controls/unfreeze', target)
}
