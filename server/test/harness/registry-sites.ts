import type { RequestListener } from 'node:http'
import type { Mode } from '../../src/contract/context.ts'
import { selectEntryOfOrigin } from '../../src/domain/discovery/registry/entries.sql.ts'
import { type EntryRow, registryAccount } from '../../src/domain/discovery/registry/entry-row.ts'
import type { RegistryChannel } from '../../src/domain/discovery/registry/found-protocol.ts'
import { addEntry, removeEntry } from '../../src/domain/discovery/registry/operate-entries.ts'
import { createRegistryWork } from '../../src/domain/discovery/registry/work.ts'
import { runAs } from '../../src/platform/calls/run-as.ts'
import { egressWith, serve, stopAll } from '../../src/platform/egress/local-servers.testing.ts'
import { createFaults } from '../../src/platform/faults/faults.ts'
import { silentLog } from '../../src/platform/logs/logs.ts'
import { createMetrics } from '../../src/platform/metrics/metrics.ts'
import { createWorker, type Worker } from '../../src/platform/work/worker.ts'
import { startTestApp, type TestApp, type TestAppOptions } from './app.ts'
import { type StoppedClock, stopClock } from './stopped-clock.ts'

export const start = new Date('2026-03-01T12:00:00Z')

/** An API whose registry is looked after by a worker that the test runs, at a time that the test sets. */
export type RegistryWorld = {
  app: TestApp
  clock: StoppedClock
  worker: Worker
  newWorker(): Worker
  add(origin: string, more?: { mode?: Mode; channel?: RegistryChannel; name?: string }): Promise<EntryRow>
  remove(row: EntryRow): Promise<boolean>
  entry(origin: string, mode?: Mode): Promise<EntryRow | null>
  /** Adds a site and looks at it. */
  looked(origin: string, more?: { channel?: RegistryChannel; name?: string }): Promise<EntryRow>
  stop(): Promise<void>
}

export async function startRegistry(options: TestAppOptions = {}): Promise<RegistryWorld> {
  const app = await startTestApp({
    testClock: true,
    limits: {
      discoveryTest: 10_000,
      discoveryLive: 10_000,
      discoveryAnonymousMinute: 10_000,
      discoveryAnonymousHour: 10_000,
    },
    ...options,
  })
  const clock = await stopClock(app.parts.pools, start)
  const newWorker = () =>
    createWorker({
      ...app.parts,
      log: silentLog(),
      faults: createFaults({ enabled: true, crashAt: null, pauseAt: null, pauseFile: null }),
      metrics: createMetrics(),
      kinds: [createRegistryWork({ egress: egressWith() })],
    })
  const actor = { type: 'system', id: 'operator:test' } as const
  const tenantIn = (mode: Mode) => ({ accountId: registryAccount, mode })
  const worker = newWorker()
  const world: RegistryWorld = {
    app,
    clock,
    worker,
    newWorker,
    async add(origin, { mode = 'test', channel, name } = {}) {
      const row = await runAs(app.parts, { tenant: tenantIn(mode), actor }, (ctx) =>
        addEntry(ctx, { origin, channel: channel ?? null, name: name ?? null }),
      )
      if (!row) throw new Error(`${origin} is there already`)
      return row
    },
    remove: ({ id, mode }) =>
      runAs(app.parts, { tenant: tenantIn(mode), actor }, (ctx) => removeEntry(ctx, id)),
    entry: async (origin, mode = 'test') =>
      (await app.parts.pools.read(selectEntryOfOrigin({ account_id: registryAccount, mode, origin })))[0] ??
      null,
    async looked(origin, more) {
      await world.add(origin, more)
      await worker.runOnce()
      const row = await world.entry(origin)
      if (!row) throw new Error(`${origin} is not there`)
      return row
    },
    async stop() {
      await worker.stop()
      await stopAll()
      await app.stop()
    },
  }
  return world
}

/** A site that answers each path with a document, or as it likes, and everything else with 404. */
type Site = { origin: string; documents: Map<string, unknown>; asked: string[] }

export async function serveSite(documents: Record<string, unknown> = {}): Promise<Site> {
  const site: Site = { origin: '', documents: new Map(Object.entries(documents)), asked: [] }
  const { origin } = await serve((request, response) => {
    const path = request.url ?? ''
    site.asked.push(path)
    const document = site.documents.get(path)
    if (typeof document === 'function') (document as RequestListener)(request, response)
    else if (document === undefined) response.writeHead(404).end()
    else
      response
        .writeHead(200, { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' })
        .end(JSON.stringify(document))
  })
  site.origin = origin
  return site
}

/** A valid profile of a business with a catalog. `at`: where its services are. */
export function profileAt(
  at: string,
  { version = '2026-08-25', more = {} }: { version?: string; more?: object } = {},
) {
  const schema = `https://ucp.dev/${version}/schemas/shopping/any.json`
  return {
    ucp: {
      version,
      services: { 'dev.ucp.shopping': [{ version, transport: 'rest', endpoint: `${at}/ucp`, schema }] },
      capabilities: {
        'dev.ucp.shopping.checkout': [{ version, schema }],
        'dev.ucp.shopping.catalog.search': [{ version, schema }],
      },
      payment_handlers: {
        'com.google.pay': [{ id: 'gpay', version: '2026-01-11', available_instruments: [{ type: 'card' }] }],
      },
      ...more,
    },
  }
}

const challenge = 'Payment id="c1", realm="here", method="tempo", intent="charge", request="e30"'

/** Documents of a site that sells one answer over MPP: by its manifest for `stripe`, in fact for `tempo`. */
export function mppSite(): Record<string, unknown> {
  return {
    '/.well-known/mpp.json': {
      name: 'Weather',
      categories: ['data'],
      methods: { stripe: { intents: ['charge'] } },
      endpoints: [
        { method: 'GET', path: '/now', payment: { method: 'stripe', intent: 'charge', amount: '5' } },
      ],
    },
    '/now': ((_request, response) =>
      response.writeHead(402, { 'www-authenticate': challenge }).end()) satisfies RequestListener,
  }
}
