import type { PendingRow } from './relay.sql.ts'

/** The pending events of one aggregate, by sequence. */
export type AggregateGroup = {
  readonly key: string
  /** Those that may go, each after the one before it. */
  readonly ready: readonly PendingRow[]
  /** The rest may not: an earlier event is pending and was not read. */
  readonly isCutOff: boolean
}

export function aggregateKey(row: Pick<PendingRow, 'account_id' | 'mode' | 'aggregate_id'>): string {
  return `${row.account_id}/${row.mode}/${row.aggregate_id}`
}

/** Groups what was read by aggregate, in order of appearance: lanes and fairness order the aggregates, sequences what is inside. */
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
  const ids = new Set<string>()
  for (const row of group.sort((a, b) => a.sequence - b.sequence)) {
    // The same row can have been read twice, by lane and as somebody's predecessor.
    if (ids.has(row.id)) continue
    if (row.before_id !== null && !ids.has(row.before_id)) {
      return { key, ready, isCutOff: true }
    }
    ready.push(row)
    ids.add(row.id)
  }
  return { key, ready, isCutOff: false }
}
