import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { advanceTestClock } from '../../src/platform/clock/test-clock.ts'
import type { CrashPoint } from '../../src/platform/faults/faults.ts'
import { patience } from '../gate/pace.ts'
import { createTestDatabase } from '../harness/database.ts'
import { hearWitnesses } from '../harness/witness.ts'
import { endEvidence, evidenceFolder, keepEvidence } from './load/keep-evidence.ts'
import { queryStored } from './load/query-stored.ts'
import { refundsOf } from './refunds-of.ts'
import type { SuiteRun, Tally } from './suite.ts'
import { bodyOf, type LoneRole, newProfile, type Service, startService } from './whole-product.ts'

type Stop = {
  point: CrashPoint
  /** The item that is bought; `refund`: the merchant refunds a part of an earlier purchase. */
  kind: 'native' | 'shop' | 'refund'
  /** The journaled effect that shows that the point was reached; null: the step's own transaction is open. A refund shows it by itself. */
  effect: string | null
}

/**
 * Where a worker is stopped. When it already has an answer, only the lease's token can keep it from writing, whatever its clock shows.
 * Before a call it must also see by its own clock that its lease is over, and that takes the real time of a lease.
 */
const withAnswer: readonly Stop[] = [
  { point: 'authorize.after', kind: 'native', effect: 'authorize' },
  { point: 'capture.after', kind: 'native', effect: 'capture' },
  { point: 'place.after', kind: 'shop', effect: 'place' },
  { point: 'order_refund.after', kind: 'refund', effect: 'refund' },
]
const beforeCall: readonly Stop[] = [
  { point: 'authorize.before', kind: 'native', effect: 'authorize' },
  { point: 'issue_credential.before', kind: 'shop', effect: 'issue_credential' },
  { point: 'place.before', kind: 'shop', effect: 'place' },
  { point: 'capture.before', kind: 'native', effect: 'capture' },
  { point: 'step.commit.before', kind: 'native', effect: null },
  { point: 'order_refund.before', kind: 'refund', effect: 'refund' },
]

const stoppedMs = 90_000
/** Longer than a lease, and longer than a journaled call can take to arrive. */
const leaseSeconds = 45
const patienceMs = 30_000

type Stopped = Stop & { id: string; worker: LoneRole; resumed: string; asked: Promise<unknown> }

/**
 * A worker stands still in the middle of a purchase for longer than its lease. Another one ends the purchase meanwhile. Workers without
 * the means run beside it and leave the purchase alone. When the first worker goes on, it sends nothing and writes nothing.
 */
export async function runStoppedWorker({ server, size, seed, tally }: SuiteRun): Promise<void> {
  const isLong = size === 'long'
  const database = await createTestDatabase({ server })
  const service = await startService({ workers: 0, testClock: !isLong, databaseUrl: database.url })
  const folder = evidenceFolder('stopped-worker', seed)
  const stopped: Stopped[] = []
  try {
    const profile = await newProfile(service)
    const stops = isLong ? [...withAnswer, ...beforeCall] : withAnswer
    const bought = await buyWhole(service, profile, stops.filter(({ kind }) => kind === 'refund').length)
    for (const stop of stops) stopped.push(await stopAt(service, { profile, bought }, stop))
    await Promise.all(stopped.map(({ asked }) => asked))
    const ids = stopped.map(({ id }) => id)
    const startedMs = performance.now()
    if (!isLong) await advanceTestClock(service.ready.database_url, leaseSeconds)
    // Beside the worker that can end them, one runs no purchases, and one has no shops. The means that they lack decide nothing.
    const poor = [
      await service.startRole('worker', { PROKURA_RUN_PURCHASES: 'off' }),
      await service.startRole('worker', { PROKURA_SANDBOX_URL: '' }),
    ]
    const heir = await service.startRole('worker')
    const open = [
      ...(await service.agree(ids, isLong ? stoppedMs - 5_000 : patienceMs)),
      ...(await untilRefunded(service, ids)),
    ]
    for (const what of open) tally.fail(`W2 the other worker did not end it: ${what}`)
    tally.figure(
      'ended by another worker after',
      `${Math.round((performance.now() - startedMs) / 100) / 10} s`,
    )
    if (isLong) await delay(Math.max(0, startedMs + stoppedMs - performance.now()))
    tally.figure('stood still for', `${Math.round((performance.now() - startedMs) / 1000)} s`)

    const before = await stateOf(service, ids)
    for (const one of stopped) await goOn(one, tally)
    const after = await stateOf(service, ids)
    for (const [name, state] of Object.entries(after)) {
      if (state === before[name]) tally.pass()
      else
        tally.fail(`W4 ${name} was written to by a worker without its lease: ${before[name]} became ${state}`)
    }
    for (const what of [...(await service.agree(ids, 0)), ...(await untilRefunded(service, ids))])
      tally.fail(what)
    if (tally.failed > 0) {
      await keepEvidence({ folder, url: service.ready.database_url }, ids, { before, after })
    }
    for (const worker of [heir, ...poor]) await worker.stop(8000)
    await service.audit(tally)
    endEvidence(folder, tally)
  } finally {
    for (const { worker, resumed } of stopped) {
      worker.kill('SIGKILL')
      await rm(resumed, { force: true })
    }
    await service.stop()
    await database.drop()
  }
}

