import { pino } from 'pino'
import { openParts, type Parts } from '../parts.ts'
import { readDatabaseTime } from '../platform/clock/clock.ts'
import type { Config } from '../platform/config/config.ts'
import { waitForSchema } from '../platform/database/migrate.ts'
import { readRights, weaknessOf } from '../platform/database/runtime-role.ts'
import { createFaults, type Faults } from '../platform/faults/faults.ts'
import { createHints } from '../platform/hints/pg-hints.ts'
import { createLog, type Log } from '../platform/logs/logs.ts'
import { watchBacklog } from '../platform/metrics/backlog.ts'
import { createMetrics, type Metrics, watchPools } from '../platform/metrics/metrics.ts'
import { type MetricsServer, serveMetrics } from '../platform/metrics/metrics-server.ts'
import { readBacklog } from './read-backlog.ts'
import { readyUntilTold } from './ready-until-told.ts'
import { openKeys, requiredDatabase } from './role-config.ts'
import { outJson } from './terminal.ts'

/** A process of the product on a database: what the API and the worker have in common. */
export type Role = {
  config: Config
  parts: Parts
  log: Log
  metrics: Metrics
  metricsServer: MetricsServer | null
  faults: Faults
}

/** How long a role waits for `migrate` or `up` to bring the schema to its version. */
const schemaPatienceMs = 60_000

export async function openRole(role: string, config: Config, publicUrl: string): Promise<Role> {
  const log = createLog({
    level: config.logLevel,
    role,
    // A write costs more than a line, so lines wait for each other, but never longer than people notice.
    destination: pino.destination({ fd: 2, sync: false, minLength: 4096, periodicFlush: 100 }),
  })
  const databaseUrl = requiredDatabase(config)
  const faults = createFaults(config.faults)
  await waitForSchema({ url: config.databaseDirectUrl?.reveal() ?? databaseUrl, timeoutMs: schemaPatienceMs })
  const metrics = createMetrics({ defaults: true })
  const hints = await createHints({
    directUrl: config.databaseDirectUrl?.reveal() ?? databaseUrl,
    log,
    onDegraded: (degraded) => metrics.hintsDegraded.set(degraded ? 1 : 0),
  })
  const parts = await openParts({
    databaseUrl,
    role,
    keys: openKeys(config),
    hints,
    settings: {
      publicUrl,
      allowLoopback: config.allowLoopback,
      livePayments: config.liveRail !== 'none',
      sharesTestDomains: config.sharesTestDomains,
      limits: config.limits,
    },
    testClock: config.testClock,
    writers: config.writers,
    readers: config.readers,
    ...(role === 'api'
      ? { serving: { longReaders: config.longReaders, bulkReaders: config.bulkReaders } }
      : {}),
    onDatabaseError: (error) => log.warn({ err: error }, 'a database connection was lost'),
  })
  const weakness = weaknessOf(await readRights(parts.pools))
  if (weakness !== null) log.warn(weakness)
  watchPools(metrics, parts.pools)
  const { metricsPort: port, metricsHost: host } = config
  watchBacklog(metrics, () => readBacklog({ read: parts.pools.survey }))
  const ways = role === 'api' ? [parts.pools, { read: parts.pools.door }] : [parts.pools]
  const isReady = () => Promise.all(ways.map(readDatabaseTime)).then(() => true)
  const metricsServer =
    port === null ? null : await serveMetrics({ registry: metrics.registry, host, port, isReady })
  return {
    config,
    log,
    metrics,
    metricsServer,
    faults,
    parts: {
      ...parts,
      async close() {
        await metricsServer?.close()
        await hints.close()
        await parts.close()
      },
    },
  }
}

/** Says ready, then runs until it is told to stop or whoever started it is gone; then `stop` has eight seconds. */
export async function runUntilStopped(
  ready: object,
  parentPipe: boolean,
  stop: () => Promise<void>,
): Promise<void> {
  await readyUntilTold(() => outJson(ready), parentPipe)
  const patience = setTimeout(() => process.exit(1), stopPatienceMs)
  patience.unref()
  await stop()
  process.stdin.destroy()
  clearTimeout(patience)
}

export const stopPatienceMs = 8000
