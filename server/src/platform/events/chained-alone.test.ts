import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { testKeys } from '../../../test/harness/app.ts'
import { recordPools } from '../../../test/harness/recorded-pools.ts'
import { type Spine, startSpine } from '../../../test/harness/spine.ts'
import type { Tenant } from '../../contract/context.ts'
import { createAuditKeys } from '../audit/audit-keys.ts'
import { verifyAudit } from '../audit/verify-audit.ts'
import { envKeyProvider } from '../secrets/keys.ts'
import { createRelay } from './relay.ts'

let spine: Spine
let tenant: Tenant
let sequence = 0

beforeAll(async () => {
  spine = await startSpine()
})
afterAll(() => spine.close())

beforeEach(async () => {
  // Also after a test that failed with its relays running.
  await spine.sql(`update outbox_shards set holder = null, lease_until = '-infinity'`)
  tenant = spine.newTenant()
  sequence = 0
  await relayOne()
})

function emit(): Promise<void> {
  return spine.emit(tenant, { aggregateId: tenant.accountId, sequence: ++sequence })
}

/** Events of this relay go to nobody but the chain. */
function newRelay(more: Partial<Parameters<typeof createRelay>[0]> = {}) {
  return createRelay(spine.withMetrics({ followers: [], ...more }))
}

/** Makes one more event, and carries it. By default the process knows the ends of its chains, as it left them. */
async function relayOne(more: Parameters<typeof newRelay>[0] = {}): Promise<void> {
  await emit()
  const relay = newRelay(more)
  await relay.runOnce()
  await relay.stop()
}

async function pending(): Promise<number> {
  return (await spine.sql('select 1 from outbox where account_id = $1', [tenant.accountId])).length
}

function verify() {
  return verifyAudit(spine.pools, { keys: spine.auditKeys }, tenant)
}

test('events that only the chain gets are taken and chained in one statement', async () => {
  const { pools, record } = recordPools(spine.pools)
  const sent = await record(() => relayOne({ pools }))
  const names = sent.map(({ statement: { name } }) => name)
  expect(names.filter((name) => /^(?:tx_|append_|relay_take_)/.test(name))).toEqual(['relay_take_chained'])
  expect(await pending()).toBe(0)
  expect(await verify()).toMatchObject({ ok: true, entries: 2 })
})

test('where another process has continued the chain, they are chained behind that', async () => {
  await relayOne({ auditKeys: createAuditKeys(envKeyProvider(testKeys)) })
  await relayOne()
  expect(await pending()).toBe(0)
  expect(await verify()).toMatchObject({ ok: true, entries: 3 })
})

test.each(['relay.read', 'relay.commit.before'] as const)(
  'a relay that was held up at %s while another took its shards chains nothing twice',
  async (point) => {
    await emit()
    const pause = spine.faults.pause(point)
    const late = newRelay()
    const lateRun = late.runOnce()
    await pause.reached
    await spine.sql(`update outbox_shards set lease_until = '-infinity'`)
    const other = newRelay()
    expect(await other.runOnce()).toBe(1)
    pause.resume()
    await expect(lateRun).rejects.toThrow('was taken over')
    await Promise.all([late.stop(), other.stop()])
    expect(await verify()).toMatchObject({ ok: true, entries: 2 })
  },
)

test('a relay that has lost its shards chains nothing, also when nobody has relayed the events yet', async () => {
  await emit()
  const pause = spine.faults.pause('relay.commit.before')
  const late = newRelay()
  const lateRun = late.runOnce()
  await pause.reached
  await spine.sql(`update outbox_shards set epoch = epoch + 1`)
  pause.resume()
  await expect(lateRun).rejects.toThrow('was taken over')
  await late.stop()
  expect(await pending()).toBe(1)
  await spine.sql(`update outbox_shards set holder = null, lease_until = '-infinity'`)
  await relayOne()
  expect(await pending()).toBe(0)
  expect(await verify()).toMatchObject({ ok: true, entries: 3 })
})
