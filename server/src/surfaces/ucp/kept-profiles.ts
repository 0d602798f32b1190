import type { CallerProfile } from '../../protocols/ucp/caller-profile.ts'
import type { TurnedAway } from './turned-away.ts'

export type Fetched = {
  readonly result: CallerProfile | TurnedAway
  readonly keptMs: number
  /** It cost nothing: neither a connection nor the lookup of a name. */
  readonly isFree?: boolean
}

/** What an entry is worth: nothing before its profile could be read, and most once a signature was verified by it. */
type Worth = 'refused' | 'read' | 'verified'

export type Entry = {
  readonly found: Promise<Fetched>
  readonly fetchedMs: number
  /** By when it is fetched again; until its answer is here, everybody waits for that. */
  untilMs: number
  readonly address: string
}

// guard worth-before-age: profiles that nothing was verified by make room for those that work
const leastWorthFirst: readonly Worth[] = ['refused', 'read', 'verified']

/**
 * Profiles by name, bounded. What is worth least makes room, and of equal worth what was longest not used; of one address that brings
 * many, its own.
 */
export function createKeptProfiles(most: { readonly inAll: number; readonly ofAddress: number }) {
  const entries: Record<Worth, Map<string, Entry>> = {
    refused: new Map(),
    read: new Map(),
    verified: new Map(),
  }

  function worthOf(name: string): Worth | null {
    return leastWorthFirst.find((worth) => entries[worth].has(name)) ?? null
  }

  function remove(name: string): void {
    for (const worth of leastWorthFirst) entries[worth].delete(name)
  }

  /** Where there are too many of those that have an answer: the one that is worth least goes. */
  function makeRoom(address: string): void {
    const answered = leastWorthFirst
      .flatMap((worth) => [...entries[worth]])
      .filter(([, { untilMs }]) => untilMs !== Number.POSITIVE_INFINITY)
    const own = answered.filter(([, entry]) => entry.address === address)
    const [spare] = own.length > most.ofAddress ? own : answered.length > most.inAll ? answered : []
    if (spare) remove(spare[0])
  }

  return {
    worthOf,
    get(name: string): Entry | null {
      const worth = worthOf(name)
      const entry = worth === null ? undefined : entries[worth].get(name)
      if (worth === null || entry === undefined) return null
      // A map keeps the order of insertion: the first was not used for longest.
      entries[worth].delete(name)
      entries[worth].set(name, entry)
      return entry
    },
    put(name: string, entry: Entry, worth: Worth): void {
      remove(name)
      entries[worth].set(name, entry)
    },
    /** Says what it is worth from here on, unless another entry has taken its place. */
    judge(name: string, entry: Entry, worth: Worth): void {
      const before = worthOf(name)
      if (before === null || entries[before].get(name) !== entry) return
      remove(name)
      entries[worth].set(name, entry)
      makeRoom(entry.address)
    },
    forget(name: string, entry: Entry): void {
      const worth = worthOf(name)
      if (worth !== null && entries[worth].get(name) === entry) remove(name)
    },
  }
}
