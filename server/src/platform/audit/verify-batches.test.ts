import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Spine, startSpine } from '../../../test/harness/spine.ts'
import type { Tenant } from '../../contract/context.ts'
import { createRelay } from '../events/relay.ts'
import { envKeyProvider } from '../secrets/keys.ts'
import type { AuditHead } from './audit-chain.ts'
import { createAuditKeys } from './audit-keys.ts'
import { eraseEvents } from './erase-events.ts'
import { type ExportedHeads, readExportedHeads } from './exported-heads.ts'
import { chainOneByOne, openBatches, recomputeBatches } from './tampering.testing.ts'
import { verifyAudit } from './verify-audit.ts'

let spine: Spine
let tenant: Tenant
let folder: string

beforeAll(async () => {
  spine = await startSpine()
  folder = await mkdtemp(join(tmpdir(), 'audit-batches-'))
})

afterAll(async () => {
  await spine.close()
  await rm(folder, { recursive: true })
})

/** So many more events of one aggregate, which wait for the relay. */
async function emit(first: number, last: number): Promise<void> {
  for (let sequence = first; sequence <= last; sequence++) {
    await spine.emit(tenant, {
      aggregateId: tenant.accountId,
      sequence,
      object: { secret: 'ünïcode "quoted"\n', sequence },
    })
  }
}

async function relayAll(): Promise<void> {
  const relay = createRelay(spine.withMetrics({ followers: [] }))
  await relay.runOnce()
  await relay.stop()
}

/** One more batch. */
async function change(first: number, last: number): Promise<void> {
  await emit(first, last)
  await relayAll()
}

function verify(exported: ExportedHeads = new Map()) {
  return verifyAudit(spine.pools, { keys: spine.auditKeys, exported }, tenant)
}

async function reasonsFound(): Promise<string[]> {
  const { ok, breaks } = await verify()
  expect(ok).toBe(false)
  return breaks.map(({ reason }) => reason)
}

/** The heads as they are now, through a file. */
async function exportedNow(): Promise<ExportedHeads> {
  const heads = await spine.sql(
    `select account_id, mode, position::text as position, encode(hash, 'hex') as head from audit_heads where account_id = $1`,
    [tenant.accountId],
  )
  const file = join(folder, `${tenant.accountId}.jsonl`)
  await writeFile(file, `${JSON.stringify({ audit_heads: heads })}\n`)
  return readExportedHeads(file)
}

/** In this tenant's rows only. */
async function tamper(text: string): Promise<void> {
  await spine.sql(`${text} ${text.includes(' where ') ? 'and' : 'where'} account_id = $1`, [tenant.accountId])
}

/** The end of the chain after so many positions. */
async function headAt(position: number): Promise<AuditHead> {
  const [head] = await spine.sql<AuditHead>(
    `select position, hash, scheme from audit_entries where account_id = $1 and position = $2
     union all select last_position, hash, scheme from audit_batches where account_id = $1 and last_position = $2`,
    [tenant.accountId, position],
  )
  if (!head) throw new Error(`nothing ends at ${position}`)
  return head
}

/** The last two events with their batch, and a head that knows nothing of them. */
async function cutTail(): Promise<void> {
  const { hash, scheme } = await headAt(4)
  await tamper('delete from audit_batches where last_position > 4')
  await tamper('delete from events where sequence > 4')
  await spine.sql('update audit_heads set position = 4, hash = $2, scheme = $3 where account_id = $1', [
    tenant.accountId,
    hash,
    scheme,
  ])
}

type Found = { reason: string; position: string }

function at(reason: string, position: number): Found {
  return { reason, position: String(position) }
}

