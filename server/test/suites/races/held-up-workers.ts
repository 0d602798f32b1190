import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { timing } from '../../../src/domain/buying/rails/timing.ts'
import type { CrashPoint } from '../../../src/platform/faults/faults.ts'
import { patience } from '../../gate/pace.ts'
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
import { createMixed, type Source } from './strangers.ts'

type HeldUp = {
  point: CrashPoint
  /** The journal's last effect while a worker stands there; null before there is a journal. */
  step: string | null
  from: Source | 'merchant'
  /** Whether a cancel still holds at this point. */
  isCancellable: boolean
}

const heldUp: readonly HeldUp[] = [
  { point: 'offer.before', step: null, from: 'simulated', isCancellable: true },
  { point: 'issue_credential.before', step: 'issue_credential', from: 'simulated', isCancellable: true },
  { point: 'issue_credential.after', step: 'issue_credential', from: 'simulated', isCancellable: true },
  { point: 'authorize.before', step: 'authorize', from: 'merchant', isCancellable: true },
  { point: 'authorize.after', step: 'authorize', from: 'merchant', isCancellable: true },
  // What is held up at a stranger's side is a call of another length, with a lease of another length.
  { point: 'issue_credential.before', step: 'issue_credential', from: 'ucp', isCancellable: true },
  { point: 'issue_credential.after', step: 'issue_credential', from: 'mpp', isCancellable: true },
  { point: 'issue_credential.after', step: 'issue_credential', from: 'browser', isCancellable: true },
  { point: 'grant.before', step: 'place', from: 'browser', isCancellable: false },
  { point: 'grant.after', step: 'place', from: 'browser', isCancellable: false },
  { point: 'place.before', step: 'place', from: 'simulated', isCancellable: false },
  { point: 'place.after', step: 'place', from: 'simulated', isCancellable: false },
  { point: 'capture.before', step: 'capture', from: 'merchant', isCancellable: false },
  { point: 'capture.after', step: 'capture', from: 'merchant', isCancellable: false },
]

/** Fewer than a worker works on at once: all of them must stand at the point together. */
const standingMax = 24
/** The same of a browser. */
export const pagesAtOnce = 4

/** A worker stands before or after a call while people cancel: twice each, on both processes. Once they freeze instead. */
export async function raceHeldUpWorkers(arena: Arena, size: SuiteSize): Promise<string[]> {
  const mixed = shuffled(heldUp, arena.random)
  const some = [...mixed.filter((one) => one.isCancellable), ...mixed.filter((one) => !one.isCancellable)]
  const chosen =
    size === 'long' ? [...mixed, ...mixed] : [some.at(0), some.at(-1)].filter((one) => one !== undefined)
  const bought: string[] = []
  for (const place of chosen)
    bought.push(...(await inGroups(arena, (count) => raceCancels(arena, place, count), mostAt(place))))
  bought.push(...(await inGroups(arena, (count) => raceFrozen(arena, count))))
  return bought
}

const mostAt = ({ from }: HeldUp) => (from === 'browser' ? pagesAtOnce : standingMax)

/**
 * Requests that meet a held-up worker must come within its lease. Later another worker may take the cart, and that is another race. A group
 * for which the machine was too slow proves nothing, so the next ones are smaller. For a single purchase it must be fast enough.
 */
async function inGroups(
  arena: Arena,
  race: (count: number) => Promise<Group>,
  standing = standingMax,
): Promise<string[]> {
  const bought: string[] = []
  let left = Math.min(arena.rounds(6), standing)
  for (let most = left; left > 0; ) {
    const count = Math.min(most, left)
    const { ids, isInTime } = await race(count)
    bought.push(...ids)
    if (isInTime) left -= count
    else if (most > 1) most = Math.ceil(most / 2)
    else {
      arena.expect(false, () => 'a lease is too short for a single purchase: this machine shows nothing')
      break
    }
  }
  return bought
}

/** The purchases that a worker was held up at; not in time: its lease was over too soon. */
type Group = { ids: readonly string[]; isInTime: boolean }

