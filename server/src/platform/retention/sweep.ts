import type { Statement } from '../../contract/statement.ts'
import type { Pools } from '../database/pool.ts'
import type { Retention } from './retention.ts'

/** What one statement removed. */
export type Swept = { rows: number; oldest: Date | null }

export type SweepPools = Pick<Pools, 'single'>

/** One kind of rows that are removed after their time. */
export type Sweep = {
  readonly name: string
  /** What it removes, in words for people. */
  readonly removes: string
  readonly keeps: keyof Retention
  /** Removes what is older than `before`, a small batch for each step. Several processes may run it at once. */
  batches(pools: SweepPools, before: Date): AsyncIterable<Swept>
}

/** How many rows one statement removes at most: it takes some milliseconds, and holds few locks. */
const batchRows = 500

/**
 * For rows that an index finds by their age: the oldest first, until a batch is not full. `rows`: how many a batch has, where they are
 * large.
 */
export async function* byAge(
  pools: SweepPools,
  batch: (limit: number) => Statement<Swept>,
  { rows = batchRows }: { rows?: number } = {},
): AsyncGenerator<Swept> {
  for (;;) {
    const swept = await sweptBy(pools, batch(rows))
    yield swept
    if (swept.rows < rows) return
  }
}

/** How far a round over groups of rows has gone: the key of the last group. */
type Group = readonly string[]

export type SweptGroups = Swept & {
  /** How many groups were looked at, and the last of them. */
  groups: number
  last: string[] | null
  /** Whether a group may hold more rows than were removed. */
  more: boolean
}

const groupsAtOnce = 20
export const rowsOfGroup = 100

/**
 * For rows that are found group by group (a tenant, an import): each round removes a few rows of every group, so that a large group does
 * not keep the others waiting, until a round finds no group with more.
 */
export async function* byGroup(
  pools: SweepPools,
  start: Group,
  batch: (after: Group) => Statement<SweptGroups>,
): AsyncGenerator<Swept> {
  let after = start
  let isAnother = false
  for (;;) {
    const { rows: found } = await pools.single(batch(after))
    const [swept] = found
    if (!swept) return
    yield { rows: swept.rows, oldest: swept.oldest }
    isAnother ||= swept.more
    if (swept.last !== null && swept.groups === groupsAtOnce) {
      after = swept.last
      continue
    }
    if (!isAnother) return
    after = start
    isAnother = false
  }
}

/**
 * The groups of a table after a given one, as common table expressions that end with `chosen`: each is found by one probe of the index
 * that begins with the columns, however many rows the groups before it have.
 */
export function groupsBehind(table: string, columns: readonly string[], after: readonly string[]): string {
  const list = columns.join(', ')
  const next = (behind: string) =>
    `select ${list} from ${table} where (${list}) > (${behind}) order by ${list} limit 1`
  return `recursive found as (
     (${next(after.join(', '))})
     union all
     select n.* from found f cross join lateral (${next(columns.map((name) => `f.${name}`).join(', '))}) n
   ), chosen as (select * from found limit ${groupsAtOnce})`
}

async function sweptBy(pools: SweepPools, statement: Statement<Swept>): Promise<Swept> {
  const { rows } = await pools.single(statement)
  return rows[0] ?? { rows: 0, oldest: null }
}
