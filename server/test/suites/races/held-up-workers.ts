import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { CrashPoint } from '../../../src/platform/faults/faults.ts'
import {
  type Arena,
  answersOf,
  approveOf,
  cancelOf,
  codeOf,
  createMany,
  purchaseOf,
  type Racing,
} from '../arena.ts'
import { shuffled } from '../random.ts'
import { eachOf, type SuiteSize } from '../suite.ts'
import { newProfile } from '../whole-product.ts'

type HeldUp = {
  point: CrashPoint
  /** What the journal knows while a worker stands there; null before there is a journal. */
  step: string | null
  from: 'shop' | 'merchant'
  /** Whether a cancel still holds at this point. */
  isCancellable: boolean
}

const heldUp: readonly HeldUp[] = [
  { point: 'offer.before', step: null, from: 'shop', isCancellable: true },
  { point: 'issue.before', step: 'issue_credential', from: 'shop', isCancellable: true },
  { point: 'issue.after', step: 'issue_credential', from: 'shop', isCancellable: true },
  { point: 'authorize.before', step: 'authorize', from: 'merchant', isCancellable: true },
  { point: 'authorize.after', step: 'authorize', from: 'merchant', isCancellable: true },
  { point: 'place.before', step: 'place', from: 'shop', isCancellable: false },
  { point: 'place.after', step: 'place', from: 'shop', isCancellable: false },
  { point: 'capture.before', step: 'capture', from: 'merchant', isCancellable: false },
  { point: 'capture.after', step: 'capture', from: 'merchant', isCancellable: false },
]

const patienceMs = 30_000

/** A worker stands before or after a call while people cancel: twice each, on both processes. And once they freeze. */
export async function raceHeldUpWorkers(arena: Arena, size: SuiteSize): Promise<string[]> {
  const mixed = shuffled(heldUp, arena.random)
  const some = [...mixed.filter((one) => one.isCancellable), ...mixed.filter((one) => !one.isCancellable)]
  const chosen =
    size === 'long' ? [...mixed, ...mixed] : [some.at(0), some.at(-1)].filter((one) => one !== undefined)
  const bought: string[] = []
  for (const place of chosen) bought.push(...(await raceCancels(arena, place)))
  bought.push(...(await raceFrozen(arena)))
  return bought
}

/** Fewer than a worker works on at once: all of them must stand at the point together. */
function few(arena: Arena): number {
  return Math.min(arena.rounds(6), 24)
}

async function raceCancels(arena: Arena, { point, step, from, isCancellable }: HeldUp): Promise<string[]> {
  const profile = await newProfile(arena.service)
  const ids = from === 'shop' ? await createMany(arena, few(arena), profile) : await orderMany(arena, profile)
  await whileHeldUp(arena, point, async () => {
    await eachOf(ids, 8, async (id) => void (await arena.ask(approveOf(id), 200)))
    await standing(arena, ids, step)
    await eachOf(ids, 4, async (id) => {
      const counts = answersOf(await arena.race([cancelOf(id), cancelOf(id)]))
      arena.expect(
        (counts['200'] ?? 0) === (isCancellable ? 1 : 0) &&
          counts['409 not_cancellable'] === (isCancellable ? 1 : 2),
        () => `two cancels of ${id} while a worker stands at ${point}: ${JSON.stringify(counts)}`,
      )
    })
  })
  return ids
}

/** What had begun when the freeze was answered is told in its answer and ends; nothing else begins until the end of the freeze. */
async function raceFrozen(arena: Arena): Promise<string[]> {
  const profile = await newProfile(arena.service)
  const ids = await createMany(arena, few(arena), profile)
  const target = { type: 'profile', id: profile }
  await whileHeldUp(arena, 'issue.before', async (resume) => {
    await eachOf(ids, 8, async (id) => void (await arena.ask(approveOf(id), 200)))
    await standing(arena, ids, 'issue_credential')
    const frozen = await arena.ask({ method: 'POST', path: '/v1/controls/freeze', body: { target } }, 200)
    const told = Array.isArray(frozen.in_flight) ? frozen.in_flight.length : 0
    arena.expect(told === ids.length, () => `a freeze told ${told} of ${ids.length} calls in flight`)
    await resume()
    const done = `select 1 from effects where intent_id = any($1) and step = 'issue_credential' and state = 'done'`
    await eventually(arena, async () => (await arena.query(done, ids)).length === ids.length)
    const placed = await arena.query(
      `select 1 from effects where intent_id = any($1) and step = 'place'`,
      ids,
    )
    arena.expect(placed.length === 0, () => `${placed.length} orders were placed in a freeze`)
  })
  await arena.ask({ method: 'POST', path: '/v1/controls/unfreeze', body: { target } }, 200)
  return ids
}

