import { administer } from '../../../server/src/cli/operator/administer.ts'
import { roleConfig } from '../../../server/src/cli/role-config.ts'
import { makeBuyer } from './buyer.ts'
import { confirmAll } from './merchants.ts'
import type { World } from './world.ts'

/** A buyer with an account of its own, and what it may buy with. */
export type Shopper = { accountId: string; key: string; profileId: string }
/** What a shop sells, at a price that buyers expect. */
export type Offered = { url: string; price: number; currency: string }

const price = 2500
const currency = 'USD'

/** Buyers, each with an account of its own, an address and a card. */
export function openShoppers(world: World, count: number): Promise<Shopper[]> {
  return administer(roleConfig(world.state), async ({ openAccount }) => {
    const shoppers: Shopper[] = []
    for (let number = 1; number <= count; number++) {
      const { account_id: accountId, keys } = await openAccount(`Buyer ${number}`)
      shoppers.push({ accountId, key: keys.secret_test, profileId: await makeBuyer(world, keys.secret_test) })
    }
    return shoppers
  })
}

/** Merchants, each with an account, a domain and an item of its own, whose orders the sandbox's backend answers. */
export async function openShops(world: World, count: number): Promise<Offered[]> {
  const offered = await administer(roleConfig(world.state), async ({ openAccount }) => {
    const made: Offered[] = []
    for (let number = 1; number <= count; number++) {
      const slug = `bench-${number}`
      const domain = `${slug}.example`
      const { account_id: accountId, keys } = await openAccount(`Seller ${number}`)
      const call = (path: string, body: object) => world.call('POST', path, body, keys.secret_test)
      await call('/v1/merchant', {
        slug,
        domain,
        name: `Shop ${number}`,
        country: 'US',
        mcc: '5999',
        currency,
      })
      await world.database.query('update merchants set domain_verified_at = now() where account_id = $1', [
        accountId,
      ])
      const url = `https://${domain}/items/ok`
      const variants = [{ sku: 'ok', title: 'Default', price, currency, availability: 'in_stock' }]
      const item = { handle: 'ok', title: 'A thing', url, item_type: 'product', variants }
      const { id } = await call('/v1/merchant/catalog_items', item)
      await call(`/v1/merchant/catalog_items/${id}/publish`, {})
      await connectBackend(world, slug, call)
      made.push({ url, price, currency })
    }
    return made
  })
  await confirmAll(world)
  return offered
}

/** The same subscription as that of the sandbox's own merchants. */
async function connectBackend(
  world: World,
  slug: string,
  call: (path: string, body: object) => ReturnType<World['call']>,
): Promise<void> {
  const { merchant_log_url: log, control_token: token } = world.ready.sandbox
  const backend = `${new URL(log).origin}/m/${slug}`
  const { id, secret } = await call('/v1/merchant/destinations', {
    name: 'Backend',
    responds_to_quotes: true,
    event_types: ['quote.requested', 'order.requested', 'order.confirmed', 'order.rejected'],
    webhook: { endpoint_url: `${backend}/webhooks` },
  })
  const response = await fetch(`${backend}/control/destinations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ destination_id: id, secret: secret.secret, api_origin: world.ready.base_url }),
  })
  if (!response.ok) throw new Error(`the sandbox refused a merchant with status ${response.status}`)
}