/** Starts a worker that is held up at the point, has it buy until there, and stops it (SIGSTOP). */
async function stopAt(
  service: Service,
  { profile, bought }: { profile: string; bought: string[] },
  stop: Stop,
): Promise<Stopped> {
  const resumed = join(tmpdir(), `prokura-stop-${randomUUID()}`)
  const worker = await service.runRole('worker', {
    PROKURA_FAULTS: 'on',
    PROKURA_PAUSE_AT: stop.point,
    PROKURA_PAUSE_FILE: resumed,
  })
  const { kind } = stop
  const id = kind === 'refund' ? String(bought.pop()) : await buy(service, profile, kind)
  // The call waits for the worker, and the worker waits for us.
  const asked = kind === 'refund' ? giveBack(service, id) : Promise.resolve()
  asked.catch(() => undefined)
  const wait = patience(patienceMs)
  while (!(await isReached(service, stop, id))) {
    if (wait.isOver()) throw new Error(`${id} did not reach ${stop.point}`)
    await delay(20)
  }
  worker.kill('SIGSTOP')
  return { ...stop, id, worker, resumed, asked }
}

async function isReached(service: Service, { point, kind, effect }: Stop, id: string): Promise<boolean> {
  const url = service.ready.database_url
  if (effect === null) {
    const standing = await queryStored(
      url,
      `select 1 from pg_stat_activity where datname = current_database() and state = 'idle in transaction'
       and state_change < clock_timestamp() - interval '100 ms'`,
    )
    return standing.length > 0
  }
  const [sent] = await queryStored<{ key: string }>(
    url,
    kind === 'refund'
      ? `select r.id as key from order_refunds r
         join orders o on o.account_id = r.account_id and o.mode = r.mode and o.id = r.order_id
         where o.purchase_intent_id = $1 and $2 = 'refund' and r.status = 'pending' and r.sent_at is not null`
      : `select key from effects where intent_id = $1 and step = $2 and state = 'sent'`,
    [id, effect],
  )
  if (!sent || point.endsWith('.before')) return sent !== undefined
  const { processor, shops } = await hearWitnesses(logsOf(service))
  return [...processor, ...shops].some(({ key }) => key === sent.key)
}

/** Lets it go on, and waits until it has noticed that it is too late. */
async function goOn({ point, id, worker, resumed }: Stopped, tally: Tally): Promise<void> {
  const words = () => readFileSync(worker.logFile, 'utf8').match(/the lease was lost|a step failed/g) ?? []
  await writeFile(resumed, '')
  worker.kill('SIGCONT')
  const wait = patience(patienceMs)
  while (words().length === 0 && !wait.isOver()) await delay(50)
  if (words().length > 0) tally.pass()
  else tally.fail(`W4 ${point}: the worker that went on with ${id} never noticed that it was too late`)
  worker.kill('SIGTERM')
  const { code, signal } = await worker.ended
  if (code === 0) tally.pass()
  else tally.fail(`${point}: the worker that went on ended with ${signal ?? code}`)
}

