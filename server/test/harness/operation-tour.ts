import type { Answer, TestApp } from './app.ts'
import { newBuyer, purchaseOf } from './buyers.ts'
import { openShop, payOrder, placeOrder } from './orders.ts'
import { askQuote, openQuotingShop } from './quotes.ts'

/** One call of the tour: the operation it is, what sets it apart, and how it is made. */
export type Stop = { operation: string; how?: string; call(): Promise<Answer> }

/**
 * Calls every operation of the public interface once, in an order in which each finds what it needs. `visit` is given one call at a
 * time; what is made in between is nobody's business.
 */
export async function tourOperations(app: TestApp, visit: (stop: Stop) => Promise<Answer>): Promise<void> {
  let number = 0
  const go = (operation: string, method: string, path: string, body?: unknown, how?: string) => {
    const isFile = typeof body === 'string'
    const headers: Record<string, string> = {
      ...(method === 'GET' ? {} : { 'idempotency-key': `tour-${Date.now()}-${number++}` }),
      ...(isFile ? { 'content-type': 'application/x-ndjson' } : {}),
    }
    return visit({
      operation,
      ...(how ? { how } : {}),
      call: () =>
        app.request(method, path, {
          headers,
          ...(isFile ? { raw: body } : body === undefined ? {} : { body }),
        }),
    })
  }
  await tourBuyers(app, go)
  await tourPurchases(app, go)
  await tourMerchant(app, go)
  await tourRouting(app, go)
  await tourDestinations(app, go, 'merchant_destination', '/v1/merchant/destinations')
  await tourDestinations(app, go, 'event_destination', '/v1/event_destinations')
  await tourQuotes(app, visit)
}

type Go = (operation: string, method: string, path: string, body?: unknown, how?: string) => Promise<Answer>

const person = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'DE' }
const address = {
  address_type: 'both',
  line1: 'Unter den Linden 1',
  city: 'Berlin',
  postal_code: '10117',
  country: 'DE',
}
const card = { type: 'card', card: { kind: 'existing', vault_token_id: 'visa_auto_approved' } }

async function tourBuyers(app: TestApp, go: Go): Promise<void> {
  const { body: profile } = await go('v1_create_profile', 'POST', '/v1/profiles', person)
  const path = `/v1/profiles/${profile.id}`
  await go('v1_get_profile', 'GET', path)
  await go('v1_list_profiles', 'GET', '/v1/profiles')
  await go('v1_update_profile', 'POST', path, { first_name: 'Augusta' })
  await go('v1_create_profile_address', 'POST', `${path}/addresses`, address)
  await go('v1_start_profile_issuing', 'POST', `${path}/issuing`, {})
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
  const { body: link } = await go('v1_create_onboarding_link', 'POST', '/v1/onboarding_links', {
    use_case: { type: 'account_update' },
    profile: { id: profile.id },
  })
  await go('v1_get_onboarding_link', 'GET', `/v1/onboarding_links/${link.id}`)
  await go('v1_list_onboarding_links', 'GET', '/v1/onboarding_links')
  await go('v1_revoke_onboarding_link', 'POST', `/v1/onboarding_links/${link.id}/revoke`)
  await go('v1_archive_profile', 'POST', `${path}/archive`)
}

async function tourPurchases(app: TestApp, go: Go): Promise<void> {
  const buyer = await newBuyer(app)
  const wish = purchaseOf(buyer)
  await go('v1_preview_purchase_intent', 'POST', '/v1/purchase_intents/preview', wish)
  const { body: intent } = await go('v1_create_purchase_intent', 'POST', '/v1/purchase_intents', wish)
  const path = `/v1/purchase_intents/${intent.id}`
  await go('v1_get_purchase_intent', 'GET', path)
  await go('v1_list_purchase_intents', 'GET', '/v1/purchase_intents')
  await go('v1_list_purchase_intents', 'GET', '/v1/purchase_intents?q=order-17', undefined, 'searched')
  await go('v1_list_purchase_intent_events', 'GET', `${path}/events`)
  await go('v1_approve_purchase_intent', 'POST', `${path}/approve`, { approve: true })
  await go('v1_cancel_purchase_intent', 'POST', `${path}/cancel`)

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
  await go('v1_retry_purchase_intent', 'POST', `${path}/retry`, {}, 'refused: it was cancelled')
  await go(
    'v1_reconcile_purchase_intent',
    'POST',
    `${path}/reconcile`,
    { cart_id: 'cart_01jb2w9m4ye6xs3kq8t7v5c0zd', outcome: 'not_placed' },
    'refused: there is no such cart',
  )
}

