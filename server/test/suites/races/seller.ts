import { administer } from '../../../src/cli/operator/administer.ts'
import { readConfig } from '../../../src/platform/config/config.ts'
import type { Arena } from '../arena.ts'

export type Seller = { key: string; slug: string; destinations: string[] }

/** A merchant of its own in USD that other accounts can ask for prices. Its destinations answered once, and nothing listens there now. */
export async function openSeller(arena: Arena, name: string, destinationCount = 1): Promise<Seller> {
  const { account_id, keys } = await administer(readConfig(arena.service.environment), (admin) =>
    admin.openAccount(name),
  )
  const key = keys.secret_test
  const slug = `races-${account_id.slice(-12)}`
  const record = { name, currency: 'USD', slug, domain: `${slug}.example` }
  await arena.ask({ method: 'POST', path: '/v1/merchant', key, body: record }, 200)
  const destinations: string[] = []
  for (let index = 0; index < destinationCount; index++) {
    const body = {
      name: `Destination ${index}`,
      responds_to_quotes: index === 0,
      event_types: ['order.requested'],
      webhook: { endpoint_url: 'http://127.0.0.1:9/hooks' },
    }
    const { id } = await arena.ask({ method: 'POST', path: '/v1/merchant/destinations', key, body }, 201)
    destinations.push(`/v1/merchant/destinations/${id}`)
  }
  await arena.query('update webhook_destinations set confirmed_at = now() where account_id = $1', account_id)
  return { key, slug, destinations }
}
