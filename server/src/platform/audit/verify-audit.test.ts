import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Spine, startSpine } from '../../../test/harness/spine.ts'
import type { Tenant } from '../../contract/context.ts'
import { createRelay } from '../events/relay.ts'
import { verifyAudit } from './verify-audit.ts'

let spine: Spine
let tenant: Tenant

beforeAll(async () => {
  spine = await startSpine()
})

afterAll(() => spine.close())

beforeEach(async () => {
  tenant = spine.newTenant()
  for (let sequence = 1; sequence <= 4; sequence++) {
    await spine.emit(tenant, {
      aggregateId: tenant.accountId,
      sequence,
      object: { secret: 'ünïcode "quoted"\n', sequence },
    })
  }
  const relay = createRelay(spine.withMetrics({ followers: [] }))
  await relay.runOnce()
  await relay.stop()
})

function verify() {
  return verifyAudit(spine.pools, tenant)
}

test('a chain that nobody touched verifies', async () => {
  expect(await verify()).toMatchObject({
    ok: true,
    chains: 1,
    entries: 4,
    breaks: [],
    unchained: { events: 0 },
  })
})

const tampering: [string, string, { reason: string; position: string }][] = [
  [
    'an actor is replaced',
    `update audit_entries set actor_id = 'key_other' where position = 2`,
    { reason: 'hash', position: '2' },
  ],
  [
    'a time is moved',
    `update audit_entries set at = at + interval '1 second' where position = 3`,
    { reason: 'hash', position: '3' },
  ],
  ['an entry is removed', `delete from audit_entries where position = 2`, { reason: 'gap', position: '3' }],
  [
    'the last entry is removed',
    `delete from audit_entries where position = 4`,
    { reason: 'gap', position: '4' },
  ],
  [
    'the first entries are removed',
    `delete from audit_entries where position <= 2`,
    { reason: 'gap', position: '3' },
  ],
  [
    'a hash is replaced',
    `update audit_entries set hash = digest where position = 1`,
    { reason: 'hash', position: '1' },
  ],
  [
    'an event is rewritten',
    `update events set object = '{}' where sequence = 2`,
    { reason: 'event', position: '2' },
  ],
  [
    "an event's actor is replaced",
    `update events set actor_id = 'key_other' where sequence = 3`,
    { reason: 'event', position: '3' },
  ],
  ['the head is moved back', `update audit_heads set position = 3`, { reason: 'head', position: '4' }],
]

test.each(tampering)('it is found when %s', async (_, change, found) => {
  const where = change.includes('where') ? 'and' : 'where'
  await spine.sql(`${change} ${where} account_id = $1`, [tenant.accountId])
  const report = await verify()
  expect(report.ok).toBe(false)
  expect(report.breaks).toMatchObject([found])
})

test('two entries that changed places are found', async () => {
  await spine.sql(
    `update audit_entries set position = case position when 2 then 103 when 3 then 102 end where position in (2, 3) and account_id = $1`,
    [tenant.accountId],
  )
  await spine.sql(
    `update audit_entries set position = position - 100 where position > 100 and account_id = $1`,
    [tenant.accountId],
  )
  expect(await verify()).toMatchObject({ ok: false, breaks: [{ reason: 'link', position: '2' }] })
})

test('the unchained tail is reported, and is a failure once it is older than a minute', async () => {
  await spine.emit(tenant, { aggregateId: 'tail' })
  expect(await verify()).toMatchObject({ ok: true, unchained: { events: 1, overdue: false } })
  await spine.sql(
    `update events set created_at = created_at - interval '61 seconds' where aggregate_id = 'tail' and account_id = $1`,
    [tenant.accountId],
  )
  expect(await verify()).toMatchObject({ ok: false, breaks: [], unchained: { events: 1, overdue: true } })
})