async function raceCancels(arena: Arena, place: HeldUp, count: number): Promise<Group> {
  const { point, step, from, isCancellable } = place
  const profile = await newProfile(arena.service)
  const ids =
    from === 'merchant'
      ? await orderMany(arena, profile, count)
      : await createMixed(arena, count, { from: [from], profileId: profile })
  const isInTime = await whileHeldUp(arena, point, async () => {
    await eachOf(ids, 8, async (id) => void (await arena.ask(approveOf(id), 200)))
    if (!(await standing(arena, ids, step))) return false
    const told = new Map<string, Record<string, number>>()
    await eachOf(ids, 4, async (id) => {
      told.set(id, answersOf(await arena.race([cancelOf(id), cancelOf(id)])))
    })
    if (!(await isStillHeld(arena, ids, step))) return false
    for (const [id, counts] of told) {
      arena.expect(
        (counts['200'] ?? 0) === (isCancellable ? 1 : 0) &&
          counts['409 not_cancellable'] === (isCancellable ? 1 : 2),
        () => `two cancels of ${id} while a worker stands at ${point}: ${JSON.stringify(counts)}`,
      )
    }
    return true
  })
  return { ids, isInTime }
}

/** Purchases that had begun when the freeze was answered are named in its answer and end. No other begins until the end of the freeze. */
async function raceFrozen(arena: Arena, count: number): Promise<Group> {
  const profile = await newProfile(arena.service)
  const ids = await createMany(arena, count, profile)
  const target = { type: 'profile', id: profile }
  const isInTime = await whileHeldUp(arena, 'issue_credential.before', async (resume) => {
    await eachOf(ids, 8, async (id) => void (await arena.ask(approveOf(id), 200)))
    if (!(await standing(arena, ids, 'issue_credential'))) return false
    const frozen = await arena.ask({ method: 'POST', path: '/v1/controls/freeze', body: { target } }, 200)
    if (!(await isStillHeld(arena, ids, 'issue_credential'))) return false
    const told = Array.isArray(frozen.in_flight) ? frozen.in_flight.length : 0
    arena.expect(told === ids.length, () => `a freeze told ${told} of ${ids.length} calls in flight`)
    await resume()
    const done = `select 1 from effects where intent_id = any($1) and step = 'issue_credential' and state = 'done'`
    await eventually(arena, ids, async () => (await arena.query(done, ids)).length === ids.length)
    const placed = await arena.query(
      `select 1 from effects where intent_id = any($1) and step = 'place'`,
      ids,
    )
    arena.expect(placed.length === 0, () => `${placed.length} orders were placed in a freeze`)
    return true
  })
  await arena.ask({ method: 'POST', path: '/v1/controls/unfreeze', body: { target } }, 200)
  return { ids, isInTime }
}

/** Two people decide a purchase with an unknown outcome, and differ: one of them decides. */
export async function raceReconcile(arena: Arena): Promise<string[]> {
  const ids = await inGroups(arena, (count) => reconcileGroup(arena, count))
  const all = await Promise.all(ids.map((id) => arena.service.read(id)))
  // A shop that never got the order contradicts the person who called it placed. The others are refunded.
  return all.filter(({ status }) => status === 'failed').map(({ id }) => id)
}

async function reconcileGroup(arena: Arena, count: number): Promise<Group> {
  const profile = await newProfile(arena.service)
  const ids = await createMany(arena, count, profile)
  let isUnknown = false
  const isInTime = await whileHeldUp(arena, 'place.before', async (resume) => {
    await eachOf(ids, 8, async (id) => void (await arena.ask(approveOf(id), 200)))
    if (!(await standing(arena, ids, 'place'))) return false
    // Somebody else charges the credentials, so that the purpose of the charges is unknown.
    const holds = await arena.query<Hold>(
      `select reference, intent_id || '/' || cart_id as cart from authorizations where intent_id = any($1)`,
      ids,
    )
    const refusals: string[] = []
    await eachOf(holds, 4, async (hold) => void refusals.push(...(await charge(arena, hold))))
    if (!(await isStillHeld(arena, ids, 'place'))) return false
    arena.expect(refusals.length === 0, () => `charges were answered ${refusals.join(', ')}`)
    await resume()
    isUnknown = await eventually(arena, ids, async () => {
      const all = await Promise.all(ids.map((id) => arena.service.read(id)))
      return all.every(({ status }) => status === 'failed')
    })
    if (isUnknown) await eachOf(ids, 4, (id) => raceWords(arena, id))
    return true
  })
  // Charges that came too late belong to purchases that the race does not use.
  return { ids: isUnknown ? ids : [], isInTime }
}

async function raceWords(arena: Arena, id: string): Promise<void> {
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
}

/** A credential at the rail, and the reference of its cart in the rail's records. */
type Hold = { reference: string; cart: string }

/** Answers the fault of the cart. */
async function charge(arena: Arena, hold: Hold): Promise<string[]> {
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
  const text = await answer.text()
  return answer.status === 201 ? [] : [`${answer.status} ${text}`]
}

