import type { Mode } from '../../contract/context.ts'
import type { Claimed } from './lease.ts'

/** A row under work; `hasPlace` is false for a slow one that has given its place to another. */
export type Running<Row extends Claimed = Claimed> = { readonly row: Row; readonly hasPlace: boolean }

/** The parameters of a claim: how much it may take, and of which tenants. */
export type ClaimTurn = {
  limit: number
  lease_seconds: number
  /** How many tenants it looks at, at most. */
  visits: number
  /** Places for a tenant that has none so far. */
  room: number
  /** JSON: how many more places each tenant with running steps may have, by mode and account. */
  rooms: string
  /** The last tenant that had its turn; the next turn begins behind it. */
  after_account: string
  after_mode: Mode
}

type Tenanted = Pick<Claimed, 'account_id' | 'mode'>

/**
 * Which tenant has its turn, and how many places each may take. A tenant never takes more than two thirds of the places that it finds:
 * alone it has two thirds of all, and however long its steps take, the next tenant finds some. Only a tenant that has no place may take
 * the last one.
 */
export class Turns {
  #after: Tenanted = { account_id: '' as Tenanted['account_id'], mode: 'test' } // before every account

  next(asked: { limit: number; lease_seconds: number }, load: Load): ClaimTurn {
    return {
      ...asked,
      visits: asked.limit + load.rooms.size,
      room: load.roomOfOthers,
      rooms: JSON.stringify(Object.fromEntries(load.rooms)),
      after_account: this.#after.account_id,
      after_mode: this.#after.mode,
    }
  }

  /** Remembers the claimed rows: the tenant of the last one in the ring had the last turn. */
  had(rows: readonly Tenanted[]): void {
    const begin = this.#after
    const isBefore = (one: Tenanted) => compareTenants(one, begin) <= 0
    for (const [index, row] of rows.entries()) {
      const isLater =
        isBefore(row) === isBefore(this.#after) ? compareTenants(row, this.#after) > 0 : isBefore(row)
      if (index === 0 || isLater) this.#after = { account_id: row.account_id, mode: row.mode }
    }
  }
}

/** How the places are shared out at one moment. */
export class Load {
  readonly roomOfOthers: number
  /** For every tenant that has places, how many more it may take. */
  readonly rooms: ReadonlyMap<string, number>

  constructor(free: number, running: readonly Running[]) {
    const held = new Map<string, number>()
    for (const { row, hasPlace } of running) {
      if (hasPlace) held.set(tenantKey(row), (held.get(tenantKey(row)) ?? 0) + 1)
    }
    this.roomOfOthers = Math.max(1, shareOf(free, 0))
    this.rooms = new Map([...held].map(([tenant, count]) => [tenant, shareOf(free, count)]))
  }

  roomOf(row: Tenanted): number {
    return this.rooms.get(tenantKey(row)) ?? this.roomOfOthers
  }

  /** Whether a tenant has all the places that it may have, and may have more to do. */
  get isAnyFull(): boolean {
    return [...this.rooms.values()].includes(0)
  }
}

export function tenantKey({ account_id, mode }: Tenanted): string {
  return `${mode} ${account_id}`
}

function shareOf(free: number, held: number): number {
  // guard places-for-others: the long steps of one tenant leave places for others
  return Math.max(0, Math.floor((2 * free - held) / 3))
}

/** As the database orders them. */
function compareTenants(one: Tenanted, other: Tenanted): number {
  if (one.account_id !== other.account_id) return one.account_id < other.account_id ? -1 : 1
  return Number(one.mode === 'live') - Number(other.mode === 'live')
}