/** Of the batch of the events 3 and 4; in both kinds of chain something stands before it and the batch of 5 and 6 behind it. */
const tampering: [string, string, Found][] = [
  ['the time of a batch is moved', batch(`at = at + interval '1 second'`), at('hash', 3)],
  [
    'its time is moved by less than a millisecond',
    batch(`at = at + interval '1 microsecond'`),
    at('hash', 3),
  ],
  ['its hash is replaced', batch('hash = previous_hash'), at('hash', 3)],
  ['what it follows is replaced', batch('previous_hash = hash'), at('link', 3)],
  [
    'a digest in it is changed',
    batch('digests = set_byte(digests, 40, get_byte(digests, 40) # 1)'),
    at('hash', 3),
  ],
  ['it names other events', batch(`first_sequences = '{4}', last_sequences = '{5}'`), at('hash', 3)],
  ['it names more events than it has digests', batch(`last_sequences = '{5}'`), at('format', 3)],
  ['it names events of another object', batch(`aggregate_ids = '{other}'`), at('hash', 3)],
  ['it is of an unknown scheme', batch('scheme = 4'), at('format', 3)],
  ['it names another key', batch(`key_id = 'k9'`), at('unknown_key', 3)],
  ['a batch is removed', 'delete from audit_batches where last_position = 4', at('gap', 5)],
  [
    'an event is rewritten',
    `update event_rows set object_bytes = '{}', object_at = null where sequence = 4`,
    at('event_changed', 4),
  ],
  [
    'its actor is replaced',
    `update events set actor_id = 'other' where sequence = 3`,
    at('event_changed', 3),
  ],
  [
    'its time is moved by less than a millisecond',
    `update events set created_at = created_at + interval '1 microsecond' where sequence = 3`,
    at('event_changed', 3),
  ],
  ['an event is removed', 'delete from events where sequence = 4', at('event_missing', 4)],
  ['the head is moved back', 'update audit_heads set position = 4', at('head', 5)],
  ['the head is removed', 'delete from audit_heads', at('head', 7)],
  ["the head's scheme is changed", 'update audit_heads set scheme = 1', at('head', 7)],
]

function batch(change: string): string {
  return `update audit_batches set ${change} where last_position = 4`
}

