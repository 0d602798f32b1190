import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Benchmark, Contestant } from '../benchmark.ts'
import { startBenchChild } from '../child.ts'
import type { ClaimerAnswer, ClaimerOrder } from '../targets/claimer.ts'
import { makeBuyer, purchaseBody } from '../world/buyer.ts'
import { startWorld } from '../world/world.ts'

const pauseMs = 50
const rowsPerSecond = 1000

/**
 * How long an approved purchase waits for the worker that begins it, on a service that has nothing else to do; and the cost of the worker's
 * loop with its leases, beside a bare loop of the same two statements on the same table.
 */
export const workBench: Benchmark = {
  name: 'work',
  about:
    'measures the time from the approval of a purchase to its start, one at a time; and claims and finishes rows, compared with a raw SKIP LOCKED loop',
  unit: 'purchase',
  seconds: 4,
  async prepare() {
    const world = await startWorld({ workers: 1 })
    const profileId = await makeBuyer(world)
    const body = purchaseBody(world, profileId)
    await world.database.query(`create table bench_chores (account_id text collate "C", mode mode, id text, due_at timestamptz, lease_until timestamptz,
      lease_token bigint not null default 0, step_failures integer not null default 0,
      step_failing_since timestamptz, step_error text, is_due boolean default true, primary key (account_id, mode, id))`)
    await world.database.query('create index on bench_chores (due_at) where due_at is not null')
    await world.database.query(
      `create index on bench_chores (mode, account_id, coalesce(due_at, 'infinity')) where is_due;
       create index on bench_chores (mode, coalesce(due_at, 'infinity')) where not is_due;
       create trigger note_due before update of due_at on bench_chores for each row
         when (new.due_at is distinct from old.due_at) execute function note_due()`,
    )
    const claimer = await startBenchChild<{ ready: true }>(
      fileURLToPath(new URL('../targets/claimer.ts', import.meta.url)),
      [world.state],
      { logFile: join(world.state, 'logs/bench.log') },
    )
    const claims = (name: string, how: ClaimerOrder['how']): Contestant => {
      let rows = 0
      return {
        name,
        processes: () => ({ node: [claimer.pid], postgres: [world.ready.pids.postgres ?? 0] }),
        async before(seconds) {
          rows = Math.round(rowsPerSecond * seconds)
          await world.database.query('truncate bench_chores')
          await world.database.query(
            `insert into bench_chores (account_id, mode, id, due_at)
             select 'acct_bench', 'test', 'chore_' || n, now() from generate_series(1, $1::int) as n`,
            [rows],
          )
          await world.database.query('vacuum analyze')
        },
        async run() {
          const order: ClaimerOrder = { how, rows }
          claimer.send(order)
          return (await claimer.nextLine()) as ClaimerAnswer // the script's only kind of line
        },
      }
    }
    return {
      postgres: world.postgres,
      contestants: [
        {
          name: 'approve → start',
          processes: world.processes,
          before: async () => void (await world.database.query('vacuum analyze')),
          async run(seconds) {
            const startedAt = performance.now()
            const ids: string[] = []
            while (performance.now() - startedAt < seconds * 1000) {
              const { id } = await world.call('POST', '/v1/purchase_intents', body)
              await world.call('POST', `/v1/purchase_intents/${id}/approve`, { approve: true })
              ids.push(id)
              await delay(pauseMs)
            }
            const { rows } = await world.database.query(
              `select percentile_cont(0.5) within group (order by ms) as p50, percentile_cont(0.99) within group (order by ms) as p99
               from (select extract(epoch from started_at - approved_at)::float8 * 1000 as ms from purchase_intents where id = any($1)) as waits`,
              [ids],
            )
            const took = (performance.now() - startedAt) / 1000
            return { operations: ids.length, seconds: took, latencyMs: rows[0] }
          },
        },
        claims('raw SKIP LOCKED loop', 'raw'),
        claims('worker', 'worker'),
      ],
      comparisons: [
        {
          about: 'rows claimed and finished a second, of the raw loop',
          of: 'worker',
          against: 'raw SKIP LOCKED loop',
          measure: 'rate',
        },
      ],
      budgets: [
        { about: 'approve → start, p50 ms', of: 'approve → start', measure: 'p50_ms', most: 15, aim: 8 },
      ],
      async stop() {
        await claimer.stop()
        await world.stop()
      },
    }
  },
}