/** Two people say what came of a purchase that nobody knows about, and differ: one of them is believed. */
export async function raceReconcile(arena: Arena): Promise<string[]> {
  const profile = await newProfile(arena.service)
  const ids = await createMany(arena, few(arena), profile)
  await whileHeldUp(arena, 'place.before', async (resume) => {
    await eachOf(ids, 8, async (id) => void (await arena.ask(approveOf(id), 200)))
    await standing(arena, ids, 'place')
    // Somebody else charges the credentials, so that nobody can tell what the charges were for.
    const holds = await arena.query<Hold>(
      `select reference, intent_id || '/' || cart_id as cart from authorizations where intent_id = any($1)`,
      ids,
    )
    await eachOf(holds, 4, (hold) => charge(arena, hold))
    await resume()
    await eventually(arena, async () => {
      const all = await Promise.all(ids.map((id) => arena.service.read(id)))
      return all.every(({ status }) => status === 'failed')
    })
    await eachOf(ids, 4, async (id) => {
      const { carts } = await arena.service.read(id)
      const answers = await arena.race(
        ['placed', 'not_placed', 'not_placed'].map(
          (outcome): Racing => ({
            method: 'POST',
            path: `/v1/purchase_intents/${id}/reconcile`,
            body: { cart_id: carts[0]?.id, outcome },
          }),
        ),
      )
      const winner = answers.findIndex(({ status }) => status === 200)
      const others = answers.filter((one) => codeOf(one) === 'not_reconcilable').length
      const { status } = await arena.service.read(id)
      arena.expect(
        winner >= 0 && others === 2 && status === (winner === 0 ? 'succeeded' : 'failed'),
        () => `${id} is ${status} after ${JSON.stringify(answersOf(answers))}`,
      )
    })
  })
  const all = await Promise.all(ids.map((id) => arena.service.read(id)))
  // A shop that never heard of the order contradicts whoever called it placed; the others are refunded.
  return all.filter(({ status }) => status === 'failed').map(({ id }) => id)
}

/** A credential at the rail, and what the rail's records call its cart. */
type Hold = { reference: string; cart: string }

async function charge(arena: Arena, hold: Hold): Promise<void> {
  const url = new URL(
    `/v1/credentials/${hold.reference}/charges`,
    arena.service.ready.sandbox.processor_log_url,
  )
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
    body: JSON.stringify({
      amount: 100,
      currency: 'USD',
      merchant: 'shop.example',
      reference: hold.cart,
    }),
  })
  if (answer.status !== 201) throw new Error(`a charge was answered ${answer.status} ${await answer.text()}`)
}

/** Purchases of the sandbox's own merchant. */
async function orderMany(arena: Arena, profile: string): Promise<string[]> {
  const { item_url: url, item_price: expected_amount, item_currency } = arena.service.ready.sandbox
  const items = [{ url, quantity: 1, expected_amount, expected_currency: item_currency }]
  const ids: string[] = []
  await eachOf(Array.from({ length: few(arena) }), 8, async () => {
    ids.push(String((await arena.ask(purchaseOf(profile, { items }), 201)).id))
  })
  return ids
}

/** The only worker there is stops at the point whenever it comes by, until it is let go. */
async function whileHeldUp(
  arena: Arena,
  point: CrashPoint,
  work: (resume: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'prokura-races-'))
  const file = join(folder, 'go')
  const worker = await arena.service.startRole('worker', {
    PROKURA_FAULTS: 'on',
    PROKURA_PAUSE_AT: point,
    PROKURA_PAUSE_FILE: file,
  })
  const resume = () => writeFile(file, '')
  try {
    await work(resume)
  } finally {
    await resume()
    await worker.stop(8000)
    await rm(folder, { recursive: true, force: true })
  }
}

/** Settles once the worker has begun the step for all of them: the journal says so before the call leaves. */
async function standing(arena: Arena, ids: readonly string[], step: string | null): Promise<void> {
  const text =
    step === null
      ? `select 1 from carts where intent_id = any($1) and lease_until > now() and $2::text is null`
      : `select 1 from effects where intent_id = any($1) and step = $2 and state = 'sent'`
  await eventually(arena, async () => (await arena.query(text, ids, step)).length === ids.length)
}

async function eventually(arena: Arena, is: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + patienceMs
  while (!(await is())) {
    if (performance.now() > deadline) {
      arena.expect(false, () => `what a worker should have come to never came, seed ${arena.random()}`)
      return
    }
    await delay(20)
  }
}
