import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Spine, startSpine } from '../../../test/harness/spine.ts'
import type { Tenant } from '../../contract/context.ts'
import { envKeyProvider } from '../secrets/keys.ts'
import { createAuditKeys } from './audit-keys.ts'
import { eraseEvents } from './erase-events.ts'
import { type ExportedHeads, readExportedHeads } from './exported-heads.ts'
import { chainOneByOne, openChain, recompute } from './tampering.testing.ts'
import { verifyAudit } from './verify-audit.ts'

let spine: Spine
let tenant: Tenant
let folder: string

beforeAll(async () => {
  spine = await startSpine()
  folder = await mkdtemp(join(tmpdir(), 'audit-heads-'))
})

afterAll(async () => {
  await spine.close()
  await rm(folder, { recursive: true })
})

beforeEach(async () => {
  tenant = spine.newTenant()
  await change(1, 4)
})

/** So many more events of one aggregate, on the chain, as the version before chained them: an entry each. `verify-batches.test.ts` has batches. */
async function change(first: number, last: number): Promise<void> {
  for (let sequence = first; sequence <= last; sequence++) {
    await spine.emit(tenant, {
      aggregateId: tenant.accountId,
      sequence,
      object: { secret: 'ünïcode "quoted"\n', sequence },
    })
  }
  await chainOneByOne(spine, tenant)
}

function verify(exported: ExportedHeads = new Map()) {
  return verifyAudit(spine.pools, { keys: spine.auditKeys, exported }, tenant)
}

/** The heads as they are now, through a file. */
async function exportedNow(): Promise<ExportedHeads> {
  const heads = await spine.sql(
    `select account_id, mode, position::text as position, encode(hash, 'hex') as head from audit_heads where account_id = $1`,
    [tenant.accountId],
  )
  const file = join(folder, `${tenant.accountId}.jsonl`)
  await writeFile(file, `{"level":"info"}\n${JSON.stringify({ audit_heads: heads })}\n{"audit_heads":[{"acc`)
  return readExportedHeads(file)
}

/** In this tenant's rows only. */
async function tamper(text: string): Promise<void> {
  await spine.sql(`${text} ${text.includes(' where ') ? 'and' : 'where'} account_id = $1`, [tenant.accountId])
}

test('an untouched chain verifies, also against its exported heads', async () => {
  const exported = await exportedNow()
  await change(5, 6)
  expect(await verify(exported)).toMatchObject({
    ok: true,
    chains: 1,
    entries: 6,
    heads: 1,
    breaks: [],
    unchained: { events: 0 },
  })
})

type Found = { reason: string; position: string }

const tampering: [string, string, Found][] = [
  [
    'an actor is replaced',
    `update audit_entries set actor_id = 'key_other' where position = 2`,
    at('hash', 2),
  ],
  [
    'a time is moved',
    `update audit_entries set at = at + interval '1 second' where position = 3`,
    at('hash', 3),
  ],
  [
    'a time is moved by less than a millisecond',
    `update audit_entries set at = at + interval '1 microsecond' where position = 3`,
    at('hash', 3),
  ],
  ['an entry is removed', 'delete from audit_entries where position = 2', at('gap', 3)],
  ['the first entries are removed', 'delete from audit_entries where position <= 2', at('gap', 3)],
  ['a hash is replaced', 'update audit_entries set hash = digest where position = 1', at('hash', 1)],
  ['a range is widened', 'update audit_entries set range_last = 3 where position = 2', at('hash', 2)],
  ['an entry has another form', 'update audit_entries set scheme = 4 where position = 2', at('format', 2)],
  [
    'an entry is of an unknown scheme',
    'update audit_entries set scheme = 3 where position = 2',
    at('format', 2),
  ],
  [
    'an entry names another key',
    `update audit_entries set key_id = 'k9' where position = 2`,
    at('unknown_key', 2),
  ],
  [
    'an event is rewritten',
    `update event_rows set object_bytes = '{}', object_at = null where sequence = 2`,
    at('event_changed', 2),
  ],
  [
    "an event's actor is replaced",
    `update events set actor_id = 'key_other' where sequence = 3`,
    at('event_changed', 3),
  ],
  [
    "an event's time is moved by less than a millisecond",
    `update events set created_at = created_at + interval '1 microsecond' where sequence = 3`,
    at('hash', 3),
  ],
  ['an event is removed', 'delete from events where sequence = 3', at('event_missing', 3)],
  ['the head is moved back', 'update audit_heads set position = 3', at('head', 4)],
  ['the head is removed', 'delete from audit_heads', at('head', 5)],
  ["the head's scheme is changed", 'update audit_heads set scheme = 1', at('head', 5)],
]

