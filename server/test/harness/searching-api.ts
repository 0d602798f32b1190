import { randomUUID } from 'node:crypto'
import { createApi } from '../../src/app.ts'
import { createCatalogSources } from '../../src/domain/discovery/sources/catalog-sources.ts'
import type { UcpCatalog } from '../../src/domain/discovery/sources/port.ts'
import { openParts } from '../../src/parts.ts'
import { createEgress } from '../../src/platform/egress/egress.ts'
import { createMemoryHints } from '../../src/platform/hints/memory-hints.ts'
import { envKeyProvider } from '../../src/platform/secrets/keys.ts'
import { testKeys } from './app.ts'
import { defaultLimits } from './default-limits.ts'

/** What the parent says on its command line, as JSON. */
export type SearchingApi = {
  databaseUrl: string
  catalogs: readonly UcpCatalog[]
}

/** An API in a process of its own, whose memory is looked at from outside. */
const given: SearchingApi = JSON.parse(process.argv[2] ?? '')
const parts = await openParts({
  databaseUrl: given.databaseUrl,
  role: 'test',
  keys: envKeyProvider(testKeys),
  hints: createMemoryHints(),
  settings: {
    publicUrl: 'http://127.0.0.1',
    allowLoopback: true,
    livePayments: false,
    sharesTestDomains: false,
    limits: { ...defaultLimits, discoveryTest: 10_000, reads: 100 },
  },
  testClock: false,
  writers: 8,
  readers: 2,
  serving: { longReaders: 6, bulkReaders: 2 },
  onDatabaseError: () => undefined,
})
const api = createApi(parts, {
  anonymousDiscovery: true,
  onRequest: () => undefined,
  onBug: (error) => process.stderr.write(`${error}\n`),
  catalogs: createCatalogSources({
    egress: createEgress({ allowLoopback: (mode) => mode === 'test', trustedOrigins: [] }),
    publicUrl: 'https://prokura.example',
    newRequestId: randomUUID,
    readCatalogs: async () => given.catalogs,
    globalCatalogs: { test: null, live: null },
    sourcesMax: 20,
    isBoughtElsewhere: () => false,
  }),
})
process.stdout.write(`${await api.http.listen({ host: '127.0.0.1', port: 0 })}\n`)
process.stdin.on('end', () => process.exit(0)).resume()
