import { randomUUID } from 'node:crypto'
import type { Reads } from '../contract/context.ts'
import { ucpCatalogsIn } from '../domain/discovery/registry/public.ts'
import { createCatalogSources } from '../domain/discovery/sources/catalog-sources.ts'
import type { CatalogSources } from '../domain/discovery/sources/port.ts'
import type { Config } from '../platform/config/config.ts'
import { createEgress } from '../platform/egress/egress.ts'
import { ownPortsOf } from './own-ports.ts'
import { sandboxNamesOf } from './sandbox-names.ts'

type OpenedCatalogs = { catalogs: CatalogSources; close(): Promise<void> }

/** The catalogs of others that searches of this process ask. */
export function openCatalogs(
  config: Config,
  { reads, publicUrl, metricsUrl }: { reads: Reads; publicUrl: string; metricsUrl: string | null },
): OpenedCatalogs {
  const { globalCatalog, sandboxCatalogUrl, sandboxUrl, catalogSourcesMax } = config
  const egress = createEgress({
    allowLoopback: (mode) => config.allowLoopback && mode === 'test',
    trustedOrigins: [globalCatalog?.url, sandboxCatalogUrl].flatMap((url) => (url ? [url] : [])),
    ownPorts: ownPortsOf(config, metricsUrl),
    sandboxMerchantUrl: config.sandboxMerchantUrl,
    sandboxNames: sandboxNamesOf(config),
  })
  const version = '2026-08-25'
  const catalogs = createCatalogSources({
    egress,
    publicUrl,
    newRequestId: randomUUID,
    readCatalogs: (mode) => ucpCatalogsIn(reads, mode),
    globalCatalogs: {
      live: globalCatalog && {
        endpoint: globalCatalog.url,
        transport: globalCatalog.transport,
        token: globalCatalog.token,
        version,
      },
      test:
        sandboxCatalogUrl === null
          ? null
          : { endpoint: sandboxCatalogUrl, transport: 'rest', token: null, version },
    },
    sourcesMax: catalogSourcesMax,
    // The shops of the sandbox sell at every address.
    isBoughtElsewhere: (mode) => mode === 'test' && sandboxUrl !== null,
  })
  return { catalogs, close: () => egress.close() }
}