function at(reason: string, position: number): Found {
  return { reason, position: String(position) }
}

test.each(tampering)('it is found when %s', async (_, text, found) => {
  await tamper(text)
  const report = await verify()
  expect(report.ok).toBe(false)
  expect(report.breaks.find(({ reason }) => reason !== 'event_unchained')).toMatchObject(found)
})

test('removing the last entry leaves an event that will never be chained', async () => {
  await tamper('delete from audit_entries where position = 4')
  const { ok, breaks } = await verify()
  expect(ok).toBe(false)
  expect(breaks.map(({ reason }) => reason).sort()).toEqual(['event_unchained', 'gap'])
})

test('two entries that changed places are found', async () => {
  await tamper(
    'update audit_entries set position = case position when 2 then 103 when 3 then 102 end where position in (2, 3)',
  )
  await tamper('update audit_entries set position = position - 100 where position > 100')
  expect(await verify()).toMatchObject({ ok: false, breaks: [{ reason: 'link', position: '2' }] })
})

test('an event that is put in beside the relay is found at once', async () => {
  await spine.sql(
    `insert into event_rows (account_id, mode, id, type, aggregate_id, sequence, cart_id, actor_type, actor_id, request_id, object,
       recipient_account_id, envelope, created_at) select account_id, mode, 'evt_forged', type, aggregate_id, 99, cart_id, actor_type, actor_id, request_id, object,
       recipient_account_id, envelope, created_at from events where account_id = $1 and sequence = 4`,
    [tenant.accountId],
  )
  expect(await verify()).toMatchObject({
    ok: false,
    breaks: [{ reason: 'event_unchained', eventId: 'evt_forged' }],
  })
})

test('an entry that is put in, and a chain that is recomputed without a key or under another one, are found', async () => {
  const chain = await openChain(spine, tenant)
  const stranger = createAuditKeys(envKeyProvider(`k1:${Buffer.alloc(32, 8).toString('base64')}`))
  const forged = { actorId: 'key_other' }
  for (const [by, reason] of [
    ['nobody', 'hash'],
    [stranger, 'hash'],
  ] as const) {
    await recompute(spine, chain, 2, forged, by)
    const { ok, breaks } = await verify()
    expect(ok).toBe(false)
    expect(breaks[0]).toMatchObject({ reason })
    await recompute(spine, chain, 1, {}, spine.auditKeys)
    expect(await verify()).toMatchObject({ ok: true })
  }
})

/** The last two entries and events, with a head that knows nothing of them. */
async function cutTail(): Promise<void> {
  await tamper('delete from audit_entries where position > 2')
  await tamper('delete from events where sequence > 2')
  await spine.sql(
    `update audit_heads h set position = a.position, hash = a.hash from audit_entries a
     where h.account_id = $1 and a.account_id = $1 and a.position = 2`,
    [tenant.accountId],
  )
}

test('the exported heads alone find a tail that is cut off, with its events and its head', async () => {
  const exported = await exportedNow()
  await cutTail()
  expect(await verify()).toMatchObject({ ok: true, entries: 2 })
  expect(await verify(exported)).toMatchObject({
    ok: false,
    breaks: [{ reason: 'truncated', position: '3' }],
  })
})

test('the exported heads alone find a tail that is cut off and grown again under the true key', async () => {
  const exported = await exportedNow()
  await cutTail()
  await change(3, 8)
  expect(await verify()).toMatchObject({ ok: true, entries: 8 })
  expect(await verify(exported)).toMatchObject({
    ok: false,
    breaks: [{ reason: 'rewritten', position: '4' }],
  })
})

test("the exported heads alone find a tenant's chain that is erased with its events", async () => {
  const exported = await exportedNow()
  for (const table of ['audit_entries', 'audit_heads', 'events']) await tamper(`delete from ${table}`)
  expect(await verify()).toMatchObject({ ok: true, chains: 0 })
  expect(await verify(exported)).toMatchObject({
    ok: false,
    breaks: [{ reason: 'erased', accountId: tenant.accountId, mode: 'test' }],
  })
})

test('links, events and heads can be checked without a key', async () => {
  const exported = await exportedNow()
  const noKeys = { keys: null, exported }
  expect(await verifyAudit(spine.pools, noKeys, tenant)).toMatchObject({ ok: true, entries: 4 })
  const chain = await openChain(spine, tenant)
  const stranger = createAuditKeys(envKeyProvider(`k1:${Buffer.alloc(32, 8).toString('base64')}`))
  await recompute(spine, chain, 2, { actorId: 'key_other' }, stranger)
  expect(await verifyAudit(spine.pools, noKeys, tenant)).toMatchObject({
    ok: false,
    breaks: [{ reason: 'rewritten' }],
  })
})

