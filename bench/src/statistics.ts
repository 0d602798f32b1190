import type { Measure, Sample } from './benchmark.ts'

export type Spread = { median: number; min: number; max: number }

export function spreadOf(values: readonly number[]): Spread | null {
  const sorted = values.filter(Number.isFinite).sort((a, b) => a - b)
  const [min] = sorted
  const max = sorted.at(-1)
  if (min === undefined || max === undefined) return null
  return { median: quantile(sorted, 0.5), min, max }
}

/** A quantile of values in ascending order, interpolated between the two nearest. */
export function quantile(sorted: readonly number[], at: number): number {
  const place = (sorted.length - 1) * at
  const low = sorted[Math.floor(place)] ?? Number.NaN
  const high = sorted[Math.ceil(place)] ?? Number.NaN
  return low + (high - low) * (place - Math.floor(place))
}

/** One figure of one round; not a number where the round does not have it. */
export function measured(sample: Sample, measure: Measure): number {
  const { operations, seconds, latencyMs, cpuMs } = sample
  const each = (total: number | undefined, unit = 1) => (total ?? Number.NaN) / unit / operations
  const node = cpuMs?.node ?? Number.NaN
  const postgres = cpuMs?.postgres ?? Number.NaN
  const both = node + postgres
  const figures: Record<Measure, number> = {
    rate: operations / seconds,
    per_node_cpu: operations / (node / 1000),
    per_cpu: operations / (both / 1000),
    p50_ms: latencyMs?.p50 ?? Number.NaN,
    p99_ms: latencyMs?.p99 ?? Number.NaN,
    node_us: (node * 1000) / operations,
    postgres_us: (postgres * 1000) / operations,
    cpu_us: (both * 1000) / operations,
    api_us: each(cpuMs?.api) * 1000,
    worker_us: each(cpuMs?.worker) * 1000,
    browser_us: each(cpuMs?.browser) * 1000,
    peak_mb: sample.peakMb ?? Number.NaN,
    resident_mb: sample.residentMb ?? Number.NaN,
    statements: each(sample.statements),
    transactions: each(sample.transactions),
    log_kb: each(sample.logBytes, 1024),
    stored_kb: each(sample.storedBytes, 1024),
  }
  return figures[measure]
}

/** The ratio of each round's two samples: a change of the machine's speed changes both, and cancels out. */
export function pairedRatio(
  of: readonly Sample[],
  against: readonly Sample[],
  measure: Measure,
): Spread | null {
  return spreadOf(
    of.flatMap((sample, round) => {
      const other = against[round]
      return other ? [measured(sample, measure) / measured(other, measure)] : []
    }),
  )
}
