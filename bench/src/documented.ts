import type { DocumentedRun } from '../../server/test/documented-runs.ts'
import { limitText, type Report, spreadText } from './report.ts'

/** The table in docs/performance.md. */
export const columns = [
  'bench',
  'what',
  'median (least–most)',
  'asked',
  'holds',
  'rounds',
  'load before',
  'when',
  'commit',
  'machine',
]

/** A row for every limit of a benchmark. */
export function rowsOf({ name, comparisons, budgets, ...run }: Report): DocumentedRun[] {
  const asked = [
    ...comparisons.flatMap(({ about, ratio, bound, holds }) =>
      bound
        ? [{ about, spread: ratio, limit: `${bound.at === 'least' ? '≥' : '≤'} ${bound.floor}`, holds }]
        : [],
    ),
    ...budgets.map((budget) => ({
      about: budget.about,
      spread: budget.spent,
      limit: limitText(budget),
      holds: budget.holds,
    })),
  ]
  return asked.map(({ about, spread, limit, holds }) => ({
    bench: name,
    what: about,
    'median (least–most)': spreadText(spread),
    asked: limit,
    holds: holds ? 'holds' : '**missed**',
    rounds: String(run.rounds),
    'load before': run.load_before === null ? '–' : run.load_before.toFixed(1),
    when: run.date.slice(0, 10),
    commit: run.commit,
    machine: `${run.machine.cores} × ${run.machine.cpu}, Node ${run.node}, PostgreSQL ${run.postgres}`,
  }))
}

/** The rows that stand, and in their place those of the same benchmark that were measured since. A missed limit is told; a commit that nobody has is not. */
export function mergeRows(
  shown: readonly DocumentedRun[],
  measured: readonly DocumentedRun[],
  whyNot: (commit: string) => string | null,
): { runs: DocumentedRun[]; refused: string[] } {
  const reasons = new Map<string, string>()
  const counts = ({ bench = '', commit = '' }: DocumentedRun) => {
    const why = whyNot(commit)
    if (why !== null) reasons.set(`${bench} ${commit}`, `${bench}: ${why}`)
    return why === null
  }
  const newer = measured.filter(counts)
  const isReplaced = ({ bench, when = '' }: DocumentedRun) =>
    newer.some((row) => row['bench'] === bench && (row['when'] ?? '') >= when)
  const runs = [...shown.filter((row) => counts(row) && !isReplaced(row))]
  const standing = new Set(runs.map(({ bench }) => bench))
  return {
    runs: [...runs, ...newer.filter(({ bench }) => !standing.has(bench))],
    refused: [...reasons.values()],
  }
}
