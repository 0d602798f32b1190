import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countBacklog } from '../src/cli/operator/backlog.sql.ts'
import type { Statement } from '../src/contract/statement.ts'
import { openSessionDoor, openTokenDoor } from '../src/domain/buyers/onboarding-links/links.sql.ts'
import {
  endDecidedUses,
  lockCounters,
  lockDecidedCounters,
  orderByUses,
  releaseHeldUses,
  releaseUnordered,
  selectHeldUses,
  selectTakenUses,
} from '../src/domain/selling/promotions/redemptions.sql.ts'
import { selectEarlierOrder } from '../src/domain/trade/orders/earlier-orders.sql.ts'
import { lockHeads } from '../src/platform/audit/audit.sql.ts'
import { nextBatch } from '../src/platform/audit/audit-batch.ts'
import { emptyHead } from '../src/platform/audit/audit-chain.ts'
import { appendBatches, selectBatchFrom } from '../src/platform/audit/batches.sql.ts'
import { selectStoredEvents } from '../src/platform/audit/stored-events.sql.ts'
import {
  countFailure,
  hurryBacklog,
  insertBacklog,
  selectDetained,
  selectDue,
  selectIsBehind,
  takeBacklog,
} from '../src/platform/events/backlog.sql.ts'
import {
  selectPending,
  selectPredecessors,
  selectWholeEvents,
  shardsWithWork,
  takeRelayed,
} from '../src/platform/events/relay.sql.ts'
import { silentLog } from '../src/platform/logs/logs.ts'
import { createMetrics } from '../src/platform/metrics/metrics.ts'
import { turnOf } from '../src/platform/work/turns.testing.ts'
import type { WorkKind } from '../src/platform/work/work.ts'
import { openWork } from '../src/work.ts'
import { tenthInGate } from './gate/tenth-in-gate.ts'
import { startTestApp, type TestApp } from './harness/app.ts'
import { fillDatabase, growingTables } from './harness/fill-database.ts'
import { tourOperations } from './harness/operation-tour.ts'
import { type Recorder, recordPools } from './harness/recorded-pools.ts'
import { payoutsStandIn } from './harness/stand-ins.ts'

const rows = tenthInGate(100_000)

let app: TestApp
let client: Client
let recorder: Recorder | undefined

beforeAll(async () => {
  app = await startTestApp({
    payoutAccounts: payoutsStandIn,
    wrapPools: (pools) => {
      recorder = recordPools(pools)
      return recorder.pools
    },
  })
  client = new Client({ connectionString: app.databaseUrl })
  await client.connect()
  await fillDatabase(client, rows)
})

afterAll(async () => {
  await client.end()
  await app.stop()
})

test('no operation walks through a table that grows', async () => {
  const statements = new Map<string, Statement<unknown>>()
  await tourOperations(app, async ({ call }) => {
    let answer: Awaited<ReturnType<typeof call>> | undefined
    const sent = await recorder?.record(async () => {
      answer = await call()
    })
    for (const { statement } of sent ?? []) statements.set(statement.text, statement)
    if (!answer) throw new Error('nothing was called')
    return answer
  })
  expect(statements.size).toBeGreaterThan(70)
  expect(await walksOf([...statements.values()])).toEqual([])
})

test('neither claims of work nor the relay nor what counts them walk through a table that grows', async () => {
  const work = openWork({
    railUrl: 'http://127.0.0.1:1',
    sandboxUrl: 'http://127.0.0.1:1',
    allowLoopback: false,
    ownPorts: [],
    sandboxMerchantUrl: null,
    log: silentLog(),
    metrics: createMetrics(),
  })
  const row = {
    account_id: 'acct_fill1',
    mode: 'test',
    id: 'pi_00000001',
    lease_token: 1n,
    step_failures: 1,
  } as const
  const pending = {
    account_ids: ['acct_fill1'],
    modes: ['test'],
    aggregate_ids: ['pi_00000001'],
    firsts: [1],
  }
  const statements = [
    ...work.kinds.flatMap((kind) => [
      kind.claim(turnOf(20), []),
      ...lookOf(kind),
      kind.release(row as never),
      kind.postpone(row as never, { seconds: 5, error: 'Error: of this test' }),
      kind.recover(row as never),
    ]),
    selectPending({ shard: 1, quota: 20, limit: 200 }),
    selectPredecessors({ shard: 1, ...pending }),
    selectWholeEvents({ shard: 1, lanes: [1], ...pending, lasts: [2] }),
    takeRelayed({ shard: 1, epoch: 1n, lanes: [1], ...pending }),
    shardsWithWork({ shards: [1, 2, 3], now: new Date() }),
    ...backlogStatements(),
    ...auditStatements(),
    countBacklog({}),
  ]
  await work.close()
  expect(await walksOf(statements)).toEqual([])
})

/** Each kind of work can be looked for without a claim. */
function lookOf({ kind, claim }: WorkKind): Statement<unknown>[] {
  const { look } = claim(turnOf(20), [])
  if (!look) throw new Error(`the claim of ${kind} brings no look`)
  return [look]
}

