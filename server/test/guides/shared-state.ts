import type { Service } from '../harness/up.ts'

/** What all guides share: the first account with the sandbox's merchant, and the sites of the registry. */
type SharedState = Readonly<Record<string, unknown>>

const lists = [
  'policies',
  'event_destinations',
  'merchant/destinations',
  'merchant/mpp_apis',
  'promotions',
  'rate_cards',
  'markets',
  'business_locations',
] as const

type Listed = { data: Row[]; total: number }
// biome-ignore lint/suspicious/noExplicitAny: rows of our own lists, of which a few fields are read
type Row = any

/** As the first account sees it. A guide has an account of its own, so that it leaves all of this as it was. */
export async function readSharedState({ ready }: Service): Promise<SharedState> {
  const { secret_test: key } = ready.keys
  const headers = { authorization: `Bearer ${key}`, accept: 'application/json' }
  const read = async (path: string): Promise<Row> => {
    const response = await fetch(`${ready.base_url}/v1/${path}`, { headers })
    if (!response.ok) throw new Error(`GET /v1/${path} answered ${response.status}: ${await response.text()}`)
    return response.json()
  }
  const { slug, domain, status, currency, tax_basis_points } = await read('merchant')
  const items: Listed = await read('merchant/catalog_items?limit=100')
  const registry: Listed = await read('registry?limit=100')
  const counts = await Promise.all(
    lists.map(async (name) => [name, ((await read(`${name}?limit=1`)) as Listed).total] as const),
  )
  return {
    merchant: { slug, domain, status, currency, tax_basis_points },
    items: items.data.map(({ handle, title, status, variants }) => ({ handle, title, status, variants })),
    sites: registry.data.map(({ id }) => id).filter((id: string) => id.startsWith('reg_')),
    ...Object.fromEntries(counts),
  }
}