async function tourMerchant(app: TestApp, go: Go): Promise<void> {
  await go('v1_update_merchant', 'POST', '/v1/merchant', { name: 'Shop', currency: 'EUR' })
  await go('v1_get_merchant', 'GET', '/v1/merchant')
  await app.post('/v1/merchant', { domain: 'tour.example' })
  const looked = 'update domain_verifications set answered = asked, due_at = null'
  await doneMeanwhile(app, 'looked_meanwhile', looked, () =>
    go('v1_verify_merchant_domain', 'POST', '/v1/merchant/verify_domain'),
  )
  const item = { title: 'One thing', variants: [{ sku: 'ONE', price: 1000, quantity: 10 }] }
  const { body: made } = await go(
    'v1_create_merchant_catalog_item',
    'POST',
    '/v1/merchant/catalog_items',
    item,
  )
  const path = `/v1/merchant/catalog_items/${made.id}`
  await go('v1_get_merchant_catalog_item', 'GET', path)
  await go('v1_list_merchant_catalog_items', 'GET', '/v1/merchant/catalog_items')
  await go('v1_update_merchant_catalog_item', 'POST', path, { title: 'Another thing' })
  await go('v1_publish_merchant_catalog_item', 'POST', `${path}/publish`)
  await go('v1_archive_merchant_catalog_item', 'POST', `${path}/archive`)
  const items = '/v1/merchant/catalog_items'
  const file = '{"handle":"one-thing","title":"One thing"}'
  const { body: sent } = await go('v1_create_merchant_catalog_import', 'POST', `${items}/import`, file)
  const large = 'x'.repeat(300_000)
  await go('v1_create_merchant_catalog_import', 'POST', `${items}/import`, large, 'of two pieces')
  await go('v1_list_merchant_catalog_imports', 'GET', `/v1/merchant/catalog_imports`)
  await go('v1_get_merchant_catalog_import', 'GET', `/v1/merchant/catalog_imports/${sent.id}`)
  await go('v1_list_merchant_catalog_import_errors', 'GET', `/v1/merchant/catalog_imports/${sent.id}/errors`)
  await go('v1_cancel_merchant_catalog_import', 'POST', `/v1/merchant/catalog_imports/${sent.id}/cancel`)
  await go('v1_export_merchant_catalog_items', 'GET', `${items}/export`)

  const { body: promotion } = await go('v1_create_promotion', 'POST', '/v1/promotions', {
    name: 'Tour',
    currency: 'EUR',
    arms: [{ kind: 'percent', value: 1000, ttl_minutes: 30 }],
    targets: { catalog_item_ids: [made.id] },
  })
  const promoted = `/v1/promotions/${promotion.id}`
  await go('v1_get_promotion', 'GET', promoted)
  await go('v1_list_promotions', 'GET', '/v1/promotions')
  await go('v1_update_promotion', 'POST', promoted, { name: 'Tour again' })
  await go('v1_publish_promotion', 'POST', `${promoted}/publish`)
  await go('v1_pause_promotion', 'POST', `${promoted}/pause`)
  await go('v1_resume_promotion', 'POST', `${promoted}/resume`)
  await go('v1_end_promotion', 'POST', `${promoted}/end`)
  await go('v1_archive_promotion', 'POST', `${promoted}/archive`)

  const shop = await openShop(app, app.account)
  const order = await placeOrder(app, app.account, shop)
  await go('v1_get_order', 'GET', `/v1/orders/${order.id}`)
  await go('v1_list_orders', 'GET', '/v1/orders')
  await go('v1_list_orders', 'GET', '/v1/orders?q=lamp', undefined, 'searched')
  await go('v1_get_merchant_order', 'GET', `/v1/merchant/orders/${order.id}`)
  await go('v1_list_merchant_orders', 'GET', '/v1/merchant/orders')
  await go('v1_list_merchant_orders', 'GET', '/v1/merchant/orders?q=lamp', undefined, 'searched')
  const event = await app.parts.pools.read<{ id: string }>({
    name: '',
    text: 'select id from events where aggregate_id = $1 and sequence = 1',
    values: [order.id],
  })
  await go('v1_create_order_response', 'POST', `/v1/merchant/orders/${order.id}/responses`, {
    event_id: event[0]?.id,
    outcome: 'confirmed',
    confirmation_reference: `tour-${order.id}`,
  })
  const unwanted = await placeOrder(app, app.account, shop)
  await go('v1_reprice_merchant_order', 'POST', `/v1/merchant/orders/${unwanted.id}/reprice`, {
    subtotal_amount_cents: 1500,
  })
  await go('v1_cancel_order', 'POST', `/v1/orders/${unwanted.id}/cancel`)
  await payOrder(app, order)
  await go('v1_create_merchant_order_fulfillment', 'POST', `/v1/merchant/orders/${order.id}/fulfillments`, {
    carrier: 'DHL',
    tracking_number: '00340434',
  })
  await go('v1_create_order_return', 'POST', `/v1/orders/${order.id}/returns`, {
    line_items: [{ index: 0, quantity: 1 }],
  })
  const { body: returned } = await app.post(`/v1/orders/${order.id}/returns`, {
    line_items: [{ index: 0, quantity: 1 }],
  })
  await go(
    'v1_decline_merchant_order_return',
    'POST',
    `/v1/merchant/orders/${order.id}/returns/${returned.returns[1].id}/decline`,
  )
  await go('v1_create_merchant_order_refund', 'POST', `/v1/merchant/orders/${order.id}/refunds`, {
    return_id: returned.returns[0].id,
  })
}

