import { createHash } from 'node:crypto'
import { hashedPartId, type Id, type IdPrefix } from '../../core/id.ts'

/**
 * The id of a part, determined by its whole: when the same part is made again, after a restore from a backup, it has the same id, so that
 * a rail or a merchant recognizes it. The hash is of the part's kind, the whole's id and the part's number. The whole's id is
 * a hash of its own path, so no two paths give one id, however deep. All bits but the time come from the hash: two orders of one purchase
 * share only the millisecond of the purchase. Derived ids are not secrets. Anybody who knows the whole's id can compute them, and knowing
 * one opens nothing.
 */
export function derivedId<P extends IdPrefix>(prefix: P, whole: Id<IdPrefix>, part: number): Id<P> {
  // guard ids-of-parts-never-meet: the ids of carts, orders and refunds of a purchase are all different
  // guard ids-of-parts-are-of-their-whole: the ids of two purchases of one millisecond have parts of their own
  return hashedPartId(prefix, whole, createHash('sha256').update(`${prefix}/${whole}/${part}`).digest())
}