test('a file that holds no head, or two hashes of one entry, is refused', async () => {
  const file = join(folder, 'no-heads.jsonl')
  await writeFile(file, '{"level":"info"}\nno json\n')
  await expect(readExportedHeads(file)).rejects.toThrow('holds no exported head')
  const chain = { account_id: 'acct_1', mode: 'test', position: '1' }
  const line = (head: string) => `${JSON.stringify({ audit_heads: [{ ...chain, head }] })}\n`
  await writeFile(file, line('aa') + line('bb'))
  await expect(readExportedHeads(file)).rejects.toThrow('another hash for entry 1')
})

test('an erasure is an entry of its own: the chain verifies without its events, and with none that it does not name', async () => {
  const exported = await exportedNow()
  const chained = await spine.sql<{ event_id: string }>(
    'select event_id from audit_entries where account_id = $1 and position in (2, 3) order by position',
    [tenant.accountId],
  )
  await eraseEvents(spine.pools, spine.auditKeys, tenant, {
    eventIds: chained.map(({ event_id }) => event_id),
    reason: 'retention',
    at: await spine.clock.now(),
  })
  expect(await spine.sql('select 1 from events where account_id = $1', [tenant.accountId])).toHaveLength(2)
  expect(await verify(exported)).toMatchObject({ ok: true, entries: 5 })
  await change(5, 6)
  expect(await verify(exported)).toMatchObject({ ok: true, entries: 7 })
  await tamper('delete from events where sequence = 4')
  expect(await verify()).toMatchObject({ ok: false, breaks: [{ reason: 'event_missing', position: '4' }] })
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

const columns = {
  audit_entries: [
    ...['account_id', 'mode', 'position', 'scheme', 'kind', 'range_first', 'range_last', 'range_count'],
    ...['key_id', 'event_id', 'actor_type', 'actor_id', 'action', 'target_id', 'request_id', 'digest', 'at'],
    ...['previous_hash', 'hash'],
  ],
  event_rows: [
    ...['account_id', 'mode', 'id', 'type', 'aggregate_id', 'sequence', 'cart_id', 'actor_type', 'actor_id'],
    ...['request_id', 'object_bytes', 'recipient_account_id', 'envelope_bytes', 'created_at'],
  ],
  audit_heads: ['account_id', 'mode', 'position', 'hash', 'scheme'],
} as const

const anyTampering = fc
  .constantFrom<keyof typeof columns>('audit_entries', 'event_rows', 'audit_heads')
  .chain((table) =>
    fc.record({
      table: fc.constant(table),
      row: fc.integer({ min: 1, max: 4 }),
      column: fc.option(fc.constantFrom<string>(...columns[table]), { freq: 8 }),
      // More than the four rows: a number that another row has would be refused by a unique index.
      amount: fc.integer({ min: 5, max: 30_000 }),
    }),
  )

test('a change or removal of any single row of the audit or the events is found', async () => {
  await fc.assert(
    fc.asyncProperty(anyTampering, async ({ table, row, column, amount }) => {
      tenant = spine.newTenant()
      await change(1, 4)
      const key = { audit_entries: 'position', event_rows: 'sequence', audit_heads: `position - 4 + ${row}` }[
        table
      ]
      await tamper(
        column === null
          ? `delete from ${table} where ${key} = ${row}`
          : `update ${table} set ${column} = ${await otherValue(table, column, amount)} where ${key} = ${row}`,
      )
      // Of every tenant: a row can be given to another.
      const report = await verifyAudit(spine.pools, { keys: spine.auditKeys })
      for (const name of ['audit_entries', 'events', 'audit_heads', 'outbox'])
        await spine.sql(`delete from ${name}`)
      expect(report.ok).toBe(false)
    }),
    { numRuns: 60 },
  )
})

async function otherValue(table: string, column: string, amount: number): Promise<string> {
  const [row] = await spine.sql<{ type: string }>(
    `select format_type(atttypid, null) as type from pg_attribute where attrelid = $1::regclass and attname = $2`,
    [table, column],
  )
  switch (row?.type) {
    case 'mode':
      return `'live'`
    case 'bytea':
      // What an event says; of its packed form, the last bits are no part of that.
      if (table === 'event_rows') return `'{${amount}}'::bytea`
      return `set_byte(${column}, ${amount % 32}, get_byte(${column}, ${amount % 32}) # ${1 + (amount % 255)})`
    case 'timestamp with time zone':
      return `${column} + interval '${amount} microseconds'`
    case 'text':
      return `coalesce(${column}, '') || '${amount}'`
    default:
      return `${column} + ${amount}`
  }
}
