import { setTimeout as delay } from 'node:timers/promises'
import { patience } from '../../gate/pace.ts'
import { differences, readLedgers } from '../../harness/live-ledger.ts'
import {
  type Arena,
  answersOf,
  approveOf,
  cancelOf,
  codeOf,
  openArena,
  type Racing,
  readOf,
} from '../arena.ts'
import { queryStored } from '../load/query-stored.ts'
import { relayRest } from '../relay-rest.ts'
import { eachOf, type SuiteRun } from '../suite.ts'
import { type LiveStage, startLiveStage } from './live-stage.ts'

type Race = (arena: Arena, stage: LiveStage) => Promise<void>

/** What moves money at Stripe, with workers that run all the time: in the end its memory decides. */
const races: Readonly<Record<string, Race>> = {
  'one key, many purchases': raceOneKey,
  'approve × approve': raceApprovals,
  'cancel × execution': raceCancels,
  'answer × answer': raceAnswers,
  'refund × refund': raceRefunds,
}

const price = 2_500
const overMs = 60_000

/** Requests that collide in live mode, on two API processes and two workers. Stripe's simulator and our rows say the same in the end. */
export async function raceInLiveMode(run: SuiteRun): Promise<void> {
  const { tally, seed } = run
  const stage = await startLiveStage({ name: 'races-live', seed, perSecond: 0, testClock: true })
  try {
    const { bases } = stage.order
    const databaseUrl = stage.service.ready.database_url
    const arena = await openArena(stage.service, { bases, databaseUrl }, run)
    try {
      for (const [name, race] of Object.entries(races)) {
        const before = arena.raced
        await race(arena, stage)
        tally.figure(`${name} in live mode`, arena.raced - before)
      }
      await expectOneMemory(arena, stage)
    } finally {
      await arena.close()
    }
    await relayRest(stage.service, tally)
    await stage.service.audit(tally)
  } finally {
    await stage.stop()
  }
}

function purchaseOf(stage: LiveStage, item: string): Racing {
  const items = [
    {
      url: stage.order.items[item] ?? '',
      quantity: 1,
      expected_amount: price,
      expected_currency: 'USD',
    },
  ]
  const body = { profile_id: stage.order.profiles.attended, items }
  return { method: 'POST', path: '/v1/purchase_intents', body }
}

async function createMany(arena: Arena, stage: LiveStage, item: string, count: number): Promise<string[]> {
  const ids: string[] = []
  await eachOf(Array.from({ length: count }), 4, async () => {
    ids.push(String((await arena.ask(purchaseOf(stage, item), 201)).id))
  })
  return ids
}

/** Ten equal requests with one key are one purchase, and ten equal approvals release it once. */
async function raceOneKey(arena: Arena, stage: LiveStage): Promise<void> {
  for (let round = 0; round < arena.rounds(2); round++) {
    const request = { ...purchaseOf(stage, 'ok'), headers: { 'idempotency-key': `live-race-${round}` } }
    const answers = await arena.race(Array.from({ length: 10 }, () => request))
    const ids = new Set(answers.map(({ body }) => (body as { id?: string } | null)?.id))
    arena.expect(ids.size === 1, () => `one key made ${[...ids].join(', ')}`)
    const [id = ''] = ids
    const approval = { ...approveOf(id), headers: { 'idempotency-key': `live-race-approval-${round}` } }
    const approvals = answersOf(await arena.race(Array.from({ length: 10 }, () => approval)))
    arena.expect(approvals['200'] === 10, () => `ten equal approvals: ${JSON.stringify(approvals)}`)
  }
}

async function raceApprovals(arena: Arena, stage: LiveStage): Promise<void> {
  await eachOf(await createMany(arena, stage, 'ok', arena.rounds(12)), 4, async (id) => {
    const answers = answersOf(await arena.race([1, 2, 3, 4].map(() => approveOf(id))))
    arena.expect(
      answers['200'] === 1 && answers['409 not_approvable'] === 3,
      () => `four approvals of ${id}: ${JSON.stringify(answers)}`,
    )
  })
}

