import fc from 'fast-check'
import { memberOf } from '../client.ts'
import { type Command, command, pick } from './commands.ts'
import { keyArbitrary } from './decision-commands.ts'
import { unitsOf, workOn } from './execution.ts'
import {
  hour,
  type Model,
  type ModelCart,
  type ModelIntent,
  type ModelOrder,
  type ModelSeller,
  minute,
  sellerOf,
  terminal,
} from './model.ts'
import { ok, refusals } from './predict-create.ts'
import { bodyOf, expectAnswer, expectAsForetold, type Real, realSeller } from './real.ts'

const shiftMinutes = 20
/** When in a shift somebody looks: what is tried again is tried by then, and what is given up is given up after 15 minutes. */
const looksAtSeconds = [2, 6, 15, 70, 300, 960, 1020]

/** Twenty minutes in which workers do all work that becomes due. */
export async function work(model: Model, real: Real): Promise<void> {
  const { lane } = real
  const start = lane.clock.now()
  const before = new Set(model.intents.filter(({ status }) => !terminal.includes(status)))
  const cleaning = model.intents.filter(({ carts }) => carts.some(({ isCleanup }) => isCleanup))
  // Who waits for an address is decided before anything that is bought gives room back. Either may come first.
  if (
    model.intents.some(({ awaitsAddress, profile }) => awaitsAddress && model.profiles[profile]?.hasAddress)
  )
    await lane.tell()
  await lane.work()
  const last = new Date(start.getTime() + (looksAtSeconds.at(-1) ?? 0) * 1000)
  for (const seconds of looksAtSeconds) {
    const at = new Date(start.getTime() + seconds * 1000)
    const due = await lane.nextDue(last)
    if (due === null) break
    if (due > at) continue
    await lane.clock.set(at)
    await lane.work()
  }
  workOn(model)
  await pass(model, real, start, shiftMinutes * minute)
  const complaints = lane.complaints()
  if (complaints.length > 0) throw new Error(`a worker complained: ${complaints.join('\n')}`)
  for (const intent of new Set([...before, ...cleaning])) {
    if (intent.hasLeftSignIn && terminal.includes(intent.status)) await learnOrder(real, intent)
    await expectAsForetold(real, intent)
    for (const { order } of intent.carts) if (order) await expectOrder(real, order)
  }
}

/**
 * Of a sign-in that is given up and another cart that ends, either may come first. If the other one had ended before, nothing went on, and
 * no event says so; else one event more says that it did.
 */
async function learnOrder(real: Real, intent: ModelIntent): Promise<void> {
  const path = `/v1/purchase_intents/${intent.id}/events?after=${intent.events.length - 1}`
  const { data } = bodyOf(await real.send({ method: 'GET', path, key: real.keys.reader.token }), [200])
  const since = Array.isArray(data) ? data.length : 1
  if (since === 0) intent.events.splice(intent.events.lastIndexOf('purchase_intent.approved'), 1)
  if (since === 2) intent.events.push('purchase_intent.approved')
}

export async function pass(model: Model, real: Real, from: Date, ms: number): Promise<void> {
  model.now = from.getTime() + ms
  await real.lane.clock.set(new Date(model.now))
}

export async function expectOrder(real: Real, order: ModelOrder): Promise<void> {
  const path = `/v1/orders/${order.id}`
  const shown = bodyOf(await real.send({ method: 'GET', path, key: real.keys.person.token }), [200])
  const given = `${shown.status} ${shown.payment_status}`
  if (given !== `${order.status} ${order.payment}`)
    throw new Error(`an order is ${given}, foretold ${order.status} ${order.payment}`)
}

const shift = fc.constant(command('work', work, ({ intents }) => intents.length > 0))

const wait = fc
  .constantFrom(
    hour,
    12 * hour,
    hour,
    hour,
    12 * hour,
    24 * hour - 20 * minute,
    24 * hour,
    7 * 24 * hour - 20 * minute,
    7 * 24 * hour,
  )
  .map((ms) => command(`wait ${ms / hour} h`, (model, real) => pass(model, real, real.lane.clock.now(), ms)))

export type Placed = { cart: ModelCart; order: ModelOrder; intent: Model['intents'][number] }

export function placedIn({ intents }: Readonly<Model>): Placed[] {
  return intents.flatMap((intent) =>
    intent.carts.flatMap((cart) => (cart.order?.id ? [{ cart, order: cart.order, intent }] : [])),
  )
}

const answer = fc
  .record({
    by: fc.constantFrom<'seller' | 'person'>('seller', 'seller', 'seller', 'seller', 'seller', 'person'),
    index: fc.nat(200),
    outcome: fc.constantFrom<'confirmed' | 'rejected'>('confirmed', 'confirmed', 'rejected'),
    reference: fc.nat(11),
    note: fc.constantFrom('Yes', 'No'),
  })
  .map((made) =>
    command(
      `answer ${JSON.stringify(made)}`,
      async (model, real) => {
        const placed = pick(
          placedIn(model),
          made.index,
          ({ order }) => order.status === 'awaiting_confirmation',
        )
        if (!placed) return
        await sayAnswer(model, real, placed, made)
      },
      (model) => placedIn(model).length > 0,
    ),
  )

