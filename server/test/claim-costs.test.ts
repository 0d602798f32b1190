import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { queues } from '../src/composition.ts'
import type { Mode } from '../src/contract/context.ts'
import { silentLog } from '../src/platform/logs/logs.ts'
import { createMetrics } from '../src/platform/metrics/metrics.ts'
import { Secret } from '../src/platform/secrets/secret.ts'
import { turnOf } from '../src/platform/work/turns.testing.ts'
import type { WorkKind } from '../src/platform/work/work.ts'
import { openWork, type Work } from '../src/work.ts'
import { createTestDatabase, type TestDatabase } from './harness/database.ts'
import { costOf } from './harness/explain.ts'

/**
 * What a claim costs does not follow from what one tenant has waiting, nor from how many tenants wait for a later time. As many as tell: a
 * claim that looks through this backlog costs six times what it may, or more.
 */
const backlog = 20_000
const tenants = 5_000

let database: TestDatabase
let client: Client
let work: Work

beforeAll(async () => {
  database = await createTestDatabase()
  client = new Client({ connectionString: database.url })
  await client.connect()
  work = openWork({
    railUrl: 'http://127.0.0.1:1',
    sandboxUrl: 'http://127.0.0.1:1',
    allowLoopback: false,
    ownPorts: [],
    sandboxMerchantUrl: null,
    liveRail: 'stripe',
    stripe: {
      live: { url: 'http://127.0.0.1:1', secretKey: new Secret('sk_live_nobody'), cardholder: null },
    },
    log: silentLog(),
    metrics: createMetrics(),
  })
})
afterAll(async () => {
  await work.close()
  await client.end()
  await database.drop()
})

/** The state of what is filled in, and how much one tenant has: it sends a few files at most, which are worked through one at a time. */
const fillings: Record<string, { status?: string; backlog?: number; mode?: Mode }> = {
  intents: { status: 'queued' },
  carts: { status: 'in_progress' },
  orders: { status: 'awaiting_confirmation' },
  quotes: { status: 'pending' },
  domain_verifications: { status: 'pending' },
  integration_checks: { status: 'queued' },
  catalog_imports: { backlog: 10 },
  payout_accounts: { mode: 'live' },
  disputes: { mode: 'live' },
  rail_event_feeds: { mode: 'live' },
}

/** Many pages for each row that is taken: it is locked, written, and found again by every index of its table. */
const buffersOf = (rows: number) => 150 + rows * 40

const ofTenants = queues.filter(({ kind }) => kind !== 'deliveries')

test.each(ofTenants)(
  '$kind: a claim costs no more with one long backlog or with many waiting tenants',
  async ({ kind, table }) => {
    const claim = claimOf(work.kinds.find((one) => one.kind === kind))
    const fill = async (account: string, due: string, rows: number) => {
      const { status = 'pending', mode = 'test' } = fillings[kind] ?? {}
      await insert(table, { account, due, rows, status, mode })
      await client.query(`vacuum analyze ${table}`)
    }
    await strip(table)
    await fill(`'acct_quiet' || n`, `now() + interval '6 hours'`, tenants)
    expect((await costOf(client, claim())).buffers).toBeLessThan(150)
    await fill(`'acct_a'`, `now() - interval '1 hour'`, fillings[kind]?.backlog ?? backlog)
    await fill(`'acct_b'`, `now() - interval '1 s'`, 1)
    const beside = await costOf(client, claim())
    expect(beside.rows).toBeGreaterThanOrEqual(2)
    expect(beside.buffers).toBeLessThan(buffersOf(beside.rows))
    await fill(`'acct_busy' || n`, `now() - interval '1 minute'`, tenants)
    const amongMany = await costOf(client, claim())
    expect(amongMany.rows).toBe(20)
    expect(amongMany.buffers).toBeLessThan(buffersOf(20))
    await client.query(`truncate ${table} cascade`)
  },
)

function claimOf(kind: WorkKind | undefined) {
  if (!kind) throw new Error('there is no such work')
  return () => kind.claim(turnOf(20), [])
}

/** Leaves of a table what its claims need. */
async function strip(table: string): Promise<void> {
  const { rows } = await client.query<{ text: string }>(
    `select format('alter table %I drop constraint %I cascade', $1::text, conname) as text
     from pg_constraint where conrelid = $1::text::regclass and contype in ('f', 'c', 'u')
     union all
     select format('alter table %I alter column %I drop not null', $1::text, attname) from pg_attribute a
     where attrelid = $1::text::regclass and attnum > 0 and attnotnull and not attisdropped and not exists (
       select from pg_index i where i.indrelid = a.attrelid and i.indisprimary and a.attnum = any(i.indkey))
     union all
     select format('drop index %s', indexrelid::regclass) from pg_index i
     where indrelid = $1::text::regclass and indisunique and not indisprimary
       and not exists (select from pg_constraint k where k.conindid = i.indexrelid)`,
    [table],
  )
  for (const { text } of rows) await client.query(text)
}

type Filling = { account: string; due: string; rows: number; status: string; mode: Mode }

async function insert(table: string, { account, due, rows, status, mode }: Filling): Promise<void> {
  const { rows: columns } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = $1::text::regclass and attname in ('status', 'channel')`,
    [table],
  )
  const more = columns.map(({ name }) => name)
  const values: Record<string, string> = {
    status: `'${status}'`,
    channel: table === 'registry_entries' ? `'ucp'` : `'native'`,
  }
  await client.query(
    `insert into ${table} (account_id, mode, id, due_at, lease_token, step_failures${more.map((name) => `, ${name}`).join('')})
     select ${account}, '${mode}', ${account} || '_' || n, ${due} + n * interval '1 ms', 0, 0${more.map((name) => `, ${values[name]}`).join('')}
     from generate_series(1, ${rows}) as n`,
  )
}
