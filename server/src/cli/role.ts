import { pino } from 'pino'
import type { Mode, Settings } from '../contract/context.ts'
import { openParts, type Parts } from '../parts.ts'
import { readDatabaseTime } from '../platform/clock/clock.ts'
import type { Config } from '../platform/config/config.ts'
import type { SeenDatabase } from '../platform/database/look.ts'
import { waitForSchema } from '../platform/database/migrate.ts'
import { provisionalWriters } from '../platform/database/pool.ts'
import { readRights, weaknessOf } from '../platform/database/runtime-role.ts'
import { createFaults, type Faults } from '../platform/faults/faults.ts'
import { createHints } from '../platform/hints/pg-hints.ts'
import { createLog, type Log, type LogSink } from '../platform/logs/logs.ts'
import { watchBacklog } from '../platform/metrics/backlog.ts'
import { createMetrics, type Metrics, watchPools } from '../platform/metrics/metrics.ts'
import { type MetricsServer, serveMetrics } from '../platform/metrics/metrics-server.ts'
import { processorPage } from '../rails/stripe/card-page.ts'
import { lookAt, withDatabaseTrouble } from './operator/database-trouble.ts'
import { openKeys } from './operator/keys-at-hand.ts'
import { readBacklog } from './operator/read-backlog.ts'
import { directDatabase, servedDatabase } from './role-config.ts'
import { onPort } from './up/port-words.ts'

/** A process of the product on a database: what the API and the worker have in common. */
type Role = {
  config: Config
  parts: Parts
  log: Log
  sink: LogSink
  metrics: Metrics
  metricsServer: MetricsServer | null
  faults: Faults
}

/** How long a role waits for `migrate` or `up` to bring the schema to its version. */
const schemaPatienceMs = 60_000

export async function openRole(role: string, config: Config, publicUrl: string): Promise<Role> {
  const sink = {
    level: config.logLevel,
    role,
    // A write costs as much as fifty lines, so lines are collected, but never for longer than people notice.
    destination: pino.destination({ fd: 2, sync: false, minLength: 16_000, periodicFlush: 100 }),
  }
  const log = createLog(sink)
  const faults = createFaults(config.faults)
  const [direct, served] = [directDatabase(config), servedDatabase(config)]
  await withDatabaseTrouble(direct, () => waitForSchema({ url: direct.url, timeoutMs: schemaPatienceMs }))
  const seen = await lookAt(served)
  const keys = await openKeys(config, seen)
  const metrics = createMetrics({ defaults: true })
  const opened: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (const one of opened.splice(0).reverse()) await one()
  }
  try {
    const hints = await createHints({
      directUrl: direct.url,
      log,
      onDegraded: (degraded) => metrics.hintsDegraded.set(degraded ? 1 : 0),
    })
    opened.push(() => hints.close())
    const parts = await withDatabaseTrouble(served, () =>
      openParts({
        databaseUrl: served.url,
        role,
        keys,
        hints,
        isPooled: seen.isPooled,
        settings: {
          publicUrl,
          allowLoopback: config.allowLoopback,
          livePayments: config.liveRail !== 'none',
          liveCapDaily: config.liveCapDaily,
          sharedTokenNetworks: networksOf(config),
          sharesTestDomains: config.sharesTestDomains,
          ...(config.elementsUrl === null
            ? {}
            : {
                elements: { url: config.elementsUrl, vaultUrl: config.vaultUrl, rpId: config.rpId },
              }),
          ...cardsOf(config),
          limits: config.limits,
        },
        testClock: config.testClock,
        writers: config.writers,
        readers: config.readers,
        ...(role === 'api'
          ? { serving: { longReaders: config.longReaders, bulkReaders: config.bulkReaders } }
          : {}),
        onDatabaseError: (error) => log.warn({ err: error }, 'a database connection was lost'),
      }),
    )
    opened.unshift(() => parts.close())
    const weakness = weaknessOf(await readRights(parts.pools))
    for (const line of [weakness, ...shortcomings(seen, config, role)]) if (line !== null) log.warn(line)
    watchPools(metrics, parts.pools)
    watchBacklog(metrics, () => readBacklog({ read: parts.pools.survey }))
    const metricsServer = await openMetrics(role, config, parts, metrics)
    if (metricsServer) opened.push(() => metricsServer.close())
    return { config, log, sink, metrics, metricsServer, faults, parts: { ...parts, close } }
  } catch (error) {
    await close()
    throw error
  }
}

/** Only where a rail keeps them. */
function cardsOf({ liveRail, cardsUrl, stripe }: Config): Pick<Settings, 'cards'> {
  if (liveRail !== 'stripe' || cardsUrl === null || !stripe.live) return {}
  return { cards: { url: cardsUrl, ...processorPage(stripe.live.url) } }
}

function networksOf({ stripe: { test, live } }: Config): Readonly<Partial<Record<Mode, string>>> {
  return {
    ...(test?.networkId ? { test: test.networkId } : {}),
    ...(live?.networkId ? { live: live.networkId } : {}),
  }
}

async function openMetrics(
  role: string,
  { metricsPort: port, metricsHost: host }: Config,
  { pools }: Parts,
  { registry }: Metrics,
): Promise<MetricsServer | null> {
  if (port === null) return null
  const ways = role === 'api' ? [pools, { read: pools.door }] : [pools]
  const isReady = () => Promise.all(ways.map(readDatabaseTime)).then(() => true)
  return onPort({ host, port, setting: 'PROKURA_METRICS_PORT' }, () =>
    serveMetrics({ registry, host, port, isReady }),
  )
}

/** What a person has to know, although the role continues. */
function shortcomings(seen: SeenDatabase, config: Config, role: string): string[] {
  const lines: string[] = []
  if (!seen.hasLimits) {
    lines.push(
      'the pooler of DATABASE_URL ignores the time limits that we set, so the limits of the role apply. docs/operations.md ("Poolers") says what to set.',
    )
  }
  const { writers, readers, longReaders, bulkReaders } = config
  const needed = writers + readers + (role === 'api' ? longReaders + bulkReaders + 3 : provisionalWriters + 2)
  if (seen.connectionsMax !== null && seen.connectionsMax < needed) {
    lines.push(
      `the role "${seen.role}" of DATABASE_URL may have ${seen.connectionsMax} connections, and this process alone opens up to ${needed}: raise the limit of the role, or lower PROKURA_WRITERS and the settings like it.`,
    )
  }
  return lines
}
