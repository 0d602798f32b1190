import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Spine, startSpine } from '../../../test/harness/spine.ts'
import type { Tenant } from '../../contract/context.ts'
import type { Follower } from '../events/follower.ts'
import { createRelay } from '../events/relay.ts'
import { envKeyProvider } from '../secrets/keys.ts'
import { createAuditKeys } from './audit-keys.ts'
import { closeChains } from './close-chains.ts'
import { chainAsBefore, openChain, recompute } from './tampering.testing.ts'
import { verifyAudit } from './verify-audit.ts'

let spine: Spine
let tenant: Tenant

beforeAll(async () => {
  spine = await startSpine()
})
afterAll(() => spine.close())

/** A chain as the version before wrote it, in a database that no worker of this version has seen. */
beforeEach(async () => {
  for (const table of [
    'audit_closings',
    'audit_batches',
    'audit_entries',
    'audit_heads',
    'follower_backlog',
    'outbox',
    'events',
  ])
    await spine.sql(`delete from ${table}`)
  tenant = spine.newTenant()
  await spine.emit(tenant, { sequence: 1 }, { sequence: 2 }, { sequence: 3 })
  await chainAsBefore(spine, tenant)
  await recompute(spine, await openChain(spine, tenant), 1, {}, 'plain')
})

async function relayAll(followers: readonly Follower[] = []): Promise<void> {
  const relay = createRelay(spine.withMetrics({ followers }))
  await relay.runOnce()
  await relay.stop()
}

function verify() {
  return verifyAudit(spine.pools, { keys: spine.auditKeys }, tenant)
}

/** What a worker of the version before does with an event of this tenant. */
function appendUnkeyed(accountId: string, position: number): Promise<unknown> {
  return spine.sql(
    `insert into audit_entries (account_id, mode, position, event_id, actor_type, actor_id, action, target_id, request_id, digest, at,
       previous_hash, hash)
     values ($1, 'test', $2, 'evt_unkeyed', 'system', 'x', 'x', 'x', 'x', '\\x00', now(), '\\x00', '\\x00')`,
    [accountId, position],
  )
}

test('a chain without a key is named until it is closed, and verifies afterwards, up to its closing entry and beyond', async () => {
  expect(await verify()).toMatchObject({ ok: false, breaks: [{ reason: 'unkeyed', position: '3' }] })
  expect(await closeChains(spine.pools, spine.auditKeys)).toBe(1)
  expect(await verify()).toMatchObject({ ok: true, entries: 4 })
  await spine.emit(tenant, { sequence: 4 })
  await relayAll()
  expect(await verify()).toMatchObject({ ok: true, entries: 5 })
})

test('entries before the closing entry cannot be recomputed any more', async () => {
  await closeChains(spine.pools, spine.auditKeys)
  const chain = await openChain(spine, tenant)
  const rewritten = chain.slice(0, 3)
  await recompute(spine, rewritten, 2, { actorId: 'key_other' }, 'plain')
  expect(await verify()).toMatchObject({ ok: false, breaks: [{ reason: 'unkeyed' }] })
  // The same with the closing entry put back behind it, as it was.
  await recompute(spine, chain, 2, { actorId: 'key_other' }, 'plain')
  expect(await verify()).toMatchObject({ ok: false, breaks: [{ reason: 'hash', position: '4' }] })
})

test('chains are closed once, also by several at once', async () => {
  const closed = await Promise.all([1, 2, 3].map(() => closeChains(spine.pools, spine.auditKeys)))
  expect(closed.reduce((sum: number, one) => sum + (one ?? 0), 0)).toBe(1)
  expect(await closeChains(spine.pools, spine.auditKeys)).toBeNull()
  expect(await verify()).toMatchObject({ ok: true, entries: 4 })
})

test('once a chain is closed the database refuses entries without a key, also as the first ones of a tenant', async () => {
  await appendUnkeyed(tenant.accountId, 4)
  await spine.sql(`delete from audit_entries where event_id = 'evt_unkeyed'`)
  await closeChains(spine.pools, spine.auditKeys)
  await expect(appendUnkeyed(tenant.accountId, 5)).rejects.toThrow('closed to entries without a key')
  await expect(appendUnkeyed('acct_new', 1)).rejects.toThrow('closed to entries without a key')
  expect(await verify()).toMatchObject({ ok: true })
})

test('a chain that begins under a key takes no entry without one, whether or not chains have been closed', async () => {
  const young = spine.newTenant()
  await spine.emit(young, { sequence: 1 })
  await relayAll()
  await expect(appendUnkeyed(young.accountId, 2)).rejects.toThrow('closed to entries without a key')
})

test('the relay signs no chain whose closing entry is gone: its events wait, by name, and others go on', async () => {
  await spine.emit(tenant, { sequence: 4 })
  const told: string[] = []
  const tells: Follower = {
    name: 'tells',
    follow: (_, events) => void told.push(...events.map(({ id }) => id)),
  }
  await relayAll([tells])
  expect(told.length).toBeGreaterThan(0)
  const waiting = await spine.sql(
    `select follower from follower_backlog where account_id = $1 and last_error like '%no closing entry%'`,
    [tenant.accountId],
  )
  expect(waiting).toMatchObject([{ follower: 'audit' }])
})

test('a closing entry that another key has signed does not count', async () => {
  const stranger = createAuditKeys(envKeyProvider(`k1:${Buffer.alloc(32, 8).toString('base64')}`))
  await closeChains(spine.pools, stranger)
  expect(await verify()).toMatchObject({ ok: false, breaks: [{ reason: 'hash', position: '4' }] })
})
