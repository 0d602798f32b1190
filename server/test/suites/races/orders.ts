import { setTimeout as delay } from 'node:timers/promises'
import { patience } from '../../gate/pace.ts'
import { type Arena, approveOf, codeOf, purchaseOf, type Racing } from '../arena.ts'
import { memberOf, type Sent } from '../client.ts'
import { eachOf } from '../suite.ts'
import { newProfile } from '../whole-product.ts'

const patienceMs = 40_000

/**
 * A silent merchant's orders: two different answers, the buyer's cancel and the end of the order's time meet. One of them decides,
 * and the money follows it.
 */
export async function raceAnswers(arena: Arena): Promise<undefined> {
  const profile = await newProfile(arena.service)
  const { items: urls, item_price: expected_amount, item_currency } = arena.service.ready.sandbox
  const items = [{ url: urls.silent, quantity: 1, expected_amount, expected_currency: item_currency }]
  const ids: string[] = []
  await eachOf(Array.from({ length: arena.rounds(16) }), 8, async () => {
    const { id } = await arena.ask(purchaseOf(profile, { items }), 201)
    await arena.ask(approveOf(String(id)), 200)
    ids.push(String(id))
  })
  const waiting = `select id from orders where purchase_intent_id = any($1) and status = 'awaiting_confirmation'`
  await until(async () => (await arena.query(waiting, ids)).length === ids.length)
  await eachOf(ids, 4, (id) => raceAnswer(arena, id))
  // The silent merchant's own memory has no answer, since the suite has answered for it.
  await until(async () => (await disagreements(arena, ids)).length === 0)
  const open = await disagreements(arena, ids)
  arena.expect(open.length === 0, () => open.slice(0, 20).join('\n'))
  return undefined
}

async function raceAnswer(arena: Arena, id: string): Promise<void> {
  const { carts } = await arena.service.read(id)
  const order = String(carts[0]?.order)
  const answer = (reference: string): Racing => ({
    method: 'POST',
    path: `/v1/merchant/orders/${order}/responses`,
    body: { outcome: 'confirmed', confirmation_reference: `${order}-${reference}` },
  })
  const cancel: Racing = { method: 'POST', path: `/v1/orders/${order}/cancel`, body: {} }
  const isExpiring = arena.random() < 0.25
  const expiry = isExpiring
    ? arena.query(
        `update orders set expires_at = now(), due_at = now() where id = $1 and due_at is not null`,
        order,
      )
    : Promise.resolve()
  const [answers] = await Promise.all([
    arena.race(arena.random() < 0.5 ? [answer('a'), answer('b')] : [cancel, answer('a'), answer('b')]),
    expiry,
  ])
  const taken = answers.filter(({ status }) => status === 200)
  const isSerial = answers.every((one) => one.status === 200 || isTooLate(one))
  arena.expect(
    isSerial && (taken.length === 1 || (isExpiring && taken.length === 0)),
    () =>
      `${order}${isExpiring ? ', expiring,' : ''} was answered ${answers.map((one) => one.text).join(' ')}`,
  )
  if (isExpiring && taken.length === 0) return
  const shown = await arena.ask({ method: 'GET', path: `/v1/orders/${order}` }, 200)
  const said = memberOf(taken[0]?.body, 'status')
  arena.expect(shown.status === said, () => `${order} is ${shown.status}, and somebody was told ${said}`)
}

function isTooLate(sent: Sent): boolean {
  const code = codeOf(sent)
  return code === 'response_conflict' || code === 'order_not_awaiting' || code === 'order_not_cancellable'
}

/** Without answers that the suite gave for a silent merchant, since its own memory does not have them. */
export async function disagreements(arena: Arena, ids: readonly string[]): Promise<string[]> {
  return (await arena.service.agree(ids, 0)).filter((one) => !one.includes('its merchant has'))
}

export async function until(is: () => Promise<boolean>): Promise<void> {
  const wait = patience(patienceMs)
  while (!(await is()) && !wait.isOver()) await delay(50)
}
