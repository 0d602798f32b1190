import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { tenthInGate } from '../../../test/gate/tenth-in-gate.ts'
import { type Spine, startSpine } from '../../../test/harness/spine.ts'
import type { Tenant } from '../../contract/context.ts'
import { createRelay } from '../events/relay.ts'
import { chainOneByOne } from './tampering.testing.ts'
import { verifyAudit } from './verify-audit.ts'

const numRuns = tenthInGate(500)

let spine: Spine

beforeAll(async () => {
  spine = await startSpine()
})
afterAll(() => spine.close())

const tables = {
  audit_batches: [
    ...[
      'account_id',
      'mode',
      'first_position',
      'last_position',
      'scheme',
      'key_id',
      'aggregate_ids',
      'first_sequences',
    ],
    ...['last_sequences', 'digests', 'at', 'previous_hash', 'hash'],
  ],
  event_rows: [
    ...['account_id', 'mode', 'id', 'type', 'aggregate_id', 'sequence', 'cart_id', 'actor_type', 'actor_id'],
    ...['request_id', 'object_bytes', 'recipient_account_id', 'envelope_bytes', 'created_at'],
  ],
  audit_heads: ['account_id', 'mode', 'position', 'hash', 'scheme'],
} as const

const text = fc.string({
  unit: fc.constantFrom('a', '"', '\\', '{', ',', '\n', 'ü', '𝄞', ' '),
  maxLength: 12,
})

/** Batches of events: of which of three objects each is, what it says, and whether a recipient gets it. */
const anyBatches = fc.array(
  fc.array(
    fc.record({
      object: fc.integer({ min: 0, max: 2 }),
      says: text,
      cartId: fc.option(text),
      isSent: fc.boolean(),
    }),
    {
      minLength: 1,
      maxLength: 6,
    },
  ),
  { minLength: 2, maxLength: 4 },
)

const anyTampering = fc
  .constantFrom<keyof typeof tables>('audit_batches', 'event_rows', 'audit_heads')
  .chain((table) =>
    fc.record({
      table: fc.constant(table),
      row: fc.nat(),
      column: fc.option(fc.constantFrom<string>(...tables[table]), { freq: 10 }),
      // More than there are rows: a number that another row has would be refused by a unique index.
      amount: fc.integer({ min: 50, max: 30_000 }),
    }),
  )

/** `isUpgraded`: the first of them are entries, as the version before chained them. */
async function chain(
  batches: typeof anyBatches extends fc.Arbitrary<infer T> ? T : never,
  isUpgraded: boolean,
): Promise<Tenant> {
  const tenant = spine.newTenant()
  const sequences = new Map<string, number>()
  for (const [place, batch] of batches.entries()) {
    for (const { object, says, cartId, isSent } of batch) {
      const aggregateId = `thing "${object}", {\\}`
      const sequence = (sequences.get(aggregateId) ?? 0) + 1
      sequences.set(aggregateId, sequence)
      await spine.emit(tenant, {
        aggregateId,
        sequence,
        object: { says },
        ...(cartId === null ? {} : { cartId }),
        ...(isSent ? { recipient: { accountId: tenant.accountId, data: { says } } } : {}),
      })
    }
    if (isUpgraded && place === 0) await chainOneByOne(spine, tenant)
    else {
      const relay = createRelay(spine.withMetrics({ followers: [] }))
      await relay.runOnce()
      await relay.stop()
    }
  }
  return tenant
}

const clear = async () => {
  for (const table of ['audit_batches', 'audit_entries', 'audit_heads', 'events', 'outbox'])
    await spine.sql(`delete from ${table}`)
}

test('random batches verify, and the change of any value of any row, or its removal, is found', async () => {
  let found = 0
  await spine.sql('alter table audit_batches drop constraint audit_batches_whole')
  await fc.assert(
    fc.asyncProperty(
      anyBatches,
      fc.boolean(),
      anyTampering,
      async (batches, isUpgraded, { table, row, column, amount }) => {
        await clear()
        const { accountId } = await chain(batches, isUpgraded)
        const verify = () => verifyAudit(spine.pools, { keys: spine.auditKeys })
        const count = batches.reduce((sum, batch) => sum + batch.length, 0)
        expect(await verify()).toMatchObject({ ok: true, entries: count })
        const rows = await spine.sql<{ ctid: string }>(
          `select ctid::text as ctid from ${table} where account_id = $1 order by ctid`,
          [accountId],
        )
        const { ctid } = rows[row % rows.length] ?? { ctid: '' }
        await spine.sql(
          column === null
            ? `delete from ${table} where ctid = $1::tid`
            : `update ${table} set ${column} = ${await otherValue(table, column, amount)} where ctid = $1::tid`,
          [ctid],
        )
        // Of every tenant: a row can be given to another.
        expect((await verify()).ok).toBe(false)
        found++
      },
    ),
    { numRuns },
  )
  expect(found).toBeGreaterThanOrEqual(numRuns)
})

async function otherValue(table: string, column: string, amount: number): Promise<string> {
  const [row] = await spine.sql<{ type: string }>(
    `select format_type(atttypid, null) as type from pg_attribute where attrelid = $1::regclass and attname = $2`,
    [table, column],
  )
  const byte = `${amount} % octet_length(${column})`
  switch (row?.type) {
    case 'mode':
      return `'live'`
    case 'bytea':
      // What an event says; of its packed form, the last bits are no part of that.
      if (table === 'event_rows') return `'{${amount}}'::bytea`
      return `set_byte(${column}, ${byte}, get_byte(${column}, ${byte}) # ${1 + (amount % 255)})`
    case 'timestamp with time zone':
      return `${column} + interval '${amount} microseconds'`
    case 'text':
      return `coalesce(${column}, '') || '${amount}'`
    case 'text[]':
      return `${column}[:cardinality(${column}) - 1] || (${column}[cardinality(${column})] || '${amount}')`
    case 'integer[]':
      return `(${column}[1] + ${amount}) || ${column}[2:]`
    default:
      return `${column} + ${amount}`
  }
}
