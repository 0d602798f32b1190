import { silentLog } from '../../../server/src/platform/logs/logs.ts'
import { createMetrics } from '../../../server/src/platform/metrics/metrics.ts'
import { Load, Turns } from '../../../server/src/platform/work/turns.ts'
import { openWork } from '../../../server/src/work.ts'
import type { Work } from '../benchmark.ts'
import { quantile } from '../statistics.ts'
import type { Offered, Shopper } from './shops.ts'
import type { World } from './world.ts'

/**
 * Gives a buyer this many approved purchases, all of them due, without asking the API for each: copies of one that was just approved. Its
 * worker cannot begin it while this session keeps others from writing into the journal.
 */
export async function queuePurchases(
  world: World,
  { shopper, item, count }: { shopper: Shopper; item: Offered; count: number },
): Promise<void> {
  const { database } = world
  const body = {
    profile_id: shopper.profileId,
    items: [{ url: item.url, quantity: 1, expected_amount: item.price, expected_currency: item.currency }],
    preferences: { fulfillment: { method: 'ship', max_fee_amount: 800 } },
  }
  const { id } = await world.call('POST', '/v1/purchase_intents', body, shopper.key)
  await database.query('begin')
  await database.query('lock table effects in share mode')
  await world.call('POST', `/v1/purchase_intents/${id}/approve`, { approve: true }, shopper.key)
  await database.query('create temp table approved as select * from purchase_intents where id = $1', [id])
  await database.query('commit')
  const { rows } = await database.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = 'purchase_intents'::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
  )
  const given: Record<string, string> = {
    id: `'pi_' || lpad($2::text || n::text, 26, '0')`,
    due_at: 'now()',
    is_due: 'true',
    lease_until: 'null',
    idempotency_key: 'null',
  }
  const names = rows.map(({ name }) => name)
  await database.query(
    `insert into purchase_intents (${names.join(', ')})
     select ${names.map((name) => given[name] ?? `m.${name}`).join(', ')} from approved m, generate_series(1, $1::int) as n`,
    [count, String(Math.round(performance.now()) % 1_000_000)],
  )
  await database.query('drop table approved')
}

/** Removes what has not begun. */
export async function emptyQueue({ database }: World, { accountId }: Shopper): Promise<void> {
  // Purchases are not removed; these have begun nothing.
  await database.query('set session_replication_role = replica')
  await database.query(
    `delete from purchase_intents where account_id = $1 and status = 'approved' and started_at is null and lease_until is null`,
    [accountId],
  )
  await database.query('set session_replication_role = origin')
}

/** Gives an account so many endpoints, each with one delivery whose next attempt is an hour away. */
export async function fillBackOff(world: World, accountId: string, count: number): Promise<void> {
  const { database } = world
  await database.query('set session_replication_role = replica')
  await database.query(
    `insert into webhook_destinations (account_id, mode, id, name, responds_to_quotes, event_types, endpoint_url, status, confirmed_at, seq, created_at,
       updated_at)
     select $1, 'test', 'dest_off' || n, 'Hooks', false, '{}', 'https://off.example', 'enabled', now(), 1, now(), now()
     from generate_series(1, $2::int) as n`,
    [accountId, count],
  )
  await database.query(
    `insert into deliveries (account_id, mode, id, destination_id, event_id, event_account_id, event_type, aggregate_id, sequence, status,
       attempt_count, first_attempt_at, due_at, created_at, updated_at)
     select $1, 'test', 'dlv_off' || n, 'dest_off' || n, 'evt_off' || n, $1, 'order.requested', 'ord_off' || n, 1, 'failed', 1, now(),
       now() + interval '1 hour', now(), now()
     from generate_series(1, $2::int) as n`,
    [accountId, count],
  )
  await database.query('set session_replication_role = origin')
}

/** Claims of these kinds of work, again and again, where nothing is due: how long each takes. */
export function openClaims({ database }: World): (kinds: readonly string[], times: number) => Promise<Work> {
  const work = openWork({
    railUrl: 'http://127.0.0.1:1',
    sandboxUrl: null,
    allowLoopback: false,
    ownPorts: [],
    sandboxMerchantUrl: null,
    log: silentLog(),
    metrics: createMetrics(),
  })
  return async (kinds, times) => {
    const chosen = work.kinds.filter(({ kind }) => kinds.includes(kind))
    if (chosen.length !== kinds.length) throw new Error(`there is no work of some kind of ${kinds}`)
    const took: number[] = []
    const startedAt = performance.now()
    for (let time = 0; time < times; time++) {
      for (const { claim } of chosen) {
        const { text, values } = claim(turn, [])
        const sentAt = performance.now()
        await database.query({ name: `bench_${text.length}`, text, values: [...values] })
        took.push(performance.now() - sentAt)
      }
    }
    took.sort((a, b) => a - b)
    return {
      operations: took.length,
      seconds: (performance.now() - startedAt) / 1000,
      latencyMs: { p50: quantile(took, 0.5), p99: quantile(took, 0.99) },
    }
  }
}

/** As a process with a hundred free places claims. */
const turn = new Turns().next({ limit: 20, lease_seconds: 30 }, new Load(100, []))
