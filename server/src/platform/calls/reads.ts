import type { Reads, Tenant } from '../../contract/context.ts'
import type { Operation } from '../../contract/operation.ts'
import { totalCap } from '../../contract/page.ts'
import type { Statement } from '../../contract/statement.ts'
import { type Connection, connectionLost, type HeldKind, type Pools } from '../database/pool.ts'
import { actsForAccount, type PrincipalKind } from './principal.ts'

/** Who asks for a place: the account itself, also by its work (null), or somebody whom it does not know and who acts there. */
type Asking = { readonly tenant: Tenant; readonly kind: PrincipalKind | null }

/**
 * The name under which a share of the connections is counted. Each mode of a tenant has its own, so that one mode does not slow down the
 * other; and so have its pages, the platforms and the payers that come to it, which take nothing from the account.
 */
export function shareOf({ tenant, kind }: Asking): string {
  const own = `${tenant.accountId}/${tenant.mode}`
  // guard strangers-apart: what strangers read at an account takes nothing of its share
  return kind === null || actsForAccount({ kind }) ? own : `${own}/${kind}`
}

/** Reads by ids, on connections that all calls share. */
export function createReads(pools: Pick<Pools, 'read'>): Reads {
  return readsBy((statement) => pools.read(statement))
}

/** Reads that find out who calls. */
export function createDoorReads(pools: Pick<Pools, 'door'>): Reads {
  return readsBy((statement) => pools.door(statement))
}

/** A page behind this one costs more than counting the list, and counting stops here. */
const deepFrom = totalCap

/** The reads of one call, as its operation declares them. */
export function readsOfCall(
  pools: Pools,
  shared: Reads,
  { operation, asking, query }: { operation: Operation; asking: Asking; query: unknown },
): Reads {
  // guard long-reads-apart: a slow calculation does not run on connections that all calls share
  if (operation.reads === 'short') return shared
  // guard deep-pages-apart: deep pages have a share of their own
  const kind = operation.reads === 'bulk' || offsetOf(query) > deepFrom ? 'bulk' : 'long'
  return createHeldReads(pools, kind, shareOf(asking))
}

function offsetOf(query: unknown): number {
  if (typeof query !== 'object' || query === null || !('offset' in query)) return 0
  return typeof query.offset === 'number' ? query.offset : 0
}

/**
 * Takes a connection with the first read and gives it back when no read is under way. Reads that are asked together travel together, and
 * a call that waits for something else holds no connection.
 */
function createHeldReads(pools: Pick<Pools, 'hold'>, kind: HeldKind, share: string): Reads {
  let held: Promise<Connection> | null = null
  let pending = 0
  let lost: Error | undefined

  function release(connection: Promise<Connection>): void {
    const reason = lost
    held = null
    lost = undefined
    connection.then(
      (one) => one.release(reason),
      () => undefined, // there was none
    )
  }

  return readsBy(async (statement) => {
    held ??= pools.hold(kind, share)
    const connection = held
    pending += 1
    try {
      return (await (await connection).query(statement)).rows
    } catch (error) {
      lost ??= connectionLost(error)
      throw error
    } finally {
      pending -= 1
      if (pending === 0) release(connection)
    }
  })
}

function readsBy(read: <Row>(statement: Statement<Row>) => Promise<Row[]>): Reads {
  return {
    rows: (statement) => read(statement),
    maybe: async (statement) => (await read(statement))[0] ?? null,
  }
}
