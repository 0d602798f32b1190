import { createDemoClient } from '../../src/cli/commands/demo-client.ts'
import { demoCard, demoProfile } from '../../src/cli/commands/demo-person.ts'
import type { Up } from '../../src/cli/up/start-up.ts'
import type { Product, RunningShop, ShopOrder } from './peer.ts'
import type { Bought } from './table.ts'

type World = { up: Up; shop: RunningShop; name: string }

/** Delivery and tax may cost that much on top, in minor units. */
const feesMost = 1500

/** Buys as an agent does for a person, as a guest of the shop, and judges by the books of the shop and of the processor. */
export async function buyFrom(product: Product, world: World): Promise<Bought> {
  const { ready } = world.up
  const client = createDemoClient(ready.base_url)
  const { secret_test: person, agent_test: agent } = ready.keys
  const ordersBefore = (await world.shop.orders()).length
  const chargesBefore = (await chargesAt(ready.sandbox.processor_log_url)).length
  const profile = await client.rest(person, 'POST', '/v1/profiles', demoProfile)
  await client.rest(person, 'POST', `/v1/profiles/${profile.id}/payment_methods`, demoCard)
  const { id } = await client.rest(agent, 'POST', '/v1/purchase_intents', {
    profile_id: profile.id,
    items: [
      {
        url: `${ready.sandbox.shops[world.name]}${product.path}`,
        quantity: product.quantity,
        expected_amount: product.price,
        expected_currency: 'USD',
        ...(product.selections === undefined ? {} : { variant: { selections: product.selections } }),
      },
    ],
    preferences: { fulfillment: { method: 'ship', max_fee_amount: feesMost } },
  })
  const startedAt = performance.now()
  await client.rest(person, 'POST', `/v1/purchase_intents/${id}/approve`, { approve: true })
  await client.follow(
    agent,
    id,
    () => undefined,
    ({ type }) =>
      type.startsWith('purchase_intent.awaiting_') && type !== 'purchase_intent.awaiting_approval',
  )
  const seconds = (performance.now() - startedAt) / 1000
  const intent = await client.rest(person, 'GET', `/v1/purchase_intents/${id}`)
  const { data: pictures } = await client.rest(person, 'GET', `/v1/purchase_intents/${id}/evidence`)
  const orders = (await world.shop.orders()).slice(ordersBefore)
  const charges = (await chargesAt(ready.sandbox.processor_log_url)).slice(chargesBefore)
  return {
    product: product.about,
    status: intent.status,
    actual_amount: intent.actual_amount,
    seconds,
    pictures: pictures.map(({ stage }: { stage: string }) => stage),
    shop: orders.map(lineOf).join('; ') || 'no order',
    processor: charges.map(({ amount }) => (amount / 100).toFixed(2)).join('; ') || 'no charge',
    wrong: judge(product, { intent, orders, charges }),
  }
}

type Charge = { operation: string; result: string; amount: number; currency: string | null }

/** What was captured of anybody's card. */
async function chargesAt(log: string): Promise<Charge[]> {
  const entries: Charge[] = JSON.parse(await (await fetch(log)).text())
  return entries.filter(({ operation, result }) => operation.includes('capture') && result === 'approved')
}

function lineOf({ number, status, total, currency, lines }: ShopOrder): string {
  const goods = lines.map(({ sku, quantity }) => `${quantity} ${sku}`).join(', ')
  return `${number} ${status}: ${goods}, ${(total / 100).toFixed(2)} ${currency}`
}

type Ended = {
  // biome-ignore lint/suspicious/noExplicitAny: an answer of our own API, whose shape its contract fixes
  intent: any
  orders: readonly ShopOrder[]
  charges: readonly Charge[]
}

/** One order of the right goods, one charge of its total, and a purchase that says the same. */
function judge(product: Product, { intent, orders, charges }: Ended): string[] {
  const [order] = orders
  const [charge] = charges
  const wrong: string[] = []
  const must = (isSo: boolean, what: string) => {
    if (!isSo) wrong.push(what)
  }
  const { failure_reason: failure, next_action: next } = intent
  const why = `${failure?.code ?? next?.type ?? ''} ${failure?.merchant_message ?? ''}`.trim()
  must(intent.status === 'succeeded', `the purchase ended ${intent.status} (${why}): ${intent.summary}`)
  must(intent.carts[0]?.channel === 'browser', `it was bought by ${intent.carts[0]?.channel}`)
  must(orders.length === 1, `the shop has ${orders.length} orders`)
  must(charges.length === 1, `the processor has ${charges.length} charges`)
  if (order === undefined) return wrong
  const goods = JSON.stringify(order.lines)
  must(goods === JSON.stringify([{ sku: product.sku, quantity: product.quantity }]), `the shop sold ${goods}`)
  must(order.status === 'paid', `the order is ${order.status}`)
  must(order.email === demoProfile.email, 'the order has another address for mail')
  must(order.total > product.price * product.quantity, `the total is ${order.total}, without delivery`)
  must(charge?.amount === order.total, `the order is ${order.total}, the charge ${charge?.amount}`)
  must(intent.actual_amount === order.total, `the purchase says ${intent.actual_amount}`)
  const [cart] = intent.carts
  must(String(cart?.order_id ?? '').includes(order.number), `the cart has the order number ${cart?.order_id}`)
  return wrong
}