async function tourRouting(app: TestApp, go: Go): Promise<void> {
  const { body: location } = await go('v1_create_business_location', 'POST', '/v1/business_locations', {
    name: 'Store',
    address: { line1: 'Unter den Linden 1', city: 'Berlin', country: 'DE' },
    timezone: 'Europe/Berlin',
  })
  const place = `/v1/business_locations/${location.id}`
  await go('v1_get_business_location', 'GET', place)
  await go('v1_list_business_locations', 'GET', '/v1/business_locations')
  await go('v1_update_business_location', 'POST', place, { name: 'Other store' })

  const { body: market } = await go('v1_create_market', 'POST', '/v1/markets', {
    code: 'de',
    currency: 'EUR',
    default_locale: 'de',
    routing: { include: [{ country: 'DE' }] },
  })
  const path = `/v1/markets/${market.id}`
  await go('v1_get_market', 'GET', path)
  await go('v1_list_markets', 'GET', '/v1/markets')
  await go('v1_update_market', 'POST', path, { routing: { include: [{ country: 'AT' }] } })

  const { body: card } = await go('v1_create_rate_card', 'POST', '/v1/rate_cards', {
    name: 'Parcel',
    fulfillment_type: 'shipping',
    currency: 'EUR',
    market_ids: [market.id],
    location_ids: [location.id],
    rate: { kind: 'flat', amount: 500 },
  })
  const rates = `/v1/rate_cards/${card.id}`
  await go('v1_get_rate_card', 'GET', rates)
  await go('v1_list_rate_cards', 'GET', `/v1/rate_cards?market_id=${market.id}`)
  await go('v1_update_rate_card', 'POST', rates, { status: 'active' })
  const sold = { title: 'Vase', variants: [{ price: 1000, currency: 'EUR', weight_grams: 300 }] }
  const { body: item } = await app.post('/v1/merchant/catalog_items', sold)
  await go('v1_calculate_rate_card', 'POST', '/v1/rate_cards/calculate', {
    address: { country: 'AT' },
    items: [{ catalog_variant_id: item.variants[0].id }],
  })
  await go('v1_archive_rate_card', 'POST', `${rates}/archive`)
  await go('v1_archive_market', 'POST', `${path}/archive`)
  await go('v1_archive_business_location', 'POST', `${place}/archive`)
}

async function tourDestinations(app: TestApp, go: Go, noun: string, base: string): Promise<void> {
  const { body: made } = await go(`v1_create_${noun}`, 'POST', base, {
    name: 'Hooks',
    webhook: { endpoint_url: 'https://hooks.example/prokura' },
  })
  const path = `${base}/${made.id}`
  await go(`v1_get_${noun}`, 'GET', path)
  await go(`v1_list_${noun}s`, 'GET', base)
  await go(`v1_update_${noun}`, 'POST', path, { name: 'Other hooks' })
  await go(`v1_rotate_${noun}_secret`, 'POST', `${path}/rotate_secret`)
  await attemptedMeanwhile(app, () => go(`v1_test_${noun}`, 'POST', `${path}/test`))
  const { body: events } = await go(`v1_list_${noun}_events`, 'GET', `${path}/events`)
  const event = `${path}/events/${events.data[0].event_id}`
  await go(`v1_get_${noun}_event`, 'GET', event)
  await go(`v1_redeliver_${noun}_event`, 'POST', `${event}/redeliver`)
  await go(`v1_recover_${noun}`, 'POST', `${path}/recover`, {
    since: new Date(Date.now() - 60_000).toISOString(),
  })
  if (noun === 'merchant_destination') await tourChecks(app, go, made.id)
  await go(`v1_disable_${noun}`, 'POST', `${path}/disable`)
  await go(`v1_enable_${noun}`, 'POST', `${path}/enable`)
  await go(`v1_archive_${noun}`, 'POST', `${path}/archive`)
}

