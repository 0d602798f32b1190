import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { type Recorder, recordPools } from '../../../../test/harness/recorded-pools.ts'
import type { Mode } from '../../../contract/context.ts'
import { registryAccount } from './entry-row.ts'

/** What a page of the registry costs does not follow from how many merchants and sites there are, and what a filter costs does so once. */
const few = 2_000
const many = 20_000

let app: TestApp
let client: Client
let recorder: Recorder | undefined

beforeAll(async () => {
  app = await startTestApp({
    limits: { discoveryTest: 10_000, discoveryLive: 10_000 },
    wrapPools: (pools) => {
      recorder = recordPools(pools)
      return recorder.pools
    },
  })
  client = new Client({ connectionString: app.databaseUrl })
  await client.connect()
  // Foreign keys and triggers are not what is measured. Users without the right to skip them wait for both.
  await client.query('set session_replication_role = replica').catch(() => undefined)
})
afterAll(async () => {
  await client.end()
  await app.stop()
})

const each = 'from generate_series($2::int, $3::int) as i'
const fillings = [
  `insert into merchants (account_id, mode, slug, domain, name, domain_verified_at, verification_token, tax_basis_points, currency, seq,
     created_at, updated_at)
   select 'acct_fill' || i, $1::text::mode, 'shop-' || i, 'shop' || i || '.example', 'Shop ' || md5(i::text), case when i % 3 > 0 then now() end,
     'x', 0, 'EUR', 1, now(), now() ${each}`,
  `insert into destinations (account_id, mode, id, name, responds_to_quotes, event_types, endpoint_url, status, confirmed_at, seq, created_at,
     updated_at)
   select 'acct_fill' || i, $1::text::mode, 'dest_' || $1::text || i, 'Hooks', false, '{order.requested,order.confirmed,order.rejected}',
     'https://hooks.example', 'enabled', now(), 1, now(), now() ${each}`,
  `insert into listings (account_id, mode, id, words, title_words, item_type, categories, currency, price_min, price_max, is_available)
   select 'acct_fill' || i, $1::text::mode, 'cat_' || i || '_' || n, '', 1, case when i % 1000 = 7 then 'service' else 'product' end, '{}', 'EUR',
     1, 1, true ${each}, generate_series(1, 5) as n`,
  `insert into registry_entries (account_id, mode, id, origin, host, name, found, evidence, speaks, rank, payment_methods, payment_instruments,
     item_types, mpp_categories, failures, seq, created_at, updated_at)
   select '${registryAccount}', $1::text::mode, 'reg_' || lpad(i::text, 8, '0'), 'https://site' || i || '.example', 'site' || i || '.example',
     case when i % 2 = 0 then 'Site ' || md5(i::text) end, '[]', '[]', case when i % 2 = 0 then '{ucp,mpp}'::text[] else '{ucp}' end, i % 3,
     '{stripe}', '{card}', '{product}', case when i % 1000 = 3 then '{rare}' else '{data}'::text[] end, 0, 1, now(), now() ${each}`,
]

async function fill(from: number, to: number): Promise<void> {
  await client.query(
    `insert into accounts (id, name, created_at) select 'acct_fill' || i, 'Filler', now() from generate_series($1::int, $2::int) as i`,
    [from, to],
  )
  for (const mode of ['test', 'live'] as const)
    for (const text of fillings) await client.query(text, [mode, from, to])
  await client.query(
    'vacuum analyze merchants, destinations, webhook_destinations, listings, registry_entries',
  )
}

/** How many pages of the database one request reads: for its entries, and to count them where they are counted. */
async function costOf(mode: Mode, query = ''): Promise<{ entries: number; counting: number; found: number }> {
  const { secret_test, secret_live } = app.stranger.keys
  let found = 0
  const sent = await recorder?.record(async () => {
    const key = mode === 'test' ? secret_test : secret_live
    const { status, body } = await app.get(`/v1/registry?${query}`, { key })
    expect(status).toBe(200)
    found = body.total
  })
  const reads = (sent ?? []).filter(({ statement }) => statement.text.includes('registry_entries'))
  const costs: number[] = []
  for (const { statement } of reads) {
    const { rows } = await client.query(
      `explain (analyze, buffers, format json) ${statement.text}`,
      statement.values as unknown[],
    )
    const [{ Plan: plan }] = rows[0]['QUERY PLAN']
    costs.push(plan['Shared Hit Blocks'] + plan['Shared Read Blocks'])
  }
  const [entries, counting = 0] = costs
  if (entries === undefined) throw new Error('the request read no registry')
  return { entries, counting, found }
}

const modes = ['test', 'live'] as const
const rare = [
  'q=shop-1777',
  'q=nothing',
  'commerce_category=service',
  'commerce_category=booking',
  'mpp_category=rare',
  'payment_method=x402',
]
/** A probe of an index for what a merchant sells, and a row. */
const pagesOfEach = 6

test('a first page reads as much among twenty thousand as among two thousand; a filter that finds little looks at each once', async () => {
  await fill(1, few)
  const before = new Map<Mode, number>()
  for (const mode of modes) before.set(mode, (await costOf(mode)).entries)
  await fill(few + 1, many)
  for (const mode of modes) {
    const { entries, counting, found } = await costOf(mode)
    expect(found).toBe(10_000)
    expect(entries).toBeLessThan(Math.max(1_500, 1.3 * (before.get(mode) ?? 0)))
    // No merchant, and of each site a row at most: its index alone answers where the last vacuum has seen it.
    expect(counting).toBeGreaterThan(0)
    expect(counting).toBeLessThan(12_000)
    for (const query of rare) {
      const cost = await costOf(mode, query)
      expect(cost.found).toBeLessThan(100)
      expect(cost.counting).toBe(0)
      expect(cost.entries).toBeLessThan(many * pagesOfEach)
    }
  }
})
