import { createDemoClient, type DemoClient } from '../../src/cli/commands/demo-client.ts'
import { demoCard } from '../../src/cli/commands/demo-person.ts'
import type { Up } from '../../src/cli/up/start-up.ts'
import type { BookOrder } from './book.ts'
import { type Ended, judge } from './judge.ts'
import type { RunningShop } from './peer.ts'
import type { PlannedBuyer, PlannedProduct } from './plan.ts'
import { type CardCharge, chargesAfter } from './processor-charges.ts'
import type { Bought } from './table.ts'

type World = { readonly up: Up; readonly shop: RunningShop; readonly known: KnownOrders }

/** The numbers of the orders that have been judged. */
export type KnownOrders = Set<string>

/** Delivery and tax may cost that much on top, in minor units, where nothing else is said. */
const feesMost = 3000

/** Buys as an agent does for a person, as a guest of the shop, and judges by the books of the shop and of the processor. */
export async function buyFrom(
  wanted: { readonly product: PlannedProduct; readonly buyer: PlannedBuyer },
  { up, shop, known }: World,
): Promise<Bought> {
  const { ready } = up
  const client = createDemoClient(ready.base_url)
  const { purchases } = shop
  const charged = await chargesAfter(ready.sandbox.processor_log_url, 0)
  const startedAt = performance.now()
  const intent = await buy(client, ready.keys, { ...wanted, purchases })
  const seconds = (performance.now() - startedAt) / 1000
  const evidence = `/v1/purchase_intents/${intent.id}/evidence`
  const { data: pictures } = await client.rest(ready.keys.secret_test, 'GET', evidence)
  const orders = await newOrders(shop, known)
  const charges = (await chargesAfter(ready.sandbox.processor_log_url, charged.next)).cards
  const ended = endedAs(intent, { orders, charges })
  return {
    ...judge({ plan: purchases, ...wanted }, ended),
    product: wanted.product.name,
    buyer: wanted.buyer.name,
    status: ended.status,
    why: ended.why,
    actual_amount: ended.amount,
    seconds,
    pictures: pictures.map(({ stage }: { stage: string }) => stage),
    shop: orders.map(lineOf).join('; ') || 'no order',
    processor: charges.map(({ amount }) => amount).join('; ') || 'no charge',
  }
}

/** What the book has that nobody has judged yet. */
export async function newOrders(shop: RunningShop, known: KnownOrders): Promise<BookOrder[]> {
  const orders = (await shop.orders()).filter(({ number }) => !known.has(number))
  for (const { number } of orders) known.add(number)
  return orders
}

type Wanted = {
  readonly product: PlannedProduct
  readonly buyer: PlannedBuyer
  readonly purchases: RunningShop['purchases']
}

// biome-ignore lint/suspicious/noExplicitAny: an answer of our own API, whose shape its contract fixes
type Intent = any

async function buy(
  client: DemoClient,
  { secret_test: person, agent_test: agent }: Up['ready']['keys'],
  { product, buyer, purchases }: Wanted,
): Promise<Intent> {
  const profile = await client.rest(person, 'POST', '/v1/profiles', buyer.profile)
  await client.rest(person, 'POST', `/v1/profiles/${profile.id}/payment_methods`, demoCard)
  const { id } = await client.rest(agent, 'POST', '/v1/purchase_intents', {
    profile_id: profile.id,
    items: [
      {
        url: `https://${purchases.host}${product.path}`,
        quantity: product.quantity ?? 1,
        expected_amount: product.price,
        expected_currency: purchases.currency,
        ...(product.selections === undefined ? {} : { variant: { selections: product.selections } }),
      },
    ],
    preferences: { fulfillment: { method: 'ship', max_fee_amount: purchases.fees_most ?? feesMost } },
  })
  const path = `/v1/purchase_intents/${id}`
  let intent: Intent = await client.rest(person, 'POST', `${path}/approve`, { approve: true })
  for (;;) {
    if (hasEnded(intent)) return intent
    if (!underWay.includes(intent.status) || intent.next_action !== null) {
      const values = answersTo(intent, buyer)
      if (values === null) return { ...(await cancelled(client, person, path)), asked: intent.next_action }
      const { cart_id } = intent.next_action
      intent = await client.rest(person, 'POST', `${path}/input`, { cart_id, values })
    }
    intent = await client.rest(person, 'GET', `${path}?wait_seconds=25&after_sequence=${intent.sequence}`)
  }
}

const over: readonly string[] = ['succeeded', 'failed', 'cancelled', 'declined']
const underWay: readonly string[] = ['approved', 'queued']

function hasEnded({ status }: Intent): boolean {
  return over.includes(status)
}

/** What the plan answers to what the shop asks, by label or name; null: not all of it. */
function answersTo({ next_action: next }: Intent, { answers = {} }: PlannedBuyer) {
  if (next?.type !== 'provide_input') return null
  const values: [string, string | undefined][] = (next.fields ?? []).map(
    ({ name, label }: { name: string; label: string }) => [name, answers[label] ?? answers[name]],
  )
  return values.length > 0 && values.every(([, value]) => value !== undefined)
    ? Object.fromEntries(values)
    : null
}

/** What waits for somebody who is not there ends here, so that it buys nothing later. */
async function cancelled(client: DemoClient, person: string, path: string): Promise<Intent> {
  await client.attempt(person, 'POST', `${path}/cancel`, { reason: 'Nobody answers what it asks.' })
  for (;;) {
    const intent = await client.rest(person, 'GET', `${path}?wait_seconds=1`)
    if (hasEnded(intent)) return intent
  }
}

function endedAs(
  intent: Intent,
  { orders, charges }: { orders: readonly BookOrder[]; charges: readonly CardCharge[] },
): Ended {
  const { failure_reason: failure, asked } = intent
  const [cart] = intent.carts
  const fields = asked?.fields?.map(({ label }: { label: string }) => `“${label}”`).join(', ')
  const waits = asked ? `waits: ${asked.type} ${fields ?? ''}` : ''
  return {
    status: intent.status,
    code: failure?.code ?? null,
    why: [waits, failure?.code, failure?.merchant_message].filter(Boolean).join(' ').trim(),
    amount: intent.actual_amount,
    channel: cart?.channel ?? null,
    orderId: cart?.order_id ?? null,
    orders,
    charges: charges.map(({ amount }) => amount),
  }
}

function lineOf({ number, status, total, lines }: BookOrder): string {
  const goods = lines.map((line) => `${line.quantity} ${line.goods}`).join(', ')
  return `${number} ${status ?? ''}: ${goods}, ${total}`
}
