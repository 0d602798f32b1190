import type { Statement } from '../../contract/statement.ts'
import type { Pools } from '../database/pool.ts'
import type { InvariantResult } from './invariants.ts'

/** A key of this many rows at a time: what an event says is packed, and the database would unpack it too slowly. */
const pageRows = 500
const violationsMax = 100

/** Where a walk over rows stands: after the row with this key. */
type Place<Key> = Key & { limit: number }

/**
 * Checks rows in code, page after page in the order of their keys. `look` gets each row and returns how many things it has checked with
 * it, and the ids of those that are broken.
 */
export async function walkRows<Row extends Key, Key>(
  pools: Pick<Pools, 'read'>,
  { read, first }: { read: (after: Place<Key>) => Statement<Row>; first: Key },
  look: (row: Row) => { readonly checked: number; readonly broken: readonly string[] },
): Promise<InvariantResult> {
  const violations = new Set<string>()
  let checked = 0
  for (let after = first; ; ) {
    const rows = await pools.read(read({ ...after, limit: pageRows }))
    for (const row of rows) {
      const seen = look(row)
      checked += seen.checked
      for (const id of seen.broken) if (violations.size < violationsMax) violations.add(id)
    }
    const last = rows.at(-1)
    if (!last || rows.length < pageRows) return { checked, violations: [...violations] }
    after = last
  }
}
