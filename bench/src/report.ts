import type { Benchmark, Budget, Comparison, Limit, Measure, Prepared, Sample } from './benchmark.ts'
import type { Machine } from './machine.ts'
import { measured, pairedRatio, type Spread, spreadOf } from './statistics.ts'

export type Report = {
  name: string
  about: string
  date: string
  commit: string
  machine: Machine
  load_before: number | null
  node: string
  postgres: string
  rounds: number
  seconds: number
  facts: Record<string, string | number>
  contestants: { name: string; figures: Partial<Record<Measure, Spread>>; samples: Sample[] }[]
  comparisons: (Comparison & { ratio: Spread; holds: boolean | null })[]
  budgets: (Budget & { spent: Spread; holds: boolean })[]
}

const measures: readonly Measure[] = [
  'rate',
  'api_us',
  'worker_us',
  'browser_us',
  'peak_mb',
  'resident_mb',
  'node_us',
  'postgres_us',
  'cpu_us',
  'p50_ms',
  'p99_ms',
  'statements',
  'transactions',
  'log_kb',
  'stored_kb',
]

export function reportOf(
  benchmark: Benchmark,
  prepared: Prepared,
  samples: ReadonlyMap<string, Sample[]>,
  circumstances: Pick<
    Report,
    'date' | 'commit' | 'machine' | 'load_before' | 'node' | 'postgres' | 'rounds' | 'seconds'
  >,
): Report {
  const of = (name: string) => samples.get(name) ?? []
  const spentIn = (sample: Sample, round: number, { beyond, measure }: Budget) => {
    const spent = measured(sample, measure)
    if (beyond === undefined) return spent
    const less = of(beyond)[round]
    return less === undefined ? Number.NaN : spent - measured(less, measure)
  }
  return {
    name: benchmark.name,
    about: benchmark.about,
    ...circumstances,
    facts: prepared.facts ?? {},
    contestants: [...samples].map(([name, rounds]) => ({
      name,
      figures: figuresOf(rounds),
      samples: rounds,
    })),
    comparisons: (prepared.comparisons ?? []).flatMap((comparison) => {
      const ratio = pairedRatio(of(comparison.of), of(comparison.against), comparison.measure)
      return ratio ? [{ ...comparison, ratio, holds: holdsBound(ratio, comparison) }] : []
    }),
    budgets: (prepared.budgets ?? []).flatMap((budget) => {
      const spent = spreadOf(of(budget.of).map((sample, round) => spentIn(sample, round, budget)))
      return spent ? [{ ...budget, spent, holds: isWithin(spent.median, budget) }] : []
    }),
  }
}

function figuresOf(rounds: readonly Sample[]): Partial<Record<Measure, Spread>> {
  const figures: Partial<Record<Measure, Spread>> = {}
  for (const measure of measures) {
    const spread = spreadOf(rounds.map((sample) => measured(sample, measure)))
    if (spread) figures[measure] = spread
  }
  return figures
}

function isWithin(value: number, limit: Limit): boolean {
  return 'most' in limit ? value <= limit.most : value >= limit.least
}

export function limitText(limit: Limit): string {
  return 'most' in limit ? `≤ ${limit.most}` : `≥ ${limit.least}`
}

function holdsBound(ratio: Spread, { bound }: Comparison): boolean | null {
  if (!bound) return null
  return bound.at === 'least' ? ratio.median >= bound.floor : ratio.median <= bound.floor
}

const titles: Record<Measure, string> = {
  rate: '/s',
  per_node_cpu: '/CPU s',
  per_cpu: '/CPU s',
  p50_ms: 'p50 ms',
  p99_ms: 'p99 ms',
  node_us: 'Node µs',
  postgres_us: 'PostgreSQL µs',
  cpu_us: 'CPU µs',
  api_us: 'API µs',
  worker_us: 'worker µs',
  browser_us: 'browser µs',
  peak_mb: 'peak MB',
  resident_mb: 'peak RSS MB',
  statements: 'statements',
  transactions: 'transactions',
  log_kb: 'log kB',
  stored_kb: 'stored kB',
}

/** For people: a table of the figures, then the limits and whether they hold. */
export function tableOf(report: Report, unit: string): string {
  const shown = measures.filter((measure) => report.contestants.some(({ figures }) => figures[measure]))
  const head = [unit, ...shown.map((measure) => titles[measure])]
  const rows = report.contestants.map(({ name, figures }) => [
    name,
    ...shown.map((measure) => (figures[measure] ? spreadText(figures[measure]) : '–')),
  ])
  const facts = Object.entries(report.facts).map(([name, value]) => `${name}: ${value}`)
  const verdicts = [
    ...report.comparisons.map(({ about, ratio, bound, holds }) =>
      verdict(
        about,
        ratio,
        holds,
        bound ? `${bound.at === 'least' ? '≥' : '≤'} ${bound.floor}${aimText(bound.aim)}` : '',
      ),
    ),
    ...report.budgets.map((budget) =>
      verdict(budget.about, budget.spent, budget.holds, `${limitText(budget)}${aimText(budget.aim)}`),
    ),
  ]
  return [aligned([head, ...rows]), ...(facts.length > 0 ? ['', ...facts] : []), '', aligned(verdicts)].join(
    '\n',
  )
}

function verdict(about: string, spread: Spread, holds: boolean | null, asked: string): string[] {
  return [about, spreadText(spread), asked, holds === null ? '' : holds ? 'holds' : 'MISSED']
}

function aimText(aim: number | undefined): string {
  return aim === undefined ? '' : `, aim ${aim}`
}

export function spreadText({ median, min, max }: Spread): string {
  return `${numberText(median)} (${numberText(min)}–${numberText(max)})`
}

function numberText(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en')
  return value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

function aligned(rows: readonly string[][]): string {
  const widths: number[] = []
  for (const row of rows)
    for (const [column, cell] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, cell.length)
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