/** Either nothing is charged, or the cancel is refused: the comparison at the end decides. */
async function raceCancels(arena: Arena, stage: LiveStage): Promise<void> {
  await eachOf(await createMany(arena, stage, 'ok', arena.rounds(16)), 4, async (id) => {
    await arena.ask(approveOf(id), 200)
    for (let looks = Math.floor(arena.random() * 25); looks > 0; looks--) await arena.ask(readOf(id), 200)
    const answers = await arena.race([cancelOf(id), cancelOf(id)])
    const counts = answersOf(answers)
    arena.expect(
      (counts['200'] ?? 0) + (counts['409 not_cancellable'] ?? 0) === 2 && (counts['200'] ?? 0) <= 1,
      () => `two cancels of ${id} beside its execution: ${JSON.stringify(counts)}`,
    )
    if (counts['200'] !== 1) return
    const { status } = await arena.service.read(id)
    arena.expect(status === 'cancelled', () => `${id} is ${status} after its cancel was taken`)
  })
}

/** Merchants who say everything twice at the same moment, or say no. */
async function raceAnswers(arena: Arena, stage: LiveStage): Promise<void> {
  for (const item of ['double', 'rejected', 'other_merchant'])
    await eachOf(await createMany(arena, stage, item, arena.rounds(4)), 4, async (id) => {
      await arena.race([approveOf(id)])
    })
}

/** Never more goes back than was captured, whatever is asked for at the same moment. */
async function raceRefunds(arena: Arena, stage: LiveStage): Promise<void> {
  const ids = await createMany(arena, stage, 'ok', arena.rounds(8))
  for (const id of ids) await arena.ask(approveOf(id), 200)
  await untilNone(arena, `select 1 from purchase_intents where id = any($1) and status <> 'succeeded'`, ids)
  const orders = await arena.query<{ id: string }>(
    'select order_row_id as id from carts where intent_id = any($1)',
    ids,
  )
  arena.expect(orders.length === ids.length, () => `${orders.length} of ${ids.length} were bought`)
  await eachOf(orders, 4, async ({ id }) => {
    const refund = (body: object): Racing => ({
      method: 'POST',
      path: `/v1/merchant/orders/${id}/refunds`,
      body,
    })
    const parts = [0.4, 0.3, 0.2, 0.6].map((part) => refund({ amount: price * part }))
    const answers = await arena.race([...parts, refund({}), refund({})])
    arena.expect(
      answers.every((one) => one.status < 300 || codeOf(one) === 'refund_exceeds_captured'),
      () => `${id} was answered ${answers.map(({ text }) => text).join(' ')}`,
    )
  })
}

async function untilNone(arena: Arena, text: string, ids: readonly string[]): Promise<void> {
  const wait = patience(overMs)
  while ((await arena.query(text, ids)).length > 0 && !wait.isOver()) await delay(100)
}

/** To the minor unit, with nothing held, once nothing is left to do. */
async function expectOneMemory(arena: Arena, { service, stripe }: LiveStage): Promise<void> {
  const databaseUrl = service.ready.database_url
  const sql = <Row>(text: string) => queryStored(databaseUrl, text) as Promise<Row[]> // the caller names the shape
  const wait = patience(overMs)
  for (;;) {
    const ledgers = await readLedgers({ sandbox: { stripeUrl: stripe.url }, sql })
    // Dollars are the same here and there.
    const open = differences(ledgers, (amount) => amount)
    if (open.length === 0 || wait.isOver()) {
      const bought = ledgers.rows.filter(({ status }) => status === 'succeeded').length
      arena.expect(open.length === 0, () => `stripe ${open.slice(0, 20).join('\nstripe ')}`)
      arena.expect(bought > 0, () => 'nothing was bought in live mode')
      return
    }
    await delay(250)
  }
}