/** Every merchant that a purchase waits for answers it, each as its bit says. */
const answerAll = fc
  .record({ index: fc.nat(200), bits: fc.nat(15), note: fc.constantFrom('Yes', 'No') })
  .map((made) =>
    command(
      `answer all ${JSON.stringify(made)}`,
      async (model, real) => {
        const waiting = placedIn(model).filter(({ order }) => order.status === 'awaiting_confirmation')
        const { intent } = pick(waiting, made.index, ({ intent: { carts } }) => carts.length > 1) ?? {}
        for (const [at, placed] of waiting.filter((one) => one.intent === intent).entries()) {
          const outcome = (made.bits >> at) % 2 === 1 ? 'rejected' : 'confirmed'
          const reference = 100 + model.references.size
          await sayAnswer(model, real, placed, { by: 'seller', outcome, reference, note: made.note })
        }
      },
      (model) => placedIn(model).some(({ order }) => order.status === 'awaiting_confirmation'),
    ),
  )

type Saying = Omit<Said, 'bytes'> & { note: string }

async function sayAnswer(model: Model, real: Real, placed: Placed, saying: Saying): Promise<void> {
  const { order, intent, cart } = placed
  const { by, outcome, note } = saying
  const confirmation_reference = `${real.run}-${saying.reference}`
  const body = { outcome, note, ...(outcome === 'confirmed' ? { confirmation_reference } : {}) }
  const key = by === 'seller' ? realSeller(real, cart.shop).key : real.keys.person.token
  const sent = await real.send({ path: `/v1/merchant/orders/${order.id}/responses`, key, body })
  expectAnswer(sent, predictAnswer(model, placed, { ...saying, bytes: JSON.stringify(body) }))
  if (sent.status === 200 && memberOf(sent.body, 'status') !== order.status)
    throw new Error(`an order is ${memberOf(sent.body, 'status')}, foretold ${order.status}`)
  await expectStock(real, sellerOf(model, cart.shop))
  await expectAsForetold(real, intent)
}

async function expectStock(real: Real, seller: ModelSeller | null): Promise<void> {
  // Nothing is counted of what there is always.
  if (seller === null || seller.stock === null) return
  const known = realSeller(real, seller.name)
  known.isTouched = true
  const { key, itemId } = known
  const path = `/v1/merchant/catalog_items/${itemId}`
  const { variants } = bodyOf(await real.send({ method: 'GET', path, key }), [200])
  const left = memberOf(Array.isArray(variants) ? variants[0] : null, 'quantity')
  if (left !== seller.stock) throw new Error(`${left} are left in ${seller.name}, foretold ${seller.stock}`)
}

type Said = { by: 'seller' | 'person'; outcome: 'confirmed' | 'rejected'; reference: number; bytes: string }

function predictAnswer(model: Model, { cart, order }: Placed, said: Said) {
  const reference = `${cart.shop} ${said.reference}`
  if (said.by === 'person') return refusals.notFound
  if (order.answer === said.bytes) return ok
  const command = said.outcome === 'confirmed' ? 'confirm' : 'reject'
  if (order.answer !== null || order.status !== 'awaiting_confirmation') {
    if (order.status !== 'awaiting_confirmation') model.coverage.refused('order', order.status, command)
    return refusals.conflict(order.answer !== null ? 'response_conflict' : 'order_not_awaiting')
  }
  if (model.now >= order.expires) return refusals.conflict('order_not_awaiting')
  if (said.outcome === 'confirmed' && model.references.has(reference))
    return refusals.conflict('confirmation_reference_in_use')
  if (said.outcome === 'confirmed') model.references.add(reference)
  model.coverage.moved('order', order.status, command)
  order.status = said.outcome
  if (said.outcome === 'confirmed') takeStock(model, cart)
  order.answer = said.bytes
  return ok
}

/** What was confirmed is no longer there for others. */
function takeStock(model: Model, cart: ModelCart): void {
  const seller = sellerOf(model, cart.shop)
  if (!seller || seller.stock === null) return
  seller.stock = Math.max(0, seller.stock - unitsOf(cart))
}

const cancelOrder = fc.record({ key: keyArbitrary, index: fc.nat(200) }).map((made) =>
  command(
    `cancel order ${JSON.stringify(made)}`,
    async (model, real) => {
      const placed = pick(
        placedIn(model),
        made.index,
        ({ order }) => order.status === 'awaiting_confirmation',
      )
      if (!placed) return
      const { order, intent } = placed
      const key = real.keys[made.key].token
      const sent = await real.send({ path: `/v1/orders/${order.id}/cancel`, key, body: {} })
      if (made.key !== 'person') return expectAnswer(sent, refusals.scope)
      if (order.status !== 'awaiting_confirmation') {
        model.coverage.refused('order', order.status, 'cancel')
        return expectAnswer(sent, refusals.conflict('order_not_cancellable'))
      }
      expectAnswer(sent, ok)
      model.coverage.moved('order', order.status, 'cancel')
      order.status = 'cancelled'
      await expectAsForetold(real, intent)
    },
    (model) => placedIn(model).length > 0,
  ),
)

const captures = fc.boolean().map((refused) =>
  command(
    `captures are ${refused ? 'refused' : 'taken'}`,
    async (model, real) => {
      real.lane.rail.refusesCaptures = refused
      model.refusesCaptures = refused
    },
    (model) => model.refusesCaptures !== refused,
  ),
)

export const worldArbitraries: { weight: number; arbitrary: fc.Arbitrary<Command> }[] = [
  { weight: 12, arbitrary: shift },
  { weight: 2, arbitrary: wait },
  { weight: 8, arbitrary: answer },
  { weight: 9, arbitrary: answerAll },
  { weight: 4, arbitrary: cancelOrder },
  { weight: 1, arbitrary: captures },
]
