/**
 * Groups of processes whose CPU is measured apart: ours, the database's, and the outside world's. The APIs and the workers among ours may
 * be measured by themselves as well. The browser is named by its role, and counts with every process of Chromium.
 */
export type ProcessGroup = 'node' | 'postgres' | 'outside' | 'api' | 'worker' | 'browser'

/** What the operations did in the database, all together. */
export type Counts = {
  statements?: number
  transactions?: number
  logBytes?: number
  storedBytes?: number
}

/** The work of a contestant in one round. Every kind of work has its operation: a request, a transaction, a purchase. */
export type Work = {
  operations: number
  seconds: number
  latencyMs?: { p50: number; p99: number }
  /** The most memory that Chromium had at once: what its processes share is counted once, and in `residentMb` in each. */
  peakMb?: number
  residentMb?: number
}

/** The result of one round, with the CPU that each group of processes spent on it; null where the system does not report it. */
export type Sample = Work & Counts & { cpuMs: Partial<Record<ProcessGroup, number>> | null }

export type Contestant = {
  name: string
  /** Called before and after each round, since processes come and go. PostgreSQL is named by its postmaster. */
  processes(): Partial<Record<ProcessGroup, readonly number[]>>
  /** Work between rounds, which no round is charged with. */
  before?(seconds: number): Promise<void>
  run(seconds: number): Promise<Work>
  /** What is counted when the CPU of a round has been read. */
  counts?(): Promise<Counts>
}

/**
 * Operations a second, or per second of CPU of our own processes, or of ours and PostgreSQL together; or a latency; or what one operation
 * took.
 */
export type Measure =
  | 'rate'
  | 'per_node_cpu'
  | 'per_cpu'
  | 'p50_ms'
  | 'p99_ms'
  | 'node_us'
  | 'postgres_us'
  | 'cpu_us'
  | 'api_us'
  | 'worker_us'
  | 'browser_us'
  | 'peak_mb'
  | 'resident_mb'
  | 'statements'
  | 'transactions'
  | 'log_kb'
  | 'stored_kb'

/** One contestant beside another, round by round. */
export type Comparison = {
  about: string
  of: string
  against: string
  measure: Measure
  /** The least ratio that is allowed, and the one that we aim at; for latencies and costs the highest. */
  bound?: { at: 'least' | 'most'; floor: number; aim?: number }
}

/** The highest cost of one contestant, or the least that it must do. `beyond`: only what it costs more than this one, round by round. */
export type Budget = { about: string; of: string; beyond?: string; measure: Measure; aim?: number } & Limit
export type Limit = { most: number } | { least: number }

export type Prepared = {
  /** The version that the measured server reports. */
  postgres: string
  contestants: readonly Contestant[]
  comparisons?: readonly Comparison[]
  budgets?: readonly Budget[]
  /** Facts beside the figures: round trips, row counts, the kind of the other side. */
  facts?: Record<string, string | number>
  stop(): Promise<void>
}

export type Benchmark = {
  name: string
  about: string
  /** The name of one operation in the table. */
  unit: string
  seconds: number
  prepare(): Promise<Prepared>
}
