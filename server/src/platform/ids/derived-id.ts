import { createHash } from 'node:crypto'
import { hashedPartId, type Id, type IdPrefix, partId } from '../../core/id.ts'

/**
 * How the ids of a row's parts follow from its own id; the row says it (`id_scheme`). 1 is that of rows which a version before this one
 * has made: ids of parts of parts can be equal there, so whoever derives by it looks whether the id is taken. 2 is a hash.
 */
export type IdScheme = 1 | 2

/** The scheme of rows that are made today. */
export const idScheme: IdScheme = 2

/**
 * The id of something that its whole determines: what is made of the same whole a second time, after a restore from a backup, has the
 * same id, so that a rail or a merchant recognizes it. By scheme 2 the hash is of the part's kind, the whole's id and the part's
 * number; the whole's id is a hash of its own path, so that no two paths meet, however deep. All bits but the time are the hash's:
 * two orders of one purchase have nothing in common but the millisecond of the purchase. Derived ids are no secrets. Whoever knows
 * the whole's id can compute them, and knowing one opens nothing.
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