/** Every row of these purchases by the transaction that wrote it last, and what the outside world remembers. */
async function stateOf(service: Service, ids: readonly string[]): Promise<Record<string, string>> {
  const rows = await queryStored<{ name: string; state: string }>(
    service.ready.database_url,
    `with wanted as (select unnest($1::text[]) as id),
       ours as (select c.* from carts c join wanted w on w.id = c.intent_id),
       told as (select id from wanted union all select order_row_id from ours where order_row_id is not null)
     select id as name, i.xmin::text || ' ' || seq as state from purchase_intents i join wanted using (id)
     union all select id, (select c.xmin::text from carts c where c.id = ours.id) from ours
     union all select key, e.xmin::text || ' ' || state from effects e join wanted w on w.id = e.intent_id
     union all select 'money of ' || cart_id || attempt, a.xmin::text || ' ' || status
       from authorizations a join wanted w on w.id = a.intent_id
     union all select 'events of ' || aggregate_id, count(*)::text from events e join told on told.id = e.aggregate_id
       group by aggregate_id
     union all select o.id, o.xmin::text || ' ' || status from orders o join told using (id)
     union all select r.id, r.xmin::text || ' ' || status from order_refunds r join told on told.id = r.order_id
     union all select v.id, v.xmin::text || ' ' || attempt_count from deliveries v join told on told.id = v.aggregate_id`,
    [ids],
  )
  const { processor, shops, merchant } = await hearWitnesses(logsOf(service))
  return {
    ...Object.fromEntries(rows.map(({ name, state }) => [name, state])),
    processor: String(processor.length),
    shops: String(shops.length),
    merchant: String(merchant.length),
  }
}

function logsOf({ ready: { sandbox } }: Service) {
  return {
    processor: sandbox.processor_log_url,
    shops: sandbox.shops_log_url,
    merchant: sandbox.merchant_log_url,
  }
}

/** Purchases that are over, made by a worker that is gone before any other is stopped. */
async function buyWhole(service: Service, profile: string, count: number): Promise<string[]> {
  const worker = await service.runRole('worker')
  const ids: string[] = []
  for (let made = 0; made < count; made++) ids.push(await buy(service, profile, 'native'))
  for (const what of await service.agree(ids, patienceMs))
    throw new Error(`what is to be given back was not bought: ${what}`)
  worker.kill('SIGTERM')
  await worker.ended
  return ids
}

async function giveBack(service: Service, id: string): Promise<void> {
  const { carts } = await service.read(id)
  const path = `/v1/merchant/orders/${carts[0]?.order}/refunds`
  const body = JSON.stringify({ amount: 100, reason: 'A scratch' })
  bodyOf(await service.client().rest({ method: 'POST', path, key: service.person, body }), 201)
}

async function untilRefunded(service: Service, ids: readonly string[]): Promise<string[]> {
  const wait = patience(patienceMs)
  for (;;) {
    const open = (await Promise.all(ids.map((id) => refundsOf(service, id)))).flat()
    if (open.length === 0 || wait.isOver()) return open
    await delay(100)
  }
}

async function buy(service: Service, profile: string, kind: 'native' | 'shop'): Promise<string> {
  const { sandbox } = service.ready
  const item = {
    url: kind === 'native' ? sandbox.items.ok : 'https://shop.example/thing',
    quantity: 1,
    expected_amount: sandbox.item_price,
    expected_currency: sandbox.item_currency,
  }
  const post = async (path: string, body: object, status: number) =>
    bodyOf(
      await service.client().rest({ method: 'POST', path, key: service.person, body: JSON.stringify(body) }),
      status,
    )
  const { id } = await post('/v1/purchase_intents', { profile_id: profile, items: [item] }, 201)
  await post(`/v1/purchase_intents/${id}/approve`, { approve: true }, 200)
  return String(id)
}
