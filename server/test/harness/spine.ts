import { randomBytes } from 'node:crypto'
import type { Apart, EventDraft, Tenant } from '../../src/contract/context.ts'
import type { Statement } from '../../src/contract/statement.ts'
import { createIdSource } from '../../src/core/id.ts'
import { createAuditKeys } from '../../src/platform/audit/audit-keys.ts'
import { createReads } from '../../src/platform/calls/reads.ts'
import { openUnit, type Unit } from '../../src/platform/calls/unit.ts'
import { createClock } from '../../src/platform/clock/clock.ts'
import { openPools } from '../../src/platform/database/pool.ts'
import { nothingAtOnce } from '../../src/platform/events/at-once.ts'
import { createFaults } from '../../src/platform/faults/faults.ts'
import { createHints } from '../../src/platform/hints/pg-hints.ts'
import { silentLog } from '../../src/platform/logs/logs.ts'
import { createMetrics } from '../../src/platform/metrics/metrics.ts'
import { envKeyProvider } from '../../src/platform/secrets/keys.ts'
import { type AnyDraft, draftOf } from './any-draft.ts'
import { testKeys } from './app.ts'
import { createTestDatabase } from './database.ts'

export type Spine = Awaited<ReturnType<typeof startSpine>>

/** The platform's parts on a new database, without operations: for tests of the relay, of work and of hints. */
export async function startSpine() {
  const database = await createTestDatabase()
  const pools = openPools({
    url: database.url,
    writers: 10,
    readers: 2,
    applicationName: 'test',
    onError: () => undefined,
  })
  const log = silentLog()
  const hints = await createHints({ directUrl: database.url, log })
  const clock = await createClock(pools)
  const newId = createIdSource(randomBytes)
  const faults = createFaults({ enabled: true, crashAt: null, pauseAt: null, pauseFile: null })
  const auditKeys = createAuditKeys(envKeyProvider(testKeys))
  const apart: Apart = (_owner, work) => work(createReads(pools))
  const deps = {
    atOnce: nothingAtOnce,
    auditKeys,
    pools,
    apart,
    hints,
    clock,
    newId,
    log,
    faults,
    random: randomBytes,
  }

  async function openWork(tenant: Tenant): Promise<Unit> {
    const now = await clock.now()
    const origin = {
      tenant,
      actor: { type: 'system', id: 'test' } as const,
      requestId: newId('req', now.getTime()),
      now,
    }
    return openUnit(deps, { ...origin, newId: (prefix) => newId(prefix, now.getTime()) })
  }

  return {
    ...deps,
    database,
    url: database.url,
    /** Metrics of their own for each relay or worker under test. */
    withMetrics: <T>(more: T) => ({ ...deps, metrics: createMetrics(), ...more }),
    newTenant: (): Tenant => ({ accountId: newId('acct', Date.now()), mode: 'test' }),
    openWork,
    /** Commits these events, as a call would. */
    async emit(tenant: Tenant, ...events: Partial<AnyDraft>[]): Promise<void> {
      const unit = await openWork(tenant)
      for (const event of events) unit.tx.emit(draft(event))
      await unit.finish()
    },
    async sql<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
      const { rows } = await pools.single({ name: '', text, values } as Statement<Row>)
      return rows
    },
    async close(): Promise<void> {
      clock.close()
      await hints.close()
      await pools.close()
      await database.drop()
    },
  }
}

function draft(event: Partial<AnyDraft>): EventDraft {
  return draftOf({
    type: 'thing.changed',
    aggregateId: 'thing_1',
    sequence: 1,
    object: { id: 'thing_1' },
    ...event,
  })
}
