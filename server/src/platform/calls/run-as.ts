import type { ActingContext, Actor, Apart, Sealer, Settings, Tenant } from '../../contract/context.ts'
import type { ScopeCatalog } from '../../contract/scopes.ts'
import type { Id, IdSource } from '../../core/id.ts'
import type { Clock } from '../clock/clock.ts'
import { isRetryable } from '../database/errors.ts'
import type { Pools } from '../database/pool.ts'
import type { AtOnce } from '../events/at-once.ts'
import type { Hints } from '../hints/hints.ts'
import { createReads } from './reads.ts'
import { openUnit, unitAttemptsMax } from './unit.ts'

/** What every unit of work needs, whichever actor it belongs to. */
export type ActingParts = {
  pools: Pools
  apart: Apart
  hints: Hints
  clock: Clock
  newId: IdSource
  random: (length: number) => Uint8Array
  sealer: (tenant: Tenant) => Sealer
  settings: Settings
  /** What keys may be given. */
  scopeCatalog: ScopeCatalog
  atOnce: AtOnce
}

type ActingAs = { tenant: Tenant; actor: Actor; requestId?: Id<'req'> }

/**
 * One transaction on behalf of an actor, outside a call: a work step, a command. `work` may run more than once and must touch nothing but
 * its context.
 */
export async function runAs<T>(
  parts: ActingParts,
  as: ActingAs,
  work: (ctx: ActingContext) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const now = await parts.clock.now()
    const origin = {
      tenant: as.tenant,
      actor: as.actor,
      requestId: as.requestId ?? parts.newId('req', now.getTime()),
      now,
      newId: <P extends Parameters<IdSource>[0]>(prefix: P) => parts.newId(prefix, now.getTime()),
    }
    const unit = openUnit(parts, origin)
    try {
      const result = await work({
        ...origin,
        random: parts.random,
        reads: createReads(parts.pools),
        apart: parts.apart,
        tx: unit.tx,
        sealer: parts.sealer(as.tenant),
        settings: parts.settings,
        scopeCatalog: parts.scopeCatalog,
      })
      await unit.finish()
      return result
    } catch (error) {
      await unit.rollback()
      if (!isRetryable(error) || attempt >= unitAttemptsMax) throw error
    }
  }
}

/** The same unit of work, seen from another tenant of the same database: its events belong to that tenant. */
export function inTenant(ctx: ActingContext, tenant: Tenant, sealer: Sealer): ActingContext {
  const { tx } = ctx
  return {
    ...ctx,
    tenant,
    sealer,
    tx: {
      rows: (statement) => tx.rows(statement),
      maybe: (statement) => tx.maybe(statement),
      ahead: tx.ahead,
      write: (...given) => tx.write(...given),
      isQueued: (name) => tx.isQueued(name),
      emit: (event) => tx.emit({ tenant, ...event }),
      notify: (aggregateId) => tx.notify(aggregateId),
      wake: (...given) => tx.wake(...given),
    },
  }
}
