import type { Mode } from '../../../contract/context.ts'
import type { Statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { selectOrdersNamed, selectRefundsNamed, selectSiblingsOfRefunded } from './colliding-ids.sql.ts'

type Read = <Row>(statement: Statement<Row>) => Promise<Row[]>
type Names = { account_ids: readonly string[]; modes: readonly string[]; ids: readonly string[] }
type Named<Prefix extends 'ord' | 'rfd'> = { account_id: Id<'acct'>; mode: Mode; id: Id<Prefix> }

/** The carts whose orders have these ids. */
export function readOrdersNamed(
  read: Read,
  names: Names,
): Promise<(Named<'ord'> & { cart_id: Id<'cart'> | null })[]> {
  return read(selectOrdersNamed(names))
}

/** Which of these ids belong to refunds, and of which orders. */
export function readRefundsNamed(
  read: Read,
  names: Names,
): Promise<(Named<'rfd'> & { order_id: Id<'ord'> })[]> {
  return read(selectRefundsNamed(names))
}

/** Orders under the first scheme whose sibling in the same purchase was refunded, with the number of their own refunds. */
export function readSiblingsOfRefunded(read: Read): Promise<(Named<'ord'> & { refunds: number })[]> {
  return read(selectSiblingsOfRefunded({}))
}
