import { GoesAnotherWay } from '../database/errors.ts'
import type { Pools } from '../database/pool.ts'
import type { ActAtOnce, Follower } from './follower.ts'

/** What follows from events in their own transaction, so that the relay is left with less. */
export type AtOnce = {
  /** The follower that acts at once; null where none can. */
  readonly follower: string | null
  act: ActAtOnce
  /** After a commit with what it wrote has failed: an error of its own, if that was the cause; it leaves all to the relay for a while. */
  rest(error: unknown, into: readonly string[]): GoesAnotherWay | null
  /** Whether another follower than that one wants events of the type. */
  isWantedLater(type: string): boolean
  /** Whether one of these is not patient, so that the relay is told of the event at once. */
  isWantedSoon(type: string): boolean
}

/** Everything is left to the relay. */
export const nothingAtOnce: AtOnce = {
  follower: null,
  act: () => null,
  rest: () => null,
  isWantedLater: () => true,
  isWantedSoon: () => true,
}

/** A follower that fails in the relay fails alone, so that is where it belongs while it fails. */
const restMs = 30_000

/** Opens the follower that can act at once; at most one can. */
export function openAtOnce(followers: readonly Follower[], pools: Pick<Pools, 'read'>): AtOnce {
  const [first, ...more] = followers.filter(({ atOnce }) => atOnce !== undefined)
  if (!first?.atOnce) return nothingAtOnce
  if (more.length > 0) throw new Error('two followers act at once')
  const others = followers.filter((follower) => follower !== first)
  const act = first.atOnce(pools)
  let restsUntilMs = 0
  return {
    follower: first.name,
    act: (given) => (performance.now() < restsUntilMs ? null : act(given)),
    rest(error, into) {
      if (!(error instanceof Error && 'table' in error && into.includes(String(error.table)))) return null
      restsUntilMs = performance.now() + restMs
      return new GoesAnotherWay(`what follows at once from events failed: ${error.message}`, { cause: error })
    },
    isWantedLater: isWantedBy(others),
    isWantedSoon: isWantedBy(others.filter(({ isPatient }) => !isPatient)),
  }
}

function isWantedBy(followers: readonly Follower[]): (type: string) => boolean {
  const isForAll = followers.some(({ types }) => types === undefined)
  const wanted = new Set(followers.flatMap(({ types }) => types ?? []))
  return (type) => isForAll || wanted.has(type)
}
