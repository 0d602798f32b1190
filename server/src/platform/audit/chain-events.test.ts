import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testKeys } from '../../../test/harness/app.ts'
import { type Spine, startSpine } from '../../../test/harness/spine.ts'
import type { Tenant } from '../../contract/context.ts'
import { openTransaction } from '../database/transaction.ts'
import { type PackedEvent, packedColumns, unpackedEvent } from '../events/relay.sql.ts'
import { createRelay } from '../events/relay.ts'
import { envKeyProvider } from '../secrets/keys.ts'
import { type AuditKeys, createAuditKeys } from './audit-keys.ts'
import { followByChaining } from './chain-events.ts'
import { eraseEvents } from './erase-events.ts'
import { verifyAudit } from './verify-audit.ts'

let spine: Spine
let tenant: Tenant

beforeAll(async () => {
  spine = await startSpine()
})
afterAll(() => spine.close())

beforeEach(() => {
  tenant = spine.newTenant()
})

/** What another process has: the same keys, and a memory of its own. */
function keysOfAnotherProcess(): AuditKeys {
  return createAuditKeys(envKeyProvider(testKeys))
}

function emit(sequence: number): Promise<void> {
  return spine.emit(tenant, { aggregateId: tenant.accountId, sequence })
}

async function relayBy(auditKeys: AuditKeys, sequence: number): Promise<void> {
  await emit(sequence)
  const relay = createRelay({ ...spine.withMetrics({ followers: [] }), auditKeys })
  await relay.runOnce()
  await relay.stop()
}

/** Chains one more event in a transaction of its own, which is committed or not. Returns the statements that it waited for. */
async function chain(keys: AuditKeys, sequence: number, ends: 'commit' | 'rollback'): Promise<string[]> {
  await emit(sequence)
  return chainEventsOf([tenant], keys, sequence, ends)
}

async function chainEventsOf(
  tenants: readonly Tenant[],
  keys: AuditKeys,
  sequence: number,
  ends: 'commit' | 'rollback',
): Promise<string[]> {
  const accountIds = tenants.map(({ accountId }) => accountId)
  const rows = await spine.sql<PackedEvent>(
    `select ${packedColumns} from events e where e.account_id = any ($1) and e.sequence = $2`,
    [accountIds, sequence],
  )
  const transaction = openTransaction(spine.pools)
  const asked: string[] = []
  const now = await spine.clock.now()
  await followByChaining(keys).follow(
    {
      rows: (statement) => {
        asked.push(statement.name)
        return transaction.rows(statement)
      },
      maybe: async (statement) => (await transaction.rows(statement))[0] ?? null,
      write: (statement) => transaction.write(statement),
      wake: () => undefined,
      now,
      newId: (prefix) => spine.newId(prefix, now.getTime()),
    },
    rows.map(unpackedEvent),
  )
  if (ends === 'commit') await transaction.commit([])
  else await transaction.rollback()
  await spine.sql('delete from outbox where account_id = any ($1)', [accountIds])
  return asked
}

function verify() {
  return verifyAudit(spine.pools, { keys: spine.auditKeys }, tenant)
}

test('a chain that ends where the process left it is continued with one statement', async () => {
  const keys = keysOfAnotherProcess()
  expect(await chain(keys, 1, 'commit')).toEqual([
    'lock_audit_heads',
    'lock_audit_heads',
    'append_audit_batches',
  ])
  expect(await chain(keys, 2, 'commit')).toEqual(['append_audit_batches'])
  expect(await chain(keys, 3, 'commit')).toEqual(['append_audit_batches'])
  expect(await verify()).toMatchObject({ ok: true, entries: 3 })
})

test('after a transaction that failed, the chain is continued where it ends', async () => {
  const keys = keysOfAnotherProcess()
  await chain(keys, 1, 'commit')
  expect(await chain(keys, 2, 'rollback')).toEqual(['append_audit_batches'])
  await spine.sql('delete from events where account_id = $1 and sequence = 2', [tenant.accountId])
  expect(await chain(keys, 2, 'commit')).toEqual([
    'append_audit_batches',
    'lock_audit_heads',
    'append_audit_batches',
  ])
  expect(await chain(keys, 3, 'commit')).toEqual(['append_audit_batches'])
  expect(await verify()).toMatchObject({ ok: true, entries: 3 })
})

test('processes that take turns, and an erasure between them, continue the chain where it ends', async () => {
  const [one, other] = [keysOfAnotherProcess(), keysOfAnotherProcess()]
  for (let sequence = 1; sequence <= 6; sequence++) await relayBy(sequence % 2 ? one : other, sequence)
  const [first] = await spine.sql<{ id: string }>(
    'select id from events where account_id = $1 and sequence = 1',
    [tenant.accountId],
  )
  const erasure = { eventIds: [first?.id ?? ''], reason: 'retention', at: await spine.clock.now() }
  await eraseEvents(spine.pools, one, tenant, erasure)
  await relayBy(other, 7)
  await relayBy(one, 8)
  expect(await verify()).toMatchObject({ ok: true, entries: 9 })
})

test('events of many tenants are one batch for each of them, in one statement', async () => {
  const keys = keysOfAnotherProcess()
  const tenants = Array.from({ length: 5 }, () => spine.newTenant())
  for (const sequence of [1, 2]) {
    for (const each of tenants) await spine.emit(each, { aggregateId: each.accountId, sequence })
    const asked = await chainEventsOf(tenants, keys, sequence, 'commit')
    expect(asked.filter((name) => name === 'append_audit_batches')).toHaveLength(1)
    expect(asked).toHaveLength(sequence === 1 ? 3 : 1)
  }
  for (const each of tenants) {
    const report = await verifyAudit(spine.pools, { keys: spine.auditKeys }, each)
    expect(report).toMatchObject({ ok: true, entries: 2 })
  }
})
