import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Spine, startSpine } from '../../../test/harness/spine.ts'
import type { Tenant } from '../../contract/context.ts'
import { createRelay } from '../events/relay.ts'
import { envKeyProvider } from '../secrets/keys.ts'
import { createAuditKeys } from './audit-keys.ts'
import { eraseEvents } from './erase-events.ts'
import { proveEvent } from './prove-event.ts'
import { chainOneByOne } from './tampering.testing.ts'

let spine: Spine
let tenant: Tenant

beforeAll(async () => {
  spine = await startSpine()
})
afterAll(() => spine.close())

/** The events 1 and 2 as entries of the version before, then the batches of 3 to 5, 6, and 7 to 8. */
beforeEach(async () => {
  tenant = spine.newTenant()
  await emit(1, 2)
  await chainOneByOne(spine, tenant)
  for (const [first, last] of [
    [3, 5],
    [6, 6],
    [7, 8],
  ] as const) {
    await emit(first, last)
    await relayAll()
  }
})

async function emit(first: number, last: number): Promise<void> {
  for (let sequence = first; sequence <= last; sequence++)
    await spine.emit(tenant, { aggregateId: tenant.accountId, sequence, object: { sequence } })
}

async function relayAll(): Promise<void> {
  const relay = createRelay(spine.withMetrics({ followers: [] }))
  await relay.runOnce()
  await relay.stop()
}

async function idOf(sequence: number): Promise<string> {
  const [row] = await spine.sql<{ id: string }>(
    'select id from events where account_id = $1 and sequence = $2',
    [tenant.accountId, sequence],
  )
  return row?.id ?? ''
}

async function prove(sequence: number, keys = spine.auditKeys) {
  return proveEvent(spine.pools, keys, { eventId: await idOf(sequence), accountId: null })
}

async function tamper(text: string): Promise<void> {
  await spine.sql(`${text} ${text.includes(' where ') ? 'and' : 'where'} account_id = $1`, [tenant.accountId])
}

test.each([
  [1, 1n, 1n],
  [2, 2n, 2n],
  [3, 3n, 5n],
  [4, 3n, 5n],
  [5, 3n, 5n],
  [6, 6n, 6n],
  [8, 7n, 8n],
])('the event %i is proven by the signature over the entries %i to %i', async (sequence, first, last) => {
  expect(await prove(sequence)).toMatchObject({
    aggregateId: tenant.accountId,
    sequence,
    link: { position: BigInt(sequence), firstPosition: first, lastPosition: last, keyId: 'k1' },
    broken: null,
  })
})

test.each([
  [
    'its event is changed',
    `update event_rows set object_bytes = '{}', object_at = null where sequence = 4`,
    'event_changed',
  ],
  [
    'its batch is changed',
    `update audit_batches set at = at + interval '1 s' where last_position = 5`,
    'hash',
  ],
  ['its batch does not follow the entry before it', 'delete from audit_entries where position = 2', 'gap'],
  ['the batch behind it is gone', 'delete from audit_batches where last_position = 6', 'gap'],
  [
    'the batch behind it follows something else',
    'update audit_batches set previous_hash = hash where last_position = 6',
    'link',
  ],
  ['the head is before it', 'update audit_heads set position = 2', 'head'],
  ['its batch is gone', 'delete from audit_batches where last_position = 5', 'event_unchained'],
])('an event is not proven when %s', async (_, text, broken) => {
  expect(await prove(4)).toMatchObject({ broken: null })
  await tamper(text)
  expect(await prove(4)).toMatchObject({ broken })
})

test('the last event is not proven when the head is another', async () => {
  await tamper(`update audit_heads set hash = sha256('x')`)
  expect(await prove(8)).toMatchObject({ broken: 'head' })
})

test('an event of the version before is not proven when its entry is changed', async () => {
  await tamper(`update audit_entries set actor_id = 'other' where position = 2`)
  expect(await prove(2)).toMatchObject({ broken: 'hash' })
})

test('an event is proven beside one of the same batch that was erased', async () => {
  const erasure = { eventIds: [await idOf(3)], reason: 'retention', at: await spine.clock.now() }
  await eraseEvents(spine.pools, spine.auditKeys, tenant, erasure)
  expect(await prove(4)).toMatchObject({ broken: null })
  expect(await prove(8)).toMatchObject({ broken: null })
})

test('an event is found in its chain although it was chained long after, or before, its time', async () => {
  await emit(9, 10)
  await tamper(`update events set created_at = created_at - interval '9 days' where sequence = 9`)
  await tamper(`update events set created_at = created_at + interval '9 days' where sequence = 10`)
  await relayAll()
  expect(await prove(9)).toMatchObject({ link: { position: 9n }, broken: null })
  expect(await prove(10)).toMatchObject({ link: { position: 10n }, broken: null })
})

test('an event that waits for the relay is not proven, and one that does not exist is not found', async () => {
  await emit(9, 9)
  expect(await prove(9)).toMatchObject({ link: null, broken: 'event_unchained' })
  await relayAll()
  expect(await prove(9)).toMatchObject({ broken: null })
  expect(await proveEvent(spine.pools, spine.auditKeys, { eventId: 'evt_none', accountId: null })).toBeNull()
  const elsewhere = { eventId: await idOf(4), accountId: 'acct_other' }
  expect(await proveEvent(spine.pools, spine.auditKeys, elsewhere)).toBeNull()
})

test('nothing is proven under another key', async () => {
  const stranger = createAuditKeys(envKeyProvider(`k1:${Buffer.alloc(32, 8).toString('base64')}`))
  expect(await prove(4, stranger)).toMatchObject({ broken: 'hash' })
  expect(await prove(1, stranger)).toMatchObject({ broken: 'hash' })
})
