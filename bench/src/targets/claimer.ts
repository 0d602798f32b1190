import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { openRole } from '../../../server/src/cli/role.ts'
import { roleConfig } from '../../../server/src/cli/role-config.ts'
import { statement } from '../../../server/src/contract/statement.ts'
import { claimStatement, leaseStatements } from '../../../server/src/platform/work/lease.sql.ts'
import type { Claimed } from '../../../server/src/platform/work/lease.ts'
import type { WorkKind } from '../../../server/src/platform/work/work.ts'
import { createWorker } from '../../../server/src/platform/work/worker.ts'

export type ClaimerOrder = { how: 'worker' | 'raw'; rows: number }
export type ClaimerAnswer = { operations: number; seconds: number }

// The same table and as many rows at once: under our worker, which shares places among tenants, and in a loop that claims and finishes.

const batch = 20
/** One tenant alone has two thirds of them. */
const places = 30

const claim = claimStatement<Claimed>('bench_chores')

const rawClaim = statement<Claimed, { limit: number; lease_seconds: number }>(
  'bench_claim',
  `update bench_chores set lease_token = lease_token + 1, lease_until = prokura_now() + make_interval(secs => $lease_seconds)
   where (account_id, mode, id) in (
     select account_id, mode, id from bench_chores
     where due_at <= prokura_now() and (lease_until is null or lease_until <= prokura_now())
     order by due_at limit $limit for update skip locked
   )
   returning account_id, mode, id, lease_token, step_failures`,
)

const finish = statement<never, { account_id: string; mode: string; id: string; lease_token: bigint }>(
  'bench_finish',
  `update bench_chores set due_at = null, lease_until = null
   where account_id = $account_id and mode = $mode and id = $id and lease_token = $lease_token`,
)

const [state] = process.argv.slice(2)
const config = roleConfig(state)
const { parts, log, metrics, faults } = await openRole(
  'worker',
  { ...config, metricsPort: null },
  'http://127.0.0.1',
)
let finished = 0

const chores: WorkKind = {
  kind: 'bench_chores',
  leaseSeconds: 30,
  concurrency: places,
  batch,
  claim,
  ...leaseStatements('bench_chores'),
  async step(_ctx, row) {
    await finishOne(row)
  },
}

async function finishOne({ account_id, mode, id, lease_token }: Claimed): Promise<void> {
  await parts.pools.single(finish({ account_id, mode, id, lease_token }))
  finished++
}

async function underWorker(rows: number): Promise<void> {
  const worker = createWorker({ ...parts, log, metrics, faults, kinds: [chores] })
  worker.start()
  while (finished < rows) await delay(2)
  await worker.stop()
}

async function inRawLoop(rows: number): Promise<void> {
  while (finished < rows) {
    const claimed = await parts.pools.single(rawClaim({ limit: batch, lease_seconds: 30 }))
    await Promise.all(claimed.rows.map(finishOne))
  }
}

process.on('SIGINT', () => undefined)
process.stdout.write('{"ready":true}\n')
for await (const line of createInterface({ input: process.stdin })) {
  const { how, rows }: ClaimerOrder = JSON.parse(line)
  finished = 0
  const startedAt = performance.now()
  await (how === 'worker' ? underWorker(rows) : inRawLoop(rows))
  const answer: ClaimerAnswer = { operations: rows, seconds: (performance.now() - startedAt) / 1000 }
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}
await parts.close()
process.exit()
