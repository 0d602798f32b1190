import type { ActingContext, Actor, Tenant } from '../../contract/context.ts'
import type { Id, IdPrefix } from '../../core/id.ts'
import { createReads } from '../calls/reads.ts'
import type { ActingParts } from '../calls/run-as.ts'
import { openUnit, unitAttemptsMax } from '../calls/unit.ts'
import { isRetryable } from '../database/errors.ts'
import type { TransactionGroups } from '../database/transaction-groups.ts'
import type { Faults } from '../faults/faults.ts'
import type { Log } from '../logs/logs.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { type Claimed, type Lease, LeaseLost } from './lease.ts'
import type { Bound } from './step-bound.ts'
import type { StepContext } from './work.ts'

/** What the worker's process gives to every step. */
export type WorkDeps = ActingParts & {
  log: Log
  metrics: Metrics
  faults: Faults
  /** Where transactions of several steps may run as one; without it, each runs alone. */
  groups?: TransactionGroups
}

type StepFacts = { kind: string; row: Claimed; lease: Lease; signal: AbortSignal; bound: Bound }

export async function createStepContext(
  deps: WorkDeps,
  { kind, row, lease, signal, bound }: StepFacts,
): Promise<StepContext> {
  const tenant: Tenant = { accountId: row.account_id, mode: row.mode }
  const actor: Actor = { type: 'system', id: kind }
  const now = await deps.clock.now()
  // Only steps that log or change something use it, and its random bytes cost more than the rest of a context.
  let requestId: Id<'req'> | undefined
  const requestIdOf = () => (requestId ??= deps.newId('req', now.getTime()))
  const lasting = {
    tenant,
    actor,
    random: deps.random,
    reads: createReads(deps.pools),
    apart: deps.apart,
    sealer: deps.sealer(tenant),
    settings: deps.settings,
    scopeCatalog: deps.scopeCatalog,
  }
  const idsAt =
    (at: Date) =>
    <P extends IdPrefix>(prefix: P) =>
      deps.newId(prefix, at.getTime())

  async function attempt<T>(work: (ctx: ActingContext) => Promise<T>, root?: string): Promise<T> {
    const at = await deps.clock.now()
    const newId = idsAt(at)
    const shared =
      root === undefined ? undefined : deps.groups?.open(`${tenant.accountId}/${tenant.mode}/${root}`)
    const acting = { requestId: requestIdOf(), now: at, newId }
    const unit = openUnit(deps, { tenant, actor, ...acting }, shared)
    try {
      const value = await work({ ...lasting, ...acting, tx: unit.tx })
      await deps.faults.at('step.commit.before')
      assertWithin(bound)
      await unit.finish()
      await deps.faults.at('step.commit.after')
      return value
    } catch (error) {
      await unit.rollback()
      throw error
    }
  }

  /** What has failed once is done again by itself. */
  async function retried<T>(once: (isFirst: boolean) => Promise<T>): Promise<T> {
    for (let tried = 1; ; tried++) {
      try {
        return await once(tried === 1)
      } catch (error) {
        if (!isRetryable(error) || tried === unitAttemptsMax) throw error
      }
    }
  }

  const alone = <Row>(send: () => Promise<{ rows: Row[] }>) =>
    retried(async () => {
      await deps.faults.at('step.commit.before')
      assertWithin(bound)
      const { rows } = await send()
      await deps.faults.at('step.commit.after')
      return rows
    })

  let log: Log | undefined
  return {
    ...lasting,
    now,
    newId: idsAt(now),
    lease,
    signal,
    get requestId() {
      return requestIdOf()
    },
    // Most steps log nothing, and to make a log of their own costs as much as a line in it.
    get log() {
      const { id, account_id, mode } = row
      log ??= deps.log.child({ kind, row: id, account_id, mode, request_id: requestIdOf() })
      return log
    },
    faults: deps.faults,
    transaction: (work, root) => retried((isFirst) => (isFirst ? attempt(work, root) : attempt(work))),
    single: (statement) => alone(() => deps.pools.single(statement)),
    provisional: (statement) => alone(() => deps.pools.provisional(statement)),
  }
}

/** A step that took too long has been reported as ended; whatever it would do afterwards must not happen. */
function assertWithin({ isOver }: Bound): void {
  if (isOver) throw new LeaseLost('the step was given up before it ended')
}