test('neither what an offer asks about promotions nor a hosted page walks through a table that grows', async () => {
  const now = new Date()
  const merchant = { account_id: 'acct_fill1', mode: 'test' } as const
  const decided = { account_ids: ['acct_fill1'], modes: ['test'], order_ids: ['ord_00000001'] }
  const use = { ...merchant, id: 'cart_00000001:1' }
  const ids = ['promo_00000001']
  const hash = Buffer.alloc(32)
  const statements = [
    selectHeldUses({ ...merchant, cart_id: 'cart_00000001' }),
    lockCounters({ ...merchant, ids }),
    selectTakenUses({ ...merchant, ids, identity_hashes: [hash], held_ids: [use.id] }),
    releaseHeldUses({ ...merchant, held_ids: [use.id], now }),
    orderByUses({ ...merchant, ids: [use.id], order_id: 'ord_00000001', now }),
    releaseUnordered({ ...use, lease_token: 1n, now }),
    lockDecidedCounters(decided),
    endDecidedUses({ ...decided, states: ['settled'], now }),
    selectEarlierOrder({ merchant_account_id: 'acct_fill1', mode: 'test', email: 'ada@example.com' }),
    openTokenDoor({ hash }),
    openSessionDoor({ hash }),
  ]
  expect(await walksOf(statements)).toEqual([])
})

test('a statement without an index for it is found', async () => {
  const statement = {
    name: 'without_index',
    text: 'select id from events where request_id = $1',
    values: ['req_1'],
  }
  expect(await walksOf([statement])).toEqual([
    'without_index walks through event_rows',
    'without_index walks through event_rows (generic plan)',
  ])
})

/** Where a plan reads a whole growing table: for these values, and once a named statement has been planned for any. */
async function walksOf(statements: readonly Statement<unknown>[]): Promise<string[]> {
  const found: string[] = []
  for (const { name, text, values } of statements) {
    if (!/^\s*(?:\/\*|with|select|insert|update|delete)/.test(text)) continue
    const asked = await client.query(`explain (format json) ${text}`, values as unknown[])
    const general = name === '' ? null : await client.query(`explain (generic_plan, format json) ${text}`)
    for (const [kind, plan] of [
      ['', asked],
      [' (generic plan)', general],
    ] as const) {
      const walked = plan ? walkedTables(plan.rows[0]?.['QUERY PLAN']) : []
      found.push(...walked.map((table) => `${name || text.slice(0, 80)} walks through ${table}${kind}`))
    }
  }
  return found
}

function walkedTables(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(walkedTables)
  if (typeof node !== 'object' || node === null) return []
  const { 'Node Type': type, 'Relation Name': table } = node as Record<string, unknown> // as EXPLAIN writes its nodes
  const here = type === 'Seq Scan' && typeof table === 'string' && growingTables.has(table) ? [table] : []
  return [...here, ...Object.values(node).flatMap(walkedTables)]
}

/** What followers are behind with: a follower that fails for hours leaves as much behind as there are events. */
/** What the chain is written and read with; `audit verify` also compares all events with all chains, which nothing waits for. */
function auditStatements() {
  const chain = { account_id: 'acct_fill1', mode: 'test' }
  const batch = nextBatch(app.parts.auditKeys, emptyHead, {
    tenant: { accountId: 'acct_fill1', mode: 'test' },
    events: [],
    at: new Date(),
  })
  return [
    lockHeads({ account_ids: ['acct_fill1'], modes: ['test'] }),
    appendBatches([batch]),
    selectBatchFrom({ ...chain, position: 1n, aggregate_id: null, sequence: null }),
    selectStoredEvents({ ...chain, after: 0n, up_to: 512n }),
  ]
}

function backlogStatements() {
  const tenant = { account_id: 'acct_fill1', mode: 'test' }
  const arrays = { account_ids: ['acct_fill1'], modes: ['test'], aggregate_ids: ['pi_00000001'] }
  const one = { ...arrays, followers: ['deliveries'], sequences: [1] }
  const held = { shard: 1, epoch: 1n }
  const now = new Date()
  const follower = 'deliveries'
  const due = { due_at: now, parks_after_seconds: 1, parked_due_at: now }
  return [
    insertBacklog({ ...one, shard: 1, event_ids: ['evt_00000001'], now }),
    selectIsBehind({ shard: 1 }),
    selectDetained({ ...arrays, followers: ['deliveries'], shard: 1 }),
    selectDue({ shard: 1, known: [follower], followers: [follower], now, limit: 200 }),
    takeBacklog({ ...one, ...held }),
    countFailure({
      ...held,
      ...tenant,
      ...due,
      follower,
      aggregate_id: 'pi_00000001',
      sequence: 1,
      error: '',
      now,
    }),
    hurryBacklog({ shard: 1, ...tenant, event_ids: ['evt_00000001'] }),
  ]
}