describe.each(['batches alone', 'batches behind entries of the version before'])(
  'in a chain of %s',
  (kind) => {
    beforeEach(async () => {
      tenant = spine.newTenant()
      await emit(1, 2)
      if (kind === 'batches alone') await relayAll()
      else await chainOneByOne(spine, tenant)
      await change(3, 4)
      await change(5, 6)
    })

    test('an untouched chain verifies, also against its exported heads', async () => {
      const exported = await exportedNow()
      await change(7, 9)
      expect(await verify(exported)).toMatchObject({
        ok: true,
        chains: 1,
        entries: 9,
        heads: 1,
        breaks: [],
        unchained: { events: 0 },
      })
    })

    test.each(tampering)('it is found when %s', async (_, text, found) => {
      await tamper(text)
      const report = await verify()
      expect(report.ok).toBe(false)
      expect(report.breaks.find(({ reason }) => reason !== 'event_unchained')).toMatchObject(found)
    })

    test('a break at an event says which event of which object it is', async () => {
      await tamper(`update event_rows set object_bytes = '{}', object_at = null where sequence = 4`)
      const event = { aggregateId: tenant.accountId, sequence: 4, eventId: expect.stringMatching(/^evt_/) }
      expect(await verify()).toMatchObject({ breaks: [event] })
    })

    test('a row that is removed at the border is found', async () => {
      await tamper('delete from audit_entries where position = 2')
      await tamper('delete from audit_batches where last_position = 2')
      expect((await verify()).breaks).toContainEqual(expect.objectContaining(at('gap', 3)))
    })

    test('removing the last batch leaves events that will never be chained', async () => {
      await tamper('delete from audit_batches where last_position = 6')
      expect((await reasonsFound()).sort()).toEqual(['event_unchained', 'event_unchained', 'gap'])
    })

    test('two batches that changed places are found', async () => {
      const exchange = (by: number) =>
        `first_position = first_position + ${by}, last_position = last_position + ${by}`
      await tamper(`update audit_batches set ${exchange(102)} where last_position = 4`)
      await tamper(`update audit_batches set ${exchange(98)} where last_position = 6`)
      await tamper(`update audit_batches set ${exchange(-100)} where last_position > 100`)
      expect(await verify()).toMatchObject({ ok: false, breaks: [{ reason: 'link', position: '3' }] })
    })

    test('an event that is put in beside the relay is found at once', async () => {
      await spine.sql(
        `insert into event_rows (account_id, mode, id, type, aggregate_id, sequence, cart_id, actor_type, actor_id, request_id, object,
       recipient_account_id, envelope, created_at) select account_id, mode, 'evt_forged', type, aggregate_id, 99, cart_id, actor_type, actor_id, request_id,
         object, recipient_account_id, envelope, created_at from events where account_id = $1 and sequence = 4`,
        [tenant.accountId],
      )
      expect(await verify()).toMatchObject({
        ok: false,
        breaks: [{ reason: 'event_unchained', eventId: 'evt_forged' }],
      })
    })

    test('batches that are recomputed under another key are found', async () => {
      const stranger = createAuditKeys(envKeyProvider(`k1:${Buffer.alloc(32, 8).toString('base64')}`))
      const batches = (await openBatches(spine, tenant)).filter(({ position }) => position > 2n)
      await recomputeBatches(spine, await headAt(2), batches, { which: 0, change: {}, by: stranger })
      expect((await verify()).breaks[0]).toMatchObject(at('hash', 3))
    })

    test('two links that hold the same event are found, also where their signatures are right', async () => {
      const border = await headAt(2)
      const batches = (await openBatches(spine, tenant)).filter(({ position }) => position > 2n)
      const digests = Buffer.concat(batches.map((each) => each.digests))
      // The true key can only have signed this because the relay chained an event twice.
      const change = {
        ranges: [{ aggregateId: tenant.accountId, first: 4, last: 5 }],
        digests: digests.subarray(32, 96),
      }
      await recomputeBatches(spine, border, batches, { which: 1, change, by: spine.auditKeys })
      expect((await reasonsFound()).sort()).toEqual(['event_twice', 'event_unchained'])
    })

    test('an event that is removed before it is chained is found when a later one of its object is chained', async () => {
      await emit(7, 8)
      await tamper('delete from outbox where first_sequence = 7')
      await tamper('delete from events where sequence = 7')
      await relayAll()
      expect(await verify()).toMatchObject({
        ok: false,
        breaks: [{ reason: 'event_skipped', aggregateId: tenant.accountId, sequence: 7, position: '7' }],
      })
    })

    test('the exported heads alone find a tail that is cut off, with its events and its head', async () => {
      const exported = await exportedNow()
      await cutTail()
      expect(await verify()).toMatchObject({ ok: true, entries: 4 })
      expect(await verify(exported)).toMatchObject({
        ok: false,
        breaks: [{ reason: 'truncated', position: '5' }],
      })
    })

    test.each([
      ['ends where it ended', [6, 8]],
      ['has its old end in the middle of a batch', [8]],
    ])(
      'the exported heads alone find a tail that is cut off and grown again, where the chain %s',
      async (_, ends) => {
        const exported = await exportedNow()
        await cutTail()
        let first = 5
        for (const last of ends) {
          await change(first, last)
          first = last + 1
        }
        // The same events at the same time would have the same hash, and would be the same chain.
        expect(await verify()).toMatchObject({ ok: true, entries: 8 })
        expect(await verify(exported)).toMatchObject({
          ok: false,
          breaks: [{ reason: 'rewritten', position: '5' }],
        })
      },
    )

    test('links, events and heads can be checked without a key', async () => {
      const exported = await exportedNow()
      expect(await verifyAudit(spine.pools, { keys: null, exported }, tenant)).toMatchObject({
        ok: true,
        entries: 6,
      })
      await tamper(batch('hash = previous_hash'))
      expect(await verifyAudit(spine.pools, { keys: null }, tenant)).toMatchObject({
        breaks: [{ reason: 'link', position: '5' }],
      })
    })

    test('events of two batches can be erased: the chain verifies without them, and with none that the erasure does not name', async () => {
      const exported = await exportedNow()
      const chosen = await spine.sql<{ id: string }>(
        'select id from events where account_id = $1 and sequence in (2, 4, 5)',
        [tenant.accountId],
      )
      const eventIds = chosen.map(({ id }) => id)
      const erasure = { eventIds, reason: 'retention', at: await spine.clock.now() }
      expect(await eraseEvents(spine.pools, spine.auditKeys, tenant, erasure)).toBe(3)
      // One entry for the event 2, and one for 4 and 5, between which no event stays.
      expect(await verify(exported)).toMatchObject({ ok: true, entries: 8 })
      await change(7, 8)
      expect(await verify(exported)).toMatchObject({ ok: true, entries: 10 })
      await tamper('delete from events where sequence = 6')
      expect(await verify()).toMatchObject({
        ok: false,
        breaks: [{ reason: 'event_missing', position: '6' }],
      })
    })

    test('entries of a process of the version before stand behind batches, and batches behind these', async () => {
      await emit(7, 8)
      await chainOneByOne(spine, tenant)
      await change(9, 10)
      expect(await verify()).toMatchObject({ ok: true, entries: 10 })
      await tamper('delete from audit_entries where position = 8')
      expect((await verify()).breaks).toContainEqual(expect.objectContaining(at('gap', 9)))
    })
  },
)
