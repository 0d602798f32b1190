import type { Mode, Reads } from '../../../contract/context.ts'
import type { UcpCatalog } from '../sources/public.ts'
import { selectUcpEntries } from './entries.sql.ts'
import { registryAccount } from './entry-row.ts'

const catalogSearch = 'dev.ucp.shopping.catalog.search'
const checkout = 'dev.ucp.shopping.checkout'
const shopping = 'dev.ucp.shopping'

/**
 * The verified UCP catalogs of a mode, the longest known first: sites whose profile was valid at the last look and declares the search of
 * a catalog. Each has one endpoint; REST goes before MCP, where a site has both.
 */
export async function ucpCatalogsIn(reads: Reads, mode: Mode): Promise<UcpCatalog[]> {
  const rows = await reads.rows(selectUcpEntries({ account_id: registryAccount, mode }))
  return rows.flatMap((row): UcpCatalog[] => {
    const ucp = row.found.find(({ protocol, status }) => protocol === 'ucp' && status === 'live')
    if (!ucp?.capabilities.includes(catalogSearch)) return []
    const offered = ucp.services.filter(({ name }) => name === shopping)
    const chosen =
      offered.find(({ transport }) => transport === 'rest') ??
      offered.find(({ transport }) => transport === 'mcp')
    if (!chosen?.endpoint) return []
    return [
      {
        id: row.id,
        merchant: {
          name: row.name ?? row.site_name ?? row.host,
          slug: null,
          domain: row.host,
          country: null,
          // Its own host published the profile.
          verified: true,
        },
        categories: row.item_types,
        hasCheckout: ucp.capabilities.includes(checkout),
        endpoint: chosen.endpoint,
        transport: chosen.transport === 'rest' ? 'rest' : 'mcp',
        version: chosen.version,
      },
    ]
  })
}
