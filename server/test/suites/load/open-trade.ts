import { startUcpPlatform, type UcpPlatform } from '../../harness/ucp-platform.ts'
import { bodyOf, type Service } from '../whole-product.ts'
import { openShops, type Shop, shopsOrder } from './open-shops.ts'
import { confirmEndpoint, control, merchantsOf, type OutsideWorld } from './outside-world.ts'
import { pagesOrder } from './strangers.ts'
import type { TradeOrder } from './wish.ts'

/** What merchants do in a run besides selling, and who gets the events. */
export type Trade = {
  order: TradeOrder
  promotion: { id: string; cap: number; discount: number }
  /** Items that the promotion is for. */
  promotedItems: readonly string[]
  /** Merchants besides those of the sandbox, for purchases from several merchants. */
  shops: readonly Shop[]
  /** The destination at which the buyers' account gets its own events. */
  listener: string
  /** Buys over UCP at the shops. */
  platform: UcpPlatform
  /** Where the shops that know nothing of us testify, the processor that they charge at, and their names. */
  strangers: { strangersUrl: string; processorUrl: string; shops: readonly string[] }
  /** The body at a path that answers the account. */
  get: Service['get']
}

/** The backend that a buyer's webhooks go to. As the merchants' one, it checks signatures and remembers, but it sends no answers. */
export const listenerSlug = 'buyer'

const discount = 500
/** How long a slow merchant waits until it confirms: long enough for a reprice. */
const lateAfterMs = 5_000
/**
 * The events of how purchases begin and end, and of what a merchant does by itself. Every step of every purchase would be too much load.
 */
const heardTypes = [
  ...['created', 'approved', 'succeeded', 'failed', 'cancelled'].map((name) => `purchase_intent.${name}`),
  ...['fulfillment_updated', 'completed', 'repriced', 'refund_requested', 'refunded', 'refund_failed'].map(
    (name) => `order.${name}`,
  ),
  'quote.*',
]

/** Starts a promotion with fewer uses than there are wishes for it, and a destination of the buyers' account. */
export async function openTrade(
  service: Service,
  world: OutsideWorld,
  ways: { merchantUrl: string; apiOrigin: string; cap: number; pages: boolean },
): Promise<Trade> {
  const post = async (path: string, body: object, status = 201) => {
    const request = { method: 'POST', path, key: service.person, body: JSON.stringify(body) }
    return bodyOf(await service.client().rest(request), status)
  }
  const [merchant] = merchantsOf(service)
  if (!merchant) throw new Error('there is no merchant that could trade')
  const { item_price: price, item_currency: currency, items } = service.ready.sandbox
  const newItem = async (behaviour: string) => {
    const url = `https://${merchant.domain}/sale/${behaviour}`
    const variants = [{ sku: `sale-${behaviour}`, price, currency, availability: 'in_stock' }]
    const item = { handle: `sale-${behaviour}`, title: 'On sale', url, item_type: 'product', variants }
    const { id } = await post('/v1/merchant/catalog_items', item)
    await post(`/v1/merchant/catalog_items/${id}/publish`, {}, 200)
    return { id: String(id), url }
  }
  const [sold, refused] = [await newItem('ok'), await newItem('rejected')]
  const { id: promotion } = await post('/v1/promotions', {
    name: 'For the first',
    currency,
    arms: [{ kind: 'amount', value: discount, ttl_minutes: 1440, weight: 1 }],
    caps: { total_uses: ways.cap },
    targets: { catalog_item_ids: [sold.id, refused.id] },
  })
  await post(`/v1/promotions/${promotion}/publish`, {}, 200)
  await control(world, '/control/settings', { late_after_ms: lateAfterMs })
  const shops = await openShops(service, world, ways)
  const platform = await startUcpPlatform()
  const { profileUrl, kid, key } = platform
  return {
    order: {
      quotedItems: await idsOf(service, items),
      promotedItems: { sold: sold.url, refused: refused.url },
      several: shopsOrder(shops),
      pages: ways.pages ? pagesOrder : null,
      platform: { profileUrl, kid, pem: String(key.export({ type: 'pkcs8', format: 'pem' })) },
    },
    shops,
    promotion: { id: String(promotion), cap: ways.cap, discount },
    promotedItems: [sold.id, refused.id],
    listener: await listen(service, world, ways),
    platform,
    strangers: {
      strangersUrl: world.urls.strangers,
      processorUrl: world.urls.processor,
      shops: Object.keys(service.ready.sandbox.shops),
    },
    get: service.get,
  }
}

async function idsOf(
  service: Service,
  items: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const request = { method: 'GET', path: '/v1/merchant/catalog_items?limit=200', key: service.person }
  const { data } = bodyOf(await service.client().rest(request), 200)
  const ids = new Map((data as { id: string; url: string }[]).map(({ id, url }) => [url, id])) // the contract's own shape
  return Object.fromEntries(Object.entries(items).map(([name, url]) => [name, ids.get(url) ?? '']))
}

async function listen(
  service: Service,
  world: OutsideWorld,
  ways: { merchantUrl: string; apiOrigin: string },
): Promise<string> {
  const made = bodyOf(
    await service.client().rest({
      method: 'POST',
      path: '/v1/event_destinations',
      key: service.person,
      body: JSON.stringify({
        name: 'What the buyers hear',
        event_types: heardTypes,
        webhook: { endpoint_url: `${ways.merchantUrl}/m/${listenerSlug}/webhooks` },
      }),
    }),
    201,
  )
  const { secret } = made.secret as { secret: string } // shown in this reply alone
  await control(world, `/m/${listenerSlug}/control/destinations`, {
    destination_id: made.id,
    secret,
    api_origin: ways.apiOrigin,
  })
  await confirmEndpoint(service, `/v1/event_destinations/${made.id}`, service.person)
  return String(made.id)
}
