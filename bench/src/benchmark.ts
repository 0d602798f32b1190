/** Processes whose CPU is told apart: ours, the database's, and the outside world's. */
export type ProcessGroup = 'node' | 'postgres' | 'outside'

/** What a contestant did in one round. Every kind of work has its operation: a request, a transaction, a purchase. */
export type Work = {
  operations: number
  seconds: number
  latencyMs?: { p50: number; p99: number }
}

/** What one round came to, with the CPU that each group of processes spent on it; null where the system does not tell. */
export type Sample = Work & { cpuMs: Partial<Record<ProcessGroup, number>> | null }

export type Contestant = {
  name: string
  /** Asked before and after each round, since processes come and go. PostgreSQL is named by its postmaster. */
  processes(): Partial<Record<ProcessGroup, readonly number[]>>
  /** What the round is not charged with. */
  before?(seconds: number): Promise<void>
  run(seconds: number): Promise<Work>
}

/** Operations a second, or per second of CPU of our own processes, or of ours and PostgreSQL together; or a latency. */
export type Measure =
  | 'rate'
  | 'per_node_cpu'
  | 'per_cpu'
  | 'p50_ms'
  | 'p99_ms'
  | 'node_us'
  | 'postgres_us'
  | 'cpu_us'

/** One contestant beside another, round by round. */
export type Comparison = {
  about: string
  of: string
  against: string
  measure: Measure
  /** The least the ratio may be, and what we aim at; for latencies and costs the most. */
  bound?: { at: 'least' | 'most'; floor: number; aim?: number }
}

/** What one contestant may cost. */
export type Budget = { about: string; of: string; measure: Measure; most: number; aim?: number }

export type Prepared = {
  /** The server that was measured, by its own word. */
  postgres: string
  contestants: readonly Contestant[]
  comparisons?: readonly Comparison[]
  budgets?: readonly Budget[]
  /** Facts beside the figures: round trips, row counts, what the other side was. */
  facts?: Record<string, string | number>
  stop(): Promise<void>
}

export type Benchmark = {
  name: string
  about: string
  /** What one operation is called in the table. */
  unit: string
  seconds: number
  prepare(): Promise<Prepared>
}
