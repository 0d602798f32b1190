import fc from 'fast-check'
import { memberOf } from '../client.ts'
import { type Command, command, pick, sometimes } from './commands.ts'
import { isTouchy } from './create-command.ts'
import { domainOf, type Model, type ModelOrder, type ModelSeller, sum, usualPrice } from './model.ts'
import { type Answer, refusals } from './predict-create.ts'
import {
  bodyOf,
  expectAnswer,
  expectAsForetold,
  proveDomain,
  type Real,
  realSeller,
  writeVariant,
} from './real.ts'
import { expectOrder, type Placed, placedIn } from './world-commands.ts'

const at = fc.nat(11)

function sellerAt({ sellers }: Readonly<Model>, index: number): ModelSeller {
  const seller = sellers[index % sellers.length]
  if (!seller) throw new Error('a history without a merchant of ours')
  return seller
}

const reprice = fc.record({ at, price: fc.constantFrom(usualPrice, 1030, 1200, 1600) }).map((made) =>
  command(
    `price ${JSON.stringify(made)}`,
    async (model, real) => {
      const seller = sellerAt(model, made.at)
      await writeVariant(real.send, realSeller(real, seller.name), { price: made.price })
      seller.price = made.price
    },
    (model) => {
      const seller = sellerAt(model, made.at)
      return seller.price !== made.price && (made.price === usualPrice || !isTouchy(model, seller))
    },
  ),
)

const restock = fc.record({ at, stock: fc.constantFrom(null, null, 0, 1, 4) }).map((made) =>
  command(
    `stock ${JSON.stringify(made)}`,
    async (model, real) => {
      const seller = sellerAt(model, made.at)
      await writeVariant(real.send, realSeller(real, seller.name), { quantity: made.stock })
      seller.stock = made.stock
    },
    (model) => sellerAt(model, made.at).stock !== made.stock,
  ),
)

/** It changes its identity, or changes it back. */
const become = fc.record({ at, what: fc.constantFrom('domain', 'mcc', 'country') }).map((made) =>
  command(`seller becomes another ${JSON.stringify(made)}`, async (model, real) => {
    const seller = sellerAt(model, made.at)
    switch (made.what) {
      case 'domain':
        seller.isMoved = !seller.isMoved
        break
      case 'mcc':
        seller.mcc = seller.mcc === '5999' ? '5411' : '5999'
        break
      default:
        seller.country = seller.country === 'FR' ? 'DE' : 'FR'
    }
    await writeIdentity(real, seller, made.what)
  }),
)

async function writeIdentity(real: Real, seller: ModelSeller, what: string): Promise<void> {
  const { name, isMoved, mcc, country } = seller
  const known = realSeller(real, name)
  known.isTouched = true
  const domain = domainOf(isMoved ? `${name}-moved` : name)
  const body = what === 'domain' ? { domain } : what === 'mcc' ? { mcc } : { country }
  bodyOf(await real.send({ path: '/v1/merchant', key: known.key, body }), [200])
  if (what === 'domain') await proveDomain(real.lane, known)
}

const refund = fc
  .record({
    by: fc.constantFrom<'seller' | 'person'>('seller', 'seller', 'seller', 'seller', 'person'),
    index: fc.nat(200),
    /** The part of the paid amount, in percent; null for the whole rest. */
    share: fc.constantFrom(null, 30, 50, 70, 100),
    /** How often each merchant that the purchase paid refunds, in turns; null: one merchant refunds once. */
    turns: sometimes(3, fc.constantFrom(1, 2)),
  })
  .map((made) =>
    command(
      `refund ${JSON.stringify(made)}`,
      async (model, real) => {
        const placed = pick(refundableFirst(model), made.index, ({ order }) => isPaid(order))
        if (!placed) return
        const all = placedIn(model).filter(({ intent, order }) => intent === placed.intent && isPaid(order))
        for (let turn = 0; turn < (made.turns ?? 0); turn++)
          for (const one of all) await giveBack(model, real, { ...made, placed: one })
        if (made.turns === null) await giveBack(model, real, { ...made, placed })
      },
      // Hardly ever a purchase that cannot be refunded anyway.
      (model) => placedIn(model).some(({ order }) => isPaid(order) || made.share === 30),
    ),
  )

/** The merchant that has refunded least comes first. */
function refundableFirst(model: Model): Placed[] {
  return placedIn(model).sort((a, b) => a.order.refunds.length - b.order.refunds.length)
}

function isPaid({ payment }: ModelOrder): boolean {
  return payment === 'captured' || payment === 'partially_refunded'
}

type Wish = { by: 'seller' | 'person'; share: number | null; placed: Placed }

async function giveBack(model: Model, real: Real, { by, share, placed }: Wish): Promise<void> {
  const { cart, order, intent } = placed
  const amount = share === null ? null : Math.max(1, Math.floor((order.total * share) / 100))
  const key = by === 'seller' ? realSeller(real, cart.shop).key : real.keys.person.token
  const answering = real.send({
    path: `/v1/merchant/orders/${order.id}/refunds`,
    key,
    body: amount === null ? {} : { amount },
  })
  // The answer waits for the rail's.
  const answer = { isThere: false }
  const arrived = answering.finally(() => {
    answer.isThere = true
  })
  while (!answer.isThere) await real.lane.workOnly('refunds')
  const sent = await arrived
  expectAnswer(sent, predictRefund(model, placed, { by, amount }))
  if (sent.status === 201) expectRefunds(order, sent.body)
  await expectOrder(real, order)
  await expectAsForetold(real, intent)
}

function predictRefund(
  model: Model,
  { intent, order }: Placed,
  { by, amount: asked }: { by: 'seller' | 'person'; amount: number | null },
): Answer {
  if (by === 'person') return refusals.notFound
  if (!isPaid(order) && order.payment !== 'refunded') return refusals.conflict('order_not_refundable')
  const left = order.total - sum(order.refunds)
  const amount = asked ?? left
  if (left === 0 || amount > left) return refusals.conflict('refund_exceeds_captured')
  order.refunds.push(amount)
  intent.events.push('cart.payment_refunded')
  model.coverage.moved('payment', order.payment, amount === left ? 'refund_rest' : 'refund_part')
  order.payment = amount === left ? 'refunded' : 'partially_refunded'
  return { status: 201, code: null }
}

function expectRefunds(order: ModelOrder, body: unknown): void {
  const refunds = memberOf(body, 'refunds')
  const given = (Array.isArray(refunds) ? refunds : []).map((one) =>
    [memberOf(one, 'status'), memberOf(one, 'amount')].join(' '),
  )
  const foretold = order.refunds.map((amount) => `succeeded ${amount}`)
  if (given.join() !== foretold.join())
    throw new Error(`the refunds of an order are ${given.join()}, foretold ${foretold.join()}`)
}

export const sellerArbitraries: { weight: number; arbitrary: fc.Arbitrary<Command> }[] = [
  { weight: 2, arbitrary: reprice },
  { weight: 3, arbitrary: restock },
  { weight: 3, arbitrary: become },
  { weight: 7, arbitrary: refund },
]
