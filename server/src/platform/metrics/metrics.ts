import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** The metrics of the running product. Labels are closed sets: never an id, a path or anything that a caller typed. */
export type Metrics = ReturnType<typeof createMetrics>

const requestSeconds = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30]
const stepSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]
const lagSeconds = [0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

/** A registry of its own, so that two compositions in one process (tests) do not share counters. */
export function createMetrics(options: { defaults?: boolean } = {}) {
  const registry = new Registry()
  const registers = [registry]
  if (options.defaults) {
    collectDefaultMetrics({ register: registry })
    // Gauges that are named like counters; the gauges by type say the same.
    for (const what of ['handles', 'requests', 'resources'])
      registry.removeSingleMetric(`nodejs_active_${what}_total`)
  }
  const counter = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Counter({ name: `prokura_${name}`, help, labelNames, registers })
  const gauge = <Label extends string>(name: string, help: string, labelNames: readonly Label[]) =>
    new Gauge({ name: `prokura_${name}`, help, labelNames, registers })
  const histogram = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
    buckets: number[],
  ) => new Histogram({ name: `prokura_${name}`, help, labelNames, buckets, registers })

  return {
    registry,
    requests: counter('http_requests_total', 'Answered requests', ['operation', 'status']),
    requestSeconds: histogram(
      'http_request_seconds',
      'Time to answer, without what the caller waited for',
      ['operation'],
      requestSeconds,
    ),
    refusals: counter('refusals_total', 'Refused requests by problem code', ['code']),
    relayLag: histogram(
      'relay_lag_seconds',
      'From an event to the commit of what follows it',
      [],
      lagSeconds,
    ),
    relayEvents: counter('relay_events_total', 'Relayed events by type', ['type']),
    relayBatches: counter('relay_batches_total', 'Batches of the relay by result', ['result']),
    relayShards: gauge('relay_shards', 'Shards that this process relays', []),
    followerFailures: counter('follower_failures_total', 'Failed tries of what follows from an event', [
      'follower',
    ]),
    workClaimed: counter('work_claimed_total', 'Rows claimed', ['kind']),
    workSteps: counter('work_steps_total', 'Steps by result', ['kind', 'result']),
    workSeconds: histogram('work_step_seconds', 'Time a step takes', ['kind'], stepSeconds),
    workRunning: gauge('work_steps_running', 'Steps under way', ['kind']),
    workClaimFailures: counter('work_claim_failures_total', 'Claims that the database refused', ['kind']),
    deliveries: counter('delivery_attempts_total', 'Webhook attempts by result', ['result']),
    effects: counter('effects_total', 'External effects by step and result', ['step', 'result']),
    railCircuit: gauge(
      'rail_circuit',
      '1 while this process holds calls to a payment rail back, because it fails or turns them away',
      ['rail', 'mode'],
    ),
    railMovements: counter(
      'rail_movements_total',
      'Movements that payment rails have reported of credentials, by what became of them',
      ['outcome'],
    ),
    sweptRows: counter('swept_rows_total', 'Rows that had served their time and were swept away', ['sweep']),
    sweepFailures: counter('sweep_failures_total', 'Sweeps that ended with an error', ['sweep']),
    hintsDegraded: gauge(
      'hints_degraded',
      '1 while hints between processes do not arrive and everything polls',
      [],
    ),
  }
}

/** Lets a pool report itself whenever the metrics are read. */
export function watchPools(
  metrics: Metrics,
  pools: { size(): { writers: number; idle: number; waiting: number } },
): void {
  new Gauge({
    name: 'prokura_database_connections',
    help: 'Connections of the write pool, and transactions that wait for one',
    labelNames: ['state'],
    registers: [metrics.registry],
    collect() {
      const { writers, idle, waiting } = pools.size()
      this.set({ state: 'busy' }, writers - idle)
      this.set({ state: 'idle' }, idle)
      this.set({ state: 'waiting' }, waiting)
    },
  })
}