async function tourChecks(app: TestApp, go: Go, destinationId: string): Promise<void> {
  const order = await placeOrder(app, app.account, await openShop(app, app.account))
  const { body: check } = await go('v1_create_integration_check', 'POST', '/v1/merchant/integration_checks', {
    kind: 'order',
    destination_id: destinationId,
    order_id: order.id,
  })
  await go('v1_get_integration_check', 'GET', `/v1/merchant/integration_checks/${check.id}`)
  await go('v1_list_integration_checks', 'GET', '/v1/merchant/integration_checks')
}

async function tourQuotes(app: TestApp, visit: (stop: Stop) => Promise<Answer>): Promise<void> {
  const domain = 'quotes.example'
  const shop = await openQuotingShop(app, { url: 'https://hooks.example/quotes' }, { merchant: { domain } })
  const buyer = await newBuyer(app)
  let number = 0
  const go = (operation: string, method: string, path: string, body?: unknown, key?: string) => {
    const headers: Record<string, string> =
      method === 'GET' ? {} : { 'idempotency-key': `quotes-${Date.now()}-${number++}` }
    const options = { headers, ...(key ? { key } : {}), ...(body === undefined ? {} : { body }) }
    return visit({ operation, call: () => app.request(method, path, options) })
  }
  const wish = { catalog_variant_id: shop.variantId }
  const { body: quote } = await answeredMeanwhile(app, () =>
    go('v1_create_quote', 'POST', '/v1/quotes', wish),
  )
  const path = `/v1/quotes/${quote.id}`
  await go('v1_get_quote', 'GET', path)
  await go('v1_list_quotes', 'GET', '/v1/quotes')
  const { body: renewed } = await answeredMeanwhile(app, () =>
    go('v1_refresh_quote', 'POST', `${path}/refresh`),
  )
  const taken = { offer_id: renewed.offers[0].id, profile_id: buyer.profileId }
  await go('v1_accept_quote', 'POST', `${path}/accept`, taken)
  const { body: late } = await answeredMeanwhile(app, () => askQuote(app, wish))
  await unanswer(app, late.id)
  const responses = `/v1/merchant/quotes/${late.id}/responses`
  const offers = [{ total_amount: 900, expires_at: '2090-01-01T00:00:00Z' }]
  await go('v1_create_quote_response', 'POST', responses, { outcome: 'quoted', offers }, shop.key)
  await go('v1_cancel_quote', 'POST', `/v1/quotes/${late.id}/cancel`)
}

/** A request for a quote waits for the merchant, who is not here: quotes are marked as answered until it is over. */
function answeredMeanwhile(app: TestApp, work: () => Promise<Answer>): Promise<Answer> {
  return doneMeanwhile(
    app,
    'answered_meanwhile',
    `update quotes set status = 'quoted', responded_at = now(), responded_by_type = 'api_key', responded_by_id = 'key_1',
       due_at = now() + interval '1 hour', expires_at = now() + interval '1 hour',
       offers = jsonb_build_array(jsonb_build_object('id', 'offer_' || substr(id, 5), 'total_amount', 1000, 'currency', 'EUR',
         'available_quantity', null, 'expires_at', '2090-01-01T00:00:00.000Z', 'message', null))
     where status = 'pending'`,
    work,
  )
}

/** As if nobody had answered yet, and nobody waited any more. */
async function unanswer(app: TestApp, quoteId: string): Promise<void> {
  const text = `update quotes set status = 'pending', responded_at = null, responded_by_type = null, responded_by_id = null,
    offers = '[]', expires_at = null where id = $1`
  await app.parts.pools.single({ name: '', text, values: [quoteId] })
}

/** A test of a destination waits for its first attempt, and nobody delivers here: deliveries are marked as attempted until it is over. */
function attemptedMeanwhile(app: TestApp, work: () => Promise<Answer>): Promise<Answer> {
  return doneMeanwhile(
    app,
    'attempted_meanwhile',
    `update deliveries set status = 'succeeded', due_at = null, attempt_count = 1, first_attempt_at = now(), last_attempt_at = now()
      where first_attempt_at is null`,
    work,
  )
}

/** Does by one statement, again and again until the work is over, what a worker would do. */
async function doneMeanwhile<T>(
  app: TestApp,
  name: string,
  text: string,
  work: () => Promise<T>,
): Promise<T> {
  let isOver = false
  const worked = work().finally(() => {
    isOver = true
  })
  while (!isOver) {
    await app.parts.pools.single({ name, text, values: [] })
    await Promise.race([worked, new Promise((resolve) => setTimeout(resolve, 20))])
  }
  return worked
}
