import type { Mode, Tenant } from '../../../contract/context.ts'
import type { Audience } from '../../../contract/event.ts'
import type { Id } from '../../../core/id.ts'
import type { Pools } from '../../../platform/database/pool.ts'
import { type Subscription, selectSubscriptions } from './known-subscriptions.sql.ts'

/** The open subscriptions of a tenant, as they were at a version. */
type KnownSubscriptions = {
  readonly version: bigint
  /** The destinations of each audience and event type. */
  readonly destinations: (audience: Audience, type: string) => readonly KnownDestination[]
}

type KnownDestination = { readonly id: Id<'dest'>; readonly isConfirmed: boolean }

type Entry = { known: KnownSubscriptions | null; readAtMs: number; isBeingRead: boolean }

/** After this they are read anew, beside what goes on: the version says earlier whether they still hold. */
const freshMs = 5_000
const tenantsMax = 10_000

/** What this process knows of the subscriptions of tenants. Asking never waits: what is not known is read for the next time. */
export class SubscriptionsKnownHere {
  readonly #pools: Pick<Pools, 'read'>
  readonly #entries = new Map<string, Entry>()

  constructor(pools: Pick<Pools, 'read'>) {
    this.#pools = pools
  }

  of(tenant: Tenant): KnownSubscriptions | null {
    const key = `${tenant.accountId}/${tenant.mode}`
    const entry = this.#entries.get(key) ?? this.#begin(key)
    if (!entry.isBeingRead && performance.now() - entry.readAtMs > freshMs) void this.#read(tenant, entry)
    return entry.known
  }

  #begin(key: string): Entry {
    // The oldest goes: it is read again if it is asked for.
    const [oldest] = this.#entries.keys()
    if (oldest !== undefined && this.#entries.size >= tenantsMax) this.#entries.delete(oldest)
    const entry: Entry = { known: null, readAtMs: Number.NEGATIVE_INFINITY, isBeingRead: false }
    this.#entries.set(key, entry)
    return entry
  }

  async #read({ accountId, mode }: { accountId: Id<'acct'>; mode: Mode }, entry: Entry): Promise<void> {
    entry.isBeingRead = true
    try {
      const rows = await this.#pools.read(selectSubscriptions({ account_id: accountId, mode }))
      entry.known = knownFrom(rows)
    } catch {
      // The relay does it all meanwhile.
      entry.known = null
    } finally {
      entry.readAtMs = performance.now()
      entry.isBeingRead = false
    }
  }
}

function knownFrom(rows: readonly Subscription[]): KnownSubscriptions {
  const byType = new Map<string, KnownDestination[]>()
  for (const { audience, event_type, destination_id, is_confirmed } of rows) {
    if (destination_id === null) continue
    const key = `${audience} ${event_type}`
    const destinations = byType.get(key) ?? []
    destinations.push({ id: destination_id, isConfirmed: is_confirmed === true })
    byType.set(key, destinations)
  }
  return {
    version: rows[0]?.version ?? 0n,
    destinations: (audience, type) => byType.get(`${audience} ${type}`) ?? [],
  }
}
