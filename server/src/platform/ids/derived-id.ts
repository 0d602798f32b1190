import { createHash } from 'node:crypto'
import { hashedPartId, type Id, type IdPrefix, partId } from '../../core/id.ts'

/**
 * How the ids of a row's parts are derived from its own id; the row stores it (`id_scheme`). 1 is the scheme of rows that an earlier
 * version has made: with it, ids of parts of parts can be equal, so code that derives by it checks whether the id is taken. 2 is a hash.
 */
export type IdScheme = 1 | 2

/** The scheme of new rows. */
export const idScheme: IdScheme = 2

/**
 * The id of a part, determined by its whole: when the same part is made again, after a restore from a backup, it has the same id, so that
 * a rail or a merchant recognizes it. By scheme 2 the hash is of the part's kind, the whole's id and the part's number. The whole's id is
 * a hash of its own path, so no two paths give one id, however deep. All bits but the time come from the hash: two orders of one purchase
 * share only the millisecond of the purchase. Derived ids are not secrets. Anybody who knows the whole's id can compute them, and knowing
 * one opens nothing.
 */
export function derivedId<P extends IdPrefix>(
  scheme: IdScheme,
  prefix: P,
  whole: Id<IdPrefix>,
  part: number,
): Id<P> {
  if (scheme === 1) return partId(prefix, whole, part)
  return hashedPartId(prefix, whole, createHash('sha256').update(`${prefix}/${whole}/${part}`).digest())
}