/** Purchases of the sandbox's own merchant. */
async function orderMany(arena: Arena, profile: string, count: number): Promise<string[]> {
  const { item_url: url, item_price: expected_amount, item_currency } = arena.service.ready.sandbox
  const items = [{ url, quantity: 1, expected_amount, expected_currency: item_currency }]
  const ids: string[] = []
  await eachOf(Array.from({ length: count }), 8, async () => {
    ids.push(String((await arena.ask(purchaseOf(profile, { items }), 201)).id))
  })
  return ids
}

/** The only worker stops at the point each time, until it is released. */
async function whileHeldUp(
  arena: Arena,
  point: CrashPoint,
  work: (resume: () => Promise<void>) => Promise<boolean>,
): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'prokura-races-'))
  const file = join(folder, 'go')
  const worker = await arena.service.startRole('worker', {
    PROKURA_FAULTS: 'on',
    PROKURA_PAUSE_AT: point,
    PROKURA_PAUSE_FILE: file,
  })
  const resume = () => writeFile(file, '')
  try {
    return await work(resume)
  } finally {
    await resume()
    await worker.stop(8000)
    await rm(folder, { recursive: true, force: true })
  }
}

/** The rest of a lease that a worker needs before it goes on: enough for the longest call and its margin. */
const leaseLeftSeconds = timing.longestCallMs / 1000 + timing.marginMs / 1000 + 1

type Holding = { seconds: number }

/**
 * The carts in which a worker has begun the step, and the rest of the lease under which it did: the journal knows until when such a call
 * could arrive. A cart that another worker has taken over has no rest.
 */
function holdings(arena: Arena, ids: readonly string[], step: string | null): Promise<Holding[]> {
  const past = (timing.longestCallMs + timing.marginMs) / 1000
  return step === null
    ? arena.query<Holding>(
        `select case when lease_token = 1 then extract(epoch from lease_until - prokura_now())::float8 else 0 end as seconds
         from carts where intent_id = any($1) and lease_token > 0`,
        ids,
      )
    : arena.query<Holding>(
        `select case when state = 'sent' and tries = 1 then extract(epoch from not_before - prokura_now())::float8 - $3
           else 0 end as seconds
         from effects where intent_id = any($1) and step = $2`,
        ids,
        step,
        past,
      )
}

/** Settles once the worker has begun the step for all of them: the journal says so before the call leaves. False: too late. */
async function standing(arena: Arena, ids: readonly string[], step: string | null): Promise<boolean> {
  let isLate = false
  const isSettled = await eventually(arena, ids, async () => {
    const all = await holdings(arena, ids, step)
    isLate = all.some(({ seconds }) => seconds < leaseLeftSeconds)
    return isLate || all.length === ids.length
  })
  return isSettled && !isLate
}

async function isStillHeld(arena: Arena, ids: readonly string[], step: string | null): Promise<boolean> {
  const all = await holdings(arena, ids, step)
  return all.length === ids.length && all.every(({ seconds }) => seconds >= leaseLeftSeconds)
}

/** Longer than any wait here by design, which is for the end of a lease and of the longest call that could have begun in it. */
const unmovedMs = 2 * timing.leaseSeconds * 1000
const patienceMs = 10 * unmovedMs

/** Waits as long as these purchases make progress. When nothing moves any more, fails with their states. */
async function eventually(
  arena: Arena,
  ids: readonly string[],
  is: () => Promise<boolean>,
): Promise<boolean> {
  const startedMs = performance.now()
  const whole = patience(patienceMs)
  let wait = patience(unmovedMs)
  for (let before = ''; !(await is()); await delay(50)) {
    const stand = JSON.stringify(await arena.query(standOf, ids))
    if (stand !== before) wait = patience(unmovedMs)
    before = stand
    if (!wait.isOver() && !whole.isOver()) continue
    const seconds = Math.round((performance.now() - startedMs) / 1000)
    arena.expect(false, () => `what a worker should have come to never came in ${seconds} s: ${stand}`)
    return false
  }
  return true
}

const standOf = `select i.id, i.status, i.seq, i.due_at as intent_due, c.status as cart, c.stage, c.lease_token, c.due_at, c.lease_until,
    (select string_agg(concat_ws(' ', e.step, e.state, e.tries, e.heard, e.asked, e.not_before), ', ' order by e.step)
     from effects e where e.cart_id = c.id) as effects
  from purchase_intents i left join carts c on c.intent_id = i.id
  where i.id = any($1) order by i.id, c.id`
