import type { TestApp } from '../app.ts'
import { newPageKey, page } from '../element-sessions.ts'
import { openShop, payOrder, placeOrder } from '../orders.ts'
import { doneMeanwhile, lookStandIn } from '../stand-ins.ts'
import type { Go } from './stop.ts'

export async function tourMerchant(app: TestApp, go: Go): Promise<void> {
  await go('v1_update_merchant', 'POST', '/v1/merchant', { name: 'Shop', currency: 'EUR' })
  await go('v1_get_merchant', 'GET', '/v1/merchant')
  await app.post('/v1/merchant', { domain: 'tour.example' })
  await doneMeanwhile(app, [lookStandIn], () =>
    go('v1_verify_merchant_domain', 'POST', '/v1/merchant/verify_domain'),
  )
  await newPageKey(app)
  const [return_url, refresh_url] = [`${page}/paid`, `${page}/again`]
  await go('v1_create_payout_account_link', 'POST', '/v1/merchant/payout_account_links', {
    return_url,
    refresh_url,
  })
  const itemId = await tourCatalog(go)
  await tourPromotions(go, itemId)
  await tourMppApis(go)
  await tourOrders(app, go)
}

/** Answers the id of the item that it made. */
async function tourCatalog(go: Go): Promise<string> {
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
  return made.id
}

async function tourMppApis(go: Go): Promise<void> {
  const { body: api } = await go('v1_create_merchant_mpp_api', 'POST', '/v1/merchant/mpp_apis', {
    name: 'Size advisor',
    description: 'Answers which size fits.',
    method: 'POST',
    url: 'https://api.tour.example/sizes',
    offers: [{ intent: 'charge', method: 'stripe', amount: '25', currency: 'usd' }],
  })
  const path = `/v1/merchant/mpp_apis/${api.id}`
  await go('v1_get_merchant_mpp_api', 'GET', path)
  await go('v1_list_merchant_mpp_apis', 'GET', '/v1/merchant/mpp_apis')
  await go('v1_update_merchant_mpp_api', 'POST', path, { name: 'Advisor of sizes' })
  await go('v1_archive_merchant_mpp_api', 'POST', `${path}/archive`)
}

async function tourPromotions(go: Go, itemId: string): Promise<void> {
  const { body: promotion } = await go('v1_create_promotion', 'POST', '/v1/promotions', {
    name: 'Tour',
    currency: 'EUR',
    arms: [{ kind: 'percent', value: 1000, ttl_minutes: 30 }],
    targets: { catalog_item_ids: [itemId] },
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
}

async function tourOrders(app: TestApp, go: Go): Promise<void> {
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

export async function tourRouting(app: TestApp, go: Go): Promise<void> {
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
