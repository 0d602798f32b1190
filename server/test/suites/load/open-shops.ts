import { administer } from '../../../src/cli/operator/administer.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import { bodyOf, type Service } from '../whole-product.ts'
import { control, type OutsideWorld } from './outside-world.ts'
import { type ShopsOrder, shopUrl, shopWays } from './several.ts'

/** A merchant with an account of its own. The merchants' backend answers its orders, and asks with its key for events that it missed. */
export type Shop = ShopsOrder['shops'][number] & { destination: string }

const shopCount = 4
const price = 1_000

/** Merchants for purchases from several, each with an item for each way in which it may take an order. */
export async function openShops(
  service: Service,
  world: OutsideWorld,
  ways: { merchantUrl: string; apiOrigin: string },
): Promise<Shop[]> {
  const accounts = await administer(readConfig(service.environment), async (admin) => {
    const opened: { domain: string; slug: string; key: string }[] = []
    for (let number = 1; number <= shopCount; number++) {
      const slug = `shop-of-many-${number}`
      const domain = `${slug}.example`
      const { account_id, keys } = await admin.openAccount(`Shop ${number}`)
      await admin.holdSandboxDomain(account_id, domain)
      opened.push({ domain, slug, key: keys.secret_test })
    }
    return opened
  })
  return Promise.all(
    accounts.map(async ({ domain, slug, key }) => {
      const post = async (path: string, body: object, status = 201) => {
        const request = { method: 'POST', path, key, body: JSON.stringify(body) }
        return bodyOf(await service.client().rest(request), status)
      }
      const { item_currency: currency } = service.ready.sandbox
      await post('/v1/merchant', { slug, domain, name: slug, country: 'US', mcc: '5999', currency }, 200)
      const sold: Record<string, string> = {}
      for (const way of shopWays) {
        const handle = way.replaceAll('_', '-')
        const variants = [{ sku: `${slug}-${handle}`, price, currency, availability: 'in_stock' }]
        const item = { handle, title: handle, url: shopUrl(domain, way), item_type: 'product', variants }
        const { id, variants: made } = await post('/v1/merchant/catalog_items', item)
        sold[way] = (made as { id: string }[])[0]?.id ?? '' // the contract's own shape
        await post(`/v1/merchant/catalog_items/${id}/publish`, {}, 200)
      }
      const made = await post('/v1/merchant/destinations', {
        name: 'Backend',
        // Only a destination that gets the ends of orders may decide them.
        event_types: ['order.requested', 'order.confirmed', 'order.rejected'],
        webhook: { endpoint_url: `${ways.merchantUrl}/m/${slug}/webhooks` },
      })
      const { secret } = made.secret as { secret: string } // shown in this reply alone
      const told = { destination_id: made.id, secret, api_origin: ways.apiOrigin }
      await control(world, `/m/${slug}/control/destinations`, told)
      await post(`/v1/merchant/destinations/${made.id}/test`, {}, 200)
      return { domain, key, slug, variants: sold, destination: String(made.id) }
    }),
  )
}

/** What a driver needs to know of them. */
export function shopsOrder(shops: readonly Shop[]): ShopsOrder {
  return { price, shops: shops.map(({ destination: _, ...shop }) => shop) }
}
