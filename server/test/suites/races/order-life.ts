import { refundContradictions, type ToldRefunds } from '../../harness/witness.ts'
import { type Arena, approveOf, codeOf, purchaseOf, type Racing } from '../arena.ts'
import { memberOf } from '../client.ts'
import { eachOf } from '../suite.ts'
import { newProfile } from '../whole-product.ts'
import { disagreements, until } from './orders.ts'

/**
 * New prices, an answer and the buyer's cancel meet at a silent merchant's orders. The first that is taken counts for the later ones,
 * and the captured amount is the price at the time when the answer was taken.
 */
export async function racePrices(arena: Arena): Promise<undefined> {
  const bought = await buy(arena, 'silent', arena.rounds(12))
  await eachOf(bought, 4, async ({ order }) => {
    const path = `/v1/merchant/orders/${order}`
    const reprice = (subtotal: number): Racing => ({
      method: 'POST',
      path: `${path}/reprice`,
      body: { subtotal_amount_cents: subtotal },
    })
    const answer: Racing = {
      method: 'POST',
      path: `${path}/responses`,
      body: { outcome: 'confirmed', confirmation_reference: `${order}-priced` },
    }
    const cancel: Racing = { method: 'POST', path: `/v1/orders/${order}/cancel`, body: {} }
    const rivals = arena.random() < 0.5 ? [answer] : [answer, cancel]
    const sent = await arena.race([reprice(900), ...rivals, reprice(700)])
    const prices = sent.filter(({ body }, index) => isPrice(index, sent.length) && memberOf(body, 'object'))
    const shown = await arena.ask({ method: 'GET', path: `/v1/orders/${order}` }, 200)
    const told = prices.map(({ body }) => memberOf(body, 'total_amount'))
    arena.expect(
      prices.length === 0
        ? shown.total_amount === shown.authorized_amount
        : told.includes(shown.total_amount),
      () => `${order} costs ${shown.total_amount}, and ${told.join(', ')} was told`,
    )
    arena.expect(
      sent.every((one) => one.status === 200 || tooLate.includes(String(codeOf(one)))),
      () => `${order} was answered ${sent.map(({ text }) => text).join(' ')}`,
    )
  })
  await expectMoney(arena, bought)
  return undefined
}

/**
 * Refunds of all sizes, some of one return, and the decline of that return meet: never more is refunded than was captured, and none twice.
 */
export async function raceRefunds(arena: Arena): Promise<undefined> {
  const bought = await buy(arena, 'ok', arena.rounds(10))
  await until(async () => (await arena.query(unpaid, idsOf(bought))).length === 0)
  await eachOf(bought, 4, async ({ order }) => {
    const path = `/v1/merchant/orders/${order}`
    const before = await arena.ask({ method: 'POST', path: `/v1/orders/${order}/returns`, body: {} }, 201)
    const [returned] = before.returns as { id: string }[] // the contract's own shape
    const total = Number(before.total_amount)
    const refund = (body: object): Racing => ({ method: 'POST', path: `${path}/refunds`, body })
    const of = { return_id: returned?.id }
    const sent = await arena.race([
      refund({ ...of, amount: Math.ceil(total / 2) }),
      refund({ ...of, amount: Math.ceil(total / 2) }),
      { method: 'POST', path: `${path}/returns/${returned?.id}/decline`, body: {} },
      ...[0.4, 0.3, 0.2, 0.6].map((part) => refund({ amount: Math.ceil(total * part) })),
      refund({}),
    ])
    const ofReturn = sent.slice(0, 3).filter(({ status }) => status < 300)
    arena.expect(ofReturn.length <= 1, () => `the return of ${order} was answered ${ofReturn.length} times`)
    arena.expect(
      sent.every((one) => one.status < 300 || refusals.includes(String(codeOf(one)))),
      () => `${order} was answered ${sent.map(({ text }) => text).join(' ')}`,
    )
  })
  await until(async () => (await arena.query(pending, idsOf(bought))).length === 0)
  await expectMoney(arena, bought)
  const testimony = await arena.service.testimony()
  for (const { id, cart, order } of bought) {
    const shown = await arena.ask({ method: 'GET', path: `/v1/orders/${order}` }, 200)
    const refunds = shown.refunds as ToldRefunds // the contract's own shape
    const problems = refundContradictions(`${id}/${cart}`, refunds, testimony)
    arena.expect(problems.length === 0, () => problems.join('\n'))
    const sum = refunds.reduce((all, { amount }) => all + amount, 0)
    arena.expect(
      sum <= Number(shown.total_amount),
      () => `${order} gave ${sum} back of ${shown.total_amount}`,
    )
  }
  return undefined
}

export type Bought = { id: string; cart: string; order: string }

const tooLate = ['order_not_awaiting', 'order_not_cancellable', 'response_conflict']
const refusals = ['refund_exceeds_captured', 'return_not_open']
const unpaid = `select id from orders where id = any($1) and payment_status <> 'captured'`
const pending = `select id from order_refunds where order_id = any($1) and status = 'pending'`

/** Purchases of one of the sandbox merchant's items, approved and placed. */
export async function buy(arena: Arena, item: 'ok' | 'silent', count: number): Promise<Bought[]> {
  const ids = await createPurchases(arena, item, count)
  await arena.race(ids.map((id) => approveOf(id)))
  await until(async () => (await arena.query(placed, ids)).length === ids.length)
  return await arena.query<Bought>(placed, ids)
}

/** The orders of these purchases. */
export const placed = `select purchase_intent_id as id, cart_id as cart, id as order from orders where purchase_intent_id = any($1)`

/** The same, waiting to be approved. */
export async function createPurchases(arena: Arena, item: 'ok' | 'silent', count: number): Promise<string[]> {
  const profile = await newProfile(arena.service)
  const { items: urls, item_price: expected_amount, item_currency } = arena.service.ready.sandbox
  const items = [{ url: urls[item], quantity: 1, expected_amount, expected_currency: item_currency }]
  const ids: string[] = []
  await eachOf(Array.from({ length: count }), 8, async () => {
    const { id } = await arena.ask(purchaseOf(profile, { items }), 201)
    ids.push(String(id))
  })
  return ids
}

/** The outside world's memory of the purchases agrees with ours. */
export async function expectMoney(arena: Arena, bought: readonly Bought[]): Promise<void> {
  const ids = bought.map(({ id }) => id)
  await until(async () => (await disagreements(arena, ids)).length === 0)
  const open = await disagreements(arena, ids)
  arena.expect(open.length === 0, () => open.slice(0, 20).join('\n'))
}

function idsOf(bought: readonly Bought[]): string[] {
  return bought.map(({ order }) => order)
}

/** New prices are the first and the last of the requests that race. */
function isPrice(index: number, count: number): boolean {
  return index === 0 || index === count - 1
}
