import type { PendingRow } from './relay.sql.ts'

/** The pending rows of one aggregate, by sequence. */
export type AggregateGroup = {
  readonly key: string
  /** Those that may be relayed, each after the one before it. */
  readonly ready: readonly PendingRow[]
  /** Whether the rest has to wait: an earlier row is pending and was not read. */
  readonly isCutOff: boolean
}

export function aggregateKey(row: Pick<PendingRow, 'account_id' | 'mode' | 'aggregate_id'>): string {
  return `${row.account_id}/${row.mode}/${row.aggregate_id}`
}

/** Groups the rows by aggregate, in order of appearance: lanes and fairness order the aggregates, sequences order the events of each. */
export function groupByAggregate(rows: readonly PendingRow[]): AggregateGroup[] {
  const groups = new Map<string, PendingRow[]>()
  for (const row of rows) {
    const key = aggregateKey(row)
    const group = groups.get(key)
    if (group) group.push(row)
    else groups.set(key, [row])
  }
  return [...groups].map(([key, group]) => inSequence(key, group))
}

function inSequence(key: string, group: PendingRow[]): AggregateGroup {
  const ready: PendingRow[] = []
  const firsts = new Set<number>()
  for (const row of group.sort((a, b) => a.first_sequence - b.first_sequence)) {
    // A row can have been read twice, once by lane and once as a predecessor.
    if (firsts.has(row.first_sequence)) continue
    if (row.before_sequence !== null && !firsts.has(row.before_sequence)) {
      return { key, ready, isCutOff: true }
    }
    ready.push(row)
    firsts.add(row.first_sequence)
  }
  return { key, ready, isCutOff: false }
}
